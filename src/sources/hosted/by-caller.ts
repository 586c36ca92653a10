import { isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Answer } from '../../model/result.js'
import type { Hosting } from '../hosting.js'
import type { McpSource } from '../mcp-source.js'
import type { McpSourceOptions } from '../mcp-source-options.js'
import { remoteOnly } from '../remote-only.js'
import type { Source, SourceCall, SourceRequest, SourceUpdate, ToolProblem } from '../source.js'
import { isSupervised, readyStatus, type SourceStatus, type Supervised } from '../status.js'
import type { McpSurface } from '../surface.js'
import { isHandedOver, unavailableNow, unwatched } from './attached.js'
import { Turns } from './turns.js'

export interface ByCallerOptions {
  readonly name: string
  readonly hosting: Hosting
  /** Runs at every replica, and lists for all. */
  readonly inner: Source
  /** Whether each caller has a place; else everybody is asked for here. Undefined: where the far side keeps sessions. */
  readonly isWanted: boolean | undefined
  /** For the links to the other replicas. */
  readonly link: McpSourceOptions
  readonly clock: Clock
}

// Between two tries to reach a replica that may be gone: by then there may be another.
const againMs = 200

/** A source at which each caller has one session in the whole fleet: the replica that a caller belongs to asks it for them. */
export class SourceByCaller implements Source, Supervised {
  readonly kind: string
  readonly surface: McpSurface | undefined
  readonly #options: ByCallerOptions
  readonly #own: Supervised
  readonly #links = new Map<string, McpSource>()
  readonly #turns: Turns
  readonly #leave: () => void
  #isDisposed = false

  constructor(options: ByCallerOptions) {
    const { inner, hosting, clock } = options
    this.#options = options
    this.kind = inner.kind
    this.surface = inner.surface
    this.#own = isSupervised(inner) ? inner : unwatched
    this.#turns = new Turns(clock)
    this.#leave = hosting.onMembers(() => this.#follow())
  }

  get status(): SourceStatus {
    return isSupervised(this.#options.inner) ? this.#own.status : readyStatus
  }

  onStatus(listener: (status: SourceStatus) => void): () => void {
    return this.#own.onStatus(listener)
  }

  start(): Promise<void> {
    return this.#own.start()
  }

  stop(): Promise<void> {
    return this.#own.stop()
  }

  restart(): Promise<void> {
    return this.#own.restart()
  }

  check(): Promise<boolean> {
    return this.#own.check()
  }

  watch(onTools: (update: SourceUpdate) => readonly ToolProblem[], signal: AbortSignal): Promise<void> {
    return this.#options.inner.watch(onTools, signal)
  }

  call(name: string, args: JsonObject, context: SourceCall): Answer | Promise<Answer> {
    if (context.sync) throw remoteOnly(name)
    const run = (source: Source) => source.call(name, args, context)
    return this.#isOurs(context) ? run(this.#options.inner) : this.#find(run, context)
  }

  ask(request: SourceRequest, context: SourceCall): Promise<JsonObject> {
    const run = (source: Source): Promise<JsonObject> =>
      source.ask?.(request, context) ?? Promise.reject(unavailableNow(this.#options.name, 'offers tools alone'))
    return this.#isOurs(context) ? run(this.#options.inner) : this.#find(run, context)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return
    this.#isDisposed = true
    this.#leave()
    this.#turns.wake()
    await Promise.all([...this.#links.values()].map((link) => link[Symbol.asyncDispose]()))
    await this.#options.inner[Symbol.asyncDispose]()
  }

  #isOurs(context: SourceCall): boolean {
    const { isWanted = this.status.keepsSession === true } = this.#options
    return !isWanted || isHandedOver(context) || this.#placeOf(context) === undefined
  }

  #placeOf({ call }: SourceCall): string | undefined {
    return this.#options.hosting.placeFor(this.#options.name, call.caller.id)
  }

  async #find<T>(run: (source: Source) => T | Promise<T>, context: SourceCall): Promise<T> {
    for (;;) {
      if (context.cancel.aborted) throw context.cancel.reason
      if (this.#isDisposed) throw unavailableNow(this.#options.name, 'was taken away')
      const replica = this.#placeOf(context)
      if (replica === undefined) return run(this.#options.inner)
      const link = this.#linkTo(replica)
      try {
        return await run(link)
      } catch (error) {
        if (!isGatewayError(error) || !error.notSent || link.status.state === 'ready') throw error
        await this.#turns.next(context.cancel, againMs)
        await link.start().catch(() => {})
      }
    }
  }

  #linkTo(replica: string): McpSource {
    const { hosting, name, link } = this.#options
    const known = this.#links.get(replica)
    if (known) return known
    const made = hosting.open({ source: name, replica }, link)
    this.#links.set(replica, made)
    return made
  }

  /** Nobody is asked who is gone. */
  #follow(): void {
    for (const [replica, link] of this.#links)
      if (!this.#options.hosting.isThere(replica)) {
        this.#links.delete(replica)
        void link[Symbol.asyncDispose]()
      }
    this.#turns.wake()
  }
}
