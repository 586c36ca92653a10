import { isRecord, type JsonObject, type JsonValue } from '../../model/json.js'
import type { Seal } from '../../model/seal.js'
import type { SignInDocuments } from './shelf.js'

/**
 * Sign-ins that lie where others may read them, each sealed and bound to its id, so that none takes the place of another.
 * One that does not open is as if it were not there, and is told once: `onLost` gets its id.
 */
export const sealedDocuments = (inner: SignInDocuments, seal: Seal, onLost: (id: string) => void): SignInDocuments => {
  const told = new Set<string>()
  const close = (id: string, value: JsonValue): JsonObject => ({ sealed: seal.close({ id, value }) })
  const open = (id: string, stored: JsonValue): JsonValue | undefined => {
    // Put there as it was by who moved it from files; sealed when it is next written.
    if (!isRecord(stored) || !('sealed' in stored)) return stored
    const opened = seal.open(stored.sealed)
    if (opened?.id === id) return opened.value as JsonValue
    if (!told.has(id)) onLost(id)
    told.add(id)
    return undefined
  }
  return {
    all: async () =>
      (await inner.all()).flatMap(({ id, value }) => {
        const opened = open(id, value)
        return opened === undefined ? [] : [{ id, value: opened }]
      }),
    put: (id, value) => {
      told.delete(id)
      return inner.put(id, close(id, value))
    },
    update: (id, change) =>
      inner.update(id, (stored) => {
        const current = open(id, stored)
        if (current === undefined) return stored
        const next = change(current)
        // The same content sealed anew would look like a change to everybody.
        return next === current ? stored : close(id, next)
      }),
    delete: (id) => inner.delete(id),
  }
}
