import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { settle, until, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { GatewayError } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import type { Logger, LogLevel } from '../../telemetry/logger.js'
import type { Child } from './channel.js'
import { type ChildOptions, startChild } from './child.js'
import { groupOf, runningMembers } from './group.js'
import { createInstance } from './instance.js'
import { readStat } from './proc.js'
import { createReaper } from './reaper.js'

interface LogEntry {
  readonly level: LogLevel
  readonly message: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
}

const entries: LogEntry[] = []
const logger: Logger = {
  log: (level, message, meta) => void entries.push({ level, message, meta }),
  child: () => logger,
}
const reaper = createReaper({ instance: createInstance(), clock: systemClock, logger })
const quick = { inputMs: 30, termMs: 30, killMs: 10_000 }
const open = new Set<Child>()

const start = async (
  command: string,
  args: readonly string[] = [],
  more: Partial<ChildOptions> = {},
): Promise<Child> => {
  const base = { clock: systemClock, logger, reaper, hostEnv: process.env, stopTimes: quick }
  const child = await startChild({ ...base, command, args, ...more })
  open.add(child)
  return child
}
const sh = (script: string, more: Partial<ChildOptions> = {}) => start('/bin/sh', ['-c', script], more)
const node = (script: string, more: Partial<ChildOptions> = {}) => start(process.execPath, ['-e', script], more)

const collect = (child: Child): string[] => {
  const lines: string[] = []
  child.onLine((line) => lines.push(line.toString('utf8')))
  return lines
}
const closing = (child: Child) =>
  new Promise<GatewayError | undefined>((resolve) =>
    child.onClose((reason) => resolve(reason as GatewayError | undefined)),
  )

afterEach(async () => {
  await Promise.all([...open].map((child) => child.close()))
  open.clear()
  entries.length = 0
})
afterAll(() => reaper.close())

describe('child', () => {
  it('carries lines both ways, also characters torn between two chunks (F15)', async () => {
    const cat = await start('cat')
    const lines = collect(cat)
    cat.send('{"text":"你好 🎉"}')
    cat.send('second')
    await until(() => lines.length === 2)
    expect(lines).toEqual(['{"text":"你好 🎉"}', 'second'])
    const torn = collect(
      await node(`const b = Buffer.from('你好 🎉\\n'); let i = 0
        const next = () => i < b.length && process.stdout.write(b.subarray(i, ++i), () => setImmediate(next)); next()`),
    )
    await until(() => torn.length === 1)
    expect(torn).toEqual(['你好 🎉'])
  })

  it('that prints text instead of MCP is told what it wrote, without its secrets (U10)', async () => {
    const env = { API_TOKEN: 'canary-123456' }
    const child = await sh('echo hello world canary-123456', { env })
    const closed = closing(child)
    collect(child)
    const { message } = (await closed)!
    expect(message).toBe(
      "/bin/sh ended by itself with exit code 0. It wrote 'hello world [env API_TOKEN]' on stdout, which is not MCP.",
    )
    // Whoever asked for the start tells that it failed.
    expect(entries.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })

  it('that may be downloading is said to (U10)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-npx-'))
    writeFileSync(join(folder, 'npx'), '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
    const child = await start(join(folder, 'npx'), ['-y', 'server'], { startTimeoutMs: 50 })
    expect((await closing(child))!.message).toMatch(/within 50 ms; it may still have been downloading what it runs\./)
    rmSync(folder, { recursive: true })
  })

  it('passes noise on stdout along and lives on (F15)', async () => {
    const child = await sh(`printf 'Welcome!\\n\\033[1mbold\\033[0m\\nnull\\n[]\\n\\377\\376\\n{"ok":1}\\n'; cat`)
    const lines = collect(child)
    await until(() => lines.includes('{"ok":1}'))
    expect(lines).toHaveLength(6)
    child.send('still here')
    await until(() => lines.includes('still here'))
  })

  it('sees the allow-list, its own variables and the mark only (T24)', async () => {
    const hostEnv = { PATH: process.env.PATH, HOME: '/', DATABASE_URL: 'db', ADMIN_KEY: 'key', LC_ALL: 'C', TZ: 'UTC' }
    const child = await start('env', [], { hostEnv, env: { OWN: 'mine' } })
    const lines = collect(child)
    await closing(child)
    const names = lines.map((line) => line.split('=')[0]).sort()
    expect(names).toEqual(['HOME', 'LC_ALL', 'OWN', 'PATH', 'PEGBOARD_INSTANCE', 'TZ'])
  })

  it('gets its arguments byte for byte, with no shell in between (T15)', async () => {
    const args = ['$(id)', '; echo x', '&& y', '*', 'a b', '"q"', "'s'", '\\', 'line\nbreak', '你好', '']
    const child = await start(process.execPath, [
      '-e',
      'console.log(JSON.stringify(process.argv.slice(1)))',
      '--',
      ...args,
    ])
    const lines = collect(child)
    await closing(child)
    expect(JSON.parse(lines[0] ?? '')).toEqual(args)
  })

  it('waits while its reader pauses, and loses nothing', async () => {
    const child = await sh('i=0; while [ $i -lt 40000 ]; do echo "line $i"; i=$((i+1)); done; cat')
    const lines = collect(child)
    const forgetPause = child.onLine(() => child.pause())
    await until(() => lines.length > 0)
    forgetPause()
    const seen = lines.length
    for (let turn = 0; turn < 200; turn += 1) await settle()
    expect(lines.length).toBe(seen)
    expect(seen).toBeLessThan(40_000)
    child.resume()
    await until(() => lines.length === 40_000)
    expect(lines.at(-1)).toBe('line 39999')
  })

  it('is ended by a line that never ends, within bounded memory (F15)', async () => {
    const child = await start('sh', ['-c', 'yes | tr -d "\\n"'], { bounds: { lineBytes: 1024 * 1024 } })
    child.started()
    const lines = collect(child)
    const reason = await closing(child)
    expect(reason).toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringContaining('longer than 1048576'),
    })
    await child.close()
    expect(lines).toEqual([])
    expect(runningMembers(groupOf(child.pid))).toEqual([])
  })

  it('may write its last lines and go: they arrive before the end does', async () => {
    const child = await sh('echo one; echo two; printf three; exit 0')
    child.started()
    const lines = collect(child)
    expect(await closing(child)).toMatchObject({ code: 'SOURCE_UNAVAILABLE', details: { exitCode: 0 } })
    expect(lines).toEqual(['one', 'two', 'three'])
  })

  it('survives a listener that throws', async () => {
    const child = await sh('echo one; echo two; cat')
    const lines = collect(child)
    child.onLine(() => {
      throw new Error('oops')
    })
    await until(() => lines.length === 2)
    expect(entries).toContainEqual(expect.objectContaining({ meta: expect.objectContaining({ error: 'oops' }) }))
  })
})

