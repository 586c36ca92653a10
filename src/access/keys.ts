import { GatewayError } from '../errors.js'
import type { Caller, Identity, Right } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject } from '../model/json.js'
import type { SharedDocuments } from '../storage/store.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import {
  type KeyCheck,
  keyExpired,
  keyMalformed,
  keyMissing,
  keyRevoked,
  keyUnknown,
  rightMissing,
} from './key-check.js'
import {
  type KeyRecord,
  keyIdOf,
  parseStoredKey,
  type StoredKey,
  stateOf,
  toDocumentValue,
  toRecord,
} from './key-record.js'
import { type KeyEntry, type KeyTable, openKeyTable } from './key-table.js'
import { createKeyUsage } from './key-usage.js'
import { generateKey, hashOf, isKeyText, type NewKey } from './new-key.js'

export interface KeysOptions {
  /** Where the records are; other processes may change them at any time. */
  readonly documents: SharedDocuments
  readonly clock: Clock
  readonly logger?: Logger | undefined
  /**
   * How often to look for changes by other processes, where nobody tells us of them. Default: 500 ms, so that a revocation
   * is felt within a second.
   */
  readonly followMs?: number | undefined
  /** Where we are told: takes up what others wrote a moment ago. Undefined as an answer while that cannot be done. */
  readonly lookAround?: (() => Promise<void> | undefined) | undefined
  /** The person that an owner is, as far as one is known: who shows the key acts as them. Default: owners are only words. */
  readonly ownerOf?: ((owner: string) => Identity | undefined) | undefined
}

export interface CreatedKey {
  /** Shown once; nobody can tell it again. */
  readonly key: string
  readonly record: KeyRecord
}

/** The keys of this board. */
export interface Keys extends AsyncDisposable {
  create(request: NewKey): Promise<CreatedKey>
  /** The same unless a key with this role opens something already, whichever process made it. */
  createFirst(request: NewKey): Promise<CreatedKey | undefined>
  /** Oldest first, revoked and expired ones included for a while. */
  list(filter?: { readonly owner?: string | undefined }): Promise<readonly KeyRecord[]>
  /** True if there was an unrevoked key of this id. */
  revoke(id: string): Promise<boolean>
  /** Who shows this key, if it is good for `right`. Counts as a use. Without a promise: it is on every request's path. */
  verify(key: string | undefined, right?: Right): KeyCheck
  /** Like `verify`, but a key that is not known is looked for where keys are kept: it may have been made a moment ago. */
  verifyFresh(key: string | undefined): KeyCheck | Promise<KeyCheck>
  /** Keys that open something now. */
  active(): readonly KeyRecord[]
  /** Who holds the key of this id, while it opens something. Waits for nothing; the same object while nothing is new. */
  holderOf(id: string): Caller | undefined
  /** Told the id of every key that stops being good: revoked here, by another process, or expired. */
  onRevoke(listener: (id: string) => void): () => void
}

/** More than anybody manages by hand; reached only by a script that forgets to revoke. */
export const maxKeys = 10_000
/** How long revoked and expired keys are remembered, so that their holders are told which of the two it is. */
export const forgetAfterMs = 30 * 24 * 60 * 60_000

