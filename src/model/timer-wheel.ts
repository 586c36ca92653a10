const slotsPerLevel = 64
// One millisecond at the lowest level, 64 times as long a slot at each next one: with six, 2.2 years ahead.
const levels = 6
const widths = Array.from({ length: levels }, (_, level) => slotsPerLevel ** level)
const span = slotsPerLevel ** levels
/** The list of what is being run: behind the slots. */
const due = levels * slotsPerLevel
const nowhere = -1

/** What has a time. It is its own entry of the wheel, so that setting and cancelling it make nothing. */
export abstract class Timed {
  /** The wheel's own: the list this stands in, its neighbours there, and when it is due. */
  slot = nowhere
  previous: Timed = this
  next: Timed = this
  dueAt = 0
  holds = false

  /** Called once, by the wheel that this was armed on. */
  abstract timeIsUp(): void
}

/** What wakes a wheel: the one real timer of all its entries. It may ring early, or in vain. */
export interface Alarm {
  /** Sets it in place of what it was set to. Only one that `holds` keeps the process alive. */
  set(delayMs: number, holds: boolean): void
  hold(holds: boolean): void
  /** Nobody waits any more. False where it stays set, since ringing in vain costs less than being set anew. */
  rest(): boolean
}

/**
 * A hierarchical timer wheel: what is set for every call and nearly always cancelled is linked into a slot and unlinked,
 * and whoever has waited long moves to a finer slot when the coarse one comes. No entry runs early; each runs with the
 * first whole millisecond after its time, in the order of those. Nothing that was cancelled or has run is held.
 */
export class TimerWheel {
  readonly #heads: (Timed | undefined)[] = new Array(due + 1).fill(undefined)
  readonly #now: () => number
  readonly #alarm: Alarm
  /** The millisecond up to which everything has run. */
  #tick = 0
  /** What is added to a clock that was set back: the wheel itself goes forward only. */
  #skew = 0
  #size = 0
  #holding = 0
  /** When the alarm rings. */
  #wakesAt = Number.POSITIVE_INFINITY

  constructor(now: () => number, alarmOf: (ring: () => void) => Alarm) {
    this.#now = now
    this.#alarm = alarmOf(() => this.#ring())
  }

  get size(): number {
    return this.#size
  }

  /** Runs `entry.timeIsUp` after so many milliseconds, instead of when it was armed for before. */
  arm(entry: Timed, delayMs: number, holds = false): void {
    this.cancel(entry)
    const now = this.#time()
    if (this.#size++ === 0) this.#tick = Math.floor(now)
    entry.dueAt = Math.ceil(now + delayMs)
    entry.holds = holds
    const wakeAt = this.#place(entry)
    const isFirst = holds && ++this.#holding === 1
    if (wakeAt < this.#wakesAt) this.#wakeAt(wakeAt, now)
    else if (isFirst) this.#alarm.hold(true)
  }

  /** Whether or not it is armed. */
  cancel(entry: Timed): void {
    if (entry.slot === nowhere) return
    this.#unlink(entry)
    this.#size -= 1
    if (entry.holds && --this.#holding === 0) this.#alarm.hold(false)
    if (this.#size === 0 && this.#alarm.rest()) this.#wakesAt = Number.POSITIVE_INFINITY
  }

  #time(): number {
    const now = this.#now() + this.#skew
    if (now >= this.#tick) return now
    this.#skew += this.#tick - now
    return this.#tick
  }

  /** Links it where it belongs, seen from now, and tells when that slot begins. */
  #place(entry: Timed): number {
    const dueAt = Math.max(entry.dueAt, this.#tick)
    const ahead = Math.min(dueAt - this.#tick, span - 1)
    let level = 0
    while (ahead >= widths[level]! * slotsPerLevel) level += 1
    const width = widths[level]!
    const position = Math.floor((this.#tick + ahead) / width)
    this.#link(entry, level * slotsPerLevel + (position % slotsPerLevel))
    return position * width
  }

  #link(entry: Timed, slot: number): void {
    entry.slot = slot
    const head = this.#heads[slot]
    if (!head) {
      this.#heads[slot] = entry
      return
    }
    entry.previous = head.previous
    entry.next = head
    head.previous.next = entry
    head.previous = entry
  }

  #unlink(entry: Timed): void {
    const { slot, next } = entry
    if (this.#heads[slot] === entry) this.#heads[slot] = next === entry ? undefined : next
    entry.previous.next = next
    next.previous = entry.previous
    entry.previous = entry.next = entry
    entry.slot = nowhere
  }

  #wakeAt(at: number, now: number): void {
    this.#wakesAt = at
    this.#alarm.set(Math.max(0, at - now), this.#holding > 0)
  }

  #ring(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY
    const now = this.#time()
    for (let at = this.#nextAt(); at <= now; at = this.#nextAt()) this.#turnTo(at)
    this.#tick = Math.floor(now)
    for (let entry = this.#heads[due]; entry; entry = this.#heads[due]) {
      this.cancel(entry)
      run(entry)
    }
    const next = this.#nextAt()
    if (next < this.#wakesAt) this.#wakeAt(next, this.#time())
  }

  /** When the next slot with somebody in it begins. */
  #nextAt(): number {
    let first = Number.POSITIVE_INFINITY
    for (let level = 0; level < levels; level++) {
      const width = widths[level]!
      const from = Math.floor(this.#tick / width)
      // In a coarse level the slot we are in was emptied when we came to it; what stands there is for the next round.
      for (let ahead = level === 0 ? 0 : 1; ahead <= slotsPerLevel; ahead++) {
        if (!this.#heads[level * slotsPerLevel + ((from + ahead) % slotsPerLevel)]) continue
        first = Math.min(first, (from + ahead) * width)
        break
      }
    }
    return first
  }

  /** Empties the slots that begin now: what is due joins those to be run, the rest moves to finer ones. */
  #turnTo(tick: number): void {
    this.#tick = tick
    for (let level = levels - 1; level >= 0; level--) {
      const width = widths[level]!
      if (tick % width !== 0) continue
      const slot = level * slotsPerLevel + ((tick / width) % slotsPerLevel)
      for (let entry = this.#heads[slot]; entry; entry = this.#heads[slot]) {
        this.#unlink(entry)
        if (entry.dueAt <= tick) this.#link(entry, due)
        else this.#place(entry)
      }
    }
  }
}

// What an entry throws is for the process to hear, and not the end of those behind it.
const run = (entry: Timed): void => {
  try {
    entry.timeIsUp()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
