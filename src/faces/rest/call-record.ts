import type { CallRecord } from '../../telemetry/calls.js'

/** A call as programs read of it: its end as ISO 8601 has it, times to the microsecond. */
export const toCallRecord = ({ at, latencyMs, ...record }: CallRecord) => ({
  at: new Date(at).toISOString(),
  ...record,
  latencyMs: Math.round(latencyMs * 1000) / 1000,
})
