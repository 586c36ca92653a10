import { messageOf } from '../errors.js'
import type { Clock } from '../model/clock.js'
import { isRecord, type JsonObject, type JsonValue } from '../model/json.js'
import type { SharedDocuments } from '../storage/store.js'
import type { Logger } from '../telemetry/logger.js'

interface Uses {
  readonly count: number
  readonly last: number
}

export interface KeyUsage {
  count(id: string): void
  /** Writes what was counted; never rejects. */
  flush(): Promise<void>
}

/** How long uses are collected before they are written: a busy key must not cost a write per request. */
export const usageDelayMs = 5000

/** Counts uses in memory and adds them to the stored records together. Only adds, so that other writers lose nothing. */
export const createKeyUsage = (documents: SharedDocuments, clock: Clock, logger: Logger): KeyUsage => {
  let uses = new Map<string, Uses>()
  let cancel: (() => void) | undefined
  let running: Promise<void> = Promise.resolve()

  const add = (id: string, { count, last }: Uses): void => {
    const known = uses.get(id)
    uses.set(id, { count: (known?.count ?? 0) + count, last: Math.max(known?.last ?? 0, last) })
  }
  const write = async (): Promise<void> => {
    const batch = uses
    uses = new Map()
    if (batch.size === 0) return
    if (documents.addUses) return addTogether(batch)
    const written = await Promise.allSettled([...batch].map(([id, each]) => documents.update(id, withUses(each))))
    for (const [index, [id, each]] of [...batch].entries()) {
      const outcome = written[index]!
      if (outcome.status === 'fulfilled') continue
      // Kept for the next time; a key that is in use has one.
      add(id, each)
      logger.log('warn', `The uses of a key are not saved yet: ${messageOf(outcome.reason)}`, { key: id })
    }
  }
  /** In one write of which nobody is told: else every replica would read all keys whenever one of them is used. */
  const addTogether = async (batch: ReadonlyMap<string, Uses>): Promise<void> => {
    try {
      await documents.addUses?.([...batch].map(([id, { count, last }]) => ({ id, count, lastUsed: last })))
    } catch (error) {
      for (const [id, each] of batch) add(id, each)
      logger.log('warn', `The uses of keys are not saved yet: ${messageOf(error)}`, { keys: batch.size })
    }
  }
  const flush = (): Promise<void> => {
    cancel?.()
    cancel = undefined
    running = running.then(write)
    return running
  }
  return {
    count: (id) => {
      add(id, { count: 1, last: clock.wall() })
      cancel ??= clock.after(usageDelayMs, () => void flush())
    },
    flush,
  }
}

const withUses =
  ({ count, last }: Uses) =>
  (current: JsonValue): JsonValue => {
    if (!isRecord(current)) return current
    const { useCount, lastUsed } = current as JsonObject
    return {
      ...(current as JsonObject),
      useCount: (typeof useCount === 'number' ? useCount : 0) + count,
      lastUsed: Math.max(typeof lastUsed === 'number' ? lastUsed : 0, last),
    }
  }
