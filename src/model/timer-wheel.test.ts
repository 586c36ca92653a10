import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clock, wheelOf } from './clock.js'
import { Timed } from './timer-wheel.js'

interface Alarm {
  readonly at: number
  readonly ring: () => void
  readonly holds: boolean
}

/** A clock that moves on the stack: to each alarm in turn, or past all of them at once. */
class StackClock implements Clock {
  time = 0
  readonly alarms = new Set<Alarm>()

  now = () => this.time
  wall = () => this.time

  after = (delayMs: number, ring: () => void, holds = false) => {
    const alarm = { at: this.time + delayMs, ring, holds }
    this.alarms.add(alarm)
    return () => void this.alarms.delete(alarm)
  }

  advance(ms: number): void {
    const end = this.time + ms
    for (let next = this.#first(end); next; next = this.#first(end)) {
      this.time = Math.max(this.time, next.at)
      this.#sound(next)
    }
    this.time = end
  }

  /** As after a night's sleep: nothing rang on the way. */
  jump(ms: number): void {
    this.time += ms
    for (let next = this.#first(this.time); next; next = this.#first(this.time)) this.#sound(next)
  }

  #first(end: number): Alarm | undefined {
    return [...this.alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
  }

  #sound(alarm: Alarm): void {
    this.alarms.delete(alarm)
    alarm.ring()
  }
}

class Entry extends Timed {
  constructor(
    readonly name: number,
    readonly tell: (name: number) => void,
  ) {
    super()
  }

  timeIsUp(): void {
    this.tell(this.name)
  }
}

const start = () => {
  const clock = new StackClock()
  const wheel = wheelOf(clock)
  const ran: { readonly name: number; readonly at: number }[] = []
  const entry = (name: number) => new Entry(name, () => ran.push({ name, at: clock.time }))
  return { clock, wheel, ran, entry }
}

type Move =
  | { readonly do: 'arm'; readonly name: number; readonly ms: number; readonly holds: boolean }
  | { readonly do: 'cancel'; readonly name: number }
  | { readonly do: 'advance' | 'jump'; readonly ms: number }

// From fractions of a millisecond to past the last level of the wheel.
const lengths = fc.oneof(
  fc.double({ min: 0, max: 3, noNaN: true }),
  fc.integer({ min: 0, max: 200 }),
  fc.integer({ min: 0, max: 40_000 }),
  fc.integer({ min: 0, max: 90_000_000 }),
  fc.constantFrom(63, 64, 65, 4095, 4096, 4097, 64 ** 4, 64 ** 6 - 1, 64 ** 6, 64 ** 6 + 5),
)
const name = fc.nat(12)
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('arm' as const), name, ms: lengths, holds: fc.boolean() }),
    fc.record({ do: fc.constant('cancel' as const), name }),
    fc.record({ do: fc.constantFrom('advance' as const, 'jump' as const), ms: lengths }),
  ),
  { maxLength: 60 },
)

describe('a timer wheel', () => {
  it('does what a sorted list would do, whatever is armed, cancelled and waited for', () => {
    fc.assert(
      fc.property(moves, (all) => {
        const { clock, wheel, ran, entry } = start()
        const entries = Array.from({ length: 13 }, (_, index) => entry(index))
        const list = new Map<number, { readonly dueAt: number; readonly holds: boolean }>()
        for (const move of all) {
          if (move.do === 'arm') {
            wheel.arm(entries[move.name]!, move.ms, move.holds)
            list.set(move.name, { dueAt: Math.ceil(clock.time + move.ms), holds: move.holds })
          } else if (move.do === 'cancel') {
            wheel.cancel(entries[move.name]!)
            list.delete(move.name)
          } else {
            clock[move.do](move.ms)
            const due = [...list].filter(([, { dueAt }]) => dueAt <= clock.time).sort((a, b) => a[1].dueAt - b[1].dueAt)
            for (const [each] of due) list.delete(each)
            const told = ran.splice(0)
            expect(told.map((each) => each.name).sort()).toEqual(due.map(([each]) => each).sort())
            // In order of time, each in its millisecond; after a jump all at once.
            expect(told.map(({ at }) => at)).toEqual(
              due.map(([, { dueAt }]) => (move.do === 'jump' ? clock.time : dueAt)),
            )
          }
          expect(wheel.size).toBe(list.size)
          expect([...clock.alarms].map(({ holds }) => holds)).toEqual(
            list.size === 0 ? [] : [[...list.values()].some(({ holds }) => holds)],
          )
        }
      }),
      { numRuns: 500 },
    )
  })

  it('runs what comes due together in the order it was armed', () => {
    const { clock, wheel, ran, entry } = start()
    for (let index = 0; index < 5; index++) wheel.arm(entry(index), 100)
    clock.advance(100)
    expect(ran.map((each) => each.name)).toEqual([0, 1, 2, 3, 4])
  })

  it('lets an entry arm itself again and cancel another while it runs', () => {
    const { clock, wheel, ran, entry } = start()
    const [other, last] = [entry(2), entry(3)]
    let times = 0
    const again: Entry = new Entry(1, () => {
      wheel.cancel(other)
      if (++times < 3) wheel.arm(again, 0)
    })
    for (const each of [again, other, last]) wheel.arm(each, 50)
    clock.advance(50)
    expect([times, ran.map((each) => each.name), wheel.size, clock.alarms.size]).toEqual([3, [3], 0, 0])
  })

  it('is never early on a clock that is set back', () => {
    const { clock, wheel, ran, entry } = start()
    wheel.arm(entry(1), 1000)
    clock.advance(1000)
    wheel.arm(entry(2), 5000)
    clock.time = 10
    wheel.arm(entry(3), 100)
    clock.advance(99)
    expect(ran.map((each) => each.name)).toEqual([1])
    clock.advance(1)
    expect(ran.map((each) => each.name)).toEqual([1, 3])
    clock.advance(5000)
    expect(ran.map((each) => each.name)).toEqual([1, 3, 2])
  })

  it('is one per clock', () => {
    const clock = new StackClock()
    expect(wheelOf(clock)).toBe(wheelOf(clock))
    expect(wheelOf(clock)).not.toBe(wheelOf(new StackClock()))
  })
})
