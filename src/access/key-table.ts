import { messageOf } from '../errors.js'
import type { Caller } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import type { SharedDocuments } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'
import { callerOf, parseStoredKey, type StoredKey, stateOf } from './key-record.js'

export interface KeyTableOptions {
  readonly documents: SharedDocuments
  readonly clock: Clock
  readonly logger: Logger
  /** How often to look for changes by other processes. */
  readonly followMs: number
}

export interface KeyEntry {
  readonly stored: StoredKey
  /** The answer while the key is good, made once. */
  readonly good: { readonly ok: true; readonly caller: Caller }
}

/** The stored keys in memory, kept like the file they come from. */
export interface KeyTable {
  find(hash: string): KeyEntry | undefined
  keys(): readonly StoredKey[]
  /** Looks whether somebody wrote; never rejects. Those who ask at once share one look. */
  refresh(): Promise<void>
  /** After a write of our own. */
  reload(): Promise<void>
  /** Told the id of every key that stops being good. */
  onEnd(listener: (id: string) => void): () => void
  close(): void
}

export const openKeyTable = async ({ documents, clock, logger, followMs }: KeyTableOptions): Promise<KeyTable> => {
  const listeners = new Set<(id: string) => void>()
  let byHash: ReadonlyMap<string, KeyEntry> = new Map()
  let good = new Set<string>()
  let problem: string | undefined
  let cancel = () => {}
  let closed = false

  const keys = (): readonly StoredKey[] => [...byHash.values()].map(({ stored }) => stored)
  const announce = (): void => {
    const before = good
    const now = clock.wall()
    good = new Set(
      keys()
        .filter((key) => stateOf(key, now) === 'active')
        .map(({ id }) => id),
    )
    for (const id of before) if (!good.has(id)) for (const listener of [...listeners]) tell(listener, id, logger)
  }
  const reload = async (): Promise<void> => {
    byHash = await readKeys(documents, logger)
    announce()
  }
  const look = async (): Promise<void> => {
    try {
      if (await documents.refresh()) await reload()
      else announce()
      problem = undefined
    } catch (error) {
      // The keys known so far stay good: a file that cannot be read for a moment must not lock everybody out.
      if (!closed && problem !== messageOf(error))
        logger.log('error', `The keys cannot be read anew: ${messageOf(error)}`)
      problem = messageOf(error)
    }
  }
  let looking: Promise<void> | undefined
  const refresh = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const follow = async (): Promise<void> => {
    await refresh()
    if (!closed) cancel = clock.after(followMs, () => void follow())
  }

  await reload()
  cancel = clock.after(followMs, () => void follow())
  return {
    find: (hash) => byHash.get(hash),
    keys,
    refresh,
    reload,
    onEnd: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => {
      closed = true
      cancel()
    },
  }
}

const readKeys = async (documents: SharedDocuments, logger: Logger): Promise<ReadonlyMap<string, KeyEntry>> => {
  const byHash = new Map<string, KeyEntry>()
  for (const { id, value } of await documents.all()) {
    const stored = parseStoredKey(id, value)
    if (stored) byHash.set(stored.hash, { stored, good: Object.freeze({ ok: true, caller: callerOf(stored) }) })
    else logger.log('warn', 'A stored key cannot be read and opens nothing', { key: id.slice(0, 64) })
  }
  return byHash
}

const tell = (listener: (id: string) => void, id: string, logger: Logger): void => {
  try {
    listener(id)
  } catch (error) {
    logger.log('error', `A listener for revoked keys failed: ${messageOf(error)}`)
  }
}
