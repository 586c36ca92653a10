/** Runs a task once after so many milliseconds; the returned function cancels it. Nothing keeps the process alive. */
export type After = (delayMs: number, task: () => void) => () => void

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
  return (delayMs, task) => {
    // Up, so that what was a fraction of a millisecond shorter shares the lane, and no task comes early.
    const ms = Math.min(Math.ceil(delayMs), longestTimerMs)
    if (ms < shortestSharedMs) return single(ms, task)
    let lane = lanes.get(ms)
    if (!lane) {
      if (lanes.size >= mostLanes) return single(ms, task)
      lane = new Lane(ms, () => lanes.delete(ms))
      lanes.set(ms, lane)
    }
    const waiting = lane.add(task)
    return () => waiting.cancel()
  }
}

const single = (ms: number, task: () => void): (() => void) => {
  const timer = setTimeout(task, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** A ring around the lane itself, which is its own first and last. */
class Link {
  previous: Link = this
  next: Link = this
}

class Waiting extends Link {
  constructor(
    readonly dueAt: number,
    readonly task: () => void,
  ) {
    super()
  }

  cancel(): void {
    this.previous.next = this.next
    this.next.previous = this.previous
    this.previous = this.next = this
  }
}

class Lane extends Link {
  readonly #ms: number
  readonly #onEmpty: () => void

  constructor(ms: number, onEmpty: () => void) {
    super()
    this.#ms = ms
    this.#onEmpty = onEmpty
    this.#arm(ms)
  }

  add(task: () => void): Waiting {
    const waiting = new Waiting(performance.now() + this.#ms, task)
    waiting.previous = this.previous
    waiting.next = this
    this.previous.next = waiting
    this.previous = waiting
    return waiting
  }

  // Armed for whoever was first, and not again when that one is cancelled: it then finds the next, or nobody, in time.
  #arm(ms: number): void {
    setTimeout(() => this.#run(), ms).unref()
  }

  #run(): void {
    const now = performance.now()
    for (let { next } = this; next instanceof Waiting; next = this.next) {
      // Node rounds to milliseconds.
      if (next.dueAt - now >= 1) return this.#arm(Math.ceil(next.dueAt - now))
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
