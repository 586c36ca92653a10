import { isRecord, type JsonObject } from '../../../model/json.js'
import type { McpToolDetail, OperatorIntegration } from '../actions.js'
import { recallError } from '../recall-error.js'
import type { ServiceClient } from './service-client.js'

const base = '/api/agent-operator-integration/internal-v1'

/** A real operator service (004-02, 004-05). */
export const createOperatorIntegration = (client: ServiceClient): OperatorIntegration => ({
  getToolDetail: async (boxId, toolId, context) => {
    const path = `${base}/tool-box/${encodeURIComponent(boxId)}/tool/${encodeURIComponent(toolId)}`
    const { name, description, metadata } = await client.ask('GET', path, context)
    const apiSpec = isRecord(metadata) && isRecord(metadata.api_spec) ? (metadata.api_spec as JsonObject) : {}
    return { name: textOf(name), description: textOf(description), apiSpec }
  },
  toolBoxUrl: (boxId, toolId) =>
    `${client.url}${base}/tool-box/${encodeURIComponent(boxId)}/proxy/${encodeURIComponent(toolId)}`,
  getMcpToolDetail: async (mcpId, toolName, context) => {
    const { tools } = await client.ask('GET', `${base}/mcp/proxy/${encodeURIComponent(mcpId)}/tools`, context)
    if (!Array.isArray(tools)) throw recallError(500, 'The tool list has no tools in it', 'MCP 工具列表响应无法解析')
    const found = tools.filter(isRecord).find(({ name }) => name === toolName)
    if (found) return detailOf(found)
    const shown = toolName.slice(0, 120)
    throw recallError(404, `Tool not found: ${shown}`, `未找到指定工具: ${shown}`)
  },
  callMcpTool: (mcpId, toolName, parameters, context) =>
    client.ask('POST', `${base}/mcp/proxy/${encodeURIComponent(mcpId)}/tool/call`, context, {
      tool_name: toolName,
      parameters,
    }),
})

const detailOf = ({ name, description, inputSchema, annotations }: Record<string, unknown>): McpToolDetail => ({
  name: textOf(name),
  description: textOf(description),
  inputSchema: isRecord(inputSchema) ? (inputSchema as JsonObject) : null,
  isUnreadable: inputSchema === undefined || inputSchema === null || isRecord(inputSchema) ? undefined : true,
  annotations: isRecord(annotations) ? (annotations as JsonObject) : undefined,
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
