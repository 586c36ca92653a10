import { GatewayError } from '../errors.js'
import { defined, type JsonValue } from '../model/json.js'
import type { Logger } from '../telemetry/logger.js'
import { checkKind, toDocument } from './documents.js'
import type { SharedDocuments, StoredDocument } from './store.js'
import { compareIds } from './tool-set.js'
import type { SealedDocuments, Vault } from './vault.js'
import type { VaultKeys } from './vault-keys.js'
import { deriveFrom, isSealed, openValue, sealedBy, sealValue } from './vault-seal.js'

/** The kind of the markers: one document per kind that has sealed ones, sealed itself. */
export const markersKind = 'vault'

/** Kinds that lay in clear text before there was a vault; anything else in clear text was put there by a stranger. */
export const onceClear: ReadonlySet<string> = new Set(['sign-ins'])

export interface VaultOptions {
  readonly keys: VaultKeys
  /** The documents of {@link markersKind}. */
  readonly markers: SharedDocuments
  readonly logger: Logger
}

/** What an operator needs of a vault beyond sealing. */
export interface KeyedVault extends Vault {
  readonly keys: VaultKeys
  /** Rejects with CREDENTIAL_UNREADABLE where something was sealed by a root that is not here. Makes nothing. */
  check(): Promise<void>
  /** The kinds of which there may be sealed documents, sorted. */
  kinds(): Promise<readonly string[]>
  /** The kinds of which something was sealed, and the name of the root by which it was. */
  marked(): Promise<readonly { readonly kind: string; readonly by: string | undefined }[]>
  /** The same value under the root of now: as it is where it lies so already, undefined where it does not open. */
  resealed(kind: string, id: string, stored: JsonValue): JsonValue | undefined
  /** Says that whatever is sealed of this kind is sealed by the root of now. */
  mark(kind: string): Promise<void>
}

/**
 * Nothing is read and no root is made until something is sealed. Before that a marker of the kind is put down, by which a
 * start with another root is noticed although nobody has asked for a credential yet.
 */
