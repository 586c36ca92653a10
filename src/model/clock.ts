import { type Alarm, TimerWheel } from './timer-wheel.js'

/** Time as an argument, so that tests never wait. `now` is monotonic: a wall clock that jumps must not fire a deadline. */
export interface Clock {
  /** Monotonic milliseconds, for durations, deadlines and windows. */
  now(): number
  /** Milliseconds since the epoch, for what people and other machines read. */
  wall(): number
  /**
   * Runs `task` once after `delayMs`; the returned function cancels it. A pending timer keeps the process alive only if it
   * `holds`: a caller waits for it, and nothing else may be left to wake the process.
   */
  after(delayMs: number, task: () => void, holds?: boolean): () => void
}

/**
 * Runs a task once after so many milliseconds; the returned function cancels it. Only what `holds` keeps the process
 * alive: somebody awaits it, while housekeeping must not delay the end of a script.
 */
export type After = (delayMs: number, task: () => void, holds?: boolean) => () => void

// setTimeout treats anything above this as 1 ms.
const longestTimerMs = 2 ** 31 - 1
// Shorter ones mostly run; it is the long ones, deadlines, that are set for every call and nearly always cancelled.
const shortestSharedMs = 1000
// Different lengths at once; what comes after them has a timer of its own.
const mostLanes = 64

/**
 * Node's timers, shared by tasks of the same length: such tasks come due in the order they were set, so one timer for
 * the first of them is enough. Setting and cancelling then is linking and unlinking a node, a fifth of what a timer of
 * Node's costs once it is not to keep the process alive; and every call sets two.
 */
export const createTimers = (): After => {
  const lanes = new Map<number, Lane>()
  return (delayMs, task, holds = false) => {
    // Up, so that what was a fraction of a millisecond shorter shares the lane, and no task comes early.
    const ms = Math.min(Math.ceil(delayMs), longestTimerMs)
    if (ms < shortestSharedMs) return single(ms, task, holds)
    let lane = lanes.get(ms)
    if (!lane) {
      if (lanes.size >= mostLanes) return single(ms, task, holds)
      lane = new Lane(ms, () => lanes.delete(ms))
      lanes.set(ms, lane)
    }
    const waiting = lane.add(task, holds)
    return () => waiting.cancel()
  }
}

class NodeAlarm implements Alarm {
  readonly #ring: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(ring: () => void) {
    this.#ring = () => {
      this.#timer = undefined
      ring()
    }
  }

  set(delayMs: number, holds: boolean): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#ring, Math.min(Math.ceil(delayMs), longestTimerMs))
    if (!holds) this.#timer.unref()
  }

  hold(holds: boolean): void {
    if (holds) this.#timer?.ref()
    else this.#timer?.unref()
  }

  rest(): boolean {
    return false
  }
}

/** On a clock of somebody else's, which only knows how to run something later. */
class ClockAlarm implements Alarm {
  readonly #clock: Clock
  readonly #ring: () => void
  #at = 0
  #cancel: (() => void) | undefined

  constructor(clock: Clock, ring: () => void) {
    this.#clock = clock
    this.#ring = () => {
      this.#cancel = undefined
      ring()
    }
  }

  set(delayMs: number, holds: boolean): void {
    this.#cancel?.()
    this.#at = this.#clock.now() + delayMs
    this.#cancel = this.#clock.after(delayMs, this.#ring, holds)
  }

  hold(holds: boolean): void {
    if (this.#cancel) this.set(Math.max(0, this.#at - this.#clock.now()), holds)
  }

  rest(): boolean {
    this.#cancel?.()
    this.#cancel = undefined
    return true
  }
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: createTimers(),
}

/** A wheel on Node's own time. */
const systemWheel = new TimerWheel(
  () => performance.now(),
  (ring) => new NodeAlarm(ring),
)

const wheels = new WeakMap<Clock, TimerWheel>([[systemClock, systemWheel]])

/** The wheel of this clock: one for all who arm something per request, so that all of them together need one timer. */
export const wheelOf = (clock: Clock): TimerWheel => {
  const known = wheels.get(clock)
  if (known) return known
  const made = new TimerWheel(
    () => clock.now(),
    (ring) => new ClockAlarm(clock, ring),
  )
  wheels.set(clock, made)
  return made
}

const single = (ms: number, task: () => void, holds: boolean): (() => void) => {
  const timer = setTimeout(task, ms)
  if (!holds) timer.unref()
  return () => clearTimeout(timer)
}

/** A node of a circular doubly linked list; the lane itself is the sentinel. */
class Link {
  previous: Link = this
  next: Link = this
}

class Waiting extends Link {
  constructor(
    readonly dueAt: number,
    readonly task: () => void,
    /** The lane, if this task keeps the process alive until it ran. */
    readonly holds: Lane | undefined,
  ) {
    super()
  }

  cancel(): void {
    if (this.next === this) return
    this.previous.next = this.next
    this.next.previous = this.previous
    this.previous = this.next = this
    this.holds?.release()
  }
}

class Lane extends Link {
  readonly #ms: number
  readonly #onEmpty: () => void
  #timer: NodeJS.Timeout
  #holding = 0

  constructor(ms: number, onEmpty: () => void) {
    super()
    this.#ms = ms
    this.#onEmpty = onEmpty
    this.#timer = this.#arm(ms)
  }

  add(task: () => void, holds: boolean): Waiting {
    const waiting = new Waiting(performance.now() + this.#ms, task, holds ? this : undefined)
    waiting.previous = this.previous
    waiting.next = this
    this.previous.next = waiting
    this.previous = waiting
    if (holds && ++this.#holding === 1) this.#timer.ref()
    return waiting
  }

  release(): void {
    if (--this.#holding === 0) this.#timer.unref()
  }

  // Armed for the first task and left armed when that one is cancelled: when it fires, it finds the next task or none.
  #arm(ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => this.#run(), ms)
    return this.#holding > 0 ? timer : timer.unref()
  }

  #run(): void {
    const now = performance.now()
    for (let { next } = this; next instanceof Waiting; next = this.next) {
      // Node rounds to milliseconds.
      if (next.dueAt - now >= 1) {
        this.#timer = this.#arm(Math.ceil(next.dueAt - now))
        return
      }
      next.cancel()
      this.#try(next.task)
    }
    this.#onEmpty()
  }

  // What a task throws is for the process to hear, and not the end of those behind it.
  #try(task: () => void): void {
    try {
      task()
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

/** One pending timer per name: setting it again replaces it, clearing all leaves nothing behind. */
export interface NamedTimers<Name extends string> {
  set(name: Name, ms: number, task: () => void): void
  clear(name: Name): void
  clearAll(): void
  has(name: Name): boolean
}

export const createNamedTimers = <Name extends string>(clock: Clock): NamedTimers<Name> => {
  const timers = new Map<Name, () => void>()
  const clear = (name: Name): void => {
    timers.get(name)?.()
    timers.delete(name)
  }
  return {
    set: (name, ms, task) => {
      clear(name)
      const run = (): void => {
        timers.delete(name)
        task()
      }
      timers.set(name, clock.after(ms, run))
    },
    clear,
    clearAll: () => {
      for (const name of [...timers.keys()]) clear(name)
    },
    has: (name) => timers.has(name),
  }
}
