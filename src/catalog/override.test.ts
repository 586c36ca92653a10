import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../model/json.js'
import type { Tool } from '../model/tool.js'
import { createSchemas } from '../schema/schemas.js'
import { showAs, type ToolOverride } from './override.js'

const schemas = createSchemas()
const toolOf = (inputSchema: JsonObject): Tool => ({
  id: 'up.make',
  namespace: 'up',
  name: 'make',
  source: 'up',
  definition: { name: 'make', inputSchema, outputSchema: { type: 'object' } },
  tags: [],
})
const tool = toolOf({
  type: 'object',
  properties: {
    body: { type: 'string', maxLength: 100 },
    kind: { enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 1 },
    size: { $ref: '#/$defs/size' },
    match: { type: 'string', pattern: '^x' },
  },
  required: ['body'],
  anyOf: [{ required: ['kind'] }, { required: ['count'] }],
  $defs: { size: { type: 'integer', maximum: 9 } },
})
const show = (override: ToolOverride) => showAs(tool, override, { schemas, separator: '.' })
const problemsOf = (override: ToolOverride) => {
  const made = show(override)
  return 'problems' in made ? made.problems.map(({ path, message }) => `${path} ${message}`) : []
}
const propertiesOf = (override: ToolOverride) => {
  const made = show(override)
  if ('problems' in made) throw new Error(JSON.stringify(made.problems))
  return made.shown.definition.inputSchema.properties as Record<string, JsonObject>
}

describe('an override', () => {
  it('narrows, and says where it would not', () => {
    expect(propertiesOf({ arguments: { body: { maxLength: 10, minLength: 1 } } }).body).toEqual({
      type: 'string',
      maxLength: 10,
      minLength: 1,
    })
    expect(problemsOf({ arguments: { body: { maxLength: 1000 } } })).toEqual([
      'arguments.body.maxLength lets through more than upstream does (100); an override may only narrow',
    ])
    expect(problemsOf({ arguments: { kind: { enum: ['a', 'c'] } } })[0]).toMatch(
      /^arguments\.kind\.enum lets through more/,
    )
    expect(problemsOf({ arguments: { count: { minimum: 0 } } })[0]).toMatch(
      /^arguments\.count\.minimum lets through more/,
    )
    expect(problemsOf({ arguments: { count: { enum: [2, 0] } } })).toEqual([
      'arguments.count.enum names a value that upstream refuses',
    ])
    expect(problemsOf({ arguments: { body: { pattern: '(' } } })[0]).toMatch(/^arguments\.body /)
  })

  it('keeps both where two conditions cannot be compared, and what lies behind a reference', () => {
    expect(propertiesOf({ arguments: { match: { pattern: 'y$' } } }).match).toEqual({
      type: 'string',
      pattern: '^x',
      allOf: [{ pattern: 'y$' }],
    })
    expect(propertiesOf({ arguments: { size: { maximum: 5 } } }).size).toEqual({
      allOf: [{ $ref: '#/$defs/size' }],
      maximum: 5,
    })
  })

  it('does not hide what is required, nor set what upstream refuses', () => {
    expect(problemsOf({ arguments: { body: { hide: true } } })).toEqual([
      'arguments.body.hide is required upstream: set it to something',
    ])
    expect(problemsOf({ arguments: { count: { set: 'x' } } })).toEqual([
      'arguments.count.set is not what upstream takes',
    ])
    expect(problemsOf({ arguments: { size: { set: 12 } } })).toEqual(['arguments.size.set is not what upstream takes'])
    expect(problemsOf({ arguments: { body: { default: 'x'.repeat(11), maxLength: 10 } } })).toEqual([
      'arguments.body.default is not what the parameter takes',
    ])
    expect(problemsOf({ arguments: { gone: { set: 1 }, also: { description: 'only words' } } })).toEqual([
      "arguments.gone upstream has no parameter 'gone'",
    ])
    expect(problemsOf({ arguments: { body: { set: 'x', maxLength: 3 } } })).toEqual([
      'arguments.body is set, so nobody gives it: leave out maxLength',
    ])
  })

  it('takes what is hidden out of everything that a model reads, an output schema that no longer fits as well', () => {
    const made = show({ arguments: { kind: { set: 'a' } }, result: { pick: ['/x'] } })
    if ('problems' in made) throw new Error('unexpected')
    expect(made.shown.definition.outputSchema).toBeUndefined()
    expect(made.shown.definition.inputSchema.anyOf).toEqual([{ required: [] }, { required: ['count'] }])
    expect(JSON.stringify(made.shown)).not.toContain('kind')
  })

  it('keeps answers only of tools that change nothing, and picks by pointers', () => {
    expect(problemsOf({ result: { cacheMs: 5, pick: ['x'] } })).toEqual([
      'result.pick.0 is no JSON Pointer: it begins with /',
      'result.cacheMs is for tools that change nothing; where this one does not, say so: annotations.readOnlyHint: true',
    ])
    expect(problemsOf({ result: { cacheMs: 5 }, annotations: { readOnlyHint: true } })).toEqual([])
    expect(problemsOf({ name: 'a\nb' })[0]).toMatch(/^name .*control characters/)
  })
})
