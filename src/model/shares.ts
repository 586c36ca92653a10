import type { GatewayError } from '../errors.js'
import { type BoundName, type BoundOwner, kinds, pastBound } from './bounds.js'
import type { CancelSignal } from './cancel.js'
import type { Clock } from './clock.js'

export interface BoundLimits {
  readonly perCaller?: number | undefined
  readonly inAll?: number | undefined
}

/** How often somebody was refused, since the start. */
export interface BoundRefusals {
  readonly bound: BoundName
  readonly whose: BoundOwner
  readonly count: number
}

// Of those who hold nothing at the moment, so many are remembered: a caller of every call must not be made anew by each.
const mostIdle = 64

// So long ago somebody else is not about any more.
const aboutMs = 1000

// What one caller holds is at most so many times what is still free: the last ninth is there for whoever comes next. Not of
// bytes: one request may need nearly all.
const greed = 8

/** How much each caller holds of one thing, and all of them together. */
export class Share {
  perCaller: number
  inAll: number
  #total = 0
  readonly #held = new Map<string, number>()
  readonly #refused = { caller: 0, board: 0 }

  constructor(
    readonly name: BoundName,
    limits: BoundLimits = {},
  ) {
    const [perCaller, inAll] = kinds[name].most
    this.perCaller = limits.perCaller ?? perCaller
    this.inAll = limits.inAll ?? inAll
  }

  get total(): number {
    return this.#total
  }

  of(caller: string): number {
    return this.#held.get(caller) ?? 0
  }

  limit({ perCaller, inAll }: BoundLimits): void {
    if (perCaller !== undefined) this.perCaller = perCaller
    if (inAll !== undefined) this.inAll = inAll
  }

  /** So much more for this caller, or why not. What was taken must be given back. */
  take(caller: string, amount = 1): GatewayError | undefined {
    const refused = this.#whoRefuses(caller, amount)
    if (refused) return this.refuse(caller, refused)
    this.add(caller, amount)
    return undefined
  }

