import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { settle, until, VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createGateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import { defineTool } from '../sources/functions/define-tool.js'
import type { AuditEntry } from './audit-entry.js'
import { openAuditFile } from './audit-file.js'
import { type Logger, silentLogger } from './logger.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-audit-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const board = () =>
  createGateway({ tools: [defineTool({ name: 'echo', handler: (args) => args })], rules: { deny: ['hidden'] } })

const trail = (number?: number): string => join(folder, number ? `audit.jsonl.${number}` : 'audit.jsonl')
const allOf = (path = trail()): AuditEntry[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
/** Without what the trail says of itself. */
const linesOf = (path = trail()): AuditEntry[] =>
  allOf(path).filter(({ kind, action }) => kind !== 'system' || action === 'loss')

/** What is logged as an error, in the order it came. */
const listening = (): Logger & { readonly errors: string[] } => {
  const errors: string[] = []
  return { ...silentLogger, errors, log: (level, message) => void (level === 'error' && errors.push(message)) }
}

describe('the audit trail (T40)', () => {
  it('has a line for each of 1,000 calls and 100 denials, in their order, without their values', async () => {
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger })
    gateway.onCall(audit.listener)
    for (let index = 0; index < 1000; index++)
      await gateway.call({ tool: 'echo', args: { secret: `canary-${index}`, [`k${index}`]: 1 }, caller: localCaller })
    for (let index = 0; index < 100; index++) await gateway.call({ tool: 'echo', caller: { id: 'none', rights: [] } })
    const [newest] = await audit.read({ limit: 1 })
    expect(newest).toMatchObject({ actor: { id: 'none' }, outcome: 'failed', code: 'TOOL_NOT_FOUND' })
    const lines = linesOf()
    expect(lines).toHaveLength(1100)
    expect(lines.slice(0, 1000).map(({ shape }) => Object.keys(shape as object)[1])).toEqual(
      Array.from({ length: 1000 }, (_, index) => `k${index}`),
    )
    expect(readFileSync(trail(), 'utf8')).not.toContain('canary')
    const [call] = await audit.read({ limit: 1, caller: 'local' })
    expect(call).toMatchObject({
      kind: 'call',
      on: { type: 'tool', id: 'echo' },
      source: 'local',
      outcome: 'ok',
      shape: { secret: 'string' },
      sizes: { in: 32, out: 32 },
    })
    expect(statSync(trail()).mode & 0o077).toBe(0)
    await audit.close()
  })

  it('has the size of the message where one carried the arguments, and none where there were none', async () => {
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger })
    gateway.onCall(audit.listener)
    await gateway.call({ tool: 'echo', args: { a: 1 }, bytes: 77, caller: localCaller })
    await gateway.call({ tool: 'echo', bytes: 55, caller: localCaller })
    await audit.close()
    expect(linesOf().map(({ sizes }) => sizes?.in)).toEqual([77, 0])
  })

  it('has a line for arguments that nobody can read', async () => {
    const gateway = createGateway({
      tools: [defineTool({ name: 'odd', handler: () => undefined })],
      validation: 'off',
    })
    const audit = openAuditFile({ folder, logger: silentLogger, values: true })
    gateway.onCall(audit.listener)
    const args = {
      get no() {
        throw new Error('not for you')
      },
    }
    await gateway.call({ tool: 'odd', args, caller: localCaller })
    await audit.close()
    expect(linesOf()).toMatchObject([{ on: { id: 'odd' }, shape: 'unreadable', sizes: { in: 0 } }])
  })

  it('is written behind the calls: 50 ms after them, or when 64 KB are together', async () => {
    const gateway = board()
    const clock = new VirtualClock()
    const audit = openAuditFile({ folder, logger: silentLogger, clock })
    gateway.onCall(audit.listener)
    const call = () => gateway.call({ tool: 'echo', caller: localCaller })
    const size = () => statSync(trail()).size
    await call()
    await clock.advance(49)
    expect(size()).toBe(0)
    await clock.advance(1)
    await until(() => size() > 0)
    expect([linesOf().length, clock.pendingTimers]).toEqual([1, 0])
    for (let calls = 0; calls < 400; calls++) await call()
    // By size alone, without a timer; a file may be seen while it grows, page by page.
    await until(() => size() > 60 * 1024)
    await audit.close()
    expect(clock.pendingTimers).toBe(0)
  })

  it('keeps values only where they were switched on, and not large ones', async () => {
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger, values: true })
    gateway.onCall(audit.listener)
    await gateway.call({ tool: 'echo', args: { a: 1 }, caller: localCaller })
    await gateway.call({ tool: 'echo', args: { a: 'x'.repeat(9000) }, caller: localCaller })
    await audit.close()
    expect(linesOf().map(({ args }) => args)).toEqual([{ a: 1 }, '(too large to keep)'])
  })

  it('turns its pages, keeps so many, and loses no line between two', async () => {
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger, maxBytes: 500, maxFiles: 3 })
    gateway.onCall(audit.listener)
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < 5; index++)
        await gateway.call({ tool: 'echo', args: { [`r${round}-${index}`]: 1 }, caller: localCaller })
      await audit.read({ limit: 1 })
    }
    expect(readdirSync(folder).sort()).toEqual(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2'])
    const kept = [trail(2), trail(1), trail()].flatMap((path) => linesOf(path))
    expect(kept.map(({ shape }) => Object.keys(shape as object)[0])).toEqual(
      [2, 3].flatMap((round) => Array.from({ length: 5 }, (_, index) => `r${round}-${index}`)),
    )
    await audit.close()
  })

  it('follows another process that has turned the page', async () => {
    const gateway = board()
    const files = [1, 2].map(() => openAuditFile({ folder, logger: silentLogger, maxBytes: 500, maxFiles: 8 }))
    for (const audit of files) gateway.onCall(audit.listener)
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < 3; index++) await gateway.call({ tool: 'echo', caller: localCaller })
      for (const audit of files) await audit.read({ limit: 1 })
    }
    const paths = readdirSync(folder).map((name) => join(folder, name))
    expect(paths.flatMap((path) => linesOf(path))).toHaveLength(24)
    for (const audit of files) await audit.close()
  })

  it('goes on behind a line that a crash has cut', async () => {
    appendFileSync(trail(), '{"cut')
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger })
    gateway.onCall(audit.listener)
    expect(await audit.read({ limit: 5 })).toMatchObject([{ action: 'start', torn: true }])
    await gateway.call({ tool: 'echo', caller: localCaller })
    expect(await audit.read({ limit: 5 })).toMatchObject([{ on: { id: 'echo' } }, { action: 'start' }])
    await audit.close()
  })

  it.skipIf(!existsSync('/dev/full'))('says once that the disk is full, costs no call, and catches up', async () => {
    symlinkSync('/dev/full', trail())
    const gateway = board()
    const logger = listening()
    const clock = new VirtualClock()
    const audit = openAuditFile({ folder, logger, clock })
    gateway.onCall(audit.listener)
    for (let index = 0; index < 3; index++) {
      expect(await gateway.call({ tool: 'echo', caller: localCaller })).toMatchObject({ ok: true })
      await audit.read({ limit: 1 })
    }
    expect(logger.errors).toEqual([expect.stringMatching(/^The audit trail cannot be written: ENOSPC/)])
    rmSync(trail())
    await clock.advance(1000)
    await until(() => existsSync(trail()) && linesOf().length === 3)
    expect(logger.errors).toHaveLength(1)
    await audit.close()
  })

  it.skipIf(!existsSync('/dev/full'))('bounds what waits, and has a line where others are missing', async () => {
    symlinkSync('/dev/full', trail())
    const gateway = board()
    const logger = listening()
    const audit = openAuditFile({ folder, logger, maxWaitingBytes: 300 })
    gateway.onCall(audit.listener)
    await gateway.call({ tool: 'echo', caller: localCaller })
    await audit.read({ limit: 1 })
    for (let index = 0; index < 20; index++)
      expect(await gateway.call({ tool: 'echo', caller: localCaller })).toMatchObject({ ok: true })
    rmSync(trail())
    const [loss] = await audit.read({ limit: 1 })
    await gateway.call({ tool: 'echo', caller: localCaller })
    await audit.close()
    expect(linesOf().map(({ on, count }) => on?.id ?? count)).toEqual(['echo', 20, 'echo'])
    expect(loss).toMatchObject({ kind: 'system', action: 'loss', count: 20 })
    expect(logger.errors.at(-1)).toBe('The audit trail lacks 20 lines.')
  })

  it.skipIf(!existsSync('/dev/full'))('says at its end what could not be written', async () => {
    symlinkSync('/dev/full', trail())
    const gateway = board()
    const logger = listening()
    const audit = openAuditFile({ folder, logger })
    gateway.onCall(audit.listener)
    for (let index = 0; index < 5; index++) await gateway.call({ tool: 'echo', caller: localCaller })
    await audit.close()
    await settle()
    // Its own first and last among them.
    expect(logger.errors.at(-1)).toBe('The audit trail lacks 7 lines.')
  })
})
