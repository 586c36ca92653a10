import type { FeedReader } from '../../fleet/others.js'
import type { Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import { isRecord } from '../../model/json.js'
import { type BoardEvent, seesSource } from './event-feed.js'

/** What other replicas tell, while somebody listens here. */
export interface RestFeeds {
  start(reader: FeedReader): void
  stop(): void
  /** Those that live and have told nothing. */
  readonly away: readonly string[]
}

/** An event of another replica. It has no id: only what happened here is told again to who comes back. */
export type FarEvent = Omit<BoardEvent, 'id' | 'type'> & {
  readonly type: BoardEvent['type'] | 'fleet'
  readonly replica: string
}

export interface FleetEvents {
  readonly replica: string
  subscribe(caller: Caller, listener: (event: FarEvent) => void): () => void
  close(): void
}

/** Calls and states of sources at the other replicas. Changes of the list happen everywhere, and are told by our own. */
export const createFleetEvents = (gateway: Gateway, clock: Clock, replica: string, feeds: RestFeeds): FleetEvents => {
  const listeners = new Map<(event: FarEvent) => void, Caller>()
  const states = new Map<string, string>()
  const now = (): string => new Date(clock.wall()).toISOString()
  const tell = (event: FarEvent, mayHear: (caller: Caller) => boolean = () => true): void => {
    for (const [listener, caller] of [...listeners]) if (mayHear(caller)) listener(event)
  }
  const tellFleet = (): void => tell({ type: 'fleet', at: now(), replica, data: { away: feeds.away } })

  const called = (from: string, call: unknown): void => {
    if (!isRecord(call) || typeof call.at !== 'number') return
    // As in the list of calls: names, times and sizes; what went wrong in words is for the console.
    const { n: _, message: __, at, ...data } = call
    const time = new Date(at).toISOString()
    tell(
      { type: 'call', at: time, replica: from, data: { at: time, ...data } },
      (caller) => caller.rights.includes('look') || caller.id === data.caller,
    )
  }
  const sourceIs = (from: string, row: unknown): void => {
    if (!isRecord(row) || typeof row.name !== 'string') return
    const { name, kind, namespace, state, reason, nextRetryAt, peer, tools } = row
    const key = JSON.stringify([from, name])
    const text = JSON.stringify([state, reason, nextRetryAt, tools])
    const before = states.get(key)
    states.set(key, text)
    // The first is how it stands, not that anything happened.
    if (before === undefined || before === text) return
    const retryAt = typeof nextRetryAt === 'number' ? new Date(nextRetryAt).toISOString() : undefined
    tell(
      {
        type: 'source',
        at: now(),
        replica: from,
        data: { name, kind, namespace, state, reason, nextRetryAt: retryAt, peer, tools },
      },
      (caller) => seesSource(gateway, caller, name),
    )
  }
  const seen = new Set<string>()
  const reader: FeedReader = {
    told: (from, event, data) => {
      if (!isRecord(data)) return
      if (!seen.has(from)) {
        seen.add(from)
        tellFleet()
      }
      if (event === 'sources') for (const row of listOf(data.sources)) sourceIs(from, row)
      if (event !== 'calls') return
      if (typeof data.missed === 'number' && data.missed > 0)
        tell({
          type: 'reset',
          at: now(),
          replica: from,
          data: { reason: `${data.missed} calls at ${from} are not told.` },
        })
      for (const call of listOf(data.calls)) called(from, call)
    },
    away: (from) => {
      seen.delete(from)
      for (const key of [...states.keys()]) if (key.startsWith(`[${JSON.stringify(from)},`)) states.delete(key)
      tellFleet()
    },
  }
  return {
    replica,
    subscribe: (caller, listener) => {
      if (listeners.size === 0) feeds.start(reader)
      listeners.set(listener, caller)
      listener({ type: 'fleet', at: now(), replica, data: { away: feeds.away } })
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return
        feeds.stop()
        seen.clear()
        states.clear()
      }
    },
    close: () => {
      listeners.clear()
      feeds.stop()
    },
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
