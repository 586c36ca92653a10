import type { WhoAsks } from '../../../model/call.js'
import type { Clock } from '../../../model/clock.js'
import type { McpSource } from '../../mcp-source.js'
import type { SourceUpdate, ToolProblem } from '../../source.js'

export interface ProcessEvents {
  onTools(process: OwnProcess, update: SourceUpdate): readonly ToolProblem[]
  onStatus(process: OwnProcess): void
  /** Nobody has asked it for long enough. */
  onIdle(process: OwnProcess): void
}

/** One process of an isolated source: supervised like any other, and from some moment on somebody's. */
export class OwnProcess {
  readonly source: McpSource
  /** Whose it is; undefined as long as nobody has used it. */
  owner: string | undefined
  /** The caller who has it. */
  caller: string | undefined
  lastUsed: number
  /** It has shown its tools once. */
  hasListed = false
  readonly #clock: Clock
  readonly #idleMs: number
  readonly #events: ProcessEvents
  readonly #stop = new AbortController()
  readonly #leaveStatus: () => void
  #leaveSession: (() => void) | undefined
  #cancelIdle: (() => void) | undefined
  #inUse = 0
  #ended: Promise<void> | undefined

  constructor(source: McpSource, clock: Clock, idleMs: number, events: ProcessEvents) {
    this.source = source
    this.#clock = clock
    this.#idleMs = idleMs
    this.#events = events
    this.lastUsed = clock.now()
    this.#leaveStatus = source.onStatus(() => events.onStatus(this))
    // After its end it says nothing any more: that it lists nothing then is no news.
    void source.watch((update) => (this.isEnding ? [] : events.onTools(this, update)), this.#stop.signal)
  }

  get isEnding(): boolean {
    return this.#ended !== undefined
  }

  get isInUse(): boolean {
    return this.#inUse > 0
  }

  /** When it may be ended for want of use, by the monotonic clock. */
  get idleAt(): number {
    return this.isInUse ? Number.POSITIVE_INFINITY : this.lastUsed + this.#idleMs
  }

  /** From here on it is theirs alone, until it ends. */
  give(owner: string, { caller, session }: WhoAsks, onLeft: (() => void) | undefined): void {
    this.owner = owner
    this.caller = caller
    if (onLeft) this.#leaveSession = session?.onEnd(onLeft)
    this.#idleLater()
  }

  /** Is being asked, or listened to; the returned function ends that. */
  use(): () => void {
    this.#inUse += 1
    this.#cancelIdle?.()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#inUse -= 1
      this.lastUsed = this.#clock.now()
      if (this.#inUse === 0) this.#idleLater()
    }
  }

  /** Resolves when it has ended. */
  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  #idleLater(): void {
    this.#cancelIdle?.()
    if (this.owner !== undefined && !this.isEnding)
      this.#cancelIdle = this.#clock.after(this.#idleMs, () => this.#events.onIdle(this))
  }

  async #end(): Promise<void> {
    this.#cancelIdle?.()
    this.#leaveSession?.()
    this.#leaveStatus()
    this.#stop.abort()
    await this.source[Symbol.asyncDispose]()
  }
}
