import { type Clock, createNamedTimers, type NamedTimers } from '../../model/clock.js'
import { isDownloading } from './downloading.js'
import { lateDownload, lateStart } from './failure.js'

export interface StartLimitOptions {
  readonly clock: Clock
  /** The child, which may be a launcher that first downloads what it runs. */
  readonly pid: number
  /** The launcher's name; undefined for a command that is simply started. */
  readonly fetcher: string | undefined
  readonly startTimeoutMs: number
  readonly downloadTimeoutMs: number
  /** It took too long; the words say what for. */
  readonly onLate: (fault: string) => void
  /** A download has lasted long enough to be told of, or one that was told of is over. */
  readonly onDownload?: ((isDownloading: boolean) => void) | undefined
}

/** Five minutes: browsers and models are among what packages bring. */
export const defaultDownloadTimeoutMs = 300_000

/** What is here already is found in less; nobody need be told of it. */
const quietMs = 2000
const firstLookMs = 100
const longestLookMs = 1000

/**
 * How long a child may take until it serves. What a launcher downloads first does not count against that (U10) and has a
 * limit of its own. Told by looking now and then: neither npx nor uvx says when it begins to run the package.
 */
export class StartLimit {
  readonly #options: StartLimitOptions
  readonly #timers: NamedTimers<'start' | 'look'>
  readonly #since: number
  #isDownloading = false
  #isTold = false
  #lookMs = firstLookMs

  constructor(options: StartLimitOptions) {
    this.#options = options
    this.#timers = createNamedTimers(options.clock)
    this.#since = options.clock.now()
    this.#count()
    if (options.fetcher !== undefined) this.#look()
  }

  /** It wrote something: whatever that is, it runs. */
  wrote(): void {
    this.#timers.clear('look')
    this.#be(false)
  }

  end(): void {
    this.#timers.clearAll()
    this.#tell(false)
  }

  #look(): void {
    this.#timers.set('look', this.#lookMs, () => {
      this.#lookMs = Math.min(this.#lookMs * 1.5, longestLookMs)
      this.#look()
      this.#be(isDownloading(this.#options.pid))
    })
  }

  #be(now: boolean): void {
    const { clock, downloadTimeoutMs, onLate } = this.#options
    const tookMs = clock.now() - this.#since
    if (now && tookMs >= quietMs) this.#tell(true)
    if (now && tookMs >= downloadTimeoutMs) return onLate(lateDownload(downloadTimeoutMs))
    if (now === this.#isDownloading) return
    this.#isDownloading = now
    if (now) return this.#timers.clear('start')
    this.#tell(false)
    this.#count()
  }

  #count(): void {
    const { startTimeoutMs, fetcher, onLate, pid } = this.#options
    this.#timers.set('start', startTimeoutMs, () => {
      // Between two looks it may have begun.
      if (this.#timers.has('look') && isDownloading(pid)) this.#be(true)
      else onLate(lateStart(startTimeoutMs, fetcher))
    })
  }

  #tell(isDownloading: boolean): void {
    if (isDownloading === this.#isTold) return
    this.#isTold = isDownloading
    this.#options.onDownload?.(isDownloading)
  }
}
