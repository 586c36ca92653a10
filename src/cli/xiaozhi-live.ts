import type { Config } from '../config/schema.js'
import type { EndpointStatus } from '../faces/mcp/xiaozhi/status.js'
import { bracketed, isWildcardHost } from '../http/addresses.js'
import { xiaozhiPath } from './xiaozhi-links.js'

const patienceMs = 2000
const mostBytes = 1024 * 1024

/** What the gateway that runs with this configuration says of its endpoints; undefined when none runs. */
export const liveStatus = async ({
  server,
}: Pick<Config, 'server'>): Promise<readonly EndpointStatus[] | undefined> => {
  const host = isWildcardHost(server.host) ? '127.0.0.1' : bracketed(server.host)
  try {
    const response = await fetch(`http://${host}:${server.port}${xiaozhiPath}`, {
      headers: server.token === undefined ? {} : { authorization: `Bearer ${server.token}` },
      signal: AbortSignal.timeout(patienceMs),
    })
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > mostBytes) return undefined
    const { endpoints } = (await response.json()) as { endpoints?: readonly EndpointStatus[] }
    return Array.isArray(endpoints) ? endpoints : undefined
  } catch {
    // Nobody listens, or somebody else does: either way no gateway of ours runs there.
    return undefined
  }
}
