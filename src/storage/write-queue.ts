import { GatewayError } from '../errors.js'

/** Far more than a gateway ever has under way; reached only when a disk has stopped answering. */
export const maxPendingWrites = 100_000

export interface WriteQueue<C> {
  /** Resolves with the effect of this change once the batch it travelled in is durable. */
  push(change: C): Promise<boolean>
  /** Resolves when nothing is waiting or under way; never rejects. */
  idle(): Promise<void>
}

/**
 * One write at a time; whatever arrives while it runs goes together into the next one. A disk that takes 20 ms for a
 * flush then serves any number of callers with at most two flushes' delay, instead of one flush each in a row.
 */
export const createWriteQueue = <C>(commit: (batch: readonly C[]) => Promise<readonly boolean[]>): WriteQueue<C> => {
  let waiting: Waiter<C>[] = []
  let running: Promise<void> | undefined

  const drain = async (): Promise<void> => {
    // Deferred by one microtask, so that saves made in a row by one caller share the first write.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await settle(batch, commit)
    }
    running = undefined
  }

  return {
    push: (change) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxPendingWrites) return reject(overloaded())
        waiting.push({ change, resolve, reject })
        running ??= drain()
      }),
    idle: async () => running,
  }
}

interface Waiter<C> {
  readonly change: C
  readonly resolve: (effect: boolean) => void
  readonly reject: (error: unknown) => void
}

const settle = async <C>(
  batch: readonly Waiter<C>[],
  commit: (batch: readonly C[]) => Promise<readonly boolean[]>,
): Promise<void> => {
  try {
    const effects = await commit(batch.map((waiter) => waiter.change))
    for (const [index, waiter] of batch.entries()) waiter.resolve(effects[index] ?? false)
  } catch (error) {
    for (const waiter of batch) waiter.reject(error)
  }
}

const overloaded = () =>
  new GatewayError('OVERLOADED', `${maxPendingWrites} writes wait for the store. Try again when the disk answers.`)
