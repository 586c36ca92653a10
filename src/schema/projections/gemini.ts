import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { Losses } from '../losses.js'
import { standAlone } from './gemini-any-of.js'
import { respellForGemini } from './gemini-spelling.js'
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
