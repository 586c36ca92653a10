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
  save: (specs: readonly ToolSpec[]): Promise<void> => store.saveMany(specs.map(toRegistered)),
  delete: async (key: string): Promise<void> => void (await store.delete(key)),
})
