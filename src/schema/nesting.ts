import { GatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import { toLimits } from './limits.js'
import { shapeOf } from './shapes.js'

const { maxDepth } = toLimits()

// An object within an object is two levels of JSON: its properties, and the one property. The rest is for what is around.
const mostLevels = 2 * maxDepth + 4

const schemaFields = ['inputSchema', 'input_schema', 'parameters', 'outputSchema', 'output_schema']

/** Throws SCHEMA_INVALID for a definition nested deeper than a validator follows: the tool could be listed, never called. */
export const refuseDeep = (definition: unknown, where: string): void => {
  const schemas = isRecord(definition) ? schemaFields.map((field) => definition[field]) : []
  if (endsWithin(mostLevels, [definition], partsOf) && endsWithin(maxDepth, schemas, subschemasOf)) return
  throw new GatewayError(
    'SCHEMA_INVALID',
    `The schema of ${where} is nested deeper than ${maxDepth} levels; flatten it.`,
    { details: { path: '' } },
  )
}

/** Level by level, without recursion: the depth is a stranger's choice. */
const endsWithin = (most: number, roots: readonly unknown[], below: (node: object) => readonly unknown[]): boolean => {
  let level = roots.filter(isObject)
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return false
    level = level.flatMap(below).filter(isObject)
  }
  return true
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const partsOf = (node: object): readonly unknown[] => Object.values(node)

const subschemasOf = (node: object): readonly unknown[] =>
  Object.entries(node).flatMap(([keyword, value]) => {
    const shape = shapeOf(keyword)
    if (shape === undefined) return []
    if (Array.isArray(value)) return value
    return shape === 'map' || shape === 'map-or-names' ? Object.values(value ?? {}) : [value]
  })
