import { defined, isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { Losses } from '../losses.js'
import { inlineForModel } from './inline-for-model.js'
import type { ProviderTool } from './open-ai.js'
import { withLegalNames } from './parameter-names.js'
import { isFreeForm, isPlainPattern } from './readings.js'
import { type ProviderRules, rewrite } from './rewrite.js'
import { objectRoot } from './root.js'
import { sizeOf } from './size.js'
import { wellFormed } from './well-formed.js'

/** How a tool is written for Anthropic. */
export interface AnthropicOptions {
  /** Ask for strict mode; tools that cannot be strict are written without it, and `strict` in the answer says so. */
  readonly strict?: boolean | undefined
  /** The advertised name. Default: the definition's own. */
  readonly name?: string | undefined
}

/** A tool for Anthropic's Messages. */
export const toAnthropic = (definition: ToolDefinition, options: AnthropicOptions = {}): ProviderTool => {
  const losses = new Losses()
  const strictSchema = options.strict ? strictInput(definition.inputSchema, losses) : undefined
  const strict = strictSchema !== undefined
  const input = withLegalNames(
    strictSchema ?? plainInput(definition.inputSchema, losses),
    /^[a-zA-Z0-9_.-]{1,64}$/,
    losses,
  )
  const value = defined({
    name: options.name ?? definition.name,
    description: definition.description,
    input_schema: input,
    strict: strict || undefined,
  })
  return { value, strict, losses: losses.list }
}

/** References are inlined: recursive ones are refused, and the root may not have alternatives. */
const plainInput = (schema: JsonObject, losses: Losses): JsonObject => {
  const inlined = inlineForModel(schema)
  losses.addAll(inlined.losses)
  return objectRoot(wellFormed(inlined.schema, losses), losses)
}

const strictFormats = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
])

const strictKeywords = new Set([
  ...['type', 'title', 'description', 'enum', 'const', 'default', 'properties', 'required', 'items', 'anyOf'],
  ...['format', 'pattern', 'minItems'],
])

const strictInput = (schema: JsonObject, losses: Losses): JsonObject | undefined => {
  const attempt = new Losses()
  const blockers: [string, string][] = []
  const input = rewrite(plainInput(schema, attempt), '', strictRules(blockers), attempt)
  const { optional, unions } = sizeOf(input)
  // The provider's limits count all strict tools together; one tool past them can never be sent.
  if (optional > 24) blockers.push(['', 'more than 24 optional parameters cannot be strict'])
  if (unions > 16) blockers.push(['', 'more than 16 parameters of several types cannot be strict'])
  if (blockers.length === 0) losses.addAll(attempt.list)
  for (const [path, reason] of blockers) losses.add(path, 'strict', `${reason}; sent without strict`)
  return blockers.length === 0 ? input : undefined
}

const strictRules = (blockers: [string, string][]): ProviderRules => ({
  kept: strictKeywords,
  accepts: acceptsStrict,
  finish: (schema, original, path) => {
    if (schema.type !== 'object') return schema
    if (isFreeForm(original)) blockers.push([path, 'a free-form map cannot be strict'])
    return {
      ...schema,
      properties: isRecord(schema.properties) ? schema.properties : {},
      additionalProperties: false,
    } as JsonObject
  },
})

const acceptsStrict = (keyword: string, value: JsonValue): boolean => {
  if (keyword === 'format') return strictFormats.has(value as string)
  if (keyword === 'minItems') return value === 0 || value === 1
  if (keyword === 'enum') return Array.isArray(value) && value.every(isPlain)
  if (keyword === 'const') return isPlain(value)
  return keyword !== 'pattern' || isPlainPattern(value)
}

const isPlain = (value: JsonValue): boolean => typeof value !== 'object' || value === null
