import { describe, expect, it } from 'vitest'
import { settle, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { createFirstList } from './first-list.js'

const setUp = (waitMs = 5000) => {
  const clock = new VirtualClock()
  const late: (readonly string[])[] = []
  const firstList = createFirstList({ clock, waitMs, onLate: (names) => late.push(names) })
  const ends = new Map<string, () => void>()
  const source = (name: string) =>
    [
      name,
      new Promise<void>((resolve) => {
        ends.set(name, resolve)
      }),
    ] as const
  return { clock, late, firstList, source, end: (name: string) => ends.get(name)!() }
}

describe('what first lists wait for (U1)', () => {
  it('is over when each awaited source has started or failed, and costs nothing from then on', async () => {
    const { clock, late, firstList, source, end } = setUp()
    firstList.begin(new Map([source('a'), source('b')]))
    const waiting = firstList.pending()
    end('a')
    await settle()
    expect(firstList.pending()).toBe(waiting)
    end('b')
    await waiting
    expect(firstList.pending()).toBeUndefined()
    await clock.advance(5000)
    expect(late).toEqual([])
  })

  it('is over when time is up, and tells who was late', async () => {
    const { clock, late, firstList, source, end } = setUp()
    firstList.begin(new Map([source('a'), source('b')]))
    end('a')
    await clock.advance(4999)
    expect([firstList.pending() !== undefined, late]).toEqual([true, []])
    await clock.advance(1)
    expect([firstList.pending(), late]).toEqual([undefined, [['b']]])
    end('b')
    await settle()
    expect(late).toHaveLength(1)
  })

  it('is the start itself before it, and nothing where no source is new or nobody may wait', () => {
    const { firstList } = setUp()
    expect(firstList.pending()).toBeInstanceOf(Promise)
    firstList.begin(new Map())
    expect(firstList.pending()).toBeUndefined()
    const never = setUp(0)
    never.firstList.begin(new Map([never.source('a')]))
    expect(never.firstList.pending()).toBeUndefined()
  })
})
