import type { JsonValue } from '../../model/json.js'
import { applyDocumentChanges, createDocumentSet, type Documents, sortedDocuments } from '../documents.js'
import { storeClosed } from '../problems.js'
import type { SharedDocuments } from '../store.js'

/** Documents for the life of the process, which nobody else can see. `checkOpen` refuses once their store is closed. */
export const createMemoryDocuments = (checkOpen: () => void = () => {}): SharedDocuments => {
  let documents: Documents = new Map<string, JsonValue>()
  let seen: Documents | undefined
  let closed = false
  const open = (): Documents => {
    checkOpen()
    if (closed) throw storeClosed('in memory')
    return documents
  }
  return {
    ...createDocumentSet({
      get: async (id) => open().get(id),
      all: async () => sortedDocuments(open()),
      push: async (change) => {
        const { next, effects } = applyDocumentChanges(open(), [change])
        documents = next
        return effects[0]!
      },
    }),
    refresh: async () => {
      const before = seen
      seen = open()
      return seen !== before
    },
    [Symbol.asyncDispose]: async () => {
      closed = true
    },
  }
}
