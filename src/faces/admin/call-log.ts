import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import { isOfRun } from '../../model/run-id.js'
import { CallHistory, type PastCall } from '../../telemetry/call-history.js'
import type { CallRecord } from '../../telemetry/calls.js'
import type { LoggedCall, Minute } from './calls.js'

export interface CallLogOptions {
  readonly gateway: Pick<Gateway, 'onCall'>
  readonly clock: Clock
  readonly clean: (text: string) => string
  /** The calls themselves, where somebody keeps them already. Default: a history of its own. */
  readonly history?: CallHistory | undefined
}

export interface CallsWanted {
  readonly tool?: string | undefined
  /** A script, and the calls in it. */
  readonly run?: string | undefined
  readonly limit?: number | undefined
}

export interface CallLog {
  /** Newest last. */
  recent(options?: CallsWanted): readonly LoggedCall[]
  /** The calls after this number, at most `limit`, and how many more there were. */
  after(n: number, limit: number): { readonly calls: readonly LoggedCall[]; readonly missed: number }
  readonly last: number
  /** The last hour, oldest first, minutes without calls included. */
  minutes(): readonly Minute[]
  /** The minutes in which calls after this number began, oldest first: a call that took long counts where it began. */
  minutesAfter(n: number): readonly Minute[]
  close(): void
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

/** The newest calls, and counters per minute. Costs a few writes per call whether or not it is read. */
export const createCallLog = ({ gateway, clock, clean, ...options }: CallLogOptions): CallLog => {
  const history = options.history ?? new CallHistory()
  const stopHistory = options.history ? undefined : gateway.onCall(history.listener)
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
  // Behind the history, which has numbered it.
  const stop = gateway.onCall((record) => count(record, history.last))
  const toLogged = ({ n, record, message }: PastCall): LoggedCall => ({
    ...record,
    tool: shownTool(record),
    n,
    message: message === undefined ? undefined : clean(message),
  })

  return {
    recent: ({ tool, run, limit = Number.POSITIVE_INFINITY } = {}) =>
      history
        .list(
          limit,
          (record) =>
            (tool === undefined || shownTool(record) === tool) && (run === undefined || isOfRun(record.run, run)),
        )
        .map(toLogged)
        .reverse(),
    after: (n, limit) => {
      const { calls, missed } = history.after(n, limit)
      return { calls: calls.map(toLogged), missed }
    },
    get last() {
      return history.last
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
    close: () => {
      stop()
      stopHistory?.()
    },
  }
}

const toMinute = (minute: number, counted?: Count): Minute => {
  const { calls = 0, errors = 0, totalMs = 0, maxMs = 0 } = counted ?? {}
  return { at: minute * minuteMs, calls, errors, totalMs, maxMs }
}

// A name that no tool has is whatever the caller sent.
const shownTool = ({ tool }: CallRecord): string => tool.slice(0, 200)
