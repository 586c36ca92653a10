import { defined, type JsonObject } from '../../model/json.js'
import { toFunctionParameters } from '../../schema/projections/function-parameters.js'
import type { ActionQuery, BoxToolDetail, McpToolDetail } from './actions.js'
import { fixedByPlace, parametersByPlace } from './box-parameters.js'

/** 004's `KnDynamicTool`: a tool as an agent runtime loads it. */
export interface DynamicTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  readonly api_url: string
  readonly original_schema?: JsonObject | undefined
  readonly fixed_params: JsonObject
  readonly api_call_strategy: 'kn_action_recall'
}

/** How schemas are converted. */
export interface Conversion {
  /** `original` is document 004's converter to the letter, its gaps included; `complete` leaves no reference behind. */
  readonly schemas: 'complete' | 'original'
  /** References followed one inside the other (004-10). */
  readonly depth: number
}

export const standardConversion: Conversion = Object.freeze({ schemas: 'complete', depth: 3 })

const strategy = 'kn_action_recall'

/** type=mcp (004-03): the schema inlined, the fixed parameters flat (004-07). */
export const mcpDynamicTool = (
  { name, description, inputSchema }: McpToolDetail,
  apiUrl: string,
  fixed: JsonObject,
  conversion: Conversion,
): DynamicTool => ({
  name,
  description,
  parameters: toFunctionParameters(inputSchema, {
    compat: conversion.schemas === 'original',
    maxDepth: conversion.depth,
  }).schema,
  api_url: apiUrl,
  ...defined({ original_schema: inputSchema ?? undefined }),
  fixed_params: fixed,
  api_call_strategy: strategy,
})

/** A tool whose schema nobody can read: it takes any arguments, and the schema goes along for whoever can. */
export const openTool = (
  { name, description, inputSchema }: McpToolDetail,
  apiUrl: string,
  fixed: JsonObject,
): DynamicTool => ({
  name,
  description,
  parameters: { type: 'object', properties: {}, additionalProperties: true },
  api_url: apiUrl,
  ...defined({ original_schema: inputSchema ?? undefined }),
  fixed_params: fixed,
  api_call_strategy: strategy,
})

/** type=tool: an OpenAPI operation, everything grouped by where it goes in a request. */
export const boxDynamicTool = (
  { name, description, apiSpec }: BoxToolDetail,
  apiUrl: string,
  fixed: JsonObject,
  conversion: Conversion,
): DynamicTool => ({
  name,
  description,
  parameters: parametersByPlace(apiSpec, conversion),
  api_url: apiUrl,
  original_schema: apiSpec,
  fixed_params: fixedByPlace(fixed, apiSpec),
  api_call_strategy: strategy,
})

/** The newer form: the tool submits the action, and somebody else carries it out later. */
export const asyncDynamicTool = (
  tool: DynamicTool,
  executeUrl: string,
  fixed: JsonObject,
  query: ActionQuery,
): DynamicTool => ({
  ...tool,
  parameters: {
    type: 'object',
    properties: {
      dynamic_params: tool.parameters,
      _instance_identities: {
        type: 'array',
        description: '目标实例列表 / the instances to act on',
        items: { type: 'object' },
      },
    },
  },
  api_url: executeUrl,
  fixed_params: { dynamic_params: fixed, _instance_identities: query.identities },
})
