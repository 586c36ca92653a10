import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { until, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { type GatewayError, isGatewayError } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { silentLogger } from '../../telemetry/logger.js'
import type { Child } from './channel.js'
import { type ChildOptions, startChild } from './child.js'
import { describeExit, spawnFailure, startFailure } from './failure.js'
import { createInstance } from './instance.js'
import { isRunning, readStat } from './proc.js'
import { createReaper } from './reaper.js'

const reaper = createReaper({ instance: createInstance(), clock: systemClock, logger: silentLogger })
const folder = mkdtempSync(join(tmpdir(), 'pegboard-child-'))

const start = async (
  command: string,
  args: readonly string[] = [],
  more: Partial<ChildOptions> = {},
): Promise<Child> => {
  const base = { clock: systemClock, logger: silentLogger, reaper, hostEnv: process.env }
  const child = await startChild({ ...base, command, args, ...more })
  return child
}
const refused = (command: string, more: Partial<ChildOptions> = {}): Promise<GatewayError> =>
  start(command, [], more).then(
    () => expect.fail('it started'),
    (error: unknown) => (isGatewayError(error) ? error : expect.fail(`not a GatewayError: ${error}`)),
  )
const closing = (child: Child) =>
  new Promise<GatewayError | undefined>((resolve) =>
    child.onClose((reason) => resolve(reason as GatewayError | undefined)),
  )
const runs = (pid: number | string | undefined): boolean => isRunning(readStat(Number(pid)))

afterAll(async () => {
  await reaper.close()
  rmSync(folder, { recursive: true })
})

describe('start of a child', () => {
  it('fails with the exit code when the command ends at once (F10, 001-15)', async () => {
    const child = await start('false')
    child.onLine(() => {})
    expect(await closing(child)).toMatchObject({
      code: 'SOURCE_START_FAILED',
      message: 'false ended by itself with exit code 1. It wrote nothing to stderr.',
    })
  })

  it('fails when the child is not ready in time, and ends it (001-21)', async () => {
    const clock = new VirtualClock()
    const child = await start('sleep', ['1000'], { clock })
    const reason = closing(child)
    await clock.advance(29_999)
    expect(runs(child.pid)).toBe(true)
    await clock.advance(1)
    expect(await reason).toMatchObject({ code: 'SOURCE_START_FAILED', message: expect.stringContaining('30000 ms') })
    await until(() => readStat(child.pid) === undefined)
    let closed = false
    void child.close().then(() => {
      closed = true
    })
    while (!closed) await clock.advance(10)
    expect(clock.pendingTimers).toBe(0)
  })

  it('says whether the command, its interpreter or the folder is missing', async () => {
    const script = join(folder, 'script')
    writeFileSync(script, '#!/no/such/interpreter\n')
    chmodSync(script, 0o755)
    expect(await refused('no-such-command-here')).toMatchObject({
      code: 'SOURCE_START_FAILED',
      message: expect.stringContaining('PATH'),
    })
    expect((await refused('./missing')).message).toContain('no such file')
    expect((await refused('npx -y thing')).message).toContain('"args"')
    expect((await refused(script)).message).toContain('interpreter')
    expect((await refused('cat', { cwd: join(folder, 'nowhere') })).message).toContain('does not exist')
    expect((await refused('cat', { cwd: script })).message).toContain('is not a folder')
  })

  it('says when the file is not executable', async () => {
    const file = join(folder, 'plain.txt')
    writeFileSync(file, 'text')
    chmodSync(file, 0o644)
    expect(await refused(file)).toMatchObject({
      message: expect.stringContaining('chmod +x'),
      details: { reason: 'EACCES' },
    })
  })

  it('says when arguments and variables are too large, without showing them', async () => {
    const error = await refused('cat', { args: ['secret'.repeat(1_000_000)] })
    expect(error).toMatchObject({ code: 'SOURCE_START_FAILED', details: { reason: 'E2BIG' } })
    expect(error.message.length).toBeLessThan(300)
  })

  it('refuses a command that no system could run, and never shows arguments', async () => {
    expect((await refused(' ')).code).toBe('SOURCE_INVALID')
    const error = await refused('cat', { args: ['canary\0'] })
    expect(error.code).toBe('SOURCE_INVALID')
    expect(JSON.stringify([error, error.message])).not.toContain('canary')
  })
})

describe('failure', () => {
  it('names the limit that was reached, and the system code it has no words for', () => {
    const words = (code: string | undefined) => spawnFailure({ command: 'x' }, code).message
    expect(['EAGAIN', 'ENOMEM'].map(words).every((text) => text.includes('ulimit -u'))).toBe(true)
    expect(['EMFILE', 'ENFILE'].map(words).every((text) => text.includes('ulimit -n'))).toBe(true)
    expect(words('ENOEXEC')).toContain('#!')
    expect(words('EIO')).toContain('EIO')
    expect(words(undefined)).toContain('unknown')
  })

  it('explains the exit codes by which shells speak', () => {
    const words = (exitCode: number) =>
      startFailure(describeExit(exitCode, null), { command: 'sh', exitCode, signal: null, stderr: '' }).message
    expect(words(127)).toContain('on PATH')
    expect(words(126)).toContain('not executable')
    expect(describeExit(null, 'SIGSEGV')).toBe('was ended by SIGSEGV.')
  })
})
