import { describe, expect, it } from 'vitest'
import { RecentlyUsed } from './schemas.js'

describe('recently used', () => {
  it('forgets what was longest not asked for', () => {
    const cache = new RecentlyUsed<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    expect(cache.get('a')).toBe(1)
    cache.set('c', 3)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3])
  })

  it('takes a new value for a key without forgetting another', () => {
    const cache = new RecentlyUsed<string, number>(2)
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('a', 3)
    expect(['a', 'b'].map((key) => cache.get(key))).toEqual([3, 2])
  })

  it('keeps nothing where there is room for nothing', () => {
    const cache = new RecentlyUsed<string, number>(0)
    cache.set('a', 1)
    expect(cache.get('a')).toBeUndefined()
  })
})
