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

/** The stack is only as deep as what is allowed: the depth is a stranger's choice. */
const endsWithin = (
  levels: number,
  nodes: readonly unknown[],
  below: (node: object) => readonly unknown[],
): boolean => {
  for (const node of nodes) {
    if (typeof node !== 'object' || node === null) continue
    if (levels < 0 || !endsWithin(levels - 1, below(node), below)) return false
  }
  return true
}

const partsOf = (node: object): readonly unknown[] => (Array.isArray(node) ? node : Object.values(node))

const subschemasOf = (node: object): readonly unknown[] => {
  let found: unknown[] | undefined
  for (const keyword of Object.keys(node)) {
    const shape = shapeOf(keyword)
    if (shape === undefined) continue
    const value = (node as Readonly<Record<string, unknown>>)[keyword]
    found ??= []
    if (Array.isArray(value)) for (const each of value) found.push(each)
    else if (shape !== 'map' && shape !== 'map-or-names') found.push(value)
    else for (const each of Object.values(value ?? {})) found.push(each)
  }
  return found ?? none
}

const none: readonly unknown[] = []
