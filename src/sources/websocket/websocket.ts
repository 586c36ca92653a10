import { createClientPeer } from '../../mcp/client/peer.js'
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
      // Imported when first connected, as the HTTP source's is.
      connect: async (peer) => {
        const { createWebSocketTransport } = await import('../../mcp/client/websocket-transport.js')
        return createClientPeer(createWebSocketTransport({ url, headers }), peer)
      },
    },
    options,
  )
}
