import type { ToolId } from '../model/tool.js'
import type { Temperature } from '../storage/store.js'
import { temperatureOf, type Usage, unused } from './temperature.js'

/** How often each tool was called. Kept beside the snapshots, which never change because somebody called. */
export interface UsageCounters {
  of(id: ToolId): Usage
  temperature(id: ToolId, wallMs: number): Temperature
  count(id: ToolId, wallMs: number): void
  /** Sets what an earlier run counted; counts made since start are added to it. */
  restore(id: ToolId, usage: Usage): void
  /** The ids counted since the last time somebody took them. */
  takeDirty(): readonly ToolId[]
  /** Told when the first count since `takeDirty` comes in, so that a writer wakes once per batch. */
  onCount(listener: () => void): () => void
}

export const createUsageCounters = (): UsageCounters => {
  const counters = new Map<ToolId, { count: number; lastUsed: number | null }>()
  const dirty = new Set<ToolId>()
  const listeners = new Set<() => void>()
  const of = (id: ToolId): Usage => counters.get(id) ?? unused
  return {
    of,
    temperature: (id, wallMs) => temperatureOf(of(id), wallMs),
    count: (id, wallMs) => {
      if (dirty.size === 0) for (const listener of listeners) listener()
      dirty.add(id)
      const known = counters.get(id)
      if (!known) return void counters.set(id, { count: 1, lastUsed: wallMs })
      known.count += 1
      known.lastUsed = wallMs
    },
    restore: (id, usage) => {
      const now = counters.get(id)
      counters.set(id, { count: usage.count + (now?.count ?? 0), lastUsed: now?.lastUsed ?? usage.lastUsed })
    },
    takeDirty: () => {
      const ids = [...dirty]
      dirty.clear()
      return ids
    },
    onCount: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
