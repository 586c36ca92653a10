import { GatewayError } from '../errors.js'
import type { ClientPeer } from '../mcp/client/client-peer.js'
import { type HeaderParam, headerParams } from '../mcp/headers.js'
import { isRpcError } from '../mcp/rpc-error.js'
import type { ToolSpec } from '../model/tool.js'
import { readToolsInTurns } from './read-tools.js'
import type { SourceUpdate, ToolProblem } from './source.js'
import { isWanted, type ToolFilter } from './tool-filter.js'

/** The source's name, and which of its tools it takes. */
export interface NamedFilter extends ToolFilter {
  readonly name: string
}

export interface McpTools {
  readonly update: SourceUpdate & { readonly type: 'all' }
  /** By tool, the arguments that are mirrored into headers. */
  readonly headerParams: ReadonlyMap<string, readonly HeaderParam[]>
}

/** The tools of a server, as far as they can be used. A server without tools is a server with none. */
export const listMcpTools = async (peer: ClientPeer, filter: NamedFilter, mirrors: boolean): Promise<McpTools> => {
  const { items } = await peer.listAll('tools/list', 'tools').catch((error: unknown) => {
    if (isRpcError(error) && error.code === -32601) return { items: [] }
    throw error
  })
  const read = await readToolsInTurns(items, `source '${filter.name}'`)
  const problems: ToolProblem[] = [...(read.problems ?? [])]
  const mirrored = new Map<string, readonly HeaderParam[]>()
  const tools = read.tools.filter(({ definition }) => {
    if (!isWanted(definition.name, filter)) return false
    const found = headerParams(definition.inputSchema)
    // Over HTTP such a tool could only be called against the rules; elsewhere the annotation means nothing.
    if (!found.ok && mirrors) {
      problems.push({
        tool: definition.name,
        error: new GatewayError(
          'TOOL_INVALID',
          `'${definition.name}' of source '${filter.name}' is left out: ${found.reason}`,
        ),
      })
      return false
    }
    if (found.ok && found.params.length > 0) mirrored.set(definition.name, found.params)
    return true
  })
  return { update: { type: 'all', tools: tools.map(withServerTags), problems }, headerParams: mirrored }
}

/** FastMCP writes a tool's tags into `_meta`, under a key that changed its name between versions (003-08). */
const withServerTags = (spec: ToolSpec): ToolSpec => {
  const meta = spec.definition._meta
  const own = (meta?._fastmcp ?? meta?.fastmcp) as { readonly tags?: unknown } | undefined
  const tags = Array.isArray(own?.tags) ? own.tags.filter((tag) => typeof tag === 'string') : []
  return tags.length > 0 ? { ...spec, tags } : spec
}
