import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitJson } from './fit-json.js'
import { byteLength, fitText, headWithin, wholeHead } from './fit-text.js'
import { fitTextOrJson, oneText } from './one-text.js'

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
        // Half a character does not survive the way through bytes.
        expect(Buffer.from(head).toString()).toBe(head)
      }),
    )
  })
})

describe('wholeHead', () => {
  it.each([
    ['the price is 129900 yuan', 16, 'the price is'],
    ['due on 2026-11-15 at noon', 14, 'due on'],
    ['see https://example.com/a for more', 20, 'see'],
    ['今天北京天气晴朗，最高气温二十五度', 20, '今天北京天气'],
    ['ok 👨‍👩‍👧‍👦 yes', 12, 'ok'],
    ['AAAAAAAAAA', 4, 'AAAA'],
  ])('cuts %j to %i bytes at %j', (text, limit, head) => {
    expect(wholeHead(text, limit)).toBe(head)
  })

  it('is a head within the limit that splits no character, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(200), (text, limit) => {
        const head = wholeHead(text, limit)
        expect(byteLength(head)).toBeLessThanOrEqual(limit)
        expect(text.startsWith(head)).toBe(true)
      }),
    )
  })
})

describe('oneText', () => {
  const text = (...texts: string[]) => ({ content: texts.map((each) => ({ type: 'text', text: each })) })

  it('X11 joins all blocks, and several JSON blocks into one JSON list', () => {
    expect(oneText(text('one', 'two'))).toBe('one\ntwo')
    expect(oneText(text('{"a":1}', '{"b":2}'))).toBe('[{"a":1},{"b":2}]')
    expect(oneText(text('{"a": 1}'))).toBe('{"a": 1}')
  })

  it('C18 says what cannot be carried as text', () => {
    const content = [
      { type: 'text', text: 'a cat' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'AAAA' } },
      { type: 'resource_link', uri: 'file:///c', name: 'c' },
    ]
    expect(oneText({ content })).toBe('a cat\n[image left out]\ninside\n[resource left out: file:///b]\nc: file:///c')
  })

  it('takes the structure where there is no text', () => {
    expect(oneText({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}')
    expect(oneText({ content: [] })).toBe('')
  })
})

describe('fitTextOrJson', () => {
  it('keeps JSON whole and text text', () => {
    const long = JSON.stringify({
      items: Array.from({ length: 100 }, (_, id) => ({ id, name: `item ${id}` })),
      total: 100,
    })
    const fitted = JSON.parse(fitTextOrJson(long, 256)!)
    expect(fitted.total).toBe(100)
    expect(fitted.items[0]).toEqual({ id: 0, name: 'item 0' })
    expect(fitTextOrJson(`${long} and words`, 256)).toMatch(/… \[cut: \d+ bytes, limit 256\]$/)
  })
})

describe('fitJson', () => {
  it('keeps the first fields of an object with thousands', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field_${index}`, index]))
    const fitted = fitJson(many, 256) as Record<string, unknown>
    expect(fitted.field_0).toBe(0)
    expect(fitted.field_5).toBe(5)
    expect(fitted['…']).toBe(`${5000 - (Object.keys(fitted).length - 1)} fields left out`)
  })

  it('fills what is left with a part of the next item', () => {
    const fitted = fitJson([{ a: 1 }, { text: 'words '.repeat(200), b: 2 }, { c: 3 }], 200) as any[]
    expect(fitted[0]).toEqual({ a: 1 })
    expect(fitted[1]).toMatchObject({ b: 2, text: expect.stringMatching(/^words .*…$/) })
    expect(fitted[2]).toBe('… 1 more left out')
  })

  it('stops at a depth instead of overflowing the stack', () => {
    let deep: unknown = 'x'.repeat(5000)
    for (let level = 0; level < 3000; level++) deep = level % 2 ? { deep } : [deep]
    for (const limit of [256, 1024, 10_240, 100_000])
      expect(byteLength(JSON.stringify(fitJson([deep, 'x'.repeat(200_000)], limit)))).toBeLessThanOrEqual(limit)
  })

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
