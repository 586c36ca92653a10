import { createRegisteredSource, registeredSourceName } from '../faces/mcp/discovery/registered.js'
import { createRegistrySource, registrySourceName } from '../faces/mcp/discovery/registry-source.js'
import { type FindProfile, plainProfile } from '../faces/mcp/profile.js'
import type { Gateway } from '../gateway.js'
import type { ToolSpec } from '../model/tool.js'

/** Mounts the tools by which models search a board, once: a gateway may be served in several ways. */
export const mountOwnTools = async (
  gateway: Gateway,
  findProfile: FindProfile,
  known: readonly ToolSpec[] = [],
): Promise<void> => {
  if (gateway.sources().some(({ name }) => name === registrySourceName)) return
  const registered = createRegisteredSource(known)
  const source = createRegistrySource({
    gateway,
    registered,
    namingOf: ({ profile }) => (findProfile(profile ?? 'default') ?? plainProfile).naming,
  })
  await gateway.addSource(registeredSourceName, registered, { namespace: '' })
  await gateway.addSource(registrySourceName, source, { namespace: '' })
}
