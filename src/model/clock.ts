import { type Alarm, Timed, TimerWheel } from './timer-wheel.js'

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
// Shorter ones mostly run; it is the long ones that are set often and nearly always cancelled.
const shortestSharedMs = 1000

const single = (ms: number, task: () => void, holds: boolean): (() => void) => {
  const timer = setTimeout(task, ms)
  if (!holds) timer.unref()
  return () => clearTimeout(timer)
}

class TimedTask extends Timed {
  readonly #task: () => void

  constructor(task: () => void) {
    super()
    this.#task = task
  }

  timeIsUp(): void {
    this.#task()
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

/**
 * Node's timers, the long ones as entries of one wheel: setting and cancelling then is linking and unlinking, a fifth of
 * what a timer of Node's costs once it is not to keep the process alive.
 */
export const createTimers =
  (wheel: TimerWheel): After =>
  (delayMs, task, holds = false) => {
    // Up, so that no task comes early.
    const ms = Math.min(Math.ceil(delayMs), longestTimerMs)
    if (ms < shortestSharedMs) return single(ms, task, holds)
    const entry = new TimedTask(task)
    wheel.arm(entry, ms, holds)
    return () => wheel.cancel(entry)
  }

/** A wheel on Node's own time. */
export const createSystemWheel = (): TimerWheel =>
  new TimerWheel(
    () => performance.now(),
    (ring) => new NodeAlarm(ring),
  )

const systemWheel = createSystemWheel()

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  after: createTimers(systemWheel),
}

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
