import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isGatewayError, KeyError } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import { inlineRefs } from '../inline.js'
import { createSchemas } from '../schemas.js'
import { toAnthropic } from './anthropic.js'
import { toEndpointSafe } from './endpoint-safe.js'
import { fromKwargs } from './from-kwargs.js'
import { toFunctionParameters } from './function-parameters.js'
import { toGemini } from './gemini.js'
import { toKwargs } from './kwargs.js'
import { toOpenAi } from './open-ai.js'
import { dropAddedNulls } from './strict-arguments.js'

const keyword = fc.constantFrom(
  ...[
    'type',
    'properties',
    'required',
    'items',
    'prefixItems',
    'enum',
    'const',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
  ],
  ...['then', 'else', '$ref', '$defs', 'definitions', '$id', '$anchor', '$schema', 'additionalProperties', 'pattern'],
  ...['patternProperties', 'default', 'description', 'minimum', 'format', 'dependentSchemas', 'unevaluatedProperties'],
  ...['__proto__', 'constructor', 'a'],
)

const { junk } = fc.letrec((tie) => ({
  junk: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      'object',
      'string',
      'array',
      'null',
      '#',
      '#/$defs/a',
      '#/allOf/0',
      '^a+$',
      '(',
      true,
      false,
      null,
      0,
      1,
      -1,
    ),
    fc.array(tie('junk'), { maxLength: 3 }),
    fc.dictionary(keyword, tie('junk'), { maxKeys: 4 }),
  ),
}))
const schema = fc.dictionary(keyword, junk, { maxKeys: 6 }) as fc.Arbitrary<JsonObject>

const faces: readonly (readonly [string, (schema: JsonObject) => unknown])[] = [
  ['inlineRefs', (given) => inlineRefs(given)],
  ['inlineRefs, unbounded', (given) => inlineRefs(given, { maxDepth: Infinity })],
  ['inlineRefs as 004', (given) => inlineRefs(given, { compat: true })],
  ['toFunctionParameters', (given) => toFunctionParameters(given)],
  ['toEndpointSafe', (given) => toEndpointSafe(given)],
  ['toOpenAi', (given) => toOpenAi({ name: 't', inputSchema: given })],
  ['toOpenAi, strict', (given) => toOpenAi({ name: 't', inputSchema: given }, { strict: true })],
  ['toAnthropic', (given) => toAnthropic({ name: 't', inputSchema: given })],
  ['toAnthropic, strict', (given) => toAnthropic({ name: 't', inputSchema: given }, { strict: true })],
  ['toGemini', (given) => toGemini({ name: 't', inputSchema: given })],
  ['dropAddedNulls', (given) => dropAddedNulls({ a: null, constructor: { a: null } }, given)],
  ['fromKwargs', (given) => fromKwargs(given)],
  [
    'the validator',
    (given) =>
      createSchemas({ maxSteps: 100_000 })
        .validator(given)
        .check({ a: [1, { a: 'x' }] }),
  ],
]

describe('a schema of a stranger', () => {
  it.each(faces)('is converted or refused by %s, and never changed', (_name, convert) => {
    fc.assert(
      fc.property(schema, (given) => {
        const before = JSON.stringify(given)
        try {
          convert(given)
        } catch (thrown) {
          if (!isGatewayError(thrown)) throw thrown
        }
        expect(JSON.stringify(given)).toBe(before)
      }),
      { numRuns: 200 },
    )
  })

  it('is read by toKwargs or refused as document 003 does', () => {
    fc.assert(
      fc.property(schema, (given) => {
        try {
          toKwargs(given)
        } catch (thrown) {
          expect(thrown instanceof KeyError || thrown instanceof TypeError).toBe(true)
        }
      }),
    )
  })
})
