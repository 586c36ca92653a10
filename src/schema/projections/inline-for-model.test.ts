import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/json.js'
import { inlineForModel } from './inline-for-model.js'

/** Twelve definitions, each of which refers to three others. */
const web: JsonObject = {
  type: 'object',
  $defs: Object.fromEntries(
    Array.from({ length: 12 }, (_, level) => [
      `L${level}`,
      {
        type: 'object',
        properties: Object.fromEntries(
          [1, 3, 5].map((step) => [`p${step}`, { $ref: `#/$defs/L${(level + step) % 12}` }]),
        ),
      },
    ]),
  ),
  properties: { root: { $ref: '#/$defs/L0' } },
}

const chain = (length: number): JsonObject => ({
  type: 'object',
  $defs: Object.fromEntries(
    Array.from({ length }, (_, level) => [
      `L${level}`,
      level === length - 1
        ? { type: 'string', description: 'the end' }
        : { type: 'object', properties: { next: { $ref: `#/$defs/L${level + 1}` } } },
    ]),
  ),
  properties: { root: { $ref: '#/$defs/L0' } },
})

describe('a schema for a model', () => {
  it('is whole however deep its references go, as long as it is small', () => {
    const { schema, losses } = inlineForModel(chain(40))
    expect(losses).toEqual([])
    expect(JSON.stringify(schema)).toContain('the end')
  })

  it('is cut where definitions that refer to each other would be written out along every path', () => {
    const { schema, losses } = inlineForModel(web)
    expect(JSON.stringify(schema).length).toBeLessThan(10_000)
    expect(JSON.stringify(schema)).not.toContain('$ref')
    expect(losses[0]?.reason).toMatch(/deeper than 3/)
  })

  it('keeps what is large by itself', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `p${index}`)
    const large = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }
    expect(inlineForModel(large)).toMatchObject({ schema: large, losses: [] })
  })
})
