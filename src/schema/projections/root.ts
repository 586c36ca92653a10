import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Losses } from '../losses.js'
import { mergeAllOf } from './merge-all-of.js'
import { withNote } from './notes.js'

/**
 * The root as every provider wants it: an object with `properties`, and no alternatives, values or refusals of its own.
 * The properties of the alternatives join as optional ones; which belong together is told in the description.
 */
export const objectRoot = (schema: JsonObject, losses: Losses, path = ''): JsonObject => {
  const merged = mergeAllOf(schema, path, losses)
  const { anyOf, oneOf, ...plain } = merged
  const withAny = Array.isArray(anyOf) ? joinForms(plain, anyOf, `${path}/anyOf`, losses) : plain
  const joined = Array.isArray(oneOf) ? joinForms(withAny, oneOf, `${path}/oneOf`, losses) : withAny
  const bare = withoutValues(joined, path, losses)
  return { ...bare, type: 'object', properties: propertiesOf(bare) } as JsonObject
}

const joinForms = (root: JsonObject, forms: readonly JsonValue[], path: string, losses: Losses): JsonObject => {
  const objects = forms
    .filter(isRecord)
    .map((form, index) => objectRoot(form as JsonObject, losses, `${path}/${index}`))
  const keyword = path.slice(path.lastIndexOf('/') + 1)
  losses.add(path, keyword, 'the root cannot have alternatives; their properties became optional')
  // The first form to name a property describes it.
  const properties = Object.fromEntries([...objects].reverse().flatMap((form) => Object.entries(propertiesOf(form))))
  const required = [...new Set([...namesOf(root), ...shared(objects.map(namesOf))])]
  return {
    ...root,
    properties: { ...properties, ...propertiesOf(root) },
    ...defined({ required: required.length > 0 ? required : undefined }),
    description: describeForms(root.description, objects.map(namesOf)),
  }
}

const atNoRoot = ['enum', 'const', 'not', '$ref'] as const

/** What is no form of the object, but is refused at the root all the same, is said in words. */
const withoutValues = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  const left = atNoRoot.filter((keyword) => schema[keyword] !== undefined)
  if (left.length === 0) return schema
  for (const keyword of left) losses.add(`${path}/${keyword}`, keyword, 'the root cannot have it; said in words')
  const rest = Object.entries(schema).filter(([keyword]) => !left.some((each) => each === keyword))
  return withNote(
    Object.fromEntries(rest) as JsonObject,
    left.map((keyword) => [keyword, schema[keyword]!] as const),
  )
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
