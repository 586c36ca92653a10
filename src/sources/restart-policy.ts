import type { Clock } from '../model/clock.js'
import { type Filled, withDefaults } from '../model/defaults.js'

export type RestartState = 'stopped' | 'starting' | 'ready' | 'backing-off' | 'crash-loop' | 'parked'

/** The state of a supervised process or connection, as it is shown to people. */
export interface RestartStatus {
  readonly state: RestartState
  /** Why it is not ready, in the words of the last failure. */
  readonly reason: string | undefined
  /** When it is tried again, in milliseconds since the epoch; undefined when no try is planned. */
  readonly nextRetryAt: number | undefined
  /** The same as a duration from the moment of the failure, for the caller's timer. */
  readonly retryInMs: number | undefined
}

export interface RestartOptions {
  readonly clock: Clock
  /** Uniform in [0, 1), for the jitter. Default: Math.random. */
  readonly random?: (() => number) | undefined
  /** After the first crash it is started again at once; from then on after this, doubled with each failure. Default: 1 s. */
  readonly firstDelayMs?: number | undefined
  /** Default: 60 s. */
  readonly maxDelayMs?: number | undefined
  /** Share of a delay by which it varies either way, lest everything restarts in step. Default: 0.2. */
  readonly jitter?: number | undefined
  /** Healthy for this long resets the backoff. Default: 60 s. */
  readonly healthyAfterMs?: number | undefined
  /** So many crashes within the window are a crash loop. Default: 5. */
  readonly crashLimit?: number | undefined
  /** Longer than `healthyAfterMs`, to catch what runs for a minute and crashes, over and over. Default: 10 min. */
  readonly crashWindowMs?: number | undefined
  /** So many starts in a row may fail before patience ends (001-15). Default: 3. */
  readonly startTries?: number | undefined
  /** After that: `slow` tries on once per `maxDelayMs`, `park` waits for a person. Default: `slow`, since networks come back. */
  readonly afterStartTries?: 'slow' | 'park' | undefined
}

/** When to start something again. It holds no timer: the supervisor acts, this only judges. */
export interface RestartPolicy {
  readonly status: RestartStatus
  /** A try begins. */
  starting(): RestartStatus
  /** It serves. */
  ready(): RestartStatus
  /** It could not be started; it never was ready. */
  startFailed(reason: string): RestartStatus
  /** It was ready and is gone. */
  crashed(reason: string): RestartStatus
  /** It failed in a way that trying again cannot mend. */
  park(reason: string): RestartStatus
  /** Someone stopped it on purpose, or asked for a fresh start: all is forgotten. */
  reset(): RestartStatus
}

const defaults = {
  random: Math.random,
  firstDelayMs: 1000,
  maxDelayMs: 60_000,
  jitter: 0.2,
  healthyAfterMs: 60_000,
  crashLimit: 5,
  crashWindowMs: 600_000,
  startTries: 3,
  afterStartTries: 'slow' as const,
}

export const createRestartPolicy = (options: RestartOptions): RestartPolicy =>
  new Policy(withDefaults(defaults, options))

class Policy implements RestartPolicy {
  readonly #options: Filled<RestartOptions>
  #status: RestartStatus = idle('stopped')
  #failures = 0
  #failedStarts = 0
  #crashes: readonly number[] = []
  #readySince: number | undefined
  /** The next crash is the first after a good time: a single mishap, so nobody has to wait for a pause. */
  #forgiven = true

  constructor(options: Filled<RestartOptions>) {
    this.#options = options
  }

  get status(): RestartStatus {
    return this.#status
  }

  starting(): RestartStatus {
    return this.#be({ ...idle('starting'), reason: this.#status.reason })
  }

  ready(): RestartStatus {
    this.#failedStarts = 0
    this.#readySince = this.#options.clock.now()
    return this.#be(idle('ready'))
  }

  startFailed(reason: string): RestartStatus {
    this.#forgiveIfHealthy()
    this.#failedStarts += 1
    if (this.#failedStarts < this.#options.startTries) return this.#retry('backing-off', reason, this.#nextDelay())
    if (this.#options.afterStartTries === 'park') return this.park(reason)
    return this.#retry(this.#isLooping() ? 'crash-loop' : 'backing-off', reason, this.#options.maxDelayMs)
  }

  crashed(reason: string): RestartStatus {
    const { clock, crashLimit } = this.#options
    this.#forgiveIfHealthy()
    this.#crashes = [...this.#crashes, clock.now()].slice(-crashLimit)
    if (this.#forgiven) {
      this.#forgiven = false
      return this.#retry(this.#isLooping() ? 'crash-loop' : 'backing-off', reason, 0)
    }
    // The verdict is for people. The delays go their way: something that runs for a minute each time may come back soon.
    return this.#retry(this.#isLooping() ? 'crash-loop' : 'backing-off', reason, this.#nextDelay())
  }

  park(reason: string): RestartStatus {
    this.#readySince = undefined
    return this.#be({ ...idle('parked'), reason })
  }

  reset(): RestartStatus {
    this.#failures = 0
    this.#failedStarts = 0
    this.#forgiven = true
    this.#crashes = []
    this.#readySince = undefined
    return this.#be(idle('stopped'))
  }

  /** Delays start over after a healthy time. Crashes do not leave the window for it: they do so by growing old. */
  #forgiveIfHealthy(): void {
    const { clock, healthyAfterMs } = this.#options
    if (this.#readySince !== undefined && clock.now() - this.#readySince >= healthyAfterMs) {
      this.#failures = 0
      this.#forgiven = true
    }
    this.#readySince = undefined
  }

  #isLooping(): boolean {
    const { clock, crashLimit, crashWindowMs } = this.#options
    const [oldest] = this.#crashes
    return this.#crashes.length >= crashLimit && oldest !== undefined && clock.now() - oldest <= crashWindowMs
  }

  #nextDelay(): number {
    const { firstDelayMs, maxDelayMs } = this.#options
    // Past 30 doublings every delay is the longest one; the bound keeps the power finite over years of failures.
    const delay = Math.min(firstDelayMs * 2 ** Math.min(this.#failures, 30), maxDelayMs)
    this.#failures += 1
    return delay
  }

  #retry(state: 'backing-off' | 'crash-loop', reason: string, delayMs: number): RestartStatus {
    const { clock, random, jitter } = this.#options
    const retryInMs = Math.round(delayMs * (1 + jitter * (2 * random() - 1)))
    return this.#be({ state, reason, nextRetryAt: clock.wall() + retryInMs, retryInMs })
  }

  #be(status: RestartStatus): RestartStatus {
    this.#status = Object.freeze(status)
    return this.#status
  }
}

const idle = (state: RestartState): RestartStatus => ({
  state,
  reason: undefined,
  nextRetryAt: undefined,
  retryInMs: undefined,
})
