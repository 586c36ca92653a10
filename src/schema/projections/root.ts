import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Losses } from '../losses.js'
import { mergeAllOf } from './merge-all-of.js'

/**
 * The root as every provider wants it: an object with `properties` and no alternatives of its own. The properties of
 * the alternatives join as optional ones; which belong together is told in the description.
 */
export const objectRoot = (schema: JsonObject, losses: Losses): JsonObject => {
  const merged = mergeAllOf(schema, '', losses)
  const { anyOf, oneOf, ...plain } = merged
  const withAny = Array.isArray(anyOf) ? joinForms(plain, anyOf, 'anyOf', losses) : plain
  const joined = Array.isArray(oneOf) ? joinForms(withAny, oneOf, 'oneOf', losses) : withAny
  return { ...joined, type: 'object', properties: isRecord(joined.properties) ? joined.properties : {} } as JsonObject
}

const joinForms = (root: JsonObject, forms: readonly JsonValue[], keyword: string, losses: Losses): JsonObject => {
  const objects = forms.filter(isRecord).map((form) => mergeAllOf(form as JsonObject, `/${keyword}`, losses))
  losses.add(`/${keyword}`, keyword, 'the root cannot have alternatives; their properties became optional')
  const own = isRecord(root.properties) ? (root.properties as JsonObject) : {}
  // The first form to name a property describes it.
  const properties = Object.fromEntries([...objects].reverse().flatMap((form) => Object.entries(propertiesOf(form))))
  const required = [...new Set([...namesOf(root), ...shared(objects.map(namesOf))])]
  return {
    ...root,
    properties: { ...properties, ...own },
    ...(required.length > 0 ? { required } : {}),
    description: describeForms(root.description, objects.map(namesOf)),
  }
}

const propertiesOf = (schema: JsonObject): JsonObject =>
  isRecord(schema.properties) ? (schema.properties as JsonObject) : {}

const namesOf = (schema: JsonObject): readonly string[] =>
  Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : []

const shared = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((name) => others.every((names) => names.includes(name)))

const describeForms = (description: unknown, forms: readonly (readonly string[])[]): string => {
  const sets = forms.map((names) => names.join(' + ') || 'nothing').join(', or ')
  const note = `{required: ${sets}}`
  return typeof description === 'string' && description !== '' ? `${description} ${note}` : note
}
