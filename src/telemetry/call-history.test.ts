import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../errors.js'
import type { Outcome } from '../model/outcome.js'
import { valueAnswer } from '../model/result.js'
import { CallHistory } from './call-history.js'
import type { CallRecord } from './calls.js'
import { createNewest } from './newest.js'

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
const meta = { latencyMs: 1, attempts: 1, source: 's', cached: false }
const good: Outcome = { ok: true, answer: valueAnswer(1), meta }
const bad: Outcome = { ok: false, error: new GatewayError('TOOL_FAILED', `It broke${'!'.repeat(2000)}`), meta }

const records = fc.record({
  kind: fc.constantFrom('tool' as const, 'prompt' as const),
  tool: fc.string(),
  source: fc.option(fc.string(), { nil: undefined }),
  caller: fc.string(),
  ok: fc.boolean(),
  code: fc.constantFrom(undefined, 'TOOL_FAILED' as const),
  latencyMs: fc.double({ min: 0, noNaN: true }),
  attempts: fc.nat(),
  cached: fc.boolean(),
  at: fc.nat(),
})
const more = fc.oneof(fc.constant({}), fc.record({ cost: fc.double({ noNaN: true }) }), fc.constant({ steps: [] }))

describe('the history of calls', () => {
  it('gives back what it was told, the newest first, and forgets the oldest', () => {
    const told = fc.array(fc.tuple(records, more).map(([each, rest]): CallRecord => ({ ...each, ...rest })))
    fc.assert(
      fc.property(told, fc.integer({ min: 1, max: 5 }), fc.nat(8), (calls, most, limit) => {
        const history = new CallHistory(most)
        const model = createNewest<CallRecord>(most)
        for (const each of calls) {
          history.listener(each, undefined, good)
          model.push(each)
        }
        expect(history.last).toBe(model.last)
        expect(history.list(limit).map((past) => past.record)).toStrictEqual(model.list(limit))
        for (let n = 0; n <= calls.length; n++) {
          const after = history.after(n, limit)
          expect([after.calls.map((past) => past.record), after.missed]).toStrictEqual([
            model.after(n, limit).items,
            model.after(n, limit).missed,
          ])
          expect(history.get(n)?.n).toBe(n > 0 && n > calls.length - most ? n : undefined)
        }
      }),
    )
  })

  it('is picked by what a call was', () => {
    const history = new CallHistory()
    history.listener(record(1, { caller: 'x' }), undefined, good)
    history.listener(record(2, { tool: 'u' }), undefined, good)
    expect(history.list(9, ({ caller }) => caller === 'x').map(({ n }) => n)).toEqual([1])
    expect(history.list(9, ({ tool }) => tool === 'u').map(({ n }) => n)).toEqual([2])
  })

  it('has the words of a failure, not all of them, and of a name that is none as much as names have', () => {
    const history = new CallHistory()
    history.listener(record(1, { ok: false, tool: 'x'.repeat(5000) }), undefined, bad)
    const [past] = history.list(1)
    expect([past!.message!.slice(0, 9), past!.message!.length, past!.record.tool.length]).toEqual([
      'It broke!',
      1000,
      512,
    ])
  })

  it('of none counts all the same', () => {
    const history = new CallHistory(0)
    history.listener(record(1), undefined, good)
    expect([history.last, history.list(5), history.after(0, 5), history.get(1)]).toEqual([
      1,
      [],
      { calls: [], missed: 1 },
      undefined,
    ])
  })
})
