import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.js'
import { scan } from '../../src/scanner/scan.js'
import { attacks, hardNegatives } from './corpus.mjs'

/** Counted as found: a finding of at least medium weight. */
const isFound = (definition: JsonObject): boolean => scan(definition).some(({ severity }) => severity !== 'low')
const isHeld = (definition: JsonObject): boolean => scan(definition).some(({ severity }) => severity === 'high')
const share = (some: readonly unknown[], all: readonly unknown[]): number => some.length / all.length

describe('the labelled corpus (T18)', () => {
  const all = attacks()
  const tuning = all.filter(({ held }) => !held)
  const heldOut = all.filter(({ held }) => held)
  const benign = hardNegatives()

  it('has enough of each kind, each once', () => {
    expect(all.length).toBeGreaterThanOrEqual(300)
    expect(
      share(
        all.filter(({ lang }) => lang !== 'en'),
        all,
      ),
    ).toBeGreaterThanOrEqual(1 / 3)
    expect(heldOut.length).toBeGreaterThanOrEqual(tuning.length)
    expect(benign.length).toBeGreaterThanOrEqual(250)
    const texts = [...all, ...benign].map(({ definition }) => JSON.stringify(definition))
    expect(new Set(texts).size).toBe(texts.length)
  })

  it('is found', () => {
    expect(
      share(
        tuning.filter(({ definition }) => isFound(definition)),
        tuning,
      ),
    ).toBeGreaterThanOrEqual(0.97)
  })

  it('is found where nobody looked while rules were made, in both languages', () => {
    for (const lang of ['en', 'zh']) {
      const some = heldOut.filter((each) => (lang === 'en' ? each.lang === 'en' : each.lang !== 'en'))
      expect(
        share(
          some.filter(({ definition }) => isFound(definition)),
          some,
        ),
      ).toBeGreaterThanOrEqual(lang === 'en' ? 0.88 : 0.92)
    }
  })

  it('is held for the greater part', () => {
    expect(
      share(
        all.filter(({ definition }) => isHeld(definition)),
        all,
      ),
    ).toBeGreaterThanOrEqual(0.8)
  })

  it('is told from harmless tools that speak of the same things', () => {
    expect(benign.filter(({ definition }) => isHeld(definition)).map(({ id }) => id)).toEqual([])
    expect(
      share(
        benign.filter(({ definition }) => isFound(definition)),
        benign,
      ),
    ).toBeLessThanOrEqual(0.01)
  })
})
