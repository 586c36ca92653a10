import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteStash, createLineSplitter, createSseParser, type SseEvent } from './framing.js'
import { sseBytes, sseComment, sseText } from './server/sse-response.js'

/** Cuts bytes at random places; empty chunks included. */
const cuts = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const points = [0, ...at.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return points.slice(1).map((end, index) => bytes.subarray(points[index], end))
}

const splitLines = (chunks: readonly Buffer[], maxLineBytes = 1000, then?: 'end') => {
  const lines: string[] = []
  let tooLong = 0
  const splitter = createLineSplitter({
    maxLineBytes,
    onLine: (line) => lines.push(line.toString()),
    onTooLong: () => tooLong++,
  })
  for (const chunk of chunks) splitter.push(chunk)
  if (then === 'end') splitter.end()
  return { lines, tooLong }
}

describe('line splitter', () => {
  it('gives the same lines however the bytes are cut (F15)', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ''))
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), fc.constantFrom('\n', '\r\n'), (lines, at, end) => {
        const bytes = Buffer.from(lines.map((text) => text + end).join(''))
        expect(splitLines(cuts(bytes, at)).lines).toEqual(lines.filter((text) => text !== ''))
      }),
    )
  })

  it('drops a line that is too long, once, and reads the next (F15)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 11, max: 200 }), (at, length) => {
        const bytes = Buffer.from(`first\n${'x'.repeat(length)}\r\n${'y'.repeat(10)}\r\nlast\n`)
        expect(splitLines(cuts(bytes, at), 10)).toEqual({ lines: ['first', 'y'.repeat(10), 'last'], tooLong: 1 })
      }),
    )
  })

  it('keeps an unfinished line to itself until the stream ends', () => {
    expect(splitLines([Buffer.from('a\nb')]).lines).toEqual(['a'])
    expect(splitLines([Buffer.from('a\ntw'), Buffer.from('o\r')], 10, 'end').lines).toEqual(['a', 'two'])
    expect(splitLines([Buffer.from('a\n')], 10, 'end').lines).toEqual(['a'])
  })

  it('takes a line of exactly the limit and refuses one byte more, in one chunk or many', () => {
    const exact = Buffer.alloc(10, 'x')
    const inOne = (text: string) => splitLines([Buffer.from(text)], 10)
    expect(inOne(`${exact}\r\n`)).toEqual({ lines: ['xxxxxxxxxx'], tooLong: 0 })
    expect(inOne(`ok\n${exact}x\n`)).toEqual({ lines: ['ok'], tooLong: 1 })
    expect(splitLines([exact, Buffer.from('\n')], 10)).toEqual({ lines: ['xxxxxxxxxx'], tooLong: 0 })
    expect(splitLines([exact, Buffer.from('x')], 10, 'end')).toEqual({ lines: [], tooLong: 1 })
  })
})

const readEvents = (chunks: readonly Buffer[], maxEventBytes = 100_000) => {
  const events: SseEvent[] = []
  const retries: number[] = []
  const parser = createSseParser({
    maxEventBytes,
    onEvent: (event) => events.push(event),
    onRetry: (ms) => retries.push(ms),
  })
  for (const chunk of chunks) parser.push(chunk)
  return {
    events: events.map((event) => ({ ...event, data: event.data.toString() })),
    retries,
    last: parser.lastEventId,
  }
}

describe('SSE parser', () => {
  it('reads what the writer writes, however it is cut', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 })
    fc.assert(
      fc.property(fc.array(text.filter((data) => data !== '')), fc.array(fc.nat()), (all, at) => {
        const bytes = Buffer.from(all.map((data) => sseText(data) + sseComment('still here')).join(''))
        expect(readEvents(cuts(bytes, at)).events.map((event) => event.data)).toEqual(
          all.map((data) => data.replace(/\r\n|\r/g, '\n')),
        )
      }),
    )
  })

  it.each(['\n', '\r', '\r\n'])('reads fields, comments, ids and retry with the line end %j', (end) => {
    const lines = [
      '\ufeff: hello',
      'retry: 1500',
      'id: 7',
      'event: endpoint',
      'data: /a',
      'data:/b',
      '',
      'data',
      'x: y',
      '',
      'id',
      'data:  z',
      '',
      '',
      'data: unfinished',
    ]
    const bytes = Buffer.from(lines.join(end))
    fc.assert(
      fc.property(fc.array(fc.nat()), (at) => {
        const { events, retries, last } = readEvents(cuts(bytes, at))
        expect(events).toEqual([
          { event: 'endpoint', data: '/a\n/b', id: '7' },
          { event: 'message', data: '', id: '7' },
          { event: 'message', data: ' z', id: '' },
        ])
        expect(retries).toEqual([1500])
        expect(last).toBe('')
      }),
    )
  })

  it('ends a stream whose event never ends, whether in one line or in many (F18)', () => {
    const endless = (line: string) => () => {
      const parser = createSseParser({ maxEventBytes: 10_000, onEvent: () => {} })
      for (let index = 0; index < 100_000; index++) parser.push(Buffer.from(line))
    }
    expect(endless('data: x'.repeat(3))).toThrow(/more than 10000 bytes/)
    expect(endless('data\n')).toThrow(/more than 10000 bytes/)
    expect(endless('a')).toThrow(/more than 10000 bytes/)
    expect(endless('event: a\n')).toThrow(/more than 10000 bytes/)
  })

  it('lets any number of small events pass (F19)', () => {
    expect(readEvents(Array(5_000).fill(Buffer.from('data: {}\n\n')), 1_000).events).toHaveLength(5_000)
  })
})

describe('SSE writer', () => {
  it('cannot be talked into another event', () => {
    expect(sseText('a\r\nevent: evil\n\nb', { event: 'm\nid: 3', id: '1\n' })).toBe(
      'event: m id: 3\nid: 1 \ndata: a\ndata: event: evil\ndata: \ndata: b\n\n',
    )
  })

  it('frames prepared bytes', () => {
    expect(sseBytes(Buffer.from('{}')).toString()).toBe('data: {}\n\n')
  })
})

describe('bytes that wait for their end', () => {
  it('come out as they went in, however they were cut', () => {
    const sizes = fc.oneof(fc.nat(3), fc.nat(5000), fc.integer({ min: 60_000, max: 70_000 }))
    fc.assert(
      fc.property(fc.array(fc.array(sizes, { maxLength: 40 }), { minLength: 1, maxLength: 3 }), (rounds) => {
        const stash = new ByteStash()
        for (const round of rounds) {
          const chunks = round.map((size, index) => Buffer.alloc(size, index + 1))
          for (const chunk of chunks) stash.append(chunk)
          expect(stash.length).toBe(Buffer.concat(chunks).length)
          expect(stash.take().equals(Buffer.concat(chunks))).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })
})