/** Reads the keys and follows them until disposed. Rejects if they cannot be read: nobody should start on a guess. */
export const createKeys = async (options: KeysOptions): Promise<Keys> => {
  const { documents, clock, logger = silentLogger, followMs = 500 } = options
  const usage = createKeyUsage(documents, clock, logger)
  const table = await openKeyTable({ documents, clock, logger, followMs })
  const lookAround = options.lookAround ?? table.refresh
  const asOwner = options.ownerOf && withOwners(options.ownerOf)
  const verify = (key: string | undefined, right?: Right): KeyCheck => {
    const check = judge(table, clock.wall(), key, right, asOwner)
    if (check.ok) usage.count(keyIdOf(check.caller)!)
    return check
  }

  return {
    create: async (request) => {
      const { key, stored } = generateKey(request, clock.wall())
      await forgetOld(documents, table.keys(), clock.wall())
      await table.reload()
      if (table.keys().length >= maxKeys) throw tooMany()
      await documents.put(stored.id, toDocumentValue(stored))
      // It is there, and nobody can tell it again: what is read back later must not keep it from whoever asked.
      table.note(stored)
      return { key, record: toRecord(stored) }
    },
    createFirst: async (request) => {
      const { key, stored } = generateKey(request, clock.wall())
      // Judged in the write itself: of several processes that start at once, one makes it.
      const added = await documents.addUnless(stored.id, toDocumentValue(stored), (there) =>
        there.some(({ id, value }) => {
          const other = parseStoredKey(id, value)
          return other?.role === stored.role && stateOf(other, clock.wall()) === 'active'
        }),
      )
      if (added) table.note(stored)
      else await table.reload()
      return added ? { key, record: toRecord(stored) } : undefined
    },
    list: async ({ owner } = {}) => {
      await usage.flush()
      await table.reload()
      return table
        .keys()
        .filter((key) => owner === undefined || key.owner === owner)
        .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        .map(toRecord)
    },
    revoke: async (id) => {
      const revokedAt = clock.wall()
      const found = await markRevoked(documents, id, revokedAt)
      const known = table.keys().find((key) => key.id === id)
      if (known && found) table.note({ ...known, revokedAt })
      else await table.reload()
      return found
    },
    verify,
    verifyFresh: (key) => {
      const check = verify(key)
      const looking = check === keyUnknown ? lookAround() : undefined
      return looking ? looking.then(() => verify(key)) : check
    },
    active: () =>
      table
        .keys()
        .filter((key) => stateOf(key, clock.wall()) === 'active')
        .map(toRecord),
    holderOf: (id) => {
      const found = table.get(id)
      if (!found || stateOf(found.stored, clock.wall()) !== 'active') return undefined
      return (asOwner ? asOwner(found) : found.good).caller
    },
    onRevoke: table.onEnd,
    [Symbol.asyncDispose]: async () => {
      table.close()
      await usage.flush()
      await documents[Symbol.asyncDispose]()
    },
  }
}

type GoodKey = KeyEntry['good']

/** Made once per key and person: a row of either that is written anew is another object. */
const withOwners = (ownerOf: NonNullable<KeysOptions['ownerOf']>) => {
  const made = new WeakMap<KeyEntry, { readonly identity: Identity; readonly good: GoodKey }>()
  return (entry: KeyEntry): GoodKey => {
    const { owner } = entry.stored
    const identity = owner === undefined ? undefined : ownerOf(owner)
    if (!identity) return entry.good
    const known = made.get(entry)
    if (known && known.identity === identity) return known.good
    const { id, issuer, subject, name, email, groups } = identity
    const caller = Object.freeze({ ...entry.good.caller, identity: { id, issuer, subject, name, email, groups } })
    const good = Object.freeze({ ok: true, caller } as const)
    made.set(entry, { identity, good })
    return good
  }
}

const judge = (
  table: KeyTable,
  now: number,
  key: string | undefined,
  right: Right | undefined,
  asOwner: ((entry: KeyEntry) => GoodKey) | undefined,
): KeyCheck => {
  if (key === undefined || key === '') return keyMissing
  if (!isKeyText(key)) return keyMalformed
  // Found by its hash: whoever guesses cannot steer the hash, so the time of the look-up says nothing about a key.
  const entry = table.find(hashOf(key))
  if (!entry) return keyUnknown
  const { stored } = entry
  const good = asOwner ? asOwner(entry) : entry.good
  const state = stateOf(stored, now)
  if (state === 'revoked') return keyRevoked
  if (state === 'expired') return keyExpired(stored.expiresAt!)
  return right === undefined || good.caller.rights.includes(right) ? good : rightMissing(right)
}

const markRevoked = async (documents: SharedDocuments, id: string, now: number): Promise<boolean> => {
  let fresh = false
  const found = await documents.update(id, (current) => {
    fresh = isRecord(current) && current.revokedAt === undefined
    return fresh ? { ...(current as JsonObject), revokedAt: now } : current
  })
  return found && fresh
}

const forgetOld = async (documents: SharedDocuments, keys: readonly StoredKey[], now: number): Promise<void> => {
  const old = keys.filter(({ revokedAt, expiresAt }) => {
    const end = Math.min(revokedAt ?? Number.POSITIVE_INFINITY, expiresAt ?? Number.POSITIVE_INFINITY)
    return end + forgetAfterMs < now
  })
  await Promise.all(old.map(({ id }) => documents.delete(id)))
}

const tooMany = () =>
  new GatewayError('OVERLOADED', `There are ${maxKeys} keys already. Revoke those that nobody uses any more.`)
