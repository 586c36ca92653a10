import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'

const isRoot = process.getuid?.() === 0
const nobody = 65_534

let home: string
let data: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-data-folder-'))
  data = join(home, 'data')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const pegboard = (...args: readonly string[]) => runCli([...args, '--data-path', data], { cwd: home, home })

/** Ends by itself where it refuses; else it is ended when it listens, which is a failure. */
const served = async (...args: readonly string[]): Promise<{ readonly code: number | null; readonly said: string }> => {
  const child = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', '--data-path', data, ...args], {
    cwd: home,
    env: bareEnv(home),
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (said.includes('Listening: ')) child.kill('SIGTERM')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, said }
}

describe('a data folder that somebody else may write to (S20)', () => {
  const planted = async (): Promise<void> => {
    expect((await pegboard('key', 'create', 'planted')).code).toBe(0)
  }

  it.each([
    ['any user may', () => chmodSync(data, 0o777), /changed by any user.*chmod go-w/],
    ['any user may, as in /tmp', () => chmodSync(data, 0o1777), /changed by any user/],
  ])('is not used, and what was planted there neither: %s', async (_what, open, words) => {
    await planted()
    open()
    const { code, said } = await served()
    expect(code).toBe(3)
    expect(said).toMatch(words)
    expect(said).toContain('--data-path')
    expect((await pegboard('key', 'list')).code).toBe(3)
    expect((await pegboard('list')).code).toBe(3)
    chmodSync(data, 0o700)
    expect((await served()).said).toContain('Listening: ')
  })

  const sharedWith = (group: number): void => {
    chownSync(data, 0, group)
    chmodSync(data, 0o770)
  }

  it.runIf(isRoot).each([
    ['it is theirs', () => chownSync(data, nobody, nobody)],
    ['a group may that others are in', () => sharedWith(54_321)],
    ['its keys are theirs', () => chownSync(join(data, 'keys.json'), nobody, nobody)],
  ])('is not used, also by root: %s', async (_what, change) => {
    await planted()
    change()
    const { code, said } = await served()
    expect([code, said.includes('Listening')]).toEqual([3, false])
  })
})

describe('a link in the place of a log', () => {
  it.runIf(isRoot)('of somebody else is not written through; our own is (S20)', async () => {
    const [log, victim] = [join(home, 'board.log'), join(home, 'victim')]
    writeFileSync(victim, 'as it was')
    symlinkSync(victim, log)
    lchownSync(log, nobody, nobody)
    await served('--log-file', log)
    expect(readFileSync(victim, 'utf8')).toBe('as it was')
    lchownSync(log, 0, 0)
    await served('--log-file', log)
    expect(readFileSync(victim, 'utf8')).toContain('Listening')
  })

  it('in the place of the audit trail is not followed where it leads to nothing of ours (S20)', async () => {
    mkdirSync(data, { mode: 0o700 })
    const victim = join(home, 'victim')
    symlinkSync(victim, join(data, 'audit.jsonl'))
    if (isRoot) lchownSync(join(data, 'audit.jsonl'), nobody, nobody)
    writeFileSync(join(home, 'pegboard.json'), '{"telemetry":{"audit":{"enabled":true}}}')
    await pegboard('call', 'calculator', 'expression=1+1')
    if (isRoot) expect(existsSync(victim)).toBe(false)
  })
})

describe('a start', () => {
  it('has written the admin key before it listens', async () => {
    const child = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', '--data-path', data], {
      cwd: home,
      env: bareEnv(home),
    })
    const seen = new Promise<boolean>((resolve) => {
      let said = ''
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString()
        if (said.includes('Listening: ')) resolve(existsSync(join(data, 'admin.key')))
      })
    })
    expect(await seen).toBe(true)
    child.kill('SIGTERM')
    await once(child, 'close')
  })

  it('that hangs is ended by SIGTERM', async () => {
    const begun = join(home, 'begun')
    writeFileSync(join(home, 'hang.sh'), `: > ${begun}\nexec sleep 600\n`)
    writeFileSync(
      join(home, 'pegboard.json'),
      JSON.stringify({ server: { token: `\${cmd:sh ${join(home, 'hang.sh')}}` } }),
    )
    const child = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', '--data-path', data], {
      cwd: home,
      env: bareEnv(home),
      stdio: 'ignore',
    })
    await expect.poll(() => existsSync(begun), { timeout: 30_000 }).toBe(true)
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).not.toBe(0)
  })
})

describe('a data folder that cannot be made', () => {
  it('below /proc ends the start with a coded error instead of trying for ever', async () => {
    data = '/proc/pegboard'
    const { code, said } = await served()
    expect(code).not.toBe(0)
    expect(said).toContain('Cannot make the folder /proc/pegboard')
  })
})
