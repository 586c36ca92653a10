import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { GatewayError } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { silentLogger } from '../../telemetry/logger.js'
import type { Child } from './channel.js'
import { startChild } from './child.js'
import { isDownloading } from './downloading.js'
import { createInstance } from './instance.js'
import { createReaper } from './reaper.js'

const linux = process.platform === 'linux' && existsSync('/proc/self/task')

let folder: string
const at = (name: string): string => join(folder, name)
const reaper = createReaper({ instance: createInstance(), clock: systemClock, logger: silentLogger })
const open = new Set<Child>()

/** A launcher that says by a file that it is here, waits for a word (its download), and then runs the package. */
const launcher = (name: string, run: string): void =>
  writeFileSync(
    at(`bin/${name}`),
    `#!/bin/sh\necho here >"${folder}/$1.here"\nread word <"${folder}/$1.fetched"\n${run}\n`,
    { mode: 0o755 },
  )

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-download-'))
  mkdirSync(at('bin'))
  const server = `"${process.execPath}" -e 'process.stdin.resume(); process.stdout.write("{}\\n")'`
  // In its own place, as a child that it waits for, and one that then hangs.
  launcher('npx', `exec ${server}`)
  launcher('uvx', `${server}\ntrue`)
  launcher('bunx', `exec "${process.execPath}" -e 'process.stdin.resume()'`)
  // The script of a package that is being installed.
  writeFileSync(
    at('bin/pnpx'),
    `#!/bin/sh\necho here >"${folder}/$1.here"\nnpm_lifecycle_event=postinstall sh -c 'read word <"$0"; true' "${folder}/$1.fetched"\nexec ${server}\n`,
    { mode: 0o755 },
  )
})
afterEach(async () => {
  await Promise.all([...open].map((child) => child.close()))
  open.clear()
})
afterAll(async () => {
  await reaper.close()
  rmSync(folder, { recursive: true, force: true })
})

const begin = async (command: string, name: string) => {
  execFileSync('mkfifo', [at(`${name}.fetched`)])
  const clock = new VirtualClock()
  const told: boolean[] = []
  const child = await startChild({
    command,
    args: [name],
    clock,
    logger: silentLogger,
    reaper,
    hostEnv: { ...process.env, PATH: `${at('bin')}${delimiter}${process.env.PATH}` },
    stopTimes: { inputMs: 1, termMs: 1, killMs: 10_000 },
    startTimeoutMs: 5000,
    downloadTimeoutMs: 60_000,
    onDownload: (isOn) => void told.push(isOn),
  })
  open.add(child)
  const lines: string[] = []
  child.onLine((line) => void lines.push(line.toString()))
  let ended: GatewayError | undefined
  child.onClose((reason) => {
    ended = reason as GatewayError | undefined
  })
  await until(() => existsSync(at(`${name}.here`)))
  const advance = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 500) await clock.advance(Math.min(left, 500))
  }
  return {
    child,
    clock,
    told,
    lines,
    advance,
    fetched: () => writeFile(at(`${name}.fetched`), 'now\n'),
    ended: () => ended,
  }
}

describe.runIf(linux)('a first download (U10)', () => {
  it.each(['npx', 'uvx', 'pnpx'])('of %s does not count against the start limit, and is told', async (command) => {
    const run = await begin(command, `told-${command}`)
    await run.advance(30_000)
    expect(run.ended()).toBeUndefined()
    expect(run.told).toEqual([true])
    await run.fetched()
    await until(() => run.lines.length > 0)
    expect(run.told).toEqual([true, false])
    // From here on the start counts.
    await run.advance(4000)
    expect(run.ended()).toBeUndefined()
    await run.advance(2000)
    await until(() => run.ended() !== undefined)
    expect(run.ended()?.message).toContain('was not ready within 5000 ms')
  })

  it('of what is here already is not worth a word', async () => {
    const run = await begin('npx', 'quick')
    await run.advance(1500)
    await run.fetched()
    await until(() => run.lines.length > 0)
    expect(run.told).toEqual([])
  })

  it('has a limit of its own', async () => {
    const run = await begin('npx', 'endless')
    await run.advance(61_500)
    await until(() => run.ended() !== undefined)
    expect(run.ended()?.message).toContain('was still downloading what it runs after 60000 ms')
    expect(run.ended()?.message).toContain('"downloadTimeoutMs"')
  })

  it('is over when the package runs, whether or not that ever answers', async () => {
    const run = await begin('bunx', 'hangs')
    await run.advance(3000)
    expect(run.told).toEqual([true])
    await run.fetched()
    await until(() => !isDownloading(run.child.pid))
    await run.advance(7000)
    await until(() => run.ended() !== undefined)
    expect(run.ended()?.message).toContain('was not ready within 5000 ms')
  })

  it('is nothing that other commands have', () => {
    expect(isDownloading(process.pid)).toBe(false)
    expect(isDownloading(2 ** 22 + 1)).toBe(false)
  })
})
