import { messageOf } from '../errors.js'
import type { Caller } from '../model/caller.js'
import { createCatchUp } from '../model/catch-up.js'
import type { Clock } from '../model/clock.js'
import { freshRuns } from '../model/fresh-runs.js'
import type { SharedDocuments } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import { callerOf, parseStoredKey, type StoredKey, stateOf } from './key-record.js'

export interface KeyTableOptions {
  readonly documents: SharedDocuments
  readonly clock: Clock
  readonly logger: Logger
  /** How often to look for changes by other processes, where nobody tells us of them. */
  readonly followMs: number
}

export interface KeyEntry {
  readonly stored: StoredKey
  /** The answer while the key is good, made once. */
  readonly good: { readonly ok: true; readonly caller: Caller }
}

/** The stored keys in memory, kept like the place they come from. */
export interface KeyTable {
  find(hash: string): KeyEntry | undefined
  /** The same by id. */
  get(id: string): KeyEntry | undefined
  keys(): readonly StoredKey[]
  /** Looks whether somebody wrote before this was asked; never rejects. */
  refresh(): Promise<void>
  /** Reads everything anew, from after this was asked. */
  reload(): Promise<void>
  /** After a write of our own, which counts here at once, whether or not it can be read back. */
  note(stored: StoredKey): void
  /** Told the id of every key that stops being good. */
  onEnd(listener: (id: string) => void): () => void
  close(): void
}

// Clocks are set: nobody waits longer than this for a key to expire.
const longestWaitMs = 60_000

export const openKeyTable = async ({ documents, clock, logger, followMs }: KeyTableOptions): Promise<KeyTable> => {
  const listeners = new Set<(id: string) => void>()
  let byHash: ReadonlyMap<string, KeyEntry> = new Map()
  let byId: ReadonlyMap<string, KeyEntry> = new Map()
  let good = new Set<string>()
  let problem: string | undefined
  let cancel = () => {}
  let closed = false

  const keys = (): readonly StoredKey[] => [...byHash.values()].map(({ stored }) => stored)
  const announce = (): void => {
    const before = good
    const now = clock.wall()
    byId = new Map([...byHash.values()].map((entry) => [entry.stored.id, entry]))
    good = new Set(
      keys()
        .filter((key) => stateOf(key, now) === 'active')
        .map(({ id }) => id),
    )
    for (const id of before) if (!good.has(id)) for (const listener of [...listeners]) tellEnd(listener, id, logger)
  }
  // One after the other: an earlier reading that comes back later would bring a revoked key to life.
  const reload = freshRuns(async () => {
    byHash = await readKeys(documents, logger)
    announce()
  })
  // The keys known so far stay good: a store that cannot be read for a moment must not lock everybody out.
  const tell = (error: unknown): void => logger.log('error', `The keys cannot be read anew: ${messageOf(error)}`)
  const refresh = freshRuns(async () => {
    try {
      if (await documents.refresh()) await reload()
      else announce()
      problem = undefined
    } catch (error) {
      if (!closed && problem !== messageOf(error)) tell(error)
      problem = messageOf(error)
    }
  })

  /** Where we are told of every change, nothing is left to look for but keys that expire. */
  const untilExpiry = (): void => {
    cancel()
    if (closed) return
    const now = clock.wall()
    const ends = keys().flatMap(({ id, expiresAt = 0 }) => (good.has(id) && expiresAt > now ? [expiresAt - now] : []))
    cancel = clock.after(Math.min(longestWaitMs, ...ends), () => {
      announce()
      untilExpiry()
    })
  }
  const poll = (): void => {
    cancel = clock.after(followMs, () => void refresh().then(() => closed || poll()))
  }
  const others = createCatchUp(
    async () => {
      await reload()
      untilExpiry()
    },
    { clock, onFailure: tell },
  )
  const leave = documents.follow?.(others.run)

  try {
    await reload()
  } catch (error) {
    leave?.()
    throw error
  }
  if (leave) untilExpiry()
  else poll()
  return {
    find: (hash) => byHash.get(hash),
    get: (id) => byId.get(id),
    keys,
    refresh,
    reload,
    note: (stored) => {
      byHash = new Map(byHash).set(stored.hash, entryOf(stored))
      announce()
      // A reading that began before the write may still come back, without it.
      void (leave ? others.run() : reload().catch(() => {}))
    },
    onEnd: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      closed = true
      leave?.()
      others.close()
      cancel()
    },
  }
}

const readKeys = async (documents: SharedDocuments, logger: Logger): Promise<ReadonlyMap<string, KeyEntry>> => {
  const byHash = new Map<string, KeyEntry>()
  for (const { id, value } of await documents.all()) {
    const stored = parseStoredKey(id, value)
    if (stored) byHash.set(stored.hash, entryOf(stored))
    else logger.log('warn', 'A stored key cannot be read and opens nothing', { key: id.slice(0, 64) })
  }
  return byHash
}

const entryOf = (stored: StoredKey): KeyEntry => ({
  stored,
  good: Object.freeze({ ok: true, caller: callerOf(stored) }),
})

const tellEnd = (listener: (id: string) => void, id: string, logger: Logger): void => {
  try {
    listener(id)
  } catch (error) {
    logger.log('error', `A listener for revoked keys failed: ${messageOf(error)}`)
  }
}
