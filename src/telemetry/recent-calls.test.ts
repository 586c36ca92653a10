import { describe, expect, it } from 'vitest'
import type { CallRecord } from './calls.js'
import { createRecentCalls } from './recent-calls.js'

const record = (at: number, more: Partial<CallRecord> = {}): CallRecord => ({
  kind: 'tool',
  tool: 't',
  source: 's',
  caller: 'c',
  ok: true,
  code: undefined,
  latencyMs: 1,
  attempts: 1,
  cached: false,
  at,
  ...more,
})

describe('recent calls', () => {
  it('are the last ones, newest first', () => {
    const recent = createRecentCalls(3)
    for (let at = 1; at <= 5; at++) recent.listener(record(at), undefined as never, undefined as never)
    expect(recent.list({ limit: 10 }).map(({ at }) => at)).toEqual([5, 4, 3])
    expect(recent.list({ limit: 1 }).map(({ at }) => at)).toEqual([5])
  })

  it('can be picked by caller, tool, source and end', () => {
    const recent = createRecentCalls()
    recent.listener(record(1, { caller: 'x', ok: false }), undefined as never, undefined as never)
    recent.listener(record(2, { tool: 'u', source: 'v' }), undefined as never, undefined as never)
    const at = (filter: object) => recent.list({ limit: 9, ...filter }).map((each) => each.at)
    expect([at({ caller: 'x' }), at({ tool: 'u' }), at({ source: 'v' }), at({ ok: true })]).toEqual([
      [1],
      [2],
      [2],
      [2],
    ])
  })
})
