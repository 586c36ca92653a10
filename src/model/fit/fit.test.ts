import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitJson } from './fit-json.js'
import { byteLength, fitText, headWithin } from './fit-text.js'

describe('fitText', () => {
  it.each([
    ['hello', 5],
    ['你好', 6],
    ['🎉', 4],
    ['', 0],
  ])('001 compat 1 counts %s as %i bytes', (text, bytes) => {
    expect(byteLength(text)).toBe(bytes)
  })

  it('001 compat 2 leaves text at the limit unchanged and cuts longer text with a visible note', () => {
    expect(fitText('A'.repeat(100), 100)).toBe('A'.repeat(100))
    const cut = fitText('A'.repeat(200), 100)!
    expect(byteLength(cut)).toBeLessThanOrEqual(100)
    expect(cut).toMatch(/^A+… \[cut: 200 bytes, limit 100\]$/)
  })

  it('gives up when not even the note fits', () => {
    expect(fitText('A'.repeat(200), 10)).toBeUndefined()
  })

  it('never cuts inside a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.nat(80), (text, limit) => {
        const head = headWithin(text, limit)
        expect(byteLength(head)).toBeLessThanOrEqual(limit)
        expect(text.startsWith(head)).toBe(true)
        expect(head).not.toContain('\ufffd')
      }),
    )
  })
})

describe('fitJson', () => {
  it('keeps whole JSON within the limit for any value, or says that it cannot', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 8, max: 400 }), (value, limit) => {
        const fitted = fitJson(value, limit)
        if (fitted === undefined) return
        const json = JSON.stringify(fitted)
        expect(byteLength(json)).toBeLessThanOrEqual(limit)
        expect(JSON.stringify(JSON.parse(json))).toBe(json)
      }),
    )
  })

  it('always fits objects and lists into 256 bytes', () => {
    const large = fc.array(fc.dictionary(fc.string({ maxLength: 20 }), fc.string({ maxLength: 500 })), {
      maxLength: 50,
    })
    fc.assert(fc.property(large, (value) => fitJson(value, 256) !== undefined))
  })

  it('drops the low-ranked tail of a list and says how much', () => {
    const hits = Array.from({ length: 50 }, (_, rank) => ({ tool: `tool_${rank}`, score: 1 - rank / 50 }))
    const fitted = fitJson(hits, 200) as unknown[]
    expect(fitted[0]).toEqual(hits[0])
    expect(fitted.at(-1)).toBe(`… ${50 - (fitted.length - 1)} more left out`)
  })

  it('keeps small fields whole and shortens the long one', () => {
    const fitted = fitJson({ status: 'ok', count: 3, text: 'x'.repeat(5000) }, 120) as Record<string, string>
    expect(fitted.status).toBe('ok')
    expect(fitted.count).toBe(3)
    expect(fitted.text).toMatch(/^x+…$/)
  })

  it('keeps a __proto__ key as data', () => {
    const value = JSON.parse(`{"__proto__":{"x":1},"text":"${'y'.repeat(300)}"}`)
    const fitted = fitJson(value, 100)
    expect(Object.keys(fitted as object)).toContain('__proto__')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})
