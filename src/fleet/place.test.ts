import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rendezvous } from './place.js'

const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 2, maxLength: 12 })

describe('rendezvous', () => {
  it('names nobody where there is nobody', () => {
    expect(rendezvous('x', [])).toBeUndefined()
  })

  it('names the same one in whatever order the candidates are known', () => {
    fc.assert(
      fc.property(names, fc.string(), (candidates, thing) => {
        expect(rendezvous(thing, [...candidates].reverse())).toBe(rendezvous(thing, candidates))
      }),
    )
  })

  it('moves only the share of who died', () => {
    fc.assert(
      fc.property(names, fc.array(fc.string(), { maxLength: 50 }), fc.nat(), (candidates, things, at) => {
        const dead = candidates[at % candidates.length]!
        const living = candidates.filter((candidate) => candidate !== dead)
        for (const thing of things) {
          const before = rendezvous(thing, candidates)!
          if (before !== dead) expect(rendezvous(thing, living)).toBe(before)
        }
      }),
    )
  })

  it('gives each about as much as the others, also where names differ in a digit', () => {
    const candidates = ['pod-0', 'pod-1', 'pod-2']
    const counts = new Map(candidates.map((name) => [name, 0]))
    for (let n = 0; n < 3000; n++) {
      const place = rendezvous(`source:s${n}`, candidates)!
      counts.set(place, counts.get(place)! + 1)
    }
    for (const count of counts.values()) expect(count).toBeGreaterThan(850)
  })
})
