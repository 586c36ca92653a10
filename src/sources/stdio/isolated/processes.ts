import type { GatewayError } from '../../../errors.js'
import type { WhoAsks } from '../../../model/call.js'
import type { Clock } from '../../../model/clock.js'
import type { McpSource } from '../../mcp-source.js'
import { downStates } from '../../status.js'
import { boundsOf, type IsolatedBy, noProcessLeft, ownerOf } from './isolation.js'
import { OwnProcess, type ProcessEvents } from './process.js'

export interface ProcessesOptions extends IsolatedBy, Pick<ProcessEvents, 'onTools'> {
  readonly name: string
  readonly clock: Clock
  /** One more, not yet started; the first of all may know what an earlier run saw. */
  readonly make: (isFirst: boolean) => McpSource
  readonly onMade: (process: OwnProcess) => void
  /** How they stand has changed. */
  readonly onChange: () => void
}

// Between two calls of a model that thinks, a process looks idle and is not.
const graceMs = 60_000

/**
 * The processes of one source and whose they are. One that nobody has used stands ready for whoever comes next, and shows
 * meanwhile what the source has: what a used one shows is its user's business.
 */
export class Processes {
  readonly #options: ProcessesOptions
  readonly #bounds: ReturnType<typeof boundsOf>
  readonly #owned = new Map<string, OwnProcess>()
  readonly #ending = new Set<Promise<void>>()
  #fresh: OwnProcess | undefined
  #made = 0
  /** How often all were ended: what ends by itself meanwhile prepares nothing. */
  #round = 0

  constructor(options: ProcessesOptions) {
    this.#options = options
    this.#bounds = boundsOf(options)
  }

  /** The one that nobody has used yet. */
  get fresh(): OwnProcess | undefined {
    return this.#fresh
  }

  get owned(): Iterable<OwnProcess> {
    return this.#owned.values()
  }

  /** Those that run, start or end. */
  get size(): number {
    return this.#owned.size + this.#ending.size + (this.#fresh ? 1 : 0)
  }

  get most(): number {
    return this.#bounds.maxProcesses
  }

  /** Has one stand ready, where there is room for it. */
  prepare(): void {
    if (this.#fresh || this.size >= this.most) return
    this.#fresh = this.#make()
    this.#options.onChange()
  }

  /** Theirs already; undefined where they have none. */
  of(asker: WhoAsks): OwnProcess | undefined {
    return this.#owned.get(ownerOf(this.#options.isolation, asker))
  }

  isOf(process: OwnProcess, asker: WhoAsks): boolean {
    return process.owner === ownerOf(this.#options.isolation, asker)
  }

  /**
   * Theirs, from now on where they had none; a promise of room where something has to end first, and a refusal where all are
   * somebody's. One that could not be started is nobody's: it is asked, and says how it stands.
   */
  take(asker: WhoAsks): OwnProcess | Promise<void> | GatewayError {
    const known = this.of(asker)
    if (known) return known
    const ready = this.#fresh
    if (ready && downStates.has(ready.source.status.state)) return ready
    if (!ready && this.size >= this.most) return this.#makeRoom(asker)
    const process = ready ?? this.#make()
    this.#give(process, asker)
    if (this.#bounds.spare > 0) this.prepare()
    return process
  }

  async end(process: OwnProcess): Promise<void> {
    if (process.isEnding) return process.end()
    if (this.#fresh === process) this.#fresh = undefined
    if (process.owner !== undefined && this.#owned.get(process.owner) === process) this.#owned.delete(process.owner)
    const round = this.#round
    const ending = process.end().catch(() => {})
    this.#ending.add(ending)
    this.#options.onChange()
    await ending
    this.#ending.delete(ending)
    // What a bound kept from being prepared has room now.
    if (round === this.#round && this.#bounds.spare > 0) this.prepare()
    this.#options.onChange()
  }

  async endAll(): Promise<void> {
    this.#round += 1
    const all = [...this.#owned.values(), ...(this.#fresh ? [this.#fresh] : [])]
    this.#fresh = undefined
    this.#owned.clear()
    const endings = all.map((process) => process.end().catch(() => {}))
    for (const ending of endings) this.#ending.add(ending)
    await Promise.all([...this.#ending])
    this.#ending.clear()
  }

  #give(process: OwnProcess, asker: WhoAsks): void {
    const { isolation } = this.#options
    const owner = ownerOf(isolation, asker)
    if (this.#fresh === process) this.#fresh = undefined
    this.#owned.set(owner, process)
    process.give(owner, asker, isolation === 'session' ? () => void this.end(process) : undefined)
    this.#options.onChange()
  }

  #make(): OwnProcess {
    const { make, clock, onTools, onMade, onChange } = this.#options
    const made = new OwnProcess(make(this.#made++ === 0), clock, this.#bounds.idleStopMs, {
      onTools,
      onStatus: onChange,
      onIdle: (process) => void this.end(process),
    })
    onMade(made)
    return made
  }

  /**
   * Nobody who has one process loses it to somebody else while it may still be wanted. Who has several, by several sessions,
   * gives the one unused for longest, and for a minute, to whoever has fewer, themselves included; else the newcomer hears
   * when the next may be free.
   */
  #makeRoom(asker: WhoAsks): Promise<void> | GatewayError {
    const [ending] = this.#ending
    if (ending) return ending
    const { name, clock } = this.#options
    const counts = new Map<string | undefined, number>()
    for (const { caller } of this.#owned.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1)
    const own = counts.get(asker.caller) ?? 0
    const most = Math.max(0, ...counts.values())
    const idle = [...this.#owned.values()].filter(({ isInUse }) => !isInUse)
    const [spared] = idle
      .filter(({ caller }) => most > 1 && counts.get(caller) === most && (caller === asker.caller || most > own + 1))
      .sort((one, other) => one.lastUsed - other.lastUsed)
    const sparedAt = spared ? spared.lastUsed + graceMs : Number.POSITIVE_INFINITY
    if (spared && sparedAt <= clock.now()) return this.end(spared)
    const nextAt = Math.min(sparedAt, ...idle.map(({ idleAt }) => idleAt))
    return noProcessLeft(name, this.most, Number.isFinite(nextAt) ? Math.max(1000, nextAt - clock.now()) : 1000)
  }
}
