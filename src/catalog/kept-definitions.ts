import { GatewayError } from '../errors.js'
import { ownedName, type ToolSpec } from '../model/tool.js'
import { registeredSource, type Store, type StoredTool } from '../storage/store.js'

/** A registered definition as a store keeps it. */
export const toRegistered = ({ tags = [], ...spec }: ToolSpec): StoredTool => {
  const { definitionOnly: _, ...kept } = spec
  return {
    ...kept,
    id: ownedName(spec.definition.name, spec.owner),
    namespace: '',
    source: registeredSource,
    tags,
    useCount: 0,
    lastUsed: null,
    temperature: 'cold',
  }
}

/** Where registered definitions are kept; each promise resolves once the change is on disk. */
export const keepingIn = (store: Store) => ({
  save: async (specs: readonly ToolSpec[]): Promise<void> => {
    const tools = specs.map(toRegistered)
    // Where others write too, the first to register a name has it.
    const taken = store.add ? await store.add(tools) : await store.saveMany(tools)
    if (taken !== undefined)
      throw new GatewayError('TOOL_CONFLICT', `'${taken}' is already registered.`, { details: { tool: taken } })
  },
  delete: async (key: string): Promise<void> => void (await store.delete(key)),
})
