import { defined, type JsonObject } from '../../model/json.js'
import type { ToolDefinition } from '../../model/tool.js'
import { type Loss, Losses } from '../losses.js'
import { inlineForModel } from './inline-for-model.js'
import { strictParameters } from './open-ai-strict.js'
import { hasPlainReferences } from './plain-references.js'
import { objectRoot } from './root.js'
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
