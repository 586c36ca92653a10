import { messageOf } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import type { Logger } from '../../telemetry/logger.js'
import type { ActionQuery, ActionSource, KnowledgeNetwork, OperatorIntegration, RecallContext } from './actions.js'
import { asyncDynamicTool, boxDynamicTool, type Conversion, type DynamicTool, mcpDynamicTool } from './dynamic-tool.js'
import { requiredText } from './read-request.js'
import { isRecallError, recallError } from './recall-error.js'

/** What a recall needs of the rooms behind it. */
export interface RecallParts {
  readonly knowledge: KnowledgeNetwork
  readonly operators: OperatorIntegration
  /** Where our own proxy route is, as agents reach it. */
  readonly proxyUrl: (mcpId: string, toolName: string) => string
  readonly conversion: Conversion
  readonly asynchronous: boolean
  readonly logger: Logger
  /** Told of every conversion, so that its failures can be counted (004-20). */
  readonly onConverted?: (ok: boolean) => void
}

/** The tools that carry out an action (004-03). Only the first action counts; none is no error. */
export const getActionInfo = async (
  query: ActionQuery,
  context: RecallContext,
  parts: RecallParts,
): Promise<readonly DynamicTool[]> => {
  const { action_source: source, actions } = await parts.knowledge.queryActions(query, context)
  const [first] = actions
  if (!source || !first) return []
  const fixed = first.parameters ?? {}
  const tool = await toolOf(source, fixed, context, parts)
  const executeUrl = parts.asynchronous ? parts.knowledge.executeUrl?.(query) : undefined
  return [executeUrl === undefined ? tool : asyncDynamicTool(tool, executeUrl, fixed, query)]
}

const toolOf = async (
  source: ActionSource,
  fixed: JsonObject,
  context: RecallContext,
  parts: RecallParts,
): Promise<DynamicTool> => {
  if (source.type === 'mcp') return mcpTool(source, fixed, context, parts)
  if (source.type === 'tool') return boxTool(source, fixed, context, parts)
  throw recallError(
    400,
    `Unsupported action source type: ${shown(source.type)}; supported are tool and mcp`,
    `不支持的行动源类型: ${shown(source.type)}，仅支持 tool 和 mcp`,
  )
}

const shown = (text: string): string => text.slice(0, 64)

const mcpTool = async (source: ActionSource, fixed: JsonObject, context: RecallContext, parts: RecallParts) => {
  const mcpId = requiredText(source.mcp_id, 'action_source.mcp_id')
  const toolName = requiredText(source.tool_name, 'action_source.tool_name')
  context.about?.({ mcp_id: mcpId, tool_name: toolName })
  const detail = await parts.operators.getMcpToolDetail(mcpId, toolName, context)
  return converted(parts, { mcp_id: mcpId, tool_name: toolName }, () =>
    mcpDynamicTool(detail, parts.proxyUrl(mcpId, toolName), fixed, parts.conversion),
  )
}

const boxTool = async (source: ActionSource, fixed: JsonObject, context: RecallContext, parts: RecallParts) => {
  const boxId = requiredText(source.box_id, 'action_source.box_id')
  const toolId = requiredText(source.tool_id, 'action_source.tool_id')
  context.about?.({ box_id: boxId, tool_id: toolId })
  const detail = await parts.operators.getToolDetail(boxId, toolId, context)
  return converted(parts, { box_id: boxId, tool_id: toolId }, () =>
    boxDynamicTool(detail, parts.operators.toolBoxUrl(boxId, toolId), fixed),
  )
}

/** A schema that cannot be converted is our 500, with the reason in the log (004-17). */
const converted = (
  parts: RecallParts,
  ids: Readonly<Record<string, string>>,
  convert: () => DynamicTool,
): DynamicTool => {
  try {
    const tool = convert()
    parts.onConverted?.(true)
    return tool
  } catch (error) {
    parts.onConverted?.(false)
    if (isRecallError(error)) throw error
    parts.logger.log('error', `Schema conversion failed: ${messageOf(error)}`, ids)
    throw recallError(
      500,
      `Schema conversion failed: ${messageOf(error)}`,
      `Schema 转换失败: ${messageOf(error)}`,
      error,
    )
  }
}
