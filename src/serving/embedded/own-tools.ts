import { namesTowards } from '../../catalog/names.js'
import { type FindProfile, plainProfile } from '../../faces/mcp/profile.js'
import type { Gateway } from '../../gateway.js'
import { createRegistrySource, registrySourceName } from '../../sources/registry/registry.js'
import { registeredSource } from '../../storage/store.js'
import { type KeptRegistered, openRegistered } from '../sources/kept-registered.js'

/** Mounts the tools by which models search a board, once: a gateway may be served in several ways. */
export const mountOwnTools = async (
  gateway: Gateway,
  findProfile: FindProfile,
  kept?: KeptRegistered,
): Promise<void> => {
  if (gateway.sources().some(({ name }) => name === registrySourceName)) return
  const { registered } = kept ?? (await openRegistered({ reader: nothing, store: 'memory' }))
  const source = createRegistrySource({
    board: gateway,
    registered,
    names: namesTowards(gateway.shown, ({ profile }) => (findProfile(profile ?? 'default') ?? plainProfile).naming),
  })
  await gateway.addSource(registeredSource, registered, { namespace: '' })
  await gateway.addSource(registrySourceName, source, { namespace: '' })
}

const nothing = { load: async () => [] }
