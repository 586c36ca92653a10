import { describe, expect, it } from 'vitest'
import { temperatureOf } from '../model/temperature.js'
import { createUsageCounters } from './usage.js'

const day = 24 * 60 * 60 * 1000

describe('temperature', () => {
  it.each([
    [15, 'hot'],
    [10, 'hot'],
    [9, 'warm'],
    [5, 'warm'],
    [3, 'warm'],
    [2, 'cold'],
    [0, 'cold'],
  ])('002-13 makes %i uses %s', (count, expected) => {
    expect(temperatureOf({ count, lastUsed: 0 }, 0)).toBe(expected)
  })

  it('002 compat 6 cools a hot tool after 30 idle days, not after 29', () => {
    expect(temperatureOf({ count: 20, lastUsed: 0 }, 29 * day)).toBe('hot')
    expect(temperatureOf({ count: 20, lastUsed: 0 }, 30 * day)).toBe('warm')
  })

  it('cools a warm tool after 60 idle days, not after 59', () => {
    expect(temperatureOf({ count: 5, lastUsed: 0 }, 59 * day)).toBe('warm')
    expect(temperatureOf({ count: 5, lastUsed: 0 }, 60 * day)).toBe('cold')
  })
})

describe('usage counters', () => {
  it('002-07 raises the frequency, sets the last use and promotes', () => {
    const usage = createUsageCounters()
    for (let at = 1; at <= 3; at++) usage.count('a', at)
    expect(usage.of('a')).toEqual({ count: 3, lastUsed: 3 })
    expect(usage.temperature('a', 3)).toBe('warm')
    expect(usage.of('b')).toEqual({ count: 0, lastUsed: null })
  })

  it('adds what an earlier run counted to what this one has', () => {
    const usage = createUsageCounters()
    usage.count('a', 50)
    usage.restore('a', { count: 9, lastUsed: 10 })
    usage.restore('b', { count: 2, lastUsed: 7 })
    expect(usage.of('a')).toEqual({ count: 10, lastUsed: 50 })
    expect(usage.of('b')).toEqual({ count: 2, lastUsed: 7 })
  })

  it('names what was counted once, and wakes its listener once per batch', () => {
    const usage = createUsageCounters()
    let woken = 0
    usage.onCount(() => woken++)
    usage.count('a', 1)
    usage.count('a', 2)
    usage.count('b', 3)
    const taken = usage.takeNew()
    expect(taken).toEqual([
      { id: 'a', count: 2, lastUsed: 2 },
      { id: 'b', count: 1, lastUsed: 3 },
    ])
    expect([usage.takeNew(), woken]).toEqual([[], 1])
    usage.putBack(taken)
    usage.count('b', 4)
    expect(usage.takeNew()).toEqual([
      { id: 'a', count: 2, lastUsed: 2 },
      { id: 'b', count: 2, lastUsed: 4 },
    ])
  })
})
