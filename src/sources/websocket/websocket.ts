import { createClientPeer } from '../../mcp/client/peer.js'
import { createWebSocketTransport } from '../../mcp/client/websocket-transport.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface WebSocketSourceOptions extends McpSourceOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An MCP server over WebSocket, one message per frame. */
export const createWebSocketSource = (options: WebSocketSourceOptions): McpSource => {
  const { url, headers = {} } = options
  return createMcpSource(
    {
      kind: 'websocket',
      sessionPerCaller: true,
      headerParams: false,
      connect: async (peer) => createClientPeer(createWebSocketTransport({ url, headers }), peer),
    },
    options,
  )
}
