import { describe, expect, it } from 'vitest'
import { createCover, sharedLexicon } from './lexicon.js'
import { sharedThesaurus } from './thesaurus.js'

describe('cover', () => {
  const words = new Set(['天气', '天气预报', '预报', '查询', '查'])
  const cover = createCover((word) => words.has(word))

  it('prefers few long words', () => {
    expect(cover('查询天气预报')).toEqual(['查询', '天气预报'])
  })

  it('leaves unknown characters alone, in place', () => {
    expect(cover('某查询某')).toEqual(['某', '查询', '某'])
    expect(cover('')).toEqual([])
  })

  it('gives back every character of a long run', () => {
    const run = '查询天气某'.repeat(400)
    expect(cover(run).join('')).toBe(run)
  })
})

describe('lexicon', () => {
  it.each([
    ['天气', 'weather'],
    ['邮件', 'email'],
    ['餐厅', 'restaur'],
    ['航班', 'flight'],
    ['闹钟', 'alarm'],
    ['删除', 'delet'],
    ['容器', 'contain'],
  ])('translates %s', (word, term) => {
    const terms = [...sharedLexicon().translate([word]).keys()]
    expect(terms.some((found) => found.startsWith(term))).toBe(true)
  })

  it('weighs every translation between nothing and one', () => {
    for (const weight of sharedLexicon().translate(['查询天气预报并发送邮件通知']).values()) {
      expect(weight).toBeGreaterThan(0)
      expect(weight).toBeLessThanOrEqual(1)
    }
  })
})

describe('thesaurus', () => {
  it('relates both ways and never a term to itself', () => {
    const { related } = sharedThesaurus()
    expect(related('restaur').has('dine')).toBe(related('dine').has('restaur'))
    expect(related('delet').has('remov')).toBe(true)
    expect(related('remov').has('delet')).toBe(true)
    expect(related('delet').has('delet')).toBe(false)
  })

  it('knows nothing of a word nobody listed, even one every object has (Q123)', () => {
    expect(sharedThesaurus().related('constructor').size).toBe(0)
    expect(sharedThesaurus().related('__proto__').size).toBe(0)
  })
})
