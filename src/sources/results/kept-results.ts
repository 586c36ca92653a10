import { randomBytes } from 'node:crypto'
import type { Caller } from '../../model/caller.js'
import type { Clock } from '../../model/clock.js'
import type { ResultHandle } from '../../model/kept-result.js'

/** How much is kept, and for how long. */
export interface KeptResultLimits {
  /** Milliseconds; 0 keeps nothing. */
  readonly keepMs: number
  /** Of all callers together. */
  readonly keepBytes: number
  /** Of one caller. A single result may be as large. */
  readonly keepBytesPerCaller: number
  /** Results of one caller. */
  readonly keepPerCaller: number
}

/** A whole result, as its caller would have been given it. */
interface KeptResult {
  readonly owner: string
  readonly bytes: Buffer
  readonly until: number
}

/**
 * What was cut, whole, for a while and in memory: for the same caller through the same profile alone, since another may be
 * shown less of it. Who keeps too much loses their own oldest; where all together do, the oldest goes.
 */
export class KeptResults {
  readonly #clock: Clock
  readonly #limits: () => KeptResultLimits
  /** In the order of keeping. */
  readonly #kept = new Map<string, KeptResult>()
  readonly #ofOwner = new Map<string, { bytes: number; readonly ids: Set<string> }>()
  #bytes = 0
  #cancelSweep: (() => void) | undefined

  constructor(clock: Clock, limits: () => KeptResultLimits) {
    this.#clock = clock
    this.#limits = limits
  }

  get size(): number {
    return this.#kept.size
  }

  /** Of all that is kept. */
  get bytes(): number {
    return this.#bytes
  }

  keep(whole: string, caller: Caller, moreMs = 0): ResultHandle | undefined {
    const { keepMs, keepBytes, keepBytesPerCaller, keepPerCaller } = this.#limits()
    // Every unit of a text is a byte at least: what is far too large is not encoded to find out.
    const most = Math.min(keepBytes, keepBytesPerCaller)
    if (keepMs === 0 || keepPerCaller === 0 || whole.length > most) return undefined
    const bytes = Buffer.from(whole, 'utf8')
    if (bytes.length > most) return undefined
    const owner = ownerOf(caller)
    this.#forgetOld()
    for (;;) {
      const own = this.#ofOwner.get(owner)
      if (!own || (own.bytes + bytes.length <= keepBytesPerCaller && own.ids.size < keepPerCaller)) break
      this.#forget(own.ids.values().next().value as string)
    }
    while (this.#bytes + bytes.length > keepBytes) this.#forget(this.#kept.keys().next().value as string)
    const id = randomBytes(9).toString('base64url')
    this.#add(id, { owner, bytes, until: this.#clock.now() + keepMs + moreMs })
    return { id, bytes: bytes.length }
  }

  /** What this caller may read under this id; undefined where it is gone, was never there, or is somebody else's. */
  find(id: string, caller: Caller): Buffer | undefined {
    const kept = this.#kept.get(id)
    if (!kept || kept.owner !== ownerOf(caller)) return undefined
    return kept.until > this.#clock.now() ? kept.bytes : undefined
  }

  clear(): void {
    this.#cancelSweep?.()
    this.#cancelSweep = undefined
    for (const id of [...this.#kept.keys()]) this.#forget(id)
  }

  #add(id: string, kept: KeptResult): void {
    this.#kept.set(id, kept)
    this.#bytes += kept.bytes.length
    const own = this.#ofOwner.get(kept.owner) ?? { bytes: 0, ids: new Set<string>() }
    own.bytes += kept.bytes.length
    own.ids.add(id)
    this.#ofOwner.set(kept.owner, own)
    this.#cancelSweep ??= this.#clock.after(sweepMs, () => this.#sweep())
  }

  #sweep(): void {
    this.#cancelSweep = undefined
    this.#forgetOld()
    if (this.#kept.size > 0) this.#cancelSweep = this.#clock.after(sweepMs, () => this.#sweep())
  }

  #forgetOld(): void {
    const now = this.#clock.now()
    for (const [id, { until }] of this.#kept) if (until <= now) this.#forget(id)
  }

  #forget(id: string): void {
    const kept = this.#kept.get(id)
    if (!kept) return
    this.#kept.delete(id)
    this.#bytes -= kept.bytes.length
    const own = this.#ofOwner.get(kept.owner)!
    own.bytes -= kept.bytes.length
    own.ids.delete(id)
    if (own.ids.size === 0) this.#ofOwner.delete(kept.owner)
  }
}

const sweepMs = 60_000

const ownerOf = ({ id, identity, profile }: Caller): string => JSON.stringify([id, identity?.id, profile ?? 'default'])
