import { useSyncExternalStore } from 'react'
import type { CallsAnswer, LoggedCall, Minute } from '../../../src/faces/admin/calls.js'
import type { AdminEvents } from '../../../src/faces/admin/events.js'
import type { Overview } from '../../../src/faces/admin/overview.js'
import type { ParkedRow } from '../../../src/faces/admin/parked.js'
import type { SourceRow } from '../../../src/faces/admin/sources.js'
import { get } from './client.js'
import { addLines, forgetLines } from './live-log.js'
import { listen } from './stream.js'

/** What changes by itself while somebody looks. */
export interface Live {
  readonly connected: boolean
  /** Since when the gateway does not answer; what is shown is from then. */
  readonly lostAt: number | undefined
  readonly overview: Overview | undefined
  readonly sources: readonly SourceRow[]
  readonly calls: readonly LoggedCall[]
  readonly minutes: readonly Minute[]
  readonly held: number
  /** Calls that wait for an answer of their callers. */
  readonly parked: readonly ParkedRow[]
  readonly tools: number
  /** Replicas that did not answer, whose figures are missing. */
  readonly away: readonly string[]
  /** Changes with the catalog, so that lists know when to be fetched anew. */
  readonly catalog: number
}

const mostCalls = 2000
const empty: Live = {
  connected: false,
  lostAt: undefined,
  overview: undefined,
  sources: [],
  calls: [],
  minutes: [],
  held: 0,
  parked: [],
  tools: 0,
  away: [],
  catalog: 0,
}
let live = empty
const listeners = new Set<() => void>()

const set = (change: Partial<Live>): void => {
  live = { ...live, ...change }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useLive = (): Live => useSyncExternalStore(subscribe, () => live)

/** Follows the gateway until the signal aborts. */
export const followGateway = async (signal: AbortSignal): Promise<void> => {
  set(empty)
  forgetLines()
  await listen('/events', { event: apply, state: (connected) => void changed(connected, signal) }, signal)
}

/** Everything anew: after a change of ours, and after each connection, since something may have been missed. */
export const refresh = async (signal?: AbortSignal): Promise<void> => {
  const [overview, recent] = await Promise.all([get<Overview>('/overview', signal), get<CallsAnswer>('/calls', signal)])
  const { sources, minutes, held, parked, tools, covers } = overview
  const away = covers?.away ?? []
  set({ overview, sources, minutes, held, parked, tools, away, calls: recent.calls, catalog: live.catalog + 1 })
}

const changed = async (connected: boolean, signal: AbortSignal): Promise<void> => {
  set({ connected, lostAt: connected ? undefined : (live.lostAt ?? Date.now()) })
  if (connected) await refresh(signal).catch(() => {})
}

const apply = ({ event, data }: { readonly event: string; readonly data: string }): void => {
  const value = JSON.parse(data)
  if (event === 'calls') addCalls(value)
  else if (event === 'sources') set({ sources: value.sources })
  else if (event === 'parked') set({ parked: value.calls })
  else if (event === 'logs') addLines(value)
  else if (event === 'fleet') set({ away: value.away })
  else if (event === 'catalog') {
    set({ tools: value.tools, held: value.held, catalog: live.catalog + 1 })
    // What a list costs has changed with it.
    void get<Overview>('/overview').then(
      (overview) => set({ overview }),
      () => {},
    )
  }
}

const addCalls = ({ calls, minutes }: AdminEvents['calls']): void => {
  const byStart = new Map([...live.minutes, ...minutes].map((minute) => [minute.at, minute]))
  const sorted = [...byStart.values()].sort((a, b) => a.at - b.at)
  set({ calls: [...live.calls, ...calls].slice(-mostCalls), minutes: sorted.slice(-60) })
}
