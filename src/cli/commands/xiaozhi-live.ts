import type { Config } from '../../config/schema.js'
import type { EndpointStatus } from '../../faces/mcp/xiaozhi/status.js'
import { addressOf } from '../../serving/our-launch.js'
import { fetchOwn, recognitionOf } from '../../serving/running/pinned.js'
import { xiaozhiPath } from '../../serving/xiaozhi-links.js'
import { keptAdminKey } from './admin-client.js'

const patienceMs = 2000
const mostBytes = 1024 * 1024

/** What the gateway that runs with this configuration says of its endpoints; undefined when none runs. */
export const liveStatus = async (
  config: Pick<Config, 'server' | 'storage'>,
): Promise<readonly EndpointStatus[] | undefined> => {
  // Where every caller is asked for a key, the owner's own is at hand.
  const key = config.server.token ?? (await keptAdminKey(config.storage.path))
  try {
    const response = await fetchOwn(`${addressOf(config)}${xiaozhiPath}`, await recognitionOf(config), {
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      waitMs: patienceMs,
    })
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > mostBytes) return undefined
    const { endpoints } = (await response.json()) as { endpoints?: readonly EndpointStatus[] | undefined }
    return Array.isArray(endpoints) ? endpoints : undefined
  } catch {
    // Nobody listens, or somebody else does: either way no gateway of ours runs there.
    return undefined
  }
}
