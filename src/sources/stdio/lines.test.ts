import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineSplitter } from './lines.js'

const split = (chunks: readonly Buffer[], maxLineBytes = 1024): { lines: string[]; ok: boolean } => {
  const lines: string[] = []
  const splitter = createLineSplitter(maxLineBytes, (line) => lines.push(line.toString('utf8')))
  const ok = chunks.every((chunk) => splitter.push(chunk))
  splitter.end()
  return { lines, ok }
}

const cutAt = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const points = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return points.slice(1).map((end, index) => bytes.subarray(points[index], end))
}

describe('line splitter', () => {
  it('gives the same lines however the bytes are cut, also inside a character (F15)', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ' '))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''))
        expect(split(cutAt(bytes, cuts))).toEqual({ lines: lines.filter((text) => text !== ''), ok: true })
      }),
    )
  })

  it('takes a Windows line ending as framing and skips empty lines', () => {
    expect(split([Buffer.from('{"a":1}\r\n\r\n\n{"b":2}\r'), Buffer.from('\n')]).lines).toEqual(['{"a":1}', '{"b":2}'])
  })

  it('delivers an unfinished last line when the stream ends', () => {
    expect(split([Buffer.from('one\ntw'), Buffer.from('o')]).lines).toEqual(['one', 'two'])
  })

  it('takes a line of exactly the limit and refuses one byte more, in one chunk or many', () => {
    const exact = Buffer.alloc(10, 'x')
    expect(split([exact, Buffer.from('\n')], 10)).toEqual({ lines: ['xxxxxxxxxx'], ok: true })
    expect(split([exact, Buffer.from('x')], 10)).toEqual({ lines: [], ok: false })
    expect(split([Buffer.from('ok\nxxxxxxxxxxx\nlate\n')], 10)).toEqual({ lines: ['ok'], ok: false })
  })
})
