import type { CallListener, CallRecord } from './calls.js'

export interface RecentFilter {
  readonly caller?: string | undefined
  readonly tool?: string | undefined
  readonly source?: string | undefined
  readonly ok?: boolean | undefined
  readonly limit: number
}

/** The last calls, for dashboards and for whoever asks what just happened. Forgotten with the process. */
export interface RecentCalls {
  readonly listener: CallListener
  /** Newest first. */
  list(filter: RecentFilter): readonly CallRecord[]
}

/** Keeps the last `size` records in a ring, so that a busy day costs no more memory than a quiet one. */
export const createRecentCalls = (size = 1000): RecentCalls => {
  const ring: CallRecord[] = []
  let next = 0
  return {
    listener: (record) => {
      ring[next] = record
      next = (next + 1) % size
    },
    list: ({ limit, caller, tool, source, ok }) => {
      const found: CallRecord[] = []
      for (let back = 1; back <= ring.length && found.length < limit; back++) {
        const record = ring[(next - back + size) % size]
        if (!record) continue
        if (caller !== undefined && record.caller !== caller) continue
        if (tool !== undefined && record.tool !== tool) continue
        if (source !== undefined && record.source !== source) continue
        if (ok === undefined || record.ok === ok) found.push(record)
      }
      return found
    },
  }
}
