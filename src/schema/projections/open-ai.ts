import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { type Loss, Losses } from '../losses.js'
import { inlineForModel } from './inline-for-model.js'
import { nullable } from './nullable.js'
import { type Rules, rewrite } from './rewrite.js'
import { objectRoot } from './root.js'
import { sizeOf } from './size.js'

/** How a tool is written for OpenAI. */
export interface OpenAiOptions {
  /** Ask for strict mode; tools that cannot be strict are written without it, and `strict` in the answer says so. */
  readonly strict?: boolean
  /** `chat` nests the function (Chat Completions), `responses` does not. Default `chat`. */
  readonly shape?: 'chat' | 'responses'
  /** The advertised name. Default: the definition's own. */
  readonly name?: string
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
  const parameters = options.strict ? strictParameters(definition.inputSchema, losses) : undefined
  const strict = parameters !== undefined
  const tool = {
    name: options.name ?? definition.name,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    parameters: parameters ?? plainParameters(definition.inputSchema, losses),
    ...(options.strict === undefined ? {} : { strict }),
  }
  const value = options.shape === 'responses' ? { type: 'function', ...tool } : { type: 'function', function: tool }
  return { value, strict, losses: losses.list }
}

/** Without strict mode OpenAI takes nearly all of JSON Schema; only the root has a fixed form. */
const plainParameters = (schema: JsonObject, losses: Losses): JsonObject => {
  const { $schema: _dialect, ...root } = objectRoot(readable(schema, losses), losses)
  return root
}

/** Inlined where that says everything; recursion stays a reference, which OpenAI alone understands. */
const readable = (schema: JsonObject, losses: Losses): JsonObject => {
  const inlined = inlineForModel(schema)
  if (inlined.losses.length === 0) return inlined.schema
  if (hasPlainReferences(schema)) return schema
  for (const loss of inlined.losses) losses.add(loss.path, loss.keyword, loss.reason)
  return inlined.schema
}

const hasPlainReferences = (schema: JsonObject): boolean => {
  if (schema.$ref !== undefined || schema.allOf !== undefined) return false
  const text = JSON.stringify(schema)
  const references = text.match(/"\$(?:ref|dynamicRef|recursiveRef|anchor|id)":"[^"]*"/g) ?? []
  return (
    references.every((reference) => /^"\$ref":"#(?:"|\/\$defs\/[^/"%~]+"$)/.test(reference)) &&
    !text.includes('"allOf"')
  )
}

const strictFormats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

const strictKeywords = new Set([
  ...['type', 'title', 'description', 'enum', 'const', 'properties', 'required', 'items', 'anyOf', '$ref', '$defs'],
  ...['pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minItems', 'maxItems'],
])

const strictParameters = (schema: JsonObject, losses: Losses): JsonObject | undefined => {
  const attempt = new Losses()
  const blockers: [string, string][] = []
  const root = objectRoot(readable(schema, attempt), attempt)
  const parameters = rewrite(root, '', strictRules(blockers), attempt)
  const size = sizeOf(parameters)
  if (size.properties > 5_000 || size.depth > 10 || size.enumValues > 1_000 || size.characters > 120_000) {
    blockers.push(['', 'the schema is larger than strict mode takes'])
  }
  const told = blockers.length === 0 ? attempt.list : blockers.map(([path, reason]) => notStrict(path, reason))
  for (const loss of told) losses.add(loss.path, loss.keyword, loss.reason)
  return blockers.length === 0 ? parameters : undefined
}

const notStrict = (path: string, reason: string): Loss => ({
  path,
  keyword: 'strict',
  reason: `${reason}; sent without strict`,
})

const strictRules = (blockers: [string, string][]): Rules => ({
  kept: strictKeywords,
  accepts: (keyword, value, schema) => {
    if (schema.$ref !== undefined && keyword !== '$ref') return false
    return keyword !== 'format' || strictFormats.has(value as string)
  },
  finish: (schema, original, path) => {
    if (schema.$ref !== undefined) return { $ref: schema.$ref }
    if (!isTyped(schema)) blockers.push([path, 'a value of any type cannot be strict'])
    if (!isObjectSchema(schema)) return schema
    if (isFreeForm(original)) blockers.push([path, 'a free-form map cannot be strict'])
    return closed(schema)
  },
})

const isTyped = (schema: JsonObject): boolean =>
  [schema.type, schema.anyOf, schema.enum, schema.const].some((value) => value !== undefined)

const isObjectSchema = ({ type }: JsonObject): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))

/** A map with names of its own choosing, or an object nobody described. */
export const isFreeForm = (schema: JsonObject): boolean => {
  const { additionalProperties: extra, properties, patternProperties } = schema
  if (patternProperties !== undefined || isRecord(extra) || extra === true) return true
  return extra === undefined && properties === undefined
}

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
    required: Object.keys(properties) as JsonValue[] as readonly JsonValue[],
    additionalProperties: false,
  }
}
