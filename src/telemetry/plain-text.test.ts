import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainText } from './plain-text.js'

const esc = '\u001b'

describe('plain text', () => {
  it('removes colours, links, clipboard writes, screen clearing and bells (T21)', () => {
    expect(plainText(`${esc}[1;31mred${esc}[0m`)).toBe('red')
    expect(plainText(`${esc}]8;;http://evil.example${esc}\\link${esc}]8;;${esc}\\`)).toBe('link')
    expect(plainText(`a${esc}]52;c;aGk=\u0007b`)).toBe('ab')
    expect(plainText(`${esc}[2J${esc}c\u0007\rx\u009b31my`)).toBe('xy')
  })

  it('removes characters that turn the reading order around', () => {
    expect(plainText('a\u202eb\u2066c')).toBe('abc')
  })

  it('keeps tabs, line breaks and every script', () => {
    expect(plainText('a\tb\n你好 🎉 שלום')).toBe('a\tb\n你好 🎉 שלום')
  })

  it('never leaves an escape or control character behind', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(esc, '[', ']', '\\', '\u0007', '\u009b', '\u009d', '0', ';', 'm', 'x'),
    })
    fc.assert(
      fc.property(hostile, (text) => {
        expect([...plainText(text)].every((char) => char >= ' ' && char <= '~')).toBe(true)
      }),
    )
  })
})
