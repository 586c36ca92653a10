import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../src/telemetry/audit-entry.js'
import { type AuditLog, openAuditFile } from '../../src/telemetry/audit-file.js'
import { trailIn } from '../../src/telemetry/audit-pages.js'
import { verifyTrail } from '../../src/telemetry/audit-verify.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'

let home: string
let folder: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-audit-'))
  folder = join(home, 'data', 'audit')
  config({})
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const config = (more: object) =>
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ storage: { path: './data' }, ...more }))
const note = (audit: AuditLog, id: string) =>
  audit.note({
    ...{ kind: 'key', action: 'create', on: { type: 'key', id }, outcome: 'ok' },
    actor: { id: 'p1', type: 'person', name: 'Ada', via: 'console' },
  })
/** A command that goes on, and what it has said so far. */
const start = (...args: readonly string[]) => {
  const child = spawn(process.execPath, [cliPath(), ...args], { cwd: home, env: bareEnv(home) })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const exited = once(child, 'close')
  return {
    ...{ child, lines, log: () => log },
    end: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
const entriesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as AuditEntry)
const patience = { timeout: 60_000 }

describe('pegboard audit --follow', () => {
  it('shows the last lines, then each that comes, once and in order, over turned pages', async () => {
    const audit = openAuditFile({ folder, logger: silentLogger, maxBytes: 2000, maxFiles: 100 })
    for (let index = 0; index < 8; index++) note(audit, `old-${index}`)
    await audit.read({ limit: 1 })
    const following = start('audit', '--follow', '--json', '--limit', '2', '--kind', 'key', '--person', 'ada')
    try {
      await vi.waitUntil(() => following.lines.length === 2, patience)
      const wanted = Array.from({ length: 40 }, (_, index) => `new-${index}`)
      for (const [index, id] of wanted.entries()) {
        note(audit, id)
        audit.note({ kind: 'setting', action: 'change', actor: { id: 'p2', type: 'person' }, outcome: 'ok' })
        if (index % 5 === 0) await audit.read({ limit: 1 })
        // Some come while it sleeps, some while it reads.
        if (index === 20) await vi.waitUntil(() => following.lines.length > 12, patience)
      }
      await audit.close()
      await vi.waitUntil(() => following.lines.length >= 42, patience)
      expect(readdirSync(folder).length).toBeGreaterThan(3)
      expect(entriesOf(following.lines).map(({ on }) => on?.id)).toEqual(['old-6', 'old-7', ...wanted])
    } finally {
      await following.end()
    }
  })

  it('waits for a trail that is not there yet', async () => {
    const following = start('audit', '--follow', '--json')
    try {
      await typed('key', 'create', 'ci', '--role', 'reader')
      await vi.waitUntil(() => entriesOf(following.lines).some(({ kind }) => kind === 'key'), patience)
      expect(following.log()).toBe('')
    } finally {
      await following.end()
    }
  })
})

const typed = async (...args: readonly string[]) => {
  const run = await runCli(args, { cwd: home, home })
  expect(run.code, run.stderr).toBe(0)
  return run
}

describe('a trail on standard output', () => {
  it('is every line and nothing else there, from the start to the stop, in one good chain', async () => {
    config({ telemetry: { audit: { to: ['stdout'] } } })
    const serving = start('serve', '--json', '--port', '0')
    await vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+/.test(serving.log()), patience)
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(serving.log())!
    const headers = { 'content-type': 'application/json' }
    await fetch(`${url}/api/v1/tools/nobody.here/call`, { method: 'POST', headers, body: '{"arguments":{}}' })
    await fetch(`${url}/api/admin/v1/keys`, { headers: { authorization: 'Bearer wrong' } })
    // While it runs, not only at its end.
    await vi.waitUntil(() => serving.lines.some((line) => line.includes('"kind":"refusal"')), patience)
    await serving.end()
    const entries = entriesOf(serving.lines)
    expect(entries.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'system start',
      'call call',
      'refusal refuse',
      'system stop',
    ])
    const copied = mkdtempSync(join(tmpdir(), 'pegboard-copied-'))
    writeFileSync(trailIn(copied), serving.lines.map((line) => `${line}\n`).join(''))
    expect(await verifyTrail(trailIn(copied))).toMatchObject({ ok: true, lines: 4, chains: [{ stopped: true }] })
    rmSync(copied, { recursive: true })
    expect(existsSync(folder)).toBe(false)
  })

  it('is left out where a command or MCP speaks there', async () => {
    config({ telemetry: { audit: { to: ['stdout', 'file'] } } })
    const { stdout } = await typed('key', 'create', 'ci', '--role', 'reader', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ key: expect.any(String) })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const spoken = await runCli(['stdio', '--alone'], { cwd: home, home, input: `${JSON.stringify(ping)}\n` })
    for (const line of spoken.stdout.trim().split('\n').filter(Boolean)) expect(JSON.parse(line).jsonrpc).toBe('2.0')
    expect(readFileSync(trailIn(folder), 'utf8')).toContain('"action":"create"')
  })
})

