import { createClientPeer } from '../../mcp/client/peer.js'
import { createSseTransport } from '../../mcp/client/sse-transport.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface SseSourceOptions extends McpSourceOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly proxy?: string
}

/** An MCP server over the HTTP+SSE transport of 2024-11-05: deprecated, and still what many servers offer. */
export const createSseSource = (options: SseSourceOptions): McpSource => {
  const { url, headers = {}, proxy } = options
  return createMcpSource(
    {
      kind: 'sse',
      sessionPerCaller: true,
      headerParams: false,
      connect: async (peer) =>
        createClientPeer(createSseTransport({ url, headers, ...(proxy ? { proxy } : {}) }), peer),
    },
    options,
  )
}
