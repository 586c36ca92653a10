import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PieceAbsent, readPiece } from './read-piece.js'

const piecesOf = (whole: Buffer, bytes: number, lines?: number): string[] => {
  const pieces: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const piece = readPiece(whole, { offset, bytes, lines })
    expect(piece.offset).toBe(offset)
    pieces.push(piece.text)
    offset = piece.next
  }
  return pieces
}

describe('pieces of a result (N11)', () => {
  it('are the whole when joined, and divide no character, for any text and size', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 1, max: 40 }), (text, bytes) => {
        const whole = Buffer.from(text)
        const pieces = piecesOf(whole, bytes)
        expect(pieces.join('')).toBe(whole.toString())
        for (const piece of pieces) {
          expect(piece).not.toContain('\ufffd')
          // One character may be larger than what was asked for, and is given alone.
          expect(Buffer.byteLength(piece) <= bytes || [...piece].length === 1).toBe(true)
        }
      }),
    )
  })

  it('begin with the whole character that an offset is inside of', () => {
    expect(readPiece(Buffer.from('a天b'), { offset: 2, bytes: 10 })).toEqual({
      text: '天b',
      offset: 1,
      next: undefined,
      total: 5,
    })
  })

  it('end after so many lines', () => {
    expect(piecesOf(Buffer.from('one\ntwo\nthree'), 100, 1)).toEqual(['one\n', 'two\n', 'three'])
    expect(piecesOf(Buffer.from('one\ntwo\n'), 2, 1)).toEqual(['on', 'e\n', 'tw', 'o\n'])
  })

  it('are of a part that a path names', () => {
    const whole = Buffer.from(JSON.stringify({ items: [{ 'a/b': '天气晴朗' }, { n: 1 }], '~': 2 }))
    const at = (path: string) => readPiece(whole, { bytes: 100, path }).text
    expect([at('/items/0/a~1b'), at('/items/1'), at('/~0')]).toEqual(['天气晴朗', '{"n":1}', '2'])
    expect(readPiece(whole, { bytes: 6, path: '/items/0/a~1b' })).toMatchObject({ text: '天气', next: 6, total: 12 })
  })

  it.each([
    ['/nothing', 'There are: items.'],
    ['/items/7', 'There is a list of 1 there'],
    ['/items/length', 'There is a list of 1 there'],
    ['/__proto__', 'There are: items.'],
    ['/items/0/x', 'What is there has no parts.'],
    ['items', 'begins with /'],
  ])('are refused at %s, with what there is', (path, words) => {
    const whole = Buffer.from('{"items":[1]}')
    expect(() => readPiece(whole, { bytes: 10, path })).toThrow(words)
    expect(() => readPiece(Buffer.from('words'), { bytes: 10, path: '/a' })).toThrow(PieceAbsent)
  })
})
