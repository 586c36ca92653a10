// What checking arguments costs, the engine of another build beside this one, interleaved in one process:
//   node bench/checks.mjs [another dist] [this dist]
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { measure, table } from './measure.mjs'

const [other, own = 'dist'] = process.argv.slice(2)
const engine = async (dist) => (await import(pathToFileURL(resolve(dist, 'schema/schemas.js')).href)).createSchemas()

const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] }
const json = {
  $defs: {
    json: {
      anyOf: [
        { type: ['string', 'number', 'boolean', 'null'] },
        { type: 'array', items: { $ref: '#/$defs/json' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
      ],
    },
  },
  type: 'object',
  properties: { value: { $ref: '#/$defs/json' } },
}
const forecast = {
  type: 'object',
  properties: {
    city: { type: 'string', maxLength: 80 },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    unit: { enum: ['c', 'f'] },
  },
  required: ['city'],
  additionalProperties: false,
}

const cases = {
  'three arguments': [forecast, { city: 'Oslo', days: 3, unit: 'c' }],
  'three arguments, one wrong': [forecast, { city: 'Oslo', days: 'three', unit: 'c' }],
  'a default filled in': [{ type: 'object', properties: { a: { type: 'string' }, b: { default: 1 } } }, { a: 'x' }],
  'two references': [
    { type: 'object', properties: { from: { $ref: '#/$defs/p' }, to: { $ref: '#/$defs/p' } }, $defs: { p: point } },
    { from: { x: 1, y: 2 }, to: { x: 3, y: 4 } },
  ],
  'any JSON, small': [json, { value: { a: [1, 'x', { b: null }] } }],
  'any JSON, 2,000 values': [json, { value: Array.from({ length: 500 }, (_, id) => ({ id, tags: ['a', id] })) }],
  '1,000 points': [
    { type: 'object', properties: { points: { type: 'array', items: point } } },
    { points: Array.from({ length: 1000 }, (_, index) => ({ x: index, y: index })) },
  ],
  '1,000 texts with a pattern': [
    { type: 'object', properties: { names: { items: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' } } } },
    { names: Array.from({ length: 1000 }, (_, index) => `name-${index}`) },
  ],
  '1,000 unique objects': [
    { type: 'object', properties: { all: { uniqueItems: true } } },
    { all: Array.from({ length: 1000 }, (_, id) => ({ id, name: `n${id}` })) },
  ],
}

const runs = {}
for (const [dist, label] of [
  [other, 'other'],
  [own, 'this'],
]) {
  if (!dist) continue
  const schemas = await engine(dist)
  for (const [name, [schema, args]] of Object.entries(cases)) {
    // As a call asks.
    runs[`${label} ${name}`] = () => {
      const validator = schemas.validator(schema)
      return validator.glance ? validator.glance(args) : validator.check(args)
    }
  }
}
const found = await measure(runs)
const figure = (value) => (value === undefined ? '' : value.toFixed(3))
table(
  'One check, µs (median of interleaved rounds)',
  ['arguments', 'other', 'this', 'ratio'],
  Object.keys(cases).map((name) => {
    const [before, now] = [found[`other ${name}`], found[`this ${name}`]]
    return [name, figure(before), figure(now), before === undefined ? '' : (now / before).toFixed(2)]
  }),
)
