import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GatewayError } from '../errors.js'
import { valueAnswer } from '../model/result.js'
import { auditLine, deedLine, type LineRules, shapeText } from './audit-line.js'
import type { CallRecord } from './calls.js'
import type { Deed } from './deed.js'

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
          const actor = { id: caller, type: 'key', via: 'key' }
          expect(JSON.parse(`{${auditLine(record, call, outcome, rules)}`)).toStrictEqual(
            JSON.parse(
              JSON.stringify({
                at: new Date(each.at).toISOString(),
                ...(kind === 'tool' ? { kind: 'call', action: 'call' } : { kind: 'read', action: 'read' }),
                ...{ actor, on: { type: kind, id: tool }, profile, source, outcome: ok ? 'ok' : 'failed', code },
                ...{ ms: Math.round(latencyMs * 1000) / 1000, attempts, sizes: { in: 7, out: ok ? 7 : 0 }, cost },
                shape: { x: 'number' },
              }),
            ),
          )
        }
      }),
    )
  })

  it('names the person, the program and the trace, or hides who it was where that is wanted', () => {
    const identity = { id: 'p1', issuer: 'https://idp', subject: '1', name: 'Ada' }
    const caller = { id: 'p1', rights: [], kind: 'person' as const, identity, client: 'claude.ai' }
    const record: CallRecord = {
      kind: 'tool',
      tool: 'a.b',
      source: 'a',
      caller: 'p1',
      ok: true,
      code: undefined,
      ...facts,
    }
    const meta = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    const outcome = { ok: true as const, answer: valueAnswer(1), meta: { ...facts, source: 'a' } }
    const told = (line: LineRules) => JSON.parse(`{${auditLine(record, { tool: 'a.b', caller, meta }, outcome, line)}`)
    expect(told(rules)).toMatchObject({
      actor: { id: 'p1', type: 'person', name: 'Ada', via: 'token', client: 'claude.ai' },
      trace: 'a'.repeat(32),
    })
    const hidden = told({ values: false, pseudonym: (id) => `#${id.length}` })
    expect(hidden.actor).toEqual({ id: '#2', type: 'person', via: 'token', client: 'claude.ai' })
  })

  it.each([
    ['ACCESS_DENIED', 'refused'],
    ['QUOTA_EXCEEDED', 'refused'],
    ['SOURCE_UNAVAILABLE', 'failed'],
  ] as const)('that ended with %s is %s', (code, word) => {
    const record: CallRecord = { kind: 'tool', tool: 'a.b', source: 'a', caller: 'x', ok: false, code, ...facts }
    const outcome = { ok: false as const, error: new GatewayError(code, 'no'), meta: { ...facts, source: 'a' } }
    const call = { tool: 'a.b', caller: { id: 'x', rights: [] } }
    expect(JSON.parse(`{${auditLine(record, call, outcome, rules)}`)).toMatchObject({ outcome: word, code })
  })

  it('of a deed hides whom it was done to as it hides who did it', () => {
    const actor = { id: 'pegboard', type: 'system' } as const
    const deed = (type: string): Deed => ({
      kind: 'person',
      action: 'end',
      outcome: 'ok',
      actor,
      on: { type, id: 'p1' },
    })
    const read = (type: string) =>
      JSON.parse(`{${deedLine(0, deed(type), { values: false, pseudonym: (id) => `#${id.length}` })}`)
    expect(read('person')).toMatchObject({ actor: { id: 'pegboard' }, on: { type: 'person', id: '#2' } })
    expect(read('source')).toMatchObject({ on: { type: 'source', id: 'p1' } })
  })

  it('of a deed is bounded, and has an address only where somebody asked for it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ maxLength: 3000 }), fc.boolean(), (id, name, ip) => {
        const actor = { id, type: 'person' as const, name, via: 'console', ip: '192.0.2.7' }
        const deed = {
          kind: 'key' as const,
          action: 'create',
          actor,
          on: { type: 'key', id: name },
          outcome: 'ok' as const,
        }
        const text = `{${deedLine(1000, deed, { values: false, ip })}`
        const read = JSON.parse(text)
        expect(read.actor.ip).toBe(ip ? '192.0.2.7' : undefined)
        expect(read.on.id).toBe(name.slice(0, 512))
        expect(text).not.toContain('\n')
      }),
    )
  })
})

const rules: LineRules = { values: false }
const facts = { latencyMs: 1, attempts: 1, cached: false, at: 0 }
