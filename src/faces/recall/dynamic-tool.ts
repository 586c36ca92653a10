import type { JsonObject } from '../../model/json.js'
import { toFunctionParameters } from '../../schema/projections/function-parameters.js'
import type { ActionQuery, BoxToolDetail, McpToolDetail } from './actions.js'
import { fixedByPlace, parametersByPlace } from './box-parameters.js'

/** 004's `KnDynamicTool`: a tool as an agent runtime loads it. */
export interface DynamicTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  readonly api_url: string
  readonly original_schema?: JsonObject
  readonly fixed_params: JsonObject
  readonly api_call_strategy: 'kn_action_recall'
}

/** Whether schemas are converted exactly as document 004 does, its gaps included, or completely. */
export type Conversion = 'as-004' | 'complete'

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
  parameters: toFunctionParameters(inputSchema, { compat: conversion === 'as-004' }).schema,
  api_url: apiUrl,
  ...(inputSchema === null ? {} : { original_schema: inputSchema }),
  fixed_params: fixed,
  api_call_strategy: strategy,
})

/** type=tool: an OpenAPI operation, everything grouped by where it goes in a request. */
export const boxDynamicTool = (
  { name, description, apiSpec }: BoxToolDetail,
  apiUrl: string,
  fixed: JsonObject,
): DynamicTool => ({
  name,
  description,
  parameters: parametersByPlace(apiSpec),
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