describe('pegboard audit verify over turned pages', () => {
  const page = (number: number): string => `${trailIn(folder)}${number === 0 ? '' : `.${number}`}`
  const read = (number: number): string[] => readFileSync(page(number), 'utf8').split('\n').slice(0, -1)
  const put = (number: number, lines: readonly string[]): void =>
    writeFileSync(page(number), lines.map((line) => `${line}\n`).join(''))
  const write = async (count: number): Promise<void> => {
    const audit = openAuditFile({ folder, logger: silentLogger, maxBytes: 2500, maxFiles: 100 })
    for (let index = 0; index < count; index++) {
      note(audit, `k${index}`)
      await audit.read({ limit: 1 })
    }
    await audit.close()
  }
  beforeEach(async () => {
    await write(30)
    expect(readdirSync(folder).length).toBeGreaterThan(3)
  })
  const verify = async () => {
    const { code, stderr, stdout } = await runCli(['audit', 'verify', '--json'], { cwd: home, home })
    return { code, stderr, ...(JSON.parse(stdout) as Awaited<ReturnType<typeof verifyTrail>>) }
  }
  const broken = async (file: string, line: number, fault: string) => {
    const found = await verify()
    expect([found.code, found.broken]).toEqual([1, expect.objectContaining({ file, line, fault })])
    expect(found.stderr).toContain(`broken at ${file}, line ${line}`)
  }

  it('finds nothing where nothing was done', async () => {
    expect(await verify()).toMatchObject({ code: 0, ok: true, chains: [{ first: 1, last: 32, stopped: true }] })
  })

  it('names an edited line of an old page', async () => {
    put(
      2,
      read(2).map((line, index) => (index === 1 ? line.replace('"Ada"', '"Eve"') : line)),
    )
    await broken('audit.jsonl.2', 2, 'changed')
  })

  it('names the last line of a page that was edited, by the first of the next', async () => {
    const lines = read(2)
    put(
      2,
      lines.map((line, index) => (index === lines.length - 1 ? line.replace('"Ada"', '"Eve"') : line)),
    )
    await broken('audit.jsonl.2', lines.length, 'changed')
  })

  it('names where one is missing, and where a whole page is', async () => {
    const whole = read(2)
    put(2, whole.toSpliced(1, 1))
    await broken('audit.jsonl.2', 2, 'missing')
    put(2, whole)
    expect((await verify()).ok).toBe(true)
    renameSync(page(2), join(home, 'gone'))
    await broken('audit.jsonl.1', 1, 'missing')
  })

  it('names where lines changed places, and where pages did', async () => {
    const whole = read(2)
    const [first, second, ...rest] = whole
    put(2, [second!, first!, ...rest])
    await broken('audit.jsonl.2', 1, 'missing')
    put(2, read(1))
    put(1, whole)
    await broken('audit.jsonl.2', 1, 'missing')
  })

  it('finds a cut-off end by whoever wrote on: the process itself, or the next', async () => {
    const audit = openAuditFile({ folder, logger: silentLogger })
    for (const id of ['a', 'b', 'c']) note(audit, id)
    await audit.read({ limit: 1 })
    const lines = read(0)
    put(0, lines.slice(0, -2))
    note(audit, 'd')
    await audit.close()
    await broken('audit.jsonl', lines.length - 1, 'missing')
  })

  it('tells what it cannot find: an end that was cut off when nobody wrote on; half a line', async () => {
    const lines = read(0)
    put(0, lines.slice(0, -1))
    expect(await verify()).toMatchObject({ ok: true, chains: [{ stopped: false, last: 31 }] })
    writeFileSync(page(0), lines.join('\n').slice(0, -20))
    expect(await verify()).toMatchObject({ ok: true, torn: 1, chains: [{ stopped: false }] })
    await write(1)
    expect(await verify()).toMatchObject({ ok: true, torn: 1 })
  })
})
