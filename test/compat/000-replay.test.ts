import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type CallRecord,
  createGateway,
  defineTool,
  MCPRegistry,
  type RecordedCall,
  recordCalls,
  replayCalls,
} from '../../src/index.js'
import { openAuditFile } from '../../src/telemetry/audit-file.js'
import { silentLogger } from '../../src/telemetry/logger.js'

const folder = mkdtempSync(join(tmpdir(), 'pegboard-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('000-17 D4 retry in MCPRegistry', () => {
  const failingTwice = () => {
    let tries = 0
    return () => {
      tries += 1
      if (tries < 3) throw new Error(`try ${tries}`)
      return { output: tries }
    }
  }
  const retry = { attempts: 3, backoffMs: 1 }

  it.each([
    ['that says it is idempotent', { idempotent: true }],
    ['that hints at it', { annotations: { idempotentHint: true } }],
  ])('tries a tool again %s', async (_how, traits) => {
    const records: CallRecord[] = []
    const registry = new MCPRegistry({ retry, onCall: (record) => records.push(record) })
    registry.register({ name: 'shaky', call: failingTwice(), ...traits })
    expect(await registry.call('shaky')).toEqual({ output: 3 })
    expect(records).toMatchObject([{ tool: 'shaky', ok: true, attempts: 3 }])
  })

  it.each([
    ['that says nothing', {}],
    ['that says it is not, whatever it hints', { idempotent: false, annotations: { idempotentHint: true } }],
  ])('asks a tool once %s, and hands on what it threw', async (_how, traits) => {
    const registry = new MCPRegistry({ retry })
    registry.register({ name: 'shaky', call: failingTwice(), ...traits })
    await expect(registry.call('shaky')).rejects.toThrow('try 1')
  })
})

describe('000-17 cost in call records', () => {
  it('is what the answer says, and is summed up', async () => {
    const records: CallRecord[] = []
    const registry = new MCPRegistry({ onCall: (record) => records.push(record) })
    registry.register({ name: 'paid', call: () => ({ output: 1, meta: { cost: 0.25 } }) })
    registry.register({ name: 'mcp', call: () => ({ content: [], _meta: { cost: 2 } }) })
    registry.register({ name: 'free', call: () => ({ output: 1, meta: { cost: 'much' } }) })
    for (const name of ['paid', 'mcp', 'free']) await registry.call(name)
    expect(records.map(({ cost }) => cost)).toEqual([0.25, 2, undefined])
    expect(registry.gateway.stats().totalCost).toBe(2.25)
  })
})

describe('000-17 replay', () => {
  const board = (answer: () => unknown) =>
    createGateway({
      tools: [
        defineTool({
          name: 'look',
          annotations: { readOnlyHint: true },
          handler: (args) => ({ args, seen: answer() }),
        }),
        defineTool({ name: 'act', handler: answer }),
      ],
    })

  it('makes calls again and says which ended otherwise', async () => {
    let now = 1
    const gateway = board(() => {
      if (now === 3) throw new Error('broken')
      return now
    })
    const tape = recordCalls(gateway)
    await gateway.run('look', { a: 1 })
    await gateway.run('act')
    await gateway.run('absent').catch(() => {})
    tape.stop()
    await gateway.run('look')
    expect(tape.calls).toHaveLength(3)

    const same = await replayCalls(gateway, tape.calls)
    expect(same).toMatchObject([
      { same: true, after: { outcome: 'ok', value: { args: { a: 1 }, seen: 1 } } },
      { same: false, skipped: 'the tool does not say that it may run twice' },
      { same: true, after: { outcome: 'error', code: 'TOOL_NOT_FOUND' } },
    ])
    now = 2
    expect(await replayCalls(gateway, tape.calls, { everyTool: true })).toMatchObject([
      { same: false, after: { value: { seen: 2 } } },
      { same: false, call: { value: 1 }, after: { value: 2 } },
      { same: true },
    ])
    now = 3
    expect((await replayCalls(gateway, tape.calls))[0]).toMatchObject({ same: false, after: { code: 'TOOL_FAILED' } })
    await gateway.close()
  })

  it('reads an audit trail that kept values, and says what was not kept', async () => {
    const gateway = board(() => 1)
    const audit = openAuditFile({ folder, values: true, logger: silentLogger })
    gateway.onCall(audit.listener)
    await gateway.run('look', { a: 1 })
    await gateway.run('look')
    await gateway.run('look', { long: 'x'.repeat(9000) })
    await audit.close()
    const path = join(folder, 'audit.jsonl')
    expect((await replayCalls(gateway, path)).map(({ same, skipped }) => skipped ?? same)).toEqual([
      true,
      true,
      'its arguments were too large to keep',
    ])
    const bare: RecordedCall = { tool: 'look', outcome: 'ok', ms: 1, argBytes: 7 }
    writeFileSync(path, `${JSON.stringify(bare)}\n{"tool":"lo`)
    expect(await replayCalls(gateway, path)).toMatchObject([{ skipped: 'its arguments were not kept' }])
    await expect(replayCalls(gateway, join(folder, 'none'))).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    await gateway.close()
  })
})
