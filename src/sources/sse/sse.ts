import { createClientPeer } from '../../mcp/client/peer.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { createSigned } from '../../mcp/client/signed-transport.js'
import { ownHeaders, type SignedByCaller } from '../caller-signing.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface SseSourceOptions extends McpSourceOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Who signs its requests, where that is no fixed header. */
  readonly credentials?: Credentials | undefined
  /** In whose name requests are made, where the server is told. */
  readonly signing?: SignedByCaller | undefined
  readonly proxy?: string | undefined
}

/** An MCP server over the HTTP+SSE transport of 2024-11-05: deprecated, and still what many servers offer. */
export const createSseSource = (options: SseSourceOptions): McpSource => {
  const { url, headers = {}, credentials, signing, proxy } = options
  const own = { headers: ownHeaders(headers), credentials }
  return createMcpSource(
    {
      kind: 'sse',
      url,
      sessionPerCaller: true,
      signing,
      headerParams: false,
      // Imported when first connected, as the HTTP source's is.
      connect: async (peer, _principal, _signal, inTheName = own) => {
        const { createSseTransport } = await import('../../mcp/client/sse-transport.js')
        return createClientPeer(
          createSigned(inTheName.headers, inTheName.credentials, (signed) =>
            createSseTransport({ url, headers: signed, proxy }),
          ),
          peer,
        )
      },
    },
    options,
  )
}
