import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleText } from './visible-text.js'

describe('text in which nothing hides', () => {
  it.each([
    ['a\u202egnp.exe', 'a\\u202egnp.exe'],
    ['zero\u200bwidth', 'zero\\u200bwidth'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['tab\there', 'tab\\u0009here'],
    ['no\u00a0break', 'no\\u00a0break'],
    ['plain 中文 é ü', 'plain 中文 é ü'],
    ['\u3164', '\\u3164'],
  ])('%j is %j', (hidden, shown) => {
    expect(visibleText(hidden)).toBe(shown)
  })

  it('means the same as JSON, whatever is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.stringify(JSON.parse(visibleText(text)))).toBe(text)
      }),
    )
  })
})
