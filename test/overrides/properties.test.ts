import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolOverride } from '../../src/catalog/override.js'
import { overridingBy } from '../../src/invocation/overriding.js'
import { results } from '../../src/invocation/steps/results.js'
import { createGateway } from '../../src/library/gateway.js'
import { localCaller } from '../../src/model/caller.js'
import { blot, type Picking, parsePlace, pickFrom } from '../../src/model/fit/picking.js'
import { createSchemas } from '../../src/schema/schemas.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'

const names = ['a', 'b', 'c'] as const
const text = fc.string({ maxLength: 4 })
const number = fc.integer({ min: -3, max: 6 })
const property = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.nat(5) }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('integer'), minimum: number, maximum: number }, { requiredKeys: ['type'] }),
  fc.record({ enum: fc.array(fc.oneof(text, number), { minLength: 1, maxLength: 4 }) }),
  fc.constant({}),
)
const schema = fc.record({
  type: fc.constant('object'),
  properties: fc.record({ a: property, b: property, c: property }),
  required: fc.subarray([...names]),
  additionalProperties: fc.boolean(),
})
const value = fc.oneof(text, number, fc.boolean(), fc.constant(null))
const narrowing = fc.record(
  {
    default: value,
    enum: fc.array(value, { minLength: 1, maxLength: 2 }),
    minLength: fc.nat(3),
    maxLength: fc.nat(6),
    minimum: number,
    maximum: number,
    required: fc.constant(true),
  },
  { requiredKeys: [] },
)
const argument = fc.oneof(
  fc.record({ set: value }),
  fc.record({ set: fc.constantFrom('$caller.id', '$now', '$uuid', '$run') }),
  fc.constant({ hide: true }),
  fc.record({ default: value }),
  narrowing,
)
const args = fc.record({ a: value, b: value, c: value, d: value }, { requiredKeys: [] })

describe('any override that compiles', () => {
  it('never lets through what upstream refuses, nor what it refuses itself', async () => {
    const schemas = createSchemas()
    let compiled = 0
    await fc.assert(
      fc.asyncProperty(
        schema,
        fc.record({ a: argument, b: argument, c: argument }, { requiredKeys: [] }),
        fc.array(args, { minLength: 1, maxLength: 6 }),
        async (input, written, calls) => {
          const sent: unknown[] = []
          const handler = (given: unknown) => {
            sent.push(given)
            return 1
          }
          const override = { arguments: written } as ToolOverride
          const open = () => {
            try {
              return createGateway({
                tools: [defineTool({ name: 't', input, handler })],
                overrides: overridingBy({ tools: { t: override } }),
              })
            } catch (error) {
              expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
              return undefined
            }
          }
          const gateway = open()
          if (!gateway) return
          compiled += 1
          const [shown] = gateway.list()
          const upstream = schemas.validator(input)
          const seen = schemas.validator(shown!.definition.inputSchema)
          for (const given of calls) {
            sent.length = 0
            const outcome = await gateway.call({ caller: localCaller, tool: 't', args: given })
            if (outcome.ok) expect(upstream.check(sent[0]).ok).toBe(true)
            else expect(outcome.error.code).toBe('ARGUMENTS_INVALID')
            // What a model reads is what holds: who keeps to the shown schema is not refused by what it hides.
            const hidden = Object.keys(given).some(
              (name) =>
                input.properties[name as 'a'] &&
                !Object.hasOwn(shown!.definition.inputSchema.properties as object, name),
            )
            const isFilledIn = JSON.stringify(written).includes('"$')
            if (!hidden && !isFilledIn) expect(outcome.ok).toBe(seen.check(given).ok)
          }
          await gateway.close()
        },
      ),
      { numRuns: 800 },
    )
    expect(compiled).toBeGreaterThan(20)
  })
})

const place = fc.array(fc.oneof(fc.constantFrom('*', 'a', 'b', '0', '__proto__'), text), { minLength: 1, maxLength: 3 })
const picking: fc.Arbitrary<Picking> = fc.record({
  pick: fc.array(place, { maxLength: 2 }),
  drop: fc.array(place, { maxLength: 2 }),
  redact: fc.array(place, { maxLength: 2 }),
})

describe('picking', () => {
  it('never throws, never touches what it is given, and leaves nothing at a place that is redacted', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), picking, (given, places) => {
        const before = JSON.stringify(given)
        const out = pickFrom(given, places)
        expect(JSON.stringify(given)).toBe(before)
        for (const at of places.redact) for (const left of valuesAt(out, at)) expect(left).toBe(blot)
      }),
      { numRuns: 1000 },
    )
  })

  it('reads pointers back', () => {
    fc.assert(
      fc.property(place, (steps) => {
        const pointer = steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
        expect(parsePlace(pointer)).toEqual(steps)
      }),
    )
  })

  it('fails closed: text that is no JSON is gone where something is redacted', () => {
    const { leave } = results()
    const secret = 'me@home.example'
    const answers = fc.oneof(
      fc.string().map((around) => ({ type: 'value', value: `${around} ${secret}` })),
      fc.string().map((around) => ({
        type: 'result',
        result: { content: [{ type: 'text', text: `<${around}${secret}` }], isError: true },
      })),
      fc.constant({ type: 'value', value: Object.assign([] as unknown[], [[secret]]).map((x) => ({ mail: x })) }),
      fc.constant({
        type: 'result',
        result: {
          content: [
            { type: 'resource', resource: { blob: secret } },
            { type: 'x', words: secret },
          ],
        },
      }),
    )
    fc.assert(
      fc.property(answers, (answer) => {
        const passage = {
          kind: 'tool',
          shown: { applied: { picking: { pick: [], drop: [], redact: [['*', 'mail']] } } },
        }
        expect(JSON.stringify(leave!(passage as never, answer as never))).not.toContain(secret)
      }),
    )
  })
})

const valuesAt = (value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] => {
  if (step === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value).filter(([key]) => step === '*' || step === key)
  return entries.flatMap(([, item]) => valuesAt(item, rest))
}
