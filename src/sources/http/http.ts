import { createClientPeer } from '../../mcp/client/peer.js'
import { createMcpSource, type McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'

export interface HttpSourceOptions extends McpSourceOptions {
  readonly url: string
  /** Sent to this server only, with every request. Nothing of a caller's own credentials ever is. */
  readonly headers?: Readonly<Record<string, string>>
  /** `env` reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; a URL names one. */
  readonly proxy?: string
}

/** An MCP server over Streamable HTTP, of either era. */
export const createHttpSource = (options: HttpSourceOptions): McpSource => {
  const { url, headers = {}, proxy, clock } = options
  return createMcpSource(
    {
      kind: 'http',
      sessionPerCaller: true,
      headerParams: true,
      // Imported when first connected: a gateway listens before, and its HTTP client takes a while to load.
      connect: async (peer) => {
        const { createHttpTransport } = await import('../../mcp/client/http-transport.js')
        return createClientPeer(createHttpTransport({ url, headers, clock, ...(proxy ? { proxy } : {}) }), peer)
      },
    },
    options,
  )
}
