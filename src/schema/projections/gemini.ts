import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { Losses } from '../losses.js'
import { inlineForModel } from './inline-for-model.js'
import { withNote } from './notes.js'
import type { ProviderTool } from './open-ai.js'
import { reportNames } from './parameter-names.js'
import { type Rules, rewrite } from './rewrite.js'
import { objectRoot } from './root.js'

/** How a tool is written for Gemini. */
export interface GeminiOptions {
  /** The advertised name. Default: the definition's own. */
  readonly name?: string
}

/** A function declaration for Gemini, in its `parameters` form: a subset of OpenAPI 3.0 schemas. */
export const toGemini = (definition: ToolDefinition, options: GeminiOptions = {}): ProviderTool => {
  const losses = new Losses()
  const inlined = inlineForModel(definition.inputSchema)
  for (const loss of inlined.losses) losses.add(loss.path, loss.keyword, loss.reason)
  const parameters = rewrite(objectRoot(inlined.schema, losses), '', rules(losses), losses)
  reportNames(parameters, /^[A-Za-z_][A-Za-z0-9_]{0,63}$/, losses)
  const value = {
    name: options.name ?? definition.name,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    // An object without properties is refused; a function without parameters has none.
    ...(parameters.properties === undefined ? {} : { parameters }),
  }
  return { value, strict: false, losses: losses.list }
}

const keywords = new Set([
  ...['type', 'title', 'description', 'enum', 'format', 'minimum', 'maximum', 'items', 'minItems', 'maxItems'],
  ...['properties', 'required', 'propertyOrdering', 'anyOf', 'nullable', 'pattern', 'minLength', 'maxLength'],
  ...['minProperties', 'maxProperties', 'default', 'example'],
])

const rules = (losses: Losses): Rules => ({
  kept: keywords,
  // Vertex refuses a default beside alternatives.
  accepts: (keyword, value, schema) => {
    if (keyword === 'default') return schema.anyOf === undefined
    return keyword !== 'enum' || isWordList(value)
  },
  respell: (schema) => withNullable(withOneType(withEnum(schema))),
  finish: (schema, _original, path) => finish(schema, path, losses),
})

/** Enumerations are of non-empty strings only. */
const isWordList = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '')

const withEnum = (schema: JsonObject): JsonObject => {
  const { const: only, ...rest } = schema
  if (only === undefined) return Array.isArray(schema.enum) ? withoutNull(schema, schema.enum) : schema
  if (only === null) return { ...rest, type: 'null' }
  return { ...rest, type: rest.type ?? typeof only, enum: [only] }
}

/** A null among the values is spelled `nullable`. */
const withoutNull = (schema: JsonObject, values: readonly JsonValue[]): JsonObject => {
  const typed = schema.type === undefined && values.every((item) => typeof item === 'string' || item === null)
  const named = typed ? { ...schema, type: 'string' } : schema
  return values.includes(null) ? { ...named, nullable: true, enum: values.filter((item) => item !== null) } : named
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
  if (only === undefined || other !== undefined) return { ...schema, anyOf: forms, ...orNull }
  const { anyOf: _forms, ...rest } = schema
  const inner = isRecord(only) ? withNullable(withOneType(withEnum(only as JsonObject))) : {}
  return { ...inner, ...rest, ...orNull }
}

const finish = (schema: JsonObject, path: string, losses: Losses): JsonObject => {
  const { properties, required, ...rest } = schema
  if (schema.type === 'null') {
    losses.add(`${path}/type`, 'type', 'null alone is no type there')
    return withNote({ ...rest, type: 'string', nullable: true }, [['type', 'null']])
  }
  if (schema.type === 'array' && schema.items === undefined) return { ...schema, items: {} }
  if (!isRecord(properties) || Object.keys(properties).length === 0) return rest
  const names = Array.isArray(required)
    ? required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))
    : []
  return { ...rest, properties: properties as JsonObject, ...(names.length > 0 ? { required: names } : {}) }
}
