import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { Losses } from '../losses.js'
import { inlineForModel } from './inline-for-model.js'
import { withNote } from './notes.js'
import type { ProviderTool } from './open-ai.js'
import { withLegalNames } from './parameter-names.js'
import { type ProviderRules, rewrite } from './rewrite.js'
import { objectRoot } from './root.js'
import { wellFormed } from './well-formed.js'

/** How a tool is written for Gemini. */
export interface GeminiOptions {
  /** The advertised name. Default: the definition's own. */
  readonly name?: string | undefined
}

/** A function declaration for Gemini, in its `parameters` form: a subset of OpenAPI 3.0 schemas. */
export const toGemini = (definition: ToolDefinition, options: GeminiOptions = {}): ProviderTool => {
  const losses = new Losses()
  const inlined = inlineForModel(definition.inputSchema)
  losses.addAll(inlined.losses)
  const root = objectRoot(wellFormed(inlined.schema, losses), losses)
  const named = withLegalNames(root, /^[A-Za-z_][A-Za-z0-9_]{0,63}$/, losses)
  const parameters = rewrite(named, '', rules(losses), losses)
  const value = defined({
    name: options.name ?? definition.name,
    description: definition.description,
    // An object without properties is refused; a function without parameters has none.
    parameters: parameters.properties === undefined ? undefined : parameters,
  })
  return { value, strict: false, losses: losses.list }
}

const keywords = new Set([
  ...['type', 'title', 'description', 'enum', 'format', 'minimum', 'maximum', 'items', 'minItems', 'maxItems'],
  ...['properties', 'required', 'propertyOrdering', 'anyOf', 'nullable', 'pattern', 'minLength', 'maxLength'],
  ...['minProperties', 'maxProperties', 'default', 'example'],
])

const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}

const rules = (losses: Losses): ProviderRules => ({
  kept: keywords,
  accepts: (keyword, value, schema) => {
    // Vertex refuses a default beside alternatives.
    if (keyword === 'default') return schema.anyOf === undefined
    if (keyword === 'format') return formats[String(schema.type)]?.includes(value as string) ?? false
    return keyword !== 'enum' || (schema.type === 'string' && isWordList(value))
  },
  respell: respellForGemini,
  finish: (schema, _original, path) => {
    const typed = schema.type === 'null' ? withoutNullType(schema, path, losses) : schema
    return standAlone(tidy(typed, path, losses), path, losses)
  },
})

/** Enumerations are of non-empty strings only. */
const isWordList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '')

const withoutNullType = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  losses.add(`${path}/type`, 'type', 'null alone is no type there')
  return withNote({ ...schema, type: 'string', nullable: true }, [['type', 'null']])
}

/** Items where there is a list, properties where there are some, and no name that is not among them. */
const tidy = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  const { properties, required, propertyOrdering, ...rest } = schema
  const listed = schema.type === 'array' && schema.items === undefined ? { ...rest, items: {} } : rest
  const described = isRecord(properties) ? (properties as JsonObject) : {}
  const unknown = namesIn(required).filter((name) => !Object.hasOwn(described, name))
  if (unknown.length > 0) losses.add(`${path}/required`, 'required', 'names what is not described; left out')
  if (Object.keys(described).length === 0) return listed
  const names = namesIn(required).filter((name) => Object.hasOwn(described, name))
  const order = namesIn(propertyOrdering)
  const isWhole = order.length > 0 && order.every((name) => Object.hasOwn(described, name))
  return defined({
    ...listed,
    properties: described,
    required: names.length > 0 ? names : undefined,
    propertyOrdering: isWhole ? order : undefined,
  })
}

const namesIn = (value: JsonValue | undefined): readonly string[] => (Array.isArray(value) ? value : [])

/**
 * Vertex refuses whatever stands beside `anyOf`, words included. So each alternative is told what was said around them:
 * the words, whether null fits, and the limits of its own type.
 */
