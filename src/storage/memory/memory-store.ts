import { checkKind } from '../documents.js'
import { storeClosed } from '../problems.js'
import type { DocumentSet, Store, StoredTool } from '../store.js'
import { toStoredTool } from '../stored-tool.js'
import {
  applyChange,
  pickSelection,
  pickTag,
  pickTemperature,
  type StoreChange,
  sortedTools,
  usesIn,
} from '../tool-set.js'
import { createMemoryDocuments } from './memory-documents.js'

/** Keeps tools for the life of the process: for tests, and for gateways whose sources report everything at start. */
export const createMemoryStore = (): Store => {
  const tools = new Map<string, StoredTool>()
  const kinds = new Map<string, DocumentSet>()
  let closed = false
  const open = (): Map<string, StoredTool> => {
    if (closed) throw storeClosed('in memory')
    return tools
  }
  // Every tool is checked before the first is kept: all of them or none.
  const apply = (change: StoreChange): boolean => applyChange(open(), change)
  const put = (added: readonly StoredTool[]): void => void apply({ type: 'put', tools: added.map(toStoredTool) })

  return {
    load: async () => sortedTools(open().values()),
    save: async (tool) => put([tool]),
    saveMany: async (added) => put(added),
    delete: async (id) => apply({ type: 'delete', id }),
    validate: async () => {
      open()
      return []
    },
    loadByTemperature: async (temperature, limit) => pickTemperature(open(), temperature, limit),
    loadByTag: async (tag) => pickTag(open(), tag),
    select: async (selection) => pickSelection(sortedTools(open().values()), selection),
    uses: async () => usesIn(open()),
    merge: async (changed, uses) => void apply({ type: 'merge', tools: changed.map(toStoredTool), uses }),
    documents: (kind) => {
      open()
      const set = kinds.get(checkKind(kind)) ?? createMemoryDocuments(() => void open())
      kinds.set(kind, set)
      return set
    },
    kinds: async () => {
      open()
      const found = await Promise.all(
        [...kinds].map(async ([kind, set]) => ((await set.all()).length > 0 ? [kind] : [])),
      )
      return found.flat().sort()
    },
    [Symbol.asyncDispose]: async () => {
      closed = true
    },
  }
}
