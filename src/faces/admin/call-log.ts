import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import type { CallRecord } from '../../telemetry/calls.js'
import { createNewest } from '../../telemetry/newest.js'
import type { LoggedCall, Minute } from './calls.js'

export interface CallLogOptions {
  readonly gateway: Pick<Gateway, 'onCall'>
  readonly clock: Clock
  readonly clean: (text: string) => string
  /** Default: 2,000. */
  readonly maxCalls?: number | undefined
}

export interface CallLog {
  /** Newest last. */
  recent(options?: { readonly tool?: string | undefined; readonly limit?: number | undefined }): readonly LoggedCall[]
  /** The calls after this number, at most `limit`, and how many more there were. */
  after(n: number, limit: number): { readonly calls: readonly LoggedCall[]; readonly missed: number }
  readonly last: number
  /** The last hour, oldest first, minutes without calls included. */
  minutes(): readonly Minute[]
  /** The minutes in which calls after this number began, oldest first: a call that took long counts where it began. */
  minutesAfter(n: number): readonly Minute[]
  close(): void
}

/** The raw record; what is shown is rendered when it is read. */
interface Kept {
  readonly n: number
  readonly record: CallRecord
  readonly message: string | undefined
}

/** A minute while it is counted. */
interface Count {
  calls: number
  errors: number
  totalMs: number
  maxMs: number
  /** The number of its newest call. */
  last: number
}

const minuteMs = 60_000
const keptMinutes = 60

/** A ring buffer of the newest calls, and counters per minute. Costs a few writes per call whether or not it is read. */
export const createCallLog = ({ gateway, clock, clean, maxCalls = 2000 }: CallLogOptions): CallLog => {
  const newest = createNewest<Kept>(maxCalls)
  const minutes = new Map<number, Count>()

  const count = ({ ok, latencyMs, at }: CallRecord, n: number): void => {
    const minute = Math.floor(at / minuteMs)
    const known = minutes.get(minute)
    const counted = known ?? { calls: 0, errors: 0, totalMs: 0, maxMs: 0, last: 0 }
    counted.calls += 1
    counted.errors += ok ? 0 : 1
    counted.totalMs += latencyMs
    counted.maxMs = Math.max(counted.maxMs, latencyMs)
    counted.last = n
    if (known) return
    minutes.set(minute, counted)
    if (minutes.size > keptMinutes + 1) minutes.delete(minutes.keys().next().value as number)
  }
  const stop = gateway.onCall((record, _, outcome) => {
    const n = newest.last + 1
    count(record, n)
    const message = outcome.ok ? undefined : clean(outcome.error.message).slice(0, 1000)
    newest.push({ n, record, message })
  })

  return {
    recent: ({ tool, limit = maxCalls } = {}) =>
      newest
        .list(limit, ({ record }) => tool === undefined || shownTool(record) === tool)
        .map(toLogged)
        .reverse(),
    after: (n, limit) => {
      const { items, missed } = newest.after(n, limit)
      return { calls: items.map(toLogged), missed }
    },
    get last() {
      return newest.last
    },
    minutes: () => {
      const now = Math.floor(clock.wall() / minuteMs)
      return Array.from({ length: keptMinutes }, (_, index) => {
        const minute = now - keptMinutes + 1 + index
        return toMinute(minute, minutes.get(minute))
      })
    },
    minutesAfter: (n) =>
      [...minutes]
        .filter(([, { last }]) => last > n)
        .map(([minute, counted]) => toMinute(minute, counted))
        .sort((a, b) => a.at - b.at),
    close: stop,
  }
}

const toMinute = (minute: number, counted?: Count): Minute => {
  const { calls = 0, errors = 0, totalMs = 0, maxMs = 0 } = counted ?? {}
  return { at: minute * minuteMs, calls, errors, totalMs, maxMs }
}

const toLogged = ({ n, record, message }: Kept): LoggedCall => ({ ...record, tool: shownTool(record), n, message })

// A name that no tool has is whatever the caller sent.
const shownTool = ({ tool }: CallRecord): string => tool.slice(0, 200)
