import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from '../analyse/stem.js'
import { idioms } from '../data/idioms.js'
import { meantBy } from './idioms.js'

const meant = (text: string): readonly string[] => meantBy(text).flat()

describe('turns of speech', () => {
  it.each([
    ['remember that Anna likes tea', 'observation'],
    ['put the report into the archive folder', 'move'],
    ['give the customer his money back', 'refund'],
    ['lights on', 'on'],
    ['帮我记住这件事', 'memory'],
    ['提交代码', 'commit'],
    ['把灯关上，关灯', 'off'],
    ['在 slack 上通知大家', 'channel'],
  ])('%s means %s', (text, word) => {
    expect(meant(text)).toContain(stem(word))
  })

  it('are none where their words stand far apart or the other way round', () => {
    expect(meant('back to the money')).toEqual([])
    expect(meant('money for a long and winding way back')).toEqual([])
  })

  it('are each found by every way to say them', () => {
    for (const line of idioms.trim().split('\n')) {
      const [said = '', wanted = ''] = line.split('|')
      expect(wanted.trim(), line).not.toBe('')
      for (const way of said.split(',')) expect(meantBy(way.trim()).length, way).toBeGreaterThan(0)
    }
  })

  it('are looked for in any text, at its beginning only', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => Array.isArray(meantBy(text))))
    expect(meant(`${'x '.repeat(500_000)} money back`)).toEqual([])
  })
})
