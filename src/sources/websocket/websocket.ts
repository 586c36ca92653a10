import { createClientPeer } from '../../mcp/client/peer.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { createSigned } from '../../mcp/client/signed-transport.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface WebSocketSourceOptions extends McpSourceOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Who signs its handshakes, where that is no fixed header. */
  readonly credentials?: Credentials | undefined
}

/** An MCP server over WebSocket, one message per frame. */
export const createWebSocketSource = (options: WebSocketSourceOptions): McpSource => {
  const { url, headers = {}, credentials } = options
  return createMcpSource(
    {
      kind: 'websocket',
      url,
      sessionPerCaller: true,
      headerParams: false,
      // Imported when first connected, as the HTTP source's is.
      connect: async (peer) => {
        const { createWebSocketTransport } = await import('../../mcp/client/websocket-transport.js')
        return createClientPeer(
          createSigned(headers, credentials, (signed) => createWebSocketTransport({ url, headers: signed })),
          peer,
        )
      },
    },
    options,
  )
}
