import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../errors.js'
import { valueAnswer } from '../model/result.js'
import { auditLine, lossLine, shapeText } from './audit-line.js'
import type { CallRecord } from './calls.js'

const shapeOf = (value: unknown): unknown => JSON.parse(shapeText(value))

describe('the shape of arguments', () => {
  it('says what they were, not what they said', () => {
    expect(
      shapeOf({ city: 'Oslo', days: 3, tags: ['a', 'b'], none: null, deep: { a: { b: { c: { d: 1 } } } } }),
    ).toEqual({
      city: 'string',
      days: 'number',
      tags: ['string', 2],
      none: 'null',
      deep: { a: { b: { c: 'object' } } },
    })
  })

  it('never holds a value, and stays small', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = shapeText({ secret: 'hunter2-canary', value })
        expect(text).not.toContain('hunter2')
        expect(text.length).toBeLessThan(200_000)
      }),
    )
    expect(
      Object.keys(shapeOf(Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`k${i}`, 1]))) as object),
    ).toHaveLength(33)
  })
})

describe('a line', () => {
  const records = fc.record({
    kind: fc.constantFrom('tool' as const, 'resource' as const),
    tool: fc.constantFrom('a.b', 'c "d"', 'é\u2028'),
    source: fc.constantFrom(undefined, 's', 'ß'),
    caller: fc.constantFrom('me', 'you "there"'),
    ok: fc.boolean(),
    latencyMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
    attempts: fc.nat(9),
    at: fc.integer({ min: 0, max: 4e12 }),
    cost: fc.constantFrom(undefined, 0.5),
  })

  it('says what happened, whatever was said of the call before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(records, fc.constantFrom(undefined, 'p'))), (calls) => {
        for (const [{ ok, ...each }, profile] of calls) {
          const code = ok ? undefined : ('TOOL_FAILED' as const)
          const record: CallRecord = { ...each, ok, code, cached: false }
          const { latencyMs, attempts, source, tool, caller, cost, kind } = each
          const meta = { latencyMs, attempts, source, cached: false }
          const call = { tool, args: { x: 1 }, caller: { id: caller, rights: [], profile } }
          const outcome = ok
            ? { ok, answer: valueAnswer({ y: 2 }), meta }
            : { ok, error: new GatewayError('TOOL_FAILED', 'no'), meta }
          expect(JSON.parse(auditLine(record, call, outcome, false))).toStrictEqual(
            JSON.parse(
              JSON.stringify({
                at: new Date(each.at).toISOString(),
                caller,
                profile,
                kind: kind === 'tool' ? undefined : kind,
                tool,
                source,
                outcome: ok ? 'ok' : 'error',
                code,
                ms: Math.round(latencyMs * 1000) / 1000,
                attempts,
                argBytes: 7,
                cost,
                argShape: { x: 'number' },
                resultBytes: ok ? 7 : 0,
              }),
            ),
          )
        }
      }),
    )
  })

  it('of a loss says when and how many', () => {
    expect(lossLine(Date.UTC(2026, 10, 15, 1, 2, 3, 45), 7)).toBe('{"at":"2026-11-15T01:02:03.045Z","lost":7}\n')
  })
})
