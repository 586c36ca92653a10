import { GatewayError } from '../errors.js'
import type { Tool, ToolDefinition, ToolId } from '../model/tool.js'
import type { Loss } from '../schema/losses.js'
import { toAnthropic } from '../schema/projections/anthropic.js'
import { toGemini } from '../schema/projections/gemini.js'
import { toKwargs } from '../schema/projections/kwargs.js'
import { toOpenAi } from '../schema/projections/open-ai.js'
import { advertisedName, type Naming, safeNaming } from './names.js'

export const providerFormats = [
  'openai',
  'openai-responses',
  'openai-strict',
  'anthropic',
  'gemini',
  'mcp',
  'kwargs',
] as const

/** The model provider whose format a tool list is in. */
export type ProviderFormat = (typeof providerFormats)[number]

/** What a format could not carry of one tool. */
export interface ToolLosses {
  readonly tool: ToolId
  readonly losses: readonly Loss[]
}

export interface ProviderTools {
  /** Ready to be sent with a request to the model. */
  readonly tools: readonly unknown[]
  readonly losses: readonly ToolLosses[]
}

interface Projected {
  readonly value: unknown
  readonly losses: readonly Loss[]
}

const project: Readonly<Record<ProviderFormat, (definition: ToolDefinition, name: string) => Projected>> = {
  openai: (definition, name) => toOpenAi(definition, { name }),
  'openai-responses': (definition, name) => toOpenAi(definition, { name, shape: 'responses' }),
  'openai-strict': (definition, name) => toOpenAi(definition, { name, strict: true }),
  anthropic: (definition, name) => toAnthropic(definition, { name }),
  gemini: (definition, name) => toGemini(definition, { name }),
  mcp: (definition, name) => ({ value: { ...definition, name }, losses: [] }),
  kwargs: (definition, name) => {
    const { value, losses } = toKwargs(definition.inputSchema)
    return { value: { name, desc: definition.description ?? '', kwargs: value ?? {} }, losses }
  },
}

/** Tools as a model provider wants them, under names that all providers take and that a call finds back. */
export const toProviderTools = (
  tools: readonly Tool[],
  format: ProviderFormat,
  naming: Naming = safeNaming,
): ProviderTools => {
  const convert = Object.hasOwn(project, format) ? project[format] : undefined
  if (!convert)
    throw new GatewayError(
      'ARGUMENTS_INVALID',
      `There is no format '${String(format).slice(0, 40)}'. Choose one of ${providerFormats.join(', ')}.`,
    )
  const converted = tools.map((tool) => ({ tool: tool.id, ...convert(tool.definition, advertisedName(tool, naming)) }))
  return {
    tools: converted.map(({ value }) => value),
    losses: converted.filter(({ losses }) => losses.length > 0).map(({ tool, losses }) => ({ tool, losses })),
  }
}

/** The same for definitions that are on no board: what a server listed, what a file holds. */
export const convertTools = (definitions: readonly ToolDefinition[], format: ProviderFormat): ProviderTools =>
  toProviderTools(definitions.map(onNoBoard), format)

const onNoBoard = (definition: ToolDefinition): Tool => ({
  id: definition.name,
  namespace: '',
  name: definition.name,
  source: '',
  definition,
  tags: [],
})
