import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { languageOf } from './language.js'

describe('language', () => {
  it.each([
    [{}, 'en-US'],
    [{ 'x-language': 'zh-CN' }, 'zh-Hans'],
    [{ 'x-language': 'en-US', 'accept-language': 'zh' }, 'en-US'],
    [{ 'accept-language': 'fr, zh-Hans;q=0.5, en;q=0.4' }, 'zh-Hans'],
    [{ 'accept-language': 'zh;q=0, en' }, 'en-US'],
    [{ 'accept-language': 'de' }, 'en-US'],
  ])('of %j is %s', (headers, wanted) => {
    expect(languageOf(headers)).toBe(wanted)
  })

  it('is one of the two for any header', () => {
    fc.assert(
      fc.property(fc.string(), (value) => ['en-US', 'zh-Hans'].includes(languageOf({ 'accept-language': value }))),
    )
  })
})