describe('child that does not read', () => {
  it('costs a bounded queue, then OVERLOADED, and its death is told to sender and listener (F12)', async () => {
    const child = await start('sleep', ['1000'], { bounds: { queueBytes: 1024 * 1024 } })
    child.started()
    const line = 'x'.repeat(1000)
    let sent = 0
    const flood = () => {
      for (;;) {
        child.send(line)
        sent += 1
      }
    }
    expect(flood).toThrow(expect.objectContaining({ code: 'OVERLOADED', notSent: true }))
    expect(sent).toBe(Math.floor((1024 * 1024) / 1001))
    const reason = closing(child)
    process.kill(child.pid, 'SIGKILL')
    expect(await reason).toMatchObject({ code: 'SOURCE_UNAVAILABLE', details: { signal: 'SIGKILL' } })
    expect(() => child.send('x')).toThrow(expect.objectContaining({ code: 'SOURCE_UNAVAILABLE', notSent: true }))
  })

  it('refuses a message with a newline in it, which would be two', async () => {
    const cat = await start('cat')
    expect(() => cat.send('{"a":1}\n{"b":2}')).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
    expect(() => cat.send('a\r\nb')).toThrow(expect.objectContaining({ code: 'INTERNAL' }))
  })

  it('is ended when it closed its input or its output but stays', async () => {
    const deaf = await sh('exec 0<&-; echo ready; exec sleep 1000')
    deaf.started()
    const lines = collect(deaf)
    await until(() => lines.length === 1)
    deaf.send('hello')
    expect(await closing(deaf)).toMatchObject({ message: expect.stringContaining('closed its input') })
    const mute = await sh('exec 1>&-; exec sleep 1000')
    mute.started()
    collect(mute)
    expect(await closing(mute)).toMatchObject({ message: expect.stringContaining('closed its output') })
  })
})

describe('child stderr', () => {
  it('is read however much comes, logged at a bounded rate and kept for errors (F16)', async () => {
    const clock = new VirtualClock()
    const child = await sh('yes "some words" | head -n 1000000 >&2; echo done; cat', { clock })
    child.started()
    const lines = collect(child)
    await until(() => lines.includes('done'))
    expect(entries.filter(({ message }) => message === 'some words')).toHaveLength(200)
    await clock.advance(1000)
    expect(entries).toContainEqual(expect.objectContaining({ message: '999800 lines suppressed' }))
    expect(Buffer.byteLength(child.stderrTail())).toBeLessThanOrEqual(2048)
    const closed = child.close()
    void closed.then(() => open.delete(child))
    await until(() => readStat(child.pid) === undefined)
    while (open.has(child)) await clock.advance(1)
  })

  it('is cleaned of escape sequences and declared secrets in log and error (T21, T23)', async () => {
    const script = 'printf "\\033[31mbad key $API_TOKEN\\033[0m\\007\\n" >&2; exit 7'
    const child = await sh(script, { env: { API_TOKEN: 'canary-9f8e7d' } })
    collect(child)
    const reason = await closing(child)
    expect(reason).toMatchObject({
      code: 'SOURCE_START_FAILED',
      details: { exitCode: 7, stderr: 'bad key [env API_TOKEN]' },
    })
    expect(reason?.message).toContain('bad key [env API_TOKEN]')
    expect(JSON.stringify([entries, reason, reason?.message])).not.toContain('canary')
    expect(entries).toContainEqual(expect.objectContaining({ message: 'bad key [env API_TOKEN]' }))
    expect(entries).toContainEqual(
      expect.objectContaining({ message: 'Process crashed', meta: expect.objectContaining({ exitCode: 7 }) }),
    )
  })

  it('cuts an endless line in the log, and never inside a secret', async () => {
    const script =
      'head -c 1990 /dev/zero | tr "\\0" x >&2; printf "$API_TOKEN" >&2; head -c 500000 /dev/zero | tr "\\0" y >&2'
    const child = await sh(`${script}; printf "\\nnext\\n" >&2; exit 1`, { env: { API_TOKEN: 'canary-9f8e7d6c5b4a' } })
    collect(child)
    await closing(child)
    const said = entries.filter(({ meta }) => meta?.stream === 'stderr').map(({ message }) => message)
    expect(said.map(({ length }) => length)).toEqual([2001, 4])
    expect(said[0]).not.toContain('canary')
  })
})
