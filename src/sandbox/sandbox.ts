import { GatewayError } from '../errors.js'
import type { RunId } from '../model/call.js'
import type { Clock } from '../model/clock.js'
import { type ScriptEnd, type ScriptRequest, ScriptRun } from './script-run.js'
import { Thread } from './thread.js'

export interface ScriptSandboxOptions {
  /** Scripts that run at the same time, each in a thread of its own; asked at each. Default 4. */
  readonly maxRunning?: (() => number) | undefined
  /** Scripts that wait for a place. Default 32. */
  readonly maxWaiting?: number | undefined
}

/** Runs scripts. Nothing is started before the first, and nothing is left of it ten minutes after the last. */
export interface ScriptSandbox {
  /** Never rejects: a script that fails is an end. */
  run(request: ScriptRequest): Promise<ScriptEnd>
  /** Ends what runs, and refuses what comes. */
  close(): Promise<void>
}

const idleMs = 600_000
const mostIdle = 1

export const createSandbox = (clock: Clock, options: ScriptSandboxOptions = {}): ScriptSandbox =>
  new Threads(clock, options)

interface Place {
  readonly run: ScriptRun
  readonly begin: () => void
}

/**
 * A script that runs may lend its place to a script that it calls, to one at a time: were they in one line, a script could wait
 * for a place that only its own end makes free, and without a line each could start as many threads as it makes calls.
 */
interface Lender {
  isLent: boolean
  readonly waiting: Place[]
}

class Threads implements ScriptSandbox {
  readonly #clock: Clock
  readonly #most: () => number
  readonly #maxWaiting: number
  readonly #waiting: Place[] = []
  readonly #open = new Set<ScriptRun>()
  readonly #lenders = new Map<RunId, Lender>()
  readonly #idle: Thread[] = []
  #running = 0
  #count = 0
  #isClosed = false
  #forget: (() => void) | undefined

  constructor(clock: Clock, { maxRunning = () => 4, maxWaiting = 32 }: ScriptSandboxOptions) {
    this.#clock = clock
    this.#most = maxRunning
    this.#maxWaiting = maxWaiting
  }

  get #maxRunning(): number {
    return Math.max(1, Math.min(this.#most(), 64))
  }

  run(request: ScriptRequest): Promise<ScriptEnd> {
    const startedAt = this.#clock.now()
    if (this.#isClosed) return Promise.resolve(refused(closed()))
    const lender = request.within === undefined ? undefined : this.#lenders.get(request.within)
    if (!lender && this.#running >= this.#maxRunning && this.#waiting.length >= this.#maxWaiting)
      return Promise.resolve(refused(busy(this.#maxWaiting)))
    return new Promise((resolve) => {
      let thread: Thread | undefined
      const { signal, limits } = request
      const run = new ScriptRun(request, ++this.#count, (end) => {
        stopWaiting()
        signal?.removeEventListener('abort', leave)
        this.#open.delete(run)
        if (request.id !== undefined) this.#lenders.delete(request.id)
        if (thread) this.#release(thread, lender)
        else leaveLine(run, lender?.waiting ?? this.#waiting)
        resolve({ ...end, ms: Math.round(this.#clock.now() - startedAt) } as ScriptEnd)
      })
      const leave = (): void => run.stopFor('CALL_CANCELLED', 'The script was cancelled.')
      const late = (): void =>
        run.stopFor(
          'DEADLINE_EXCEEDED',
          `The script did not end within ${limits.timeoutMs} ms; do less at once, or give it more time (timeout_ms).`,
        )
      const stopWaiting = this.#clock.after(limits.timeoutMs, late, true)
      this.#open.add(run)
      const begin = (): void => {
        if (lender) lender.isLent = true
        else this.#running++
        if (request.id !== undefined) this.#lenders.set(request.id, { isLent: false, waiting: [] })
        thread = this.#idle.pop() ?? new Thread()
        run.begin(thread)
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      if (lender ? !lender.isLent : this.#running < this.#maxRunning) begin()
      else (lender?.waiting ?? this.#waiting).push({ run, begin })
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#forget?.()
    for (const run of [...this.#open]) run.stopFor('SOURCE_UNAVAILABLE', 'The gateway closes; the script was ended.')
    await Promise.all(this.#idle.splice(0).map((thread) => thread.end()))
  }

  #release(thread: Thread, lender: Lender | undefined): void {
    if (lender) lender.isLent = false
    else this.#running--
    if (!thread.isGone) {
      if (this.#idle.length < mostIdle && !this.#isClosed) this.#idle.push(thread)
      else void thread.end()
    }
    this.#forget?.()
    this.#forget = this.#clock.after(idleMs, () => {
      for (const idle of this.#idle.splice(0)) void idle.end()
    })
    const line = lender?.waiting ?? this.#waiting
    line.shift()?.begin()
  }
}

const leaveLine = (run: ScriptRun, line: Place[]): void => {
  const at = line.findIndex((place) => place.run === run)
  if (at >= 0) line.splice(at, 1)
}

const refused = (error: GatewayError): ScriptEnd => ({
  state: 'failed',
  error,
  calls: [],
  logs: [],
  logsDropped: 0,
  cpuMs: 0,
  ms: 0,
})

const busy = (most: number): GatewayError =>
  new GatewayError('OVERLOADED', `${most} scripts wait for a place already; try again shortly.`, {
    retryAfterMs: 1000,
    notSent: true,
  })

const closed = (): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', 'The gateway closes; no script is started.', { notSent: true })
