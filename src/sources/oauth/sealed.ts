import { isRecord, type JsonValue } from '../../model/json.js'
import type { Seal } from '../../model/seal.js'
import type { SignInDocuments } from './shelf.js'

/**
 * Sign-ins that were sealed by the secret of the fleet, before there was a vault: they are read, and written as everything
 * else is. One that does not open is as if it were not there, and is told once: `onLost` gets its id.
 */
export const sealedBefore = (inner: SignInDocuments, seal: Seal, onLost: (id: string) => void): SignInDocuments => {
  const told = new Set<string>()
  const open = (id: string, stored: JsonValue): JsonValue | undefined => {
    if (!isRecord(stored) || !('sealed' in stored)) return stored
    const opened = seal.open(stored.sealed)
    if (opened?.id === id) return opened.value as JsonValue
    if (!told.has(id)) onLost(id)
    told.add(id)
    return undefined
  }
  return {
    ...inner,
    all: async () =>
      (await inner.all()).flatMap(({ id, value }) => {
        const opened = open(id, value)
        return opened === undefined ? [] : [{ id, value: opened }]
      }),
    put: (id, value) => {
      told.delete(id)
      return inner.put(id, value)
    },
    update: (id, change) =>
      inner.update(id, (stored) => {
        const current = open(id, stored)
        if (current === undefined) return stored
        const next = change(current)
        return next === current ? stored : next
      }),
  }
}
