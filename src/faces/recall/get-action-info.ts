import { messageOf } from '../../errors.js'
import type { JsonObject } from '../../model/json.js'
import type { Logger } from '../../telemetry/logger.js'
import type { ActionQuery, ActionSource, KnowledgeNetwork, OperatorIntegration, RecallContext } from './actions.js'
import {
  asyncDynamicTool,
  boxDynamicTool,
  type Conversion,
  type DynamicTool,
  mcpDynamicTool,
  openTool,
} from './dynamic-tool.js'
import { requiredText } from './read-request.js'
import { isRecallError, recallError } from './recall-error.js'

/** What a recall needs of the rooms behind it. */
export interface RecallParts {
  readonly knowledge: KnowledgeNetwork
  readonly operators: OperatorIntegration
  /** Where our own proxy route is, as agents reach it. */
  readonly proxyUrl: (mcpId: string, toolName: string) => string
  readonly conversion: Conversion
  /** What becomes of a schema that cannot be converted: an error, or a tool that takes any arguments (004-18). */
  readonly onUnreadable: 'error' | 'open'
  readonly asynchronous: boolean
  readonly logger: Logger
  /** Told of every conversion, so that its failures can be counted (004-20). */
  readonly onConverted?: ((ok: boolean) => void) | undefined
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
  const url = parts.proxyUrl(mcpId, toolName)
  return converted(
    parts,
    { mcp_id: mcpId, tool_name: toolName },
    () => {
      if (detail.isUnreadable) throw noSchema()
      return mcpDynamicTool(detail, url, fixed, parts.conversion)
    },
    () => openTool(detail, url, fixed),
  )
}

const boxTool = async (source: ActionSource, fixed: JsonObject, context: RecallContext, parts: RecallParts) => {
  const boxId = requiredText(source.box_id, 'action_source.box_id')
  const toolId = requiredText(source.tool_id, 'action_source.tool_id')
  context.about?.({ box_id: boxId, tool_id: toolId })
  const detail = await parts.operators.getToolDetail(boxId, toolId, context)
  const url = parts.operators.toolBoxUrl(boxId, toolId)
  return converted(
    parts,
    { box_id: boxId, tool_id: toolId },
    () => boxDynamicTool(detail, url, fixed, parts.conversion),
    () => openTool({ ...detail, inputSchema: detail.apiSpec }, url, fixed),
  )
}

/** A schema that cannot be converted is in the log, and our 500 (004-17) unless a fallback is wanted (004-18). */
const converted = (
  parts: RecallParts,
  ids: Readonly<Record<string, string>>,
  convert: () => DynamicTool,
  fallBack: () => DynamicTool,
): DynamicTool => {
  try {
    const tool = convert()
    parts.onConverted?.(true)
    return tool
  } catch (error) {
    parts.onConverted?.(false)
    const reason = messageOf(error).replace(/^Schema conversion failed: /, '')
    parts.logger.log('error', `Schema conversion failed: ${reason}`, ids)
    if (parts.onUnreadable === 'open') return fallBack()
    if (isRecallError(error)) throw error
    throw recallError(
      500,
      `Schema conversion failed: ${messageOf(error)}`,
      `Schema 转换失败: ${messageOf(error)}`,
      error,
    )
  }
}

const noSchema = () =>
  recallError(500, 'Schema conversion failed: inputSchema is not an object', 'Schema 转换失败: inputSchema 不是对象')
