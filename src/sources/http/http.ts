import { createClientPeer } from '../../mcp/client/peer.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { createSigned } from '../../mcp/client/signed-transport.js'
import { ownHeaders, type SignedByCaller } from '../caller-signing.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface HttpSourceOptions extends McpSourceOptions {
  readonly url: string
  /** Sent to this server only, with every request. Nothing of a caller's own credentials ever is. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Who signs its requests, where that is no fixed header. */
  readonly credentials?: Credentials | undefined
  /** In whose name requests are made, where the server is told. */
  readonly signing?: SignedByCaller | undefined
  /** `env` reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; a URL names one. */
  readonly proxy?: string | undefined
}

/** An MCP server over Streamable HTTP, of either era. */
export const createHttpSource = (options: HttpSourceOptions): McpSource => {
  const { url, headers = {}, credentials, signing, proxy, clock } = options
  const own = { headers: ownHeaders(headers), credentials }

  return createMcpSource(
    {
      kind: 'http',
      url,
      sessionPerCaller: true,
      signing,
      headerParams: true,
      // Imported when first connected: a gateway listens before, and its HTTP client takes a while to load.
      connect: async (peer, _principal, _signal, inTheName = own) => {
        const { createHttpTransport } = await import('../../mcp/client/http-transport.js')
        return createClientPeer(
          createSigned(inTheName.headers, inTheName.credentials, (signed) =>
            createHttpTransport({ url, headers: signed, clock, proxy }),
          ),
          peer,
        )
      },
    },
    options,
  )
}
