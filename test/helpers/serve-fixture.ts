import { createMcpFace } from '../../src/faces/mcp/face.js'
import { createMcpEndpoint, type McpEndpointOptions } from '../../src/faces/mcp/http/endpoint.js'
import { plainProfile } from '../../src/faces/mcp/profile.js'
import type { Gateway } from '../../src/gateway.js'
import { createAuthenticator } from '../../src/http/auth-loopback.js'
import { createHttpHost } from '../../src/http/host.js'
import { type Clock, systemClock } from '../../src/model/clock.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { fixtureGateway } from './fixture-tools.js'

export interface ServedFixture {
  readonly gateway: Gateway
  readonly url: string
  readonly endpoint: ReturnType<typeof createMcpEndpoint>
  close(): Promise<void>
}

/** A gateway behind a real socket on loopback. */
export const serveFixture = async (
  gateway: Gateway = fixtureGateway(),
  options: Partial<McpEndpointOptions> & { readonly clock?: Clock } = {},
): Promise<ServedFixture> => {
  const clock = options.clock ?? systemClock
  const face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0.0.0' }, clock })
  const endpoint = createMcpEndpoint({
    face,
    findProfile: (name) => (name === 'default' ? plainProfile : undefined),
    clock,
    logger: silentLogger,
    ...options,
  })
  const host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
  host.addRoutes(endpoint.routes)
  const { url } = await host.listen({ host: '127.0.0.1', port: 0 })
  return {
    gateway,
    endpoint,
    url: `${url}/mcp`,
    close: async () => {
      face.close()
      endpoint.close()
      await host.close({ graceMs: 0 })
      await gateway.close()
    },
  }
}