export const createVault = ({ keys, markers, logger }: VaultOptions): KeyedVault => {
  const marked = new Map<string, Promise<void>>()
  const told = new Set<string>()

  const open = (kind: string, id: string, stored: JsonValue): JsonValue | undefined => {
    if (!isSealed(stored)) return onceClear.has(kind) ? stored : undefined
    const root = keys.opening(sealedBy(stored) ?? '')
    return root && openValue(root, { kind, id }, stored)
  }
  const seal = (kind: string, id: string, value: JsonValue): JsonValue => sealValue(keys.sealing(), { kind, id }, value)
  const assertOpens = ({ id, value }: StoredDocument): void => {
    if (open(markersKind, id, value) === undefined) throw wrongRoot(keys, sealedBy(value))
  }
  const check = async (): Promise<void> => {
    for (const marker of await markers.all()) assertOpens(marker)
  }
  const putMarker = async (kind: string): Promise<void> => {
    // All of them first: a root must not be made where another one is only missing.
    await check()
    const isThere = (there: readonly StoredDocument[]) => there.some(({ id }) => id === kind)
    if (await markers.addUnless(kind, seal(markersKind, kind, { kind }), isThere)) return
    // Somebody else was quicker, perhaps by another root.
    await check()
  }
  const ensureMarker = (kind: string): Promise<void> => {
    const done =
      marked.get(kind) ??
      putMarker(kind).catch((error: unknown) => {
        marked.delete(kind)
        throw error
      })
    marked.set(kind, done)
    return done
  }
  const markedKinds: KeyedVault['marked'] = async () =>
    (await markers.all()).map(({ id, value }) => ({ kind: id, by: sealedBy(value) }))
  const tell = (kind: string, id: string): void => {
    const name = `${kind} ${id}`
    if (told.has(name) || told.size > 1000) return
    told.add(name)
    logger.log('warn', 'A kept credential does not open and is left as it is', { kind, id: id.slice(0, 128) })
  }

  const sealed = (documents: SharedDocuments, of: string): SealedDocuments => {
    const kind = checkKind(of)
    // What was asked for before the end is done: a write that waits for its marker has not reached the documents yet.
    const writes = new Set<Promise<unknown>>()
    const during = <T>(write: Promise<T>): Promise<T> => {
      const ended = write.catch(() => {}).then(() => void writes.delete(ended))
      writes.add(ended)
      return write
    }
    const opened = (id: string, stored: JsonValue): JsonValue => {
      const value = open(kind, id, stored)
      if (value === undefined) throw unreadable(keys, kind, sealedBy(stored))
      return value
    }
    const readable = (all: readonly StoredDocument[]): readonly StoredDocument[] =>
      all.flatMap(({ id, value }) => {
        const clear = open(kind, id, value)
        if (clear !== undefined) return [{ id, value: clear }]
        tell(kind, id)
        return []
      })
    const writeAll = async (given: readonly StoredDocument[], way: 'putMany' | 'addMany'): Promise<void> => {
      const all = given.map(({ id, value }) => toDocument(id, value))
      await ensureMarker(kind)
      if (way === 'putMany')
        for (const { id } of all) {
          const there = await documents.get(id)
          if (there !== undefined) opened(id, there)
        }
      await documents[way]?.(all.map(({ id, value }) => ({ id, value: seal(kind, id, value) })))
    }
    const add: SharedDocuments['addUnless'] = async (id, given, forbid) => {
      const { value } = toDocument(id, given)
      await ensureMarker(kind)
      let isTheirs = false
      const added = await documents.addUnless(id, seal(kind, id, value), (there) => {
        isTheirs = there.some((each) => each.id === id && open(kind, id, each.value) === undefined)
        return isTheirs || forbid(readable(there))
      })
      if (isTheirs) throw unreadable(keys, kind)
      return added
    }
    const update: SharedDocuments['update'] = async (id, change) => {
      await ensureMarker(kind)
      return documents.update(id, (stored) => {
        const current = opened(id, stored)
        const next = change(current)
        // The same content sealed anew would look like a change to everybody.
        return next === current ? stored : seal(kind, id, toDocument(id, next).value)
      })
    }
    return {
      get: async (id) => {
        const stored = await documents.get(id)
        return stored === undefined ? undefined : opened(id, stored)
      },
      all: async () => readable(await documents.all()),
      unreadable: async () =>
        (await documents.all())
          .filter(({ id, value }) => open(kind, id, value) === undefined)
          .map(({ id }) => id)
          .sort(compareIds),
      put: (id, value) => during(writeAll([{ id, value }], 'putMany')),
      putMany: (all) => during(writeAll(all, 'putMany')),
      addUnless: (id, value, forbid) => during(add(id, value, forbid)),
      update: (id, change) => during(update(id, change)),
      delete: (id) => {
        told.delete(`${kind} ${id}`)
        return documents.delete(id)
      },
      ...defined({
        addMany: documents.addMany && ((all: readonly StoredDocument[]) => during(writeAll(all, 'addMany'))),
        follow: documents.follow?.bind(documents),
      }),
      refresh: () => documents.refresh(),
      [Symbol.asyncDispose]: async () => {
        await Promise.all(writes)
        await documents[Symbol.asyncDispose]()
      },
    }
  }

  return {
    keys,
    get keyId() {
      return keys.sealing().keyId
    },
    sealed,
    derive: (purpose) => deriveFrom(keys.sealing(), purpose),
    check,
    marked: markedKinds,
    kinds: async () => [...new Set([...onceClear, ...(await markedKinds()).map(({ kind }) => kind)])].sort(),
    resealed: (kind, id, stored) => {
      if (sealedBy(stored) === keys.sealing().keyId && open(kind, id, stored) !== undefined) return stored
      const value = open(kind, id, stored)
      return value === undefined ? undefined : seal(kind, id, value)
    },
    mark: async (kind) => {
      await markers.put(kind, seal(markersKind, kind, { kind }))
      marked.set(kind, Promise.resolve())
    },
  }
}

const wrongRoot = (keys: VaultKeys, by: string | undefined): GatewayError => {
  const here = keys.known().map(({ keyId }) => keyId)
  return new GatewayError(
    'CREDENTIAL_UNREADABLE',
    `The key of the vault does not fit: what is kept was sealed by the key ${named(by)}, and ${keys.place} is ` +
      `${here.length === 0 ? 'missing' : here.map(named).join(', ')}. Nothing was changed. Set vault.key to the key that sealed it; ` +
      'while it is being changed, set vault.previousKey to the earlier one and run: pegboard vault rotate. ' +
      'If that key is gone: pegboard vault rotate --forget-unreadable, after which everybody signs in again.',
    { details: { setting: 'vault.key', sealedBy: by, known: here } },
  )
}

const unreadable = (keys: VaultKeys, kind: string, by?: string | undefined): GatewayError => {
  const isKnown = by === undefined || keys.opening(by) !== undefined
  const why = isKnown
    ? 'it was changed since, or is not the one that was put there'
    : `it was sealed by the key ${named(by)}, which is not here (vault.key, vault.previousKey)`
  return new GatewayError(
    'CREDENTIAL_UNREADABLE',
    `A kept credential (${kind}) does not open: ${why}. It was left as it is. ` +
      (isKnown
        ? 'Sign out, which deletes it, and sign in again.'
        : 'Start again with that key, or sign out and sign in again.'),
    { details: { setting: 'vault.key', kind, sealedBy: by } },
  )
}

// What stands in a file is anybody's; what is no name of ours is not repeated.
const named = (keyId: string | undefined): string =>
  keyId !== undefined && /^[A-Za-z0-9_-]{8}$/.test(keyId) ? `'${keyId}'` : 'of another name'
