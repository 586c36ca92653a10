import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import type { CallRecord } from '../../telemetry/calls.js'

/** One call as the console shows it: names and numbers, never arguments. */
export interface LoggedCall extends CallRecord {
  /** Counts up; a reader that knows the last one sees what it missed. */
  readonly n: number
  /** Of a call that failed. */
  readonly message: string | undefined
}

/** One minute of calls. */
export interface Minute {
  /** Its start, in milliseconds since the epoch. */
  readonly at: number
  readonly calls: number
  readonly errors: number
  readonly totalMs: number
  readonly maxMs: number
}

export interface CallLogOptions {
  readonly gateway: Pick<Gateway, 'onCall'>
  readonly clock: Clock
  readonly clean: (text: string) => string
  /** Default: 2,000. */
  readonly maxCalls?: number
}

export interface CallLog {
  /** Newest last. */
  recent(options?: { readonly tool?: string; readonly limit?: number }): readonly LoggedCall[]
  /** The calls after this number, at most `limit`, and how many more there were. */
  after(n: number, limit: number): { readonly calls: readonly LoggedCall[]; readonly missed: number }
  readonly last: number
  /** The last hour, oldest first, minutes without calls included. */
  minutes(): readonly Minute[]
  close(): void
}

/** As it came; what is shown is made when somebody looks. */
interface Kept {
  readonly n: number
  readonly record: CallRecord
  readonly message: string | undefined
}

const minuteMs = 60_000
const keptMinutes = 60

/** Remembers the newest calls and counts them by the minute. Costs a few writes per call, whoever looks. */
export const createCallLog = ({ gateway, clock, clean, maxCalls = 2000 }: CallLogOptions): CallLog => {
  const calls: Kept[] = []
  const minutes = new Map<number, { calls: number; errors: number; totalMs: number; maxMs: number }>()
  let last = 0

  const count = ({ ok, latencyMs, at }: CallRecord): void => {
    const minute = Math.floor(at / minuteMs)
    const known = minutes.get(minute)
    const counted = known ?? { calls: 0, errors: 0, totalMs: 0, maxMs: 0 }
    counted.calls += 1
    counted.errors += ok ? 0 : 1
    counted.totalMs += latencyMs
    counted.maxMs = Math.max(counted.maxMs, latencyMs)
    if (known) return
    minutes.set(minute, counted)
    if (minutes.size > keptMinutes + 1) minutes.delete(minutes.keys().next().value as number)
  }
  const stop = gateway.onCall((record, _, outcome) => {
    last += 1
    count(record)
    const message = outcome.ok ? undefined : clean(outcome.error.message).slice(0, 1000)
    calls.push({ n: last, record, message })
    if (calls.length > maxCalls * 1.25) calls.splice(0, calls.length - maxCalls)
  })

  return {
    recent: ({ tool, limit = maxCalls } = {}) =>
      (tool === undefined ? calls : calls.filter(({ record }) => shownTool(record) === tool))
        .slice(-Math.min(limit, maxCalls))
        .map(toLogged),
    after: (n, limit) => {
      const from = Math.max(0, calls.length - (last - n))
      const fresh = calls.slice(from)
      return { calls: fresh.slice(-limit).map(toLogged), missed: last - n - Math.min(fresh.length, limit) }
    },
    get last() {
      return last
    },
    minutes: () => {
      const now = Math.floor(clock.wall() / minuteMs)
      return Array.from({ length: keptMinutes }, (_, index) => {
        const minute = now - keptMinutes + 1 + index
        return { at: minute * minuteMs, ...(minutes.get(minute) ?? { calls: 0, errors: 0, totalMs: 0, maxMs: 0 }) }
      })
    },
    close: stop,
  }
}

const toLogged = ({ n, record, message }: Kept): LoggedCall => ({ ...record, tool: shownTool(record), n, message })

// A name that no tool has is whatever the caller sent.
const shownTool = ({ tool }: CallRecord): string => tool.slice(0, 200)
