import { createMcpEndpoint } from '../../faces/mcp/http/endpoint.js'
import { createRestFace } from '../../faces/rest/face.js'
import { assertBindAllowed, createAuthenticator, createPeers } from '../../http/auth-loopback.js'
import { createHttpHost } from '../../http/host.js'
import { tellRefusal } from '../../operations/told-error.js'
import type { ServeHttpOptions } from './options.js'
import type { Opened, Stage } from './stage.js'

/** The board over HTTP: Host and Origin checked on every request, and nothing open that other machines can reach. */
export const openHttp = async (stage: Stage, options: ServeHttpOptions): Promise<Opened & { readonly url: string }> => {
  const { face, findProfile, gateway, clock, logger } = stage
  const { host = '127.0.0.1', port = 0, path = '/mcp', token, allowedHosts = [], allowedOrigins = [] } = options
  assertBindAllowed({ host, hasCredential: token !== undefined || options.authenticate !== undefined })
  const peers = createPeers(() => options.behindProxy)
  const endpoint = createMcpEndpoint({ face, findProfile, path, clock, logger })
  const rest = options.rest ? createRestFace({ gateway, findProfile, clock }) : undefined
  const http = createHttpHost({
    authenticate: options.authenticate ?? createAuthenticator({ token, openLoopback: true, peers, clock }),
    shares: gateway.shares,
    allowedHosts,
    allowedOrigins,
    localOrigins: options.localOrigins,
    tellRefusal,
    clock,
    logger: logger.child('http'),
  })
  http.addRoutes([...endpoint.routes, ...(rest?.routes ?? [])])
  const listening = await http.listen({ host, port })
  return {
    url: `${listening.url}${path}`,
    close: async (graceMs) => {
      await http.close({ graceMs })
      endpoint.close()
      rest?.close()
    },
  }
}
