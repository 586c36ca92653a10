import { createClientPeer } from '../../mcp/client/peer.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { createSigned } from '../../mcp/client/signed-transport.js'
import { ownHeaders, type SignedByCaller } from '../caller-signing.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface WebSocketSourceOptions extends McpSourceOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Who signs its handshakes, where that is no fixed header. */
  readonly credentials?: Credentials | undefined
  /** In whose name requests are made, where the server is told. */
  readonly signing?: SignedByCaller | undefined
}

/** An MCP server over WebSocket, one message per frame. */
export const createWebSocketSource = (options: WebSocketSourceOptions): McpSource => {
  const { url, headers = {}, credentials, signing } = options
  const own = { headers: ownHeaders(headers), credentials }
  return createMcpSource(
    {
      kind: 'websocket',
      url,
      sessionPerCaller: true,
      signing,
      headerParams: false,
      // Imported when first connected, as the HTTP source's is.
      connect: async (peer, _principal, _signal, inTheName = own) => {
        const { createWebSocketTransport } = await import('../../mcp/client/websocket-transport.js')
        return createClientPeer(
          createSigned(inTheName.headers, inTheName.credentials, (signed) =>
            createWebSocketTransport({ url, headers: signed }),
          ),
          peer,
        )
      },
    },
    options,
  )
}
