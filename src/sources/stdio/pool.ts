import { createHash } from 'node:crypto'
import { until } from '../../model/cancel.js'
import type { ChildCommand } from './command.js'

/** What can be shared: a child, or a session spoken over one. */
export interface Shareable {
  onClose(listener: (reason: Error | undefined) => void): () => void
  close(): Promise<void>
}

/** One user's hold on something shared. */
export interface Lease<T> {
  readonly value: T
  /** Gives it up. The last one ends it, and then resolves when it has ended. Idempotent. */
  release(): Promise<void>
}

export interface Pool<C extends ChildCommand, T extends Shareable> {
  /**
   * Starts the command, or joins whoever started an equal one. A failed start fails for all who waited; the next tries
   * anew. Whoever aborts leaves; when nobody waits any more, the start is given up.
   */
  acquire(command: C, signal?: AbortSignal): Promise<Lease<T>>
  /** How many are running or starting. */
  readonly size: number
  /** Ends all, whoever holds them. */
  close(): Promise<void>
}

interface Entry<T> {
  readonly value: Promise<T>
  readonly giveUp: AbortController
  users: number
}

/**
 * One process per (command, args, env, cwd, limits, sandbox, apart), however many profiles use it. What is shared is up to `start`: two users of
 * one stdio server must share its protocol session, not only its pipes.
 */
export const createPool = <C extends ChildCommand, T extends Shareable>(
  start: (command: C, signal: AbortSignal) => Promise<T>,
): Pool<C, T> => {
  const entries = new Map<string, Entry<T>>()
  const closings = new Map<string, Promise<void>>()

  const remove = (key: string, entry: Entry<T>) => {
    if (entries.get(key) === entry) entries.delete(key)
  }
  const end = (key: string, entry: Entry<T>): Promise<void> => {
    remove(key, entry)
    entry.giveUp.abort()
    const closing = entry.value.then((value) => value.close())
    const settled = Promise.allSettled([closing, closings.get(key)]).then(() => {
      if (closings.get(key) === settled) closings.delete(key)
    })
    closings.set(key, settled)
    return closing
  }
  const open = (key: string, command: C): Entry<T> => {
    // A successor waits for its predecessor's end: two at once would fight over ports, locks and files.
    const giveUp = new AbortController()
    const value = (closings.get(key) ?? Promise.resolve()).then(() => {
      giveUp.signal.throwIfAborted()
      return start(command, giveUp.signal)
    })
    const entry = { value, giveUp, users: 0 }
    entries.set(key, entry)
    value.then(
      // What crashed may have helpers that are still being ended: `close` tells when they are gone.
      (started) => started.onClose(() => void end(key, entry).catch(noop)),
      () => remove(key, entry),
    )
    return entry
  }

  return {
    acquire: async (command, signal) => {
      signal?.throwIfAborted()
      const key = keyOf(command)
      const entry = entries.get(key) ?? open(key, command)
      entry.users += 1
      const giveUp = () => (--entry.users === 0 ? end(key, entry) : Promise.resolve())
      return leaseOf(await orLeft(entry.value, giveUp, signal), giveUp)
    },
    get size() {
      return entries.size
    },
    close: async () => {
      const ends = [...entries].map(([key, entry]) => end(key, entry))
      await Promise.allSettled([...ends, ...closings.values()])
    },
  }
}

const noop = () => {}

/** Awaits a shared start; on abort the waiter is released from the count before the rejection. */
const orLeft = async <T>(
  value: Promise<T>,
  leave: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<T> => {
  try {
    return await until(value, signal)
  } catch (error) {
    // A start that failed has left the count with its entry.
    if (signal?.aborted) await leave().catch(noop)
    throw error
  }
}

const leaseOf = <T>(value: T, giveUp: () => Promise<void>): Lease<T> => {
  let released: Promise<void> | undefined
  return {
    value,
    release: () => {
      released ??= giveUp()
      return released
    },
  }
}

/** A digest, since the variables hold secrets and a key tends to end up in a log or a heap dump. */
const keyOf = ({ command, args = [], env = {}, cwd, limits, sandbox, apart }: ChildCommand): string => {
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([command, args, variables, cwd ?? null, limits ?? null, sandbox ?? null, apart ?? null]))
    .digest('base64')
}
