import { isRecord, type JsonObject } from '../../model/json.js'
import { shapeOf } from '../shapes.js'

const elsewhere = ['$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor', '$id', 'allOf']

/**
 * Whether every reference is `#` or `#/$defs/NAME` of the root, and leads somewhere: the only ones that providers follow.
 * `allOf` is left out too, since its merging cannot look behind a reference.
 */
export const hasPlainReferences = (schema: JsonObject): boolean => {
  if (schema.$ref !== undefined) return false
  const names = isRecord(schema.$defs) ? schema.$defs : {}
  return everySchema(schema, (node) => {
    if (elsewhere.some((keyword) => node[keyword] !== undefined)) return false
    const reference = node.$ref
    if (reference === undefined || reference === '#') return true
    const [, name] = (typeof reference === 'string' && /^#\/\$defs\/([^/"%~]+)$/.exec(reference)) || []
    return name !== undefined && Object.hasOwn(names, name) && isRecord(names[name])
  })
}

const everySchema = (node: unknown, holds: (schema: Record<string, unknown>) => boolean): boolean => {
  if (!isRecord(node)) return true
  if (!holds(node)) return false
  return Object.entries(node).every(([keyword, value]) => {
    const shape = shapeOf(keyword)
    if (shape === undefined) return true
    if (Array.isArray(value)) return value.every((item) => everySchema(item, holds))
    if (shape !== 'map' && shape !== 'map-or-names') return everySchema(value, holds)
    return !isRecord(value) || Object.values(value).every((item) => everySchema(item, holds))
  })
}
