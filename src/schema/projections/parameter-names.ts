import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Losses } from '../losses.js'
import { escapePointer } from '../problems.js'
import { shapeOf } from '../shapes.js'
import { withNote } from './notes.js'

/**
 * Leaves out parameters by whose name a provider refuses the whole request, and says so to the model and in the losses.
 * They are not renamed: the call's arguments would no longer fit the tool.
 */
export const withLegalNames = (schema: JsonObject, allowed: RegExp, losses: Losses, path = ''): JsonObject => {
  const walked = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    below(keyword, value as JsonValue, allowed, losses, `${path}/${keyword}`),
  ])
  const kept = Object.fromEntries(walked) as JsonObject
  return isRecord(kept.properties) ? withoutRefused(kept, kept.properties as JsonObject, allowed, losses, path) : kept
}

const below = (keyword: string, value: JsonValue, allowed: RegExp, losses: Losses, path: string): JsonValue => {
  const shape = shapeOf(keyword)
  if (shape === undefined || typeof value !== 'object' || value === null) return value
  const inner = (item: JsonValue, at: string): JsonValue =>
    isRecord(item) ? withLegalNames(item as JsonObject, allowed, losses, at) : item
  if (Array.isArray(value)) return value.map((item, index) => inner(item, `${path}/${index}`))
  if (shape !== 'map' && shape !== 'map-or-names') return inner(value, path)
  const members = Object.entries(value as JsonObject)
  return Object.fromEntries(members.map(([name, item]) => [name, inner(item!, `${path}/${escapePointer(name)}`)]))
}

const withoutRefused = (
  schema: JsonObject,
  properties: JsonObject,
  allowed: RegExp,
  losses: Losses,
  path: string,
): JsonObject => {
  const refused = Object.keys(properties).filter((name) => !allowed.test(name))
  if (refused.length === 0) return schema
  for (const name of refused)
    losses.add(
      `${path}/properties/${escapePointer(name)}`,
      'properties',
      'the provider refuses this parameter name; left out',
    )
  const isKept = (name: unknown): boolean => !refused.includes(name as string)
  const { required, ...rest } = schema
  const names = Array.isArray(required) ? required.filter(isKept) : []
  const left = Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name)))
  const kept = defined({ ...rest, properties: left, required: names.length > 0 ? names : undefined })
  return withNote(kept, [['cannot be given here', refused.join(', ')]])
}
