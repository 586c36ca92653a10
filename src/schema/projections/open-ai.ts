import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { type Loss, Losses } from '../losses.js'
import { shapeOf } from '../shapes.js'
import { inlineForModel } from './inline-for-model.js'
import { nullable } from './nullable.js'
import { isFreeForm, isPlainPattern, typeOfValues } from './readings.js'
import { type ProviderRules, rewrite } from './rewrite.js'
import { objectRoot } from './root.js'
import { sizeOf } from './size.js'
import { wellFormed } from './well-formed.js'

/** How a tool is written for OpenAI. */
export interface OpenAiOptions {
  /** Ask for strict mode; tools that cannot be strict are written without it, and `strict` in the answer says so. */
  readonly strict?: boolean | undefined
  /** `chat` nests the function (Chat Completions), `responses` does not. Default `chat`. */
  readonly shape?: 'chat' | 'responses' | undefined
  /** The advertised name. Default: the definition's own. */
  readonly name?: string | undefined
}

/** A tool in a provider's words, whether it is strict, and what was lost. */
export interface ProviderTool {
  readonly value: JsonObject
  readonly strict: boolean
  readonly losses: readonly Loss[]
}

/** A tool for OpenAI's Chat Completions or Responses. */
export const toOpenAi = (definition: ToolDefinition, options: OpenAiOptions = {}): ProviderTool => {
  const losses = new Losses()
  const attempt = new Losses()
  const plain = plainParameters(definition.inputSchema, attempt)
  const parameters = options.strict ? strictParameters(plain, attempt.list, losses) : undefined
  const strict = parameters !== undefined
  if (!strict) losses.addAll(attempt.list)
  const tool = defined({
    name: options.name ?? definition.name,
    description: definition.description,
    parameters: parameters ?? plain,
    strict: options.strict === undefined ? undefined : strict,
  })
  const value = options.shape === 'responses' ? { type: 'function', ...tool } : { type: 'function', function: tool }
  return { value, strict, losses: losses.list }
}

/** Without strict mode OpenAI takes nearly all of JSON Schema, if it is well-formed; only the root has a fixed form. */
const plainParameters = (schema: JsonObject, losses: Losses): JsonObject =>
  objectRoot(wellFormed(readable(schema, losses), losses), losses)

/** Inlined where that says everything; recursion stays a reference, which OpenAI alone understands. */
const readable = (schema: JsonObject, losses: Losses): JsonObject => {
  const inlined = inlineForModel(schema)
  if (inlined.losses.length === 0) return inlined.schema
  if (hasPlainReferences(schema)) return schema
  losses.addAll(inlined.losses)
  return inlined.schema
}

const elsewhere = ['$dynamicRef', '$recursiveRef', '$anchor', '$dynamicAnchor', '$id', 'allOf']

/**
 * Whether every reference is `#` or `#/$defs/NAME` of the root, and leads somewhere: the only ones that providers follow.
 * `allOf` is left out too, since its merging cannot look behind a reference.
 */
const hasPlainReferences = (schema: JsonObject): boolean => {
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

const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

const keywords = new Set([
  ...['type', 'title', 'description', 'enum', 'const', 'properties', 'required', 'items', 'anyOf', '$ref', '$defs'],
  ...['pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems'],
])

/**
 * Parameters for OpenAI's strict mode, from those of its plain mode; undefined where a schema cannot be strict. `before`
 * is what was lost on the way here: it is told only where it stays lost.
 */
const strictParameters = (plain: JsonObject, before: readonly Loss[], losses: Losses): JsonObject | undefined => {
  const attempt = new Losses()
  const blockers: [string, string][] = []
  const parameters = rewrite(plain, '', rules(blockers), attempt)
  if (isTooLarge(parameters)) blockers.push(['', 'the schema is larger than strict mode takes'])
  if (blockers.length === 0) losses.addAll([...before, ...attempt.list])
  for (const [path, reason] of blockers) losses.add(path, 'strict', `${reason}; sent without strict`)
  return blockers.length === 0 ? parameters : undefined
}

const isTooLarge = (parameters: JsonObject): boolean => {
  const { properties, depth, enumValues, characters, longEnum } = sizeOf(parameters)
  return properties > 5_000 || depth > 10 || enumValues > 1_000 || characters > 120_000 || longEnum
}

const rules = (blockers: [string, string][]): ProviderRules => ({
  kept: keywords,
  accepts: (keyword, value, schema) => {
    if (schema.$ref !== undefined && keyword !== '$ref') return false
    if (keyword === 'pattern') return isPlainPattern(value)
    return keyword !== 'format' || formats.has(value as string)
  },
  finish: (schema, original, path) => {
    if (schema.$ref !== undefined) return { $ref: schema.$ref }
    const typed = withType(schema)
    for (const reason of obstacles(typed, original)) blockers.push([path, reason])
    return isOf(typed, 'object') ? closed(typed) : typed
  },
})

/** A value from a list has a type as well, which has to be said. */
const withType = (schema: JsonObject): JsonObject => {
  if (schema.type !== undefined || schema.anyOf !== undefined) return schema
  const values = Array.isArray(schema.enum) ? schema.enum : schema.const === undefined ? [] : [schema.const]
  const type = typeOfValues(values)
  return type === undefined ? schema : { type, ...schema }
}

const obstacles = function* (schema: JsonObject, original: JsonObject): Iterable<string> {
  if (schema.type === undefined && schema.anyOf === undefined) yield 'a value of any type cannot be strict'
  if (isOf(schema, 'array') && !isRecord(schema.items)) yield 'a list of anything cannot be strict'
  if (!isOf(schema, 'object')) return
  if (isFreeForm(original)) yield 'a free-form map cannot be strict'
  const described = isRecord(original.properties) ? original.properties : {}
  const required = Array.isArray(original.required) ? original.required : []
  if (required.some((name) => !Object.hasOwn(described, name as string)))
    yield 'a required property that is not described cannot be strict'
}

const isOf = ({ type }: JsonObject, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name))

const closed = (schema: JsonObject): JsonObject => {
  const properties = isRecord(schema.properties) ? (schema.properties as JsonObject) : {}
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const members = Object.entries(properties).map(([name, property]) => [
    name,
    required.has(name) ? property : nullable(property as JsonObject),
  ])
  return {
    ...schema,
    properties: Object.fromEntries(members) as JsonObject,
    required: Object.keys(properties) as readonly JsonValue[],
    additionalProperties: false,
  }
}
