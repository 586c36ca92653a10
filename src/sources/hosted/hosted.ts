import { GatewayError, messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { JsonObject } from '../../model/json.js'
import type { Answer } from '../../model/result.js'
import type { ToolSpec } from '../../model/tool.js'
import { type Hosting, movedTo, type SourceHold, type SourcePlace } from '../hosting.js'
import type { McpSourceOptions } from '../mcp-source-options.js'
import { remoteOnly } from '../remote-only.js'
import type { Source, SourceCall, SourceRequest, SourceUpdate, ToolProblem } from '../source.js'
import { isSupervised, readyStatus, type SourceStatus, type Supervised } from '../status.js'
import type { SurfaceOffer } from '../surface.js'
import {
  type Attached,
  attach,
  elsewhere,
  isAt,
  isHandedOver,
  type KnownPlace,
  lostWith,
  mayTryNext,
  nobodyYet,
  unavailableNow,
  unwatched,
} from './attached.js'
import { FleetSurface } from './fleet-surface.js'
import { Turns } from './turns.js'

export interface HostedOptions {
  readonly name: string
  readonly kind: string
  readonly hosting: Hosting
  readonly whenCutOff: 'keep' | 'stop'
  /** Makes the source itself, where it runs here, from what is known of it by then. */
  readonly make: (seen: KnownSource | undefined) => Source
  /** For the link to the replica where it runs. */
  readonly link: McpSourceOptions
  readonly seen: KnownSource | undefined
  readonly clock: Clock
  /** How long what runs may take to answer before it is given to another. */
  readonly finishMs: number
}

export interface KnownSource {
  readonly tools: readonly ToolSpec[]
  readonly offer: SurfaceOffer | undefined
}

type Report = (update: SourceUpdate) => readonly ToolProblem[]

// Between two tries to reach a holder that does not let us in; a new place ends the wait.
const againMs = 200

/**
 * A source that one replica runs for all: here it is the source itself, elsewhere a link to it, and between two holders calls
 * wait. Its tools stay listed over every move.
 */
export class HostedSource implements Source, Supervised {
  readonly kind: string
  readonly surface: FleetSurface
  readonly #options: HostedOptions
  readonly #listeners = new Set<(status: SourceStatus) => void>()
  readonly #turns: Turns
  readonly #tools = new Map<string, ToolSpec>()
  #hasReported = false
  /** What it has is known: from an earlier run, or since it was up once, here or where we reached it. */
  #isKnown: boolean
  #report: Report | undefined
  #hold: SourceHold | undefined
  /** As it was told: a doubt of ours is none of these. */
  #place: SourcePlace = { at: 'nowhere' }
  #now: Attached | undefined
  #moving: Promise<void> | undefined
  #status: SourceStatus = nobodyYet
  #isDisposed = false

  constructor(options: HostedOptions) {
    this.kind = options.kind
    this.#options = options
    this.#isKnown = options.seen !== undefined
    this.#turns = new Turns(options.clock)
    this.surface = new FleetSurface(options.seen?.offer)
    for (const tool of options.seen?.tools ?? []) this.#tools.set(tool.definition.name, tool)
  }

  get status(): SourceStatus {
    return this.#status
  }

  onStatus(listener: (status: SourceStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  async watch(onTools: Report, signal: AbortSignal): Promise<void> {
    const { hosting, name, whenCutOff, seen } = this.#options
    this.#report = onTools
    if (seen) this.#tell({ type: 'all', tools: seen.tools })
    const hold = hosting.hold(name, whenCutOff)
    this.#hold = hold
    const leave = hold.onPlace((place) => this.#move(place))
    this.#move(hold.place)
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    leave()
    this.#report = undefined
  }

  call(name: string, args: JsonObject, context: SourceCall): Answer | Promise<Answer> {
    if (context.sync) throw remoteOnly(name)
    return this.#ask((source) => source.call(name, args, context), context)
  }

  ask(request: SourceRequest, context: SourceCall): Promise<JsonObject> {
    return this.#ask(async (source) => {
      if (source.ask) return source.ask(request, context)
      throw new GatewayError('NOT_OFFERED', `'${this.#options.name}' offers tools alone.`, { notSent: true })
    }, context)
  }

  /** Where it runs here; else the link is opened, and what it does there is its holder's. */
  async start(): Promise<void> {
    await this.#supervised().start()
  }

  async stop(): Promise<void> {
    await this.#supervised('here').stop()
  }

  async restart(): Promise<void> {
    await this.#supervised().restart()
  }

  async check(): Promise<boolean> {
    const source = this.#now?.source
    return source !== undefined && (!isSupervised(source) || (await source.check()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return
    this.#isDisposed = true
    this.#turns.wake()
    await this.#moving
    await this.#end(false)
    await this.#hold?.release()
    this.#be({ state: 'stopped', reason: 'Removed.', nextRetryAt: undefined })
  }

  #ask<T>(run: (source: Source) => T | Promise<T>, context: SourceCall): Promise<T> {
    const here = this.#here
    return here ? here.underway.run(() => run(here.source)) : this.#find(run, context)
  }

  /** What runs here, if nobody else may have it by now. */
  get #here(): Attached | undefined {
    const now = this.#now
    if (now?.at !== 'here') return undefined
    const place = this.#hold?.place
    return place?.at === 'here' && place.epoch === now.epoch ? now : undefined
  }

  /**
   * Asks whoever holds it, and the next one where it was surely not asked. What was sent and not answered is not sent again:
   * the tool may have acted.
   */
  async #find<T>(run: (source: Source) => T | Promise<T>, context: SourceCall): Promise<T> {
    const wasHandedOver = isHandedOver(context)
    for (;;) {
      if (context.cancel.aborted) throw context.cancel.reason
      if (this.#isDisposed) throw this.#unavailable('was taken away')
      const here = this.#here
      if (here) return here.underway.run(() => run(here.source))
      if (wasHandedOver && this.#hold?.place.at !== 'here') throw this.#moved()
      const now = this.#now
      if (now?.at !== 'elsewhere' || !this.#isNow(now)) {
        await this.#turns.next(context.cancel)
        continue
      }
      try {
        return await now.underway.run(() => run(now.source))
      } catch (error) {
        if (!mayTryNext(error, now)) throw now === this.#now ? error : lostWith(now, this.#options.name, error)
        const moved = movedTo(error)
        if (moved?.holder !== undefined) this.#hold?.learn(moved.holder, moved.epoch)
        if (now === this.#now) await this.#turns.next(context.cancel, againMs)
        if (now === this.#now && isSupervised(now.source)) await now.source.start().catch(() => {})
      }
    }
  }

  #isNow({ replica, epoch }: Attached): boolean {
    const place = this.#hold?.place
    return place?.at === 'elsewhere' && place.replica === replica && place.epoch === epoch
  }

  /** One move after the other: what ends has ended before what follows begins. */
  #move(place: SourcePlace): void {
    this.#place = place
    this.#turns.wake()
    this.#moving ??= this.#follow().finally(() => {
      this.#moving = undefined
      this.#turns.wake()
      if (!this.#isDisposed && !this.#isSettled()) this.#move(this.#place)
    })
  }

  async #follow(): Promise<void> {
    while (!this.#isDisposed && !this.#isSettled()) {
      const wasHere = this.#now?.at === 'here'
      await this.#end(this.#place.at === 'nowhere' && this.#place.mayFinish === true)
      if (wasHere) this.#hold?.ended()
      const place = this.#place
      if (this.#isDisposed) return
      if (place.at === 'nowhere') this.#be(nobodyYet)
      else this.#attach(place.at === 'here' ? this.#options.make(this.#known) : this.#openLink(place), place)
    }
  }

  /** The link to a holder stays until there is another: what it was asked it may still answer. */
  #isSettled(): boolean {
    const now = this.#now
    if (now === undefined) return this.#place.at === 'nowhere'
    return isAt(now, this.#place) || (this.#place.at === 'nowhere' && now.at === 'elsewhere')
  }

  get #known(): KnownSource | undefined {
    return this.#hasReported ? { tools: [...this.#tools.values()], offer: this.surface.offer } : this.#options.seen
  }

  #openLink({ replica, epoch }: KnownPlace & { readonly at: 'elsewhere' }): Source {
    const { hosting, name, link } = this.#options
    const known = this.#known
    return hosting.open(
      { source: name, replica, epoch },
      { ...link, knownTools: known?.tools, knownOffer: known?.offer },
    )
  }

  #attach(source: Source, place: KnownPlace): void {
    this.#now = attach(source, place, {
      clock: this.#options.clock,
      surface: this.surface,
      onTools: (update) => this.#tell(update),
      onStatus: () => this.#show(),
      onFailed: (error) => {
        const { link, name } = this.#options
        link.logger.log('error', `Source '${name}' stopped: ${messageOf(error)}`, { source: name })
      },
    })
    this.#show()
    this.#turns.wake()
  }

  async #end(mayFinish: boolean): Promise<void> {
    const now = this.#now
    if (!now) return
    if (mayFinish && now.at === 'here') await now.underway.none(this.#options.clock, this.#options.finishMs)
    this.#now = undefined
    await now.end()
  }

  #tell(update: SourceUpdate): readonly ToolProblem[] {
    if (update.type === 'all') this.#tools.clear()
    for (const tool of update.type === 'all' ? update.tools : update.changed)
      this.#tools.set(tool.definition.name, tool)
    if (update.type === 'change') for (const name of update.removed) this.#tools.delete(name)
    this.#hasReported = true
    return this.#report?.(update) ?? []
  }

  #show(): void {
    const now = this.#now
    if (!now) return
    const status = isSupervised(now.source) ? now.source.status : readyStatus
    if (status.state === 'ready') this.#isKnown = true
    this.#be(now.at === 'here' ? status : elsewhere(now.replica!, status, this.#isKnown))
  }

  #be(status: SourceStatus): void {
    this.#status = status
    for (const listener of [...this.#listeners]) listener(status)
  }

  #supervised(only?: 'here'): Supervised {
    const now = this.#now
    if (!now) throw this.#unavailable('is between two replicas; try again in a moment')
    if (only && now.at !== only) throw this.#unavailable(`runs at replica ${now.replica}: ask it there`)
    return isSupervised(now.source) ? now.source : unwatched
  }

  #moved(): GatewayError {
    const place = this.#place
    const movedTo = place.at === 'elsewhere' ? { holder: place.replica, epoch: place.epoch } : { epoch: 0 }
    return this.#unavailable('does not run at this replica', { movedTo })
  }

  #unavailable(how: string, details?: Readonly<Record<string, unknown>>): GatewayError {
    return unavailableNow(this.#options.name, how, details)
  }
}
