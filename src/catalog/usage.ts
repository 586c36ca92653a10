import { type Temperature, temperatureOf, type Usage, unused } from '../model/temperature.js'
import type { ToolId } from '../model/tool.js'
import type { ToolUses } from '../storage/store.js'

/** How often each tool was called. Kept beside the snapshots, which never change because somebody called. */
export interface UsageCounters {
  of(id: ToolId): Usage
  temperature(id: ToolId, wallMs: number): Temperature
  count(id: ToolId, wallMs: number): void
  /** Sets what an earlier run counted; counts made since start are added to it. */
  restore(id: ToolId, usage: Usage): void
  /** What is counted everywhere, as it is kept now; what was not taken yet comes on top. */
  agree(uses: readonly ToolUses[]): void
  /** What was counted since the last time somebody took it, to be added to what is kept. */
  takeNew(): readonly ToolUses[]
  /** Gives back what could not be kept, for the next time. */
  putBack(uses: readonly ToolUses[]): void
  /** Told when the first count since `takeNew` comes in, so that a writer wakes once per batch. */
  onCount(listener: () => void): () => void
}

export const createUsageCounters = (): UsageCounters => {
  const counters = new Map<ToolId, { count: number; lastUsed: number | null }>()
  const fresh = new Map<ToolId, number>()
  const listeners = new Set<() => void>()
  const of = (id: ToolId): Usage => counters.get(id) ?? unused
  return {
    of,
    temperature: (id, wallMs) => temperatureOf(of(id), wallMs),
    count: (id, wallMs) => {
      if (fresh.size === 0) for (const listener of listeners) listener()
      fresh.set(id, (fresh.get(id) ?? 0) + 1)
      const known = counters.get(id)
      if (!known) return void counters.set(id, { count: 1, lastUsed: wallMs })
      known.count += 1
      known.lastUsed = wallMs
    },
    restore: (id, usage) => {
      const now = counters.get(id)
      counters.set(id, { count: usage.count + (now?.count ?? 0), lastUsed: now?.lastUsed ?? usage.lastUsed })
    },
    agree: (uses) => {
      for (const { id, count, lastUsed } of uses) {
        const latest = Math.max(lastUsed ?? 0, of(id).lastUsed ?? 0)
        counters.set(id, { count: count + (fresh.get(id) ?? 0), lastUsed: latest || null })
      }
    },
    takeNew: () => {
      const uses = [...fresh].map(([id, count]) => ({ id, count, lastUsed: of(id).lastUsed }))
      fresh.clear()
      return uses
    },
    putBack: (uses) => {
      for (const { id, count } of uses) fresh.set(id, (fresh.get(id) ?? 0) + count)
    },
    onCount: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
