import type { Clock } from '../model/clock.js'
import type { AuditShip } from './audit-file.js'

export interface ShipOptions {
  /** For the log and the trail: where it goes, without credentials. */
  readonly name: string
  /** Delivers these lines, or rejects: then they are sent again. */
  readonly send: (lines: readonly string[]) => Promise<void>
  readonly clock: Clock
  /** What may wait while the other end is away. Default: 4 MiB. */
  readonly maxWaitingBytes?: number | undefined
  /** How long a line waits for others to go with. Default: 1 s. */
  readonly batchMs?: number | undefined
  readonly on: {
    /** Once, until it is sent again. */
    readonly trouble: (name: string, error: unknown) => void
    readonly again: (name: string) => void
    /** So many lines will never come there. */
    readonly lost: (name: string, lines: number) => void
  }
}

const mostLines = 500
const mostBytes = 512 * 1024
const usualBatchMs = 1000
const firstPauseMs = 1000
const longestPauseMs = 60_000
// At the end, for what still waits.
const patienceMs = 2000

/**
 * Lines on their way elsewhere, in batches and in their order, each at least once: a batch that was not taken is sent again,
 * ever more seldom. What waits is bounded; what then does not fit is counted, and the count becomes a line of its own.
 */
export class BatchShip implements AuditShip {
  readonly #options: ShipOptions
  readonly #most: number
  #waiting: string[] = []
  #bytes = 0
  #lost = 0
  #failures = 0
  #timer: (() => void) | undefined
  #sending: Promise<void> | undefined
  #isClosed = false

  constructor(options: ShipOptions) {
    this.#options = options
    this.#most = options.maxWaitingBytes ?? 4 * 1024 * 1024
  }

  take(line: string): void {
    if (this.#isClosed) return
    if (this.#bytes + line.length > this.#most) {
      this.#lost += 1
      return
    }
    this.#waiting.push(line)
    this.#bytes += line.length
    if (this.#failures === 0 && this.#waiting.length >= mostLines) void this.#send()
    else this.#timer ??= this.#options.clock.after(this.#pause(), this.#onTime)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#timer?.()
    const { clock, on, name } = this.#options
    let stop = (): void => {}
    const tooLate = new Promise<void>((resolve) => {
      stop = clock.after(patienceMs, resolve)
    })
    await Promise.race([this.#drain(), tooLate])
    stop()
    const left = this.#lost + this.#waiting.length
    if (left > 0) on.lost(name, left)
  }

  readonly #onTime = (): void => {
    this.#timer = undefined
    void this.#send()
  }

  #pause(): number {
    if (this.#failures === 0) return this.#options.batchMs ?? usualBatchMs
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1))
  }

  async #drain(): Promise<void> {
    await this.#sending
    // Once only for each: whoever is away at the end is away.
    while (this.#waiting.length > 0) {
      const before = this.#failures
      await this.#send()
      if (this.#failures > before) return
    }
  }

  #send(): Promise<void> {
    return (this.#sending ??= this.#sendOne().finally(() => {
      this.#sending = undefined
      if (this.#waiting.length > 0 && !this.#isClosed)
        this.#timer ??= this.#options.clock.after(
          this.#failures === 0 && this.#waiting.length >= mostLines ? 0 : this.#pause(),
          this.#onTime,
        )
    }))
  }

  async #sendOne(): Promise<void> {
    const { name, send, on } = this.#options
    const batch = this.#next()
    try {
      await send(batch)
    } catch (error) {
      if (this.#failures === 0) on.trouble(name, error)
      this.#failures += 1
      return
    }
    if (this.#failures > 0) on.again(name)
    this.#failures = 0
    this.#waiting = this.#waiting.slice(batch.length)
    for (const line of batch) this.#bytes -= line.length
    const lost = this.#lost
    this.#lost = 0
    if (lost > 0) on.lost(name, lost)
  }

  #next(): readonly string[] {
    let bytes = 0
    let count = 0
    for (const line of this.#waiting) {
      bytes += line.length
      if (count > 0 && (count >= mostLines || bytes > mostBytes)) break
      count += 1
    }
    return this.#waiting.slice(0, count)
  }
}