  /** The same where it cannot be refused any more; less where the amount is below zero. */
  add(caller: string, amount: number): void {
    const held = this.of(caller) + amount
    this.#total += amount
    if (held === 0 && this.#held.size > mostIdle) this.#held.delete(caller)
    else this.#held.set(caller, held)
  }

  give(caller: string, amount = 1): void {
    this.add(caller, -amount)
  }

  /** Counts a refusal and puts it into words. */
  refuse(caller: string, whose: BoundOwner): GatewayError {
    this.#refused[whose] += 1
    return pastBound(this.name, whose, whose === 'caller' ? this.perCaller : this.inAll, caller)
  }

  refusals(): readonly BoundRefusals[] {
    return (['caller', 'board'] as const).map((whose) => ({ bound: this.name, whose, count: this.#refused[whose] }))
  }

  #whoRefuses(caller: string, amount: number): BoundOwner | undefined {
    const held = this.of(caller) + amount
    if (held > this.perCaller) return 'caller'
    const free = this.inAll - this.#total
    if (amount > free) return 'board'
    return !kinds[this.name].isBytes && held > greed * free ? 'board' : undefined
  }
}

/** How much each caller holds of everything that is bounded: one for a gateway and its faces. */
export class Shares {
  readonly #all = new Map((Object.keys(kinds) as BoundName[]).map((name) => [name, new Share(name)] as const))

  #last = ''
  #lastAt = Number.NEGATIVE_INFINITY
  #othersAt = Number.NEGATIVE_INFINITY

  of(name: BoundName): Share {
    return this.#all.get(name)!
  }

  /** Counts from the next who asks on; what is held stays. */
  limit(limits: Readonly<Partial<Record<BoundName, BoundLimits>>>): void {
    for (const [name, each] of Object.entries(limits)) this.of(name as BoundName).limit(each ?? {})
  }

  /** Somebody asks for something. */
  seen(caller: string): void {
    if (caller !== this.#last) {
      this.#othersAt = this.#lastAt
      this.#last = caller
    }
    this.#lastAt = performance.now()
  }

  /** Whether others than this caller have asked for something of late. */
  readonly othersThan = (caller: string): boolean =>
    (caller === this.#last ? this.#othersAt : this.#lastAt) > performance.now() - aboutMs

  refusals(): readonly BoundRefusals[] {
    return [...this.#all.values()].flatMap((share) => share.refusals())
  }
}

export type GateRefusal = 'full' | 'waited' | 'left'

/** Read at every `enter`: they may change while calls run. */
export interface GateOptions {
  places: number
  queue: number
  waitMs: number
  /** What one caller can have at once at most, wherever it calls: where that is more than half of the places, they are counted. */
  perCaller: number
  readonly clock: Clock
}

type Waiter = (refusal: GateRefusal | undefined) => void

/**
 * A semaphore with a bounded queue and a bounded wait; beyond that a call is refused. Callers who wait take turns, each
 * first come, first served; and while several callers are about, none takes more than half of the places.
 * A class, and without a queue until somebody waits: a tool in use has one, and most calls make and drop it.
 */
export class Gate {
  readonly #options: GateOptions
  #active = 0
  #waiting = 0
  /** By caller, in the order of their turns. */
  #lines: Map<string, Set<Waiter>> | undefined
  /** How many of whom are inside, where one caller could take more than half. */
  #inside: Map<string, number> | undefined

  /** `source` is whose calls pass here, for whoever looks at the load, `lane` which of them. */
  constructor(
    options: GateOptions,
    readonly source = '',
    readonly lane = '',
    /** Whether others than this caller have called of late. */
    readonly othersThan: (caller: string) => boolean = () => false,
  ) {
    this.#options = options
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#waiting
  }

  get idle(): boolean {
    return this.#active === 0 && this.#waiting === 0
  }

  /** Takes a place if one is free now. */
  tryEnter(caller: string): boolean {
    if (this.#active >= this.#options.places) return false
    // With a free place those who wait have taken their half: whoever has not may pass them.
    if (this.#waiting > 0 && this.#lines?.has(caller)) return false
    if (this.#hasHalf(caller)) return false
    this.#let(caller)
    return true
  }

  /** Waits for a place. Resolves with undefined once inside, or with why not. */
  enter(caller: string, signal: CancelSignal | undefined): Promise<GateRefusal | undefined> {
    const { queue, waitMs, clock } = this.#options
    if (this.#waiting >= queue) return Promise.resolve('full')
    const lines = (this.#lines ??= new Map<string, Set<Waiter>>())
    const line = lines.get(caller) ?? new Set()
    lines.set(caller, line)
    return new Promise((resolve) => {
      const done: Waiter = (refusal) => {
        line.delete(done)
        this.#waiting -= 1
        if (line.size === 0 && lines.get(caller) === line) lines.delete(caller)
        cancelTimer()
        signal?.removeEventListener('abort', onAbort)
        resolve(refusal)
      }
      const onAbort = () => done('left')
      const cancelTimer = clock.after(waitMs, () => done('waited'), true)
      signal?.addEventListener('abort', onAbort, { once: true })
      line.add(done)
      this.#waiting += 1
      if (signal?.aborted) onAbort()
    })
  }

  leave(caller: string): void {
    this.#active -= 1
    if (this.#inside) this.#count(this.#inside, caller, -1)
    // The place goes straight to the next in line: no newcomer can slip in between.
    this.admit()
  }

  /** Admits waiting calls while places are free; called after the number of places was raised. */
  admit(): void {
    // Nearly always there is nobody, and looking through nobody makes an iterator.
    while (this.#waiting > 0 && this.#active < this.#options.places) {
      const next = this.#nextTurn()
      if (!next) return
      next(undefined)
    }
  }

  /** The first of whose turn it is; who was served goes behind the others. */
  #nextTurn(): Waiter | undefined {
    const lines = this.#lines!
    for (const [caller, line] of lines) {
      if (this.#hasHalf(caller)) continue
      const [first] = line
      lines.delete(caller)
      if (line.size > 1) lines.set(caller, line)
      this.#let(caller)
      return first
    }
    return undefined
  }

  #let(caller: string): void {
    this.#active += 1
    const { places, perCaller } = this.#options
    if (perCaller * 2 <= places) return
    this.#inside ??= new Map()
    this.#count(this.#inside, caller, 1)
  }

  #hasHalf(caller: string): boolean {
    const held = this.#inside?.get(caller) ?? 0
    return held > 0 && held >= Math.ceil(this.#options.places / 2) && this.othersThan(caller)
  }

  #count(inside: Map<string, number>, caller: string, by: number): void {
    const held = Math.max(0, (inside.get(caller) ?? 0) + by)
    if (held > 0) inside.set(caller, held)
    else inside.delete(caller)
  }
}