const standAlone = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  const { anyOf, title, description, nullable, ...limits } = schema
  if (!Array.isArray(anyOf)) return schema
  const about = defined({ title, description, nullable })
  const forms = anyOf.flatMap((form) => alternativesOf(form as JsonObject))
  const isLost = Object.keys(limits).length > 0 && !forms.every((form) => isOfType(form, limits))
  if (isLost) losses.add(`${path}/anyOf`, 'anyOf', 'what stands beside it holds for alternatives of its type only')
  const told = forms.map((form) => ({ ...about, ...(isOfType(form, limits) ? joined(limits, form) : form) }))
  const [first, ...others] = distinct(told)
  return others.length === 0 ? first! : { anyOf: [first!, ...others] }
}

const alternativesOf = (form: JsonObject): readonly JsonObject[] =>
  Array.isArray(form.anyOf) ? (form.anyOf as readonly JsonObject[]) : [form]

const isOfType = (form: JsonObject, limits: JsonObject): boolean =>
  limits.type !== undefined && (form.type === undefined || form.type === limits.type)

const joined = (limits: JsonObject, form: JsonObject): JsonObject => {
  const properties = { ...recordOf(limits.properties), ...recordOf(form.properties) }
  const required = [...new Set([...listOf(limits.required), ...listOf(form.required)])]
  return {
    ...limits,
    ...form,
    ...defined({
      properties: Object.keys(properties).length > 0 ? properties : undefined,
      required: required.length > 0 ? required : undefined,
    }),
  }
}

const distinct = (forms: readonly JsonObject[]): readonly JsonObject[] => [
  ...new Map(forms.map((form) => [JSON.stringify(form), form] as const)).values(),
]

const recordOf = (value: unknown): JsonObject => (isRecord(value) ? (value as JsonObject) : {})
const listOf = (value: unknown): readonly JsonValue[] => (Array.isArray(value) ? value : [])

/** JSON Schema's ways of saying "one of these values", "several types" and "or null" in OpenAPI 3.0's. */
const respellForGemini = (schema: JsonObject): JsonObject => withNullable(withOneType(withEnum(schema)))

const withEnum = (schema: JsonObject): JsonObject => {
  const { const: only, ...rest } = schema
  if (only === undefined) return Array.isArray(schema.enum) ? withoutNull(schema, schema.enum) : schema
  if (only === null) return { ...rest, type: 'null' }
  return { ...rest, type: rest.type ?? (Array.isArray(only) ? 'array' : typeof only), enum: [only] }
}

/** A null among the values is spelled `nullable`. */
const withoutNull = (schema: JsonObject, values: readonly JsonValue[]): JsonObject => {
  const others = values.filter((item) => item !== null)
  const { enum: _values, ...rest } = schema
  if (others.length === 0) return { ...rest, type: 'null' }
  const typed = schema.type === undefined && others.every((item) => typeof item === 'string')
  const named = typed ? { ...schema, type: 'string' } : schema
  return others.length < values.length ? { ...named, nullable: true, enum: others } : named
}

const withOneType = (schema: JsonObject): JsonObject => {
  if (!Array.isArray(schema.type)) return schema
  const types = schema.type.filter((name) => name !== 'null')
  const orNull = types.length < schema.type.length ? { nullable: true } : {}
  const { type: _types, ...rest } = schema
  if (types.length <= 1) return { ...rest, type: types[0] ?? 'null', ...orNull }
  if (schema.anyOf !== undefined) return { ...rest, ...orNull }
  const { title, description, default: fallback, ...limits } = rest
  const about = Object.entries({ title, description, default: fallback }).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(about),
    anyOf: types.map((type) => ({ ...limits, type: type as JsonValue })),
    ...orNull,
  }
}

/** `anyOf: [X, null]` is X, nullable; the words around it win. */
const withNullable = (schema: JsonObject): JsonObject => {
  if (!Array.isArray(schema.anyOf)) return schema
  const forms = schema.anyOf.filter((form) => !(isRecord(form) && form.type === 'null'))
  const orNull = forms.length < schema.anyOf.length ? { nullable: true } : {}
  const [only, other] = forms
  const { anyOf: _forms, ...rest } = schema
  if (only === undefined) return { ...rest, type: 'null' }
  if (other !== undefined) return { ...schema, anyOf: forms, ...orNull }
  const inner = isRecord(only) ? respellForGemini(only as JsonObject) : {}
  return { ...inner, ...rest, ...orNull }
}
