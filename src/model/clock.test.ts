import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSystemWheel, createTimers } from './clock.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

describe('timers', () => {
  it('run tasks of one length in their order, and not those that were cancelled', () => {
    const later = createTimers(createSystemWheel())
    const ran: string[] = []
    const cancelFirst = later(1000, () => ran.push('first'))
    later(1000, () => ran.push('second'))
    const cancelThird = later(999.5, () => ran.push('third'))
    later(1000, () => ran.push('fourth'))
    cancelFirst()
    cancelThird()
    cancelThird()
    vi.advanceTimersByTime(1000)
    expect(ran).toEqual(['second', 'fourth'])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('run a task in its time where the wheel was set for an earlier one', () => {
    const later = createTimers(createSystemWheel())
    const ran: number[] = []
    later(1000, () => {})()
    vi.advanceTimersByTime(400)
    later(1000, () => ran.push(performance.now()))
    vi.advanceTimersByTime(999)
    expect(ran).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ran).toHaveLength(1)
  })

  it('share one timer of the system, whatever their lengths, short ones apart', () => {
    const later = createTimers(createSystemWheel())
    const cancels = Array.from({ length: 50 }, () => later(30_000, () => {}))
    expect(vi.getTimerCount()).toBe(1)
    cancels.push(later(5, () => {}))
    expect(vi.getTimerCount()).toBe(2)
    for (let index = 0; index < 200; index++) cancels.push(later(40_000 + index, () => {}))
    for (const cancel of cancels) cancel()
    // The wheel's own stays until it finds nobody.
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(60_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('run the longest there may be, and no sooner', () => {
    const later = createTimers(createSystemWheel())
    const ran: number[] = []
    later(Number.POSITIVE_INFINITY, () => ran.push(performance.now()))
    vi.advanceTimersByTime(2 ** 31 - 2)
    expect(ran).toEqual([])
    vi.advanceTimersByTime(1)
    expect(ran).toEqual([performance.now()])
  })

  it('go on behind a task that throws, which the process hears of', () => {
    const later = createTimers(createSystemWheel())
    const ran: string[] = []
    const thrown: unknown[] = []
    const queue = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((task) => {
      try {
        task()
      } catch (error) {
        thrown.push(error)
      }
    })
    later(1000, () => {
      throw new Error('a broken task')
    })
    later(1000, () => ran.push('behind'))
    vi.advanceTimersByTime(1000)
    queue.mockRestore()
    expect(ran).toEqual(['behind'])
    expect(thrown).toHaveLength(1)
  })

  it('hold the process while somebody awaits one of them, short or shared, and not a moment longer (D3)', () => {
    const refs = new Map<unknown, boolean>()
    const set = globalThis.setTimeout
    const spied = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((task: () => void, ms: number) => {
      const timer = set(task, ms)
      refs.set(timer, true)
      for (const [name, held] of [
        ['ref', true],
        ['unref', false],
      ] as const)
        timer[name] = () => {
          refs.set(timer, held)
          return timer
        }
      return timer
    }) as typeof setTimeout)
    const holds = () => [...refs.values()].some(Boolean)
    const later = createTimers(createSystemWheel())
    later(30_000, () => {})
    later(10, () => {})
    expect(holds()).toBe(false)
    const cancels = [later(30_000, () => {}, true), later(30_000, () => {}, true)]
    expect(holds()).toBe(true)
    for (const cancel of [cancels[0]!, cancels[0]!]) cancel()
    expect(holds()).toBe(true)
    cancels[1]!()
    expect(holds()).toBe(false)
    later(20, () => {}, true)
    expect(holds()).toBe(true)
    spied.mockRestore()
  })

  it('hold on where the wheel is set anew for one that holds (D3)', () => {
    const later = createTimers(createSystemWheel())
    const ran: string[] = []
    later(1000, () => ran.push('housekeeping'))
    vi.advanceTimersByTime(500)
    later(1000, () => ran.push('awaited'), true)
    vi.advanceTimersByTime(1000)
    expect(ran).toEqual(['housekeeping', 'awaited'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
