import type { CallListener, CallRecord } from './calls.js'
import { createNewest } from './newest.js'

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

export const createRecentCalls = (size = 1000): RecentCalls => {
  const newest = createNewest<CallRecord>(size)
  return {
    listener: (record) => void newest.push(record),
    list: ({ limit, caller, tool, source, ok }) =>
      newest.list(
        limit,
        (record) =>
          (caller === undefined || record.caller === caller) &&
          (tool === undefined || record.tool === tool) &&
          (source === undefined || record.source === source) &&
          (ok === undefined || record.ok === ok),
      ),
  }
}
