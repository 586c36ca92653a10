import type { Gateway } from '../../../gateway.js'
import { toToolResult } from '../../../model/answer.js'
import type { CallOrigin, Found } from '../../../model/call.js'
import type { Caller } from '../../../model/caller.js'
import type { JsonObject } from '../../../model/json.js'
import type { Tool } from '../../../model/tool.js'
import { inlineRefs } from '../../../schema/inline.js'
import type { OperatorIntegration } from '../actions.js'
import { recallError } from '../recall-error.js'

export const toolBoxPath = '/api/agent-operator-integration/internal-v1/tool-box/:box_id/proxy/:tool_id'

/** Our own board as the operator service: `mcp_id` and `box_id` are a source (or its namespace), the tool one of its. */
export const createBoardOperators = (
  gateway: Gateway,
  toolBoxUrl: (boxId: string, toolId: string) => string,
): OperatorIntegration => {
  const resolveIn = createFinder(gateway)
  return {
    getMcpToolDetail: async (mcpId, toolName, { caller }) => {
      const { definition } = resolveIn(mcpId, toolName, caller).tool
      const { description = '', inputSchema, annotations } = definition
      return {
        name: toolName,
        description,
        inputSchema,
        annotations: annotations as JsonObject | undefined,
      }
    },
    getToolDetail: async (boxId, toolId, { caller }) => {
      const { definition } = resolveIn(boxId, toolId, caller).tool
      const schema = inlineRefs(definition.inputSchema).schema
      return {
        name: toolId,
        description: definition.description ?? '',
        apiSpec: { parameters: [], request_body: { content: { 'application/json': { schema } } } },
      }
    },
    toolBoxUrl,
    callMcpTool: async (mcpId, toolName, parameters, { caller, signal }) => {
      const found = resolveIn(mcpId, toolName, caller)
      const outcome = await gateway.call({
        tool: found.tool.id,
        found,
        args: parameters,
        caller,
        from: byRecall,
        signal,
      })
      if (!outcome.ok) throw outcome.error
      return toToolResult(outcome.answer) as unknown as JsonObject
    },
  }
}

const byRecall: CallOrigin = { face: 'recall' }
const mostIndexes = 64

/** By source and bare name. An index is made once per profile and catalog version. */
const createFinder = (gateway: Gateway) => {
  const indexes = new Map<string | undefined, { readonly stamp: string; readonly index: ReadonlyMap<string, Tool> }>()
  const key = (source: string, name: string) => `${source}\u0000${name}`

  const indexOf = (profile: string | undefined): ReadonlyMap<string, Tool> => {
    const stamp = `${gateway.catalog.version}/${gateway.policy.version}`
    const known = indexes.get(profile)
    if (known?.stamp === stamp) return known.index
    const { tools } = gateway.shown(profile)
    // Namespaces first, so that where both names exist the source's own wins.
    const entries = [...tools.map((tool) => [key(tool.namespace, tool.name), tool] as const)]
    const index = new Map([...entries, ...tools.map((tool) => [key(tool.source, tool.name), tool] as const)])
    if (indexes.size >= mostIndexes) indexes.clear()
    indexes.set(profile, { stamp, index })
    return index
  }

  return (source: string, name: string, caller: Caller): Found & { readonly tool: Tool } => {
    const tool = indexOf(caller.profile).get(key(source, name))
    // One question for all faces: what this caller may not see is not there.
    const found = tool && gateway.resolve(tool.id, caller, () => tool)
    if (found?.tool) return found as Found & { readonly tool: Tool }
    throw missing(gateway, source, name)
  }
}

/** A source that is down has withdrawn its tools: 502, not 404 (004-17). */
const missing = (gateway: Gateway, source: string, name: string) => {
  const found = gateway.sources().find((each) => each.name === source || each.namespace === source)
  const shown = name.slice(0, 120)
  if (found && found.status.state !== 'ready')
    return recallError(
      502,
      `The MCP service ${source.slice(0, 120)} is ${found.status.state}`,
      `MCP 服务不可用: ${source.slice(0, 120)} (${found.status.state})`,
    )
  return recallError(404, `Tool not found: ${shown}`, `未找到指定工具: ${shown}`)
}
