import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createGateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import { defineTool } from '../sources/functions/define-tool.js'
import { openAuditFile } from './audit-file.js'
import { silentLogger } from './logger.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-audit-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const board = () =>
  createGateway({ tools: [defineTool({ name: 'echo', handler: (args) => args })], rules: { deny: ['hidden'] } })

describe('the audit trail (T40)', () => {
  it('has a line for each of 1,000 calls and 100 denials, without their values', async () => {
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger })
    gateway.onCall(audit.listener)
    for (let index = 0; index < 1000; index++)
      await gateway.call({ tool: 'echo', args: { secret: `canary-${index}` }, caller: localCaller })
    for (let index = 0; index < 100; index++) await gateway.call({ tool: 'echo', caller: { id: 'none', rights: [] } })
    const text = readFileSync(join(folder, 'audit.jsonl'), 'utf8')
    expect(text.split('\n')).toHaveLength(1101)
    expect(text).not.toContain('canary')
    const [newest] = await audit.read({ limit: 1 })
    expect(newest).toMatchObject({ caller: 'none', outcome: 'error', code: 'TOOL_NOT_FOUND' })
    const [call] = await audit.read({ limit: 1, caller: 'local' })
    expect(call).toMatchObject({
      tool: 'echo',
      source: 'local',
      outcome: 'ok',
      argShape: { secret: 'string' },
      argBytes: 23,
      resultBytes: 23,
    })
    expect(statSync(join(folder, 'audit.jsonl')).mode & 0o077).toBe(0)
    audit.close()
  })

  it('keeps values only where they were switched on, and not large ones', async () => {
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger, values: true })
    gateway.onCall(audit.listener)
    await gateway.call({ tool: 'echo', args: { a: 1 }, caller: localCaller })
    await gateway.call({ tool: 'echo', args: { a: 'x'.repeat(9000) }, caller: localCaller })
    expect((await audit.read({ limit: 2 })).map(({ args }) => args)).toEqual(['(too large to keep)', { a: 1 }])
    audit.close()
  })

  it('turns its pages and keeps so many', async () => {
    const gateway = board()
    const audit = openAuditFile({ folder, logger: silentLogger, maxBytes: 500, maxFiles: 3 })
    gateway.onCall(audit.listener)
    for (let index = 0; index < 50; index++) await gateway.call({ tool: 'echo', caller: localCaller })
    expect(readdirSync(folder).sort()).toEqual(['audit.jsonl', 'audit.jsonl.1', 'audit.jsonl.2'])
    audit.close()
  })

  it('goes on behind a line that a crash has cut', async () => {
    const audit = openAuditFile({ folder, logger: silentLogger })
    appendFileSync(join(folder, 'audit.jsonl'), '{"cut')
    expect(await audit.read({ limit: 5 })).toEqual([])
    audit.close()
  })
})
