import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnswerReader } from './http-reader.js'

interface Read {
  readonly status: number
  readonly body: string
  readonly done: boolean
  readonly fault: boolean
}

/** What is read of these bytes, cut into pieces of these lengths in turn and followed by the end of the stream. */
const read = (bytes: Buffer, lengths: readonly number[] = [bytes.length]): Read => {
  const seen = { status: 0, body: '', done: false, fault: false }
  const reader = new AnswerReader({
    onHead: (status) => void (seen.status = status),
    // The bytes are overwritten as soon as they were told, as those of a socket are.
    onBytes: (part) => {
      seen.body += part.toString('latin1')
      part.fill(0)
    },
    onDone: () => {
      expect(seen.done).toBe(false)
      seen.done = true
    },
  })
  reader.expect()
  try {
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const length = Math.max(1, lengths[turn % lengths.length] ?? 1)
      reader.push(Buffer.from(bytes.subarray(at, at + length)))
      at += length
    }
    reader.end()
  } catch {
    seen.fault = true
  }
  return seen
}

const readText = (text: string): Read => read(Buffer.from(text, 'latin1'))

const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 })
const body = fc.string({ unit: 'binary-ascii', maxLength: 200 })
const hints = fc.constantFrom('', 'HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')
const extra = fc.constantFrom('', 'Date: Sun, 15 Nov 2026 00:00:00 GMT\r\n', 'X-Odd:\t a:b \r\nx-odd: \xe9\r\n')

const withLength = fc.tuple(hints, extra, body).map(([before, headers, text]) => ({
  text,
  wire: `${before}HTTP/1.1 200 OK\r\n${headers}Content-Length: ${text.length}\r\n\r\n${text}`,
}))

const chunked = fc
  .tuple(hints, extra, fc.array(body, { maxLength: 5 }), fc.constantFrom('', ';a=b', ' ; a="b"'), extra)
  .map(([before, headers, texts, extension, trailers]) => {
    const parts = texts.filter((text) => text !== '')
    const chunks = parts.map((text) => `${text.length.toString(16)}${extension}\r\n${text}\r\n`).join('')
    const head = `${before}HTTP/1.1 200 OK\r\n${headers}transfer-encoding: Chunked\r\n\r\n`
    return { text: parts.join(''), wire: `${head}${chunks}0${extension}\r\n${trailers}\r\n` }
  })

const untilClose = fc
  .tuple(fc.constantFrom('1.0', '1.1'), body)
  .map(([version, text]) => ({ text, wire: `HTTP/${version} 200\r\nContent-Type: text/plain\r\n\r\n${text}` }))

const answers = fc.oneof(withLength, chunked, untilClose)

describe('an answer of HTTP/1.1', () => {
  it('is read whole, wherever its bytes are cut', () => {
    fc.assert(
      fc.property(answers, pieces, ({ text, wire }, lengths) => {
        expect(read(Buffer.from(wire, 'latin1'), lengths)).toEqual({
          status: 200,
          body: text,
          done: true,
          fault: false,
        })
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['both lengths', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd'],
    ['the same length twice', 'Content-Length: 3\r\ncontent-length: 3\r\n\r\nabc'],
    ['a list of lengths', 'Content-Length: 3, 3\r\n\r\nabc'],
    ['a length with a sign', 'Content-Length: +3\r\n\r\nabc'],
    ['a negative length', 'Content-Length: -3\r\n\r\nabc'],
    ['a length in hexadecimal', 'Content-Length: 0x3\r\n\r\nabc'],
    ['an empty length', 'Content-Length:\r\n\r\nabc'],
    ['a length beyond all numbers', 'Content-Length: 99999999999999999999\r\n\r\nabc'],
    ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a coding that is not chunked', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
    ['a coding that only looks like it', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'Content-Length : 3\r\n\r\nabc'],
    ['a folded header', 'X: a\r\n b\r\nContent-Length: 3\r\n\r\nabc'],
    ['a header without a name', ': a\r\nContent-Length: 3\r\n\r\nabc'],
    ['a header without a colon', 'X\r\nContent-Length: 3\r\n\r\nabc'],
    ['a bare line feed in the headers', 'X: a\nContent-Length: 3\r\n\r\nabc'],
    ['a bare carriage return in a value', 'X: a\rContent-Length: 5\r\nContent-Length: 3\r\n\r\nabc'],
    ['a NUL in a value', 'X: \0\r\nContent-Length: 3\r\n\r\nabc'],
    ['a chunk size that is none', 'Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n'],
    ['an empty chunk size', 'Transfer-Encoding: chunked\r\n\r\n\r\nabc\r\n0\r\n\r\n'],
    ['a negative chunk size', 'Transfer-Encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n'],
    ['a chunk size of nine digits', 'Transfer-Encoding: chunked\r\n\r\n000000003\r\nabc\r\n0\r\n\r\n'],
    ['a chunk longer than its size', 'Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n'],
    ['a chunk size that ends with a bare line feed', 'Transfer-Encoding: chunked\r\n\r\n3\nabc\r\n0\r\n\r\n'],
    ['a chunk size line without an end', `Transfer-Encoding: chunked\r\n\r\n3;${'a'.repeat(2000)}`],
    ['trailers that are none', 'Transfer-Encoding: chunked\r\n\r\n0\r\nno trailer\r\n\r\n'],
    ['trailers without an end', `Transfer-Encoding: chunked\r\n\r\n0\r\nX: ${'a'.repeat(20_000)}`],
    ['headers without an end', `X: ${'a'.repeat(20_000)}`],
    ['more headers than fit', `X: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['another protocol', 'Upgrade: x\r\n\r\n', 'HTTP/1.1 101 Switching'],
    ['a second answer', 'Content-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc'],
    ['a version we do not know', 'Content-Length: 3\r\n\r\nabc', 'HTTP/2.0 200 OK'],
    ['a status of two digits', 'Content-Length: 3\r\n\r\nabc', 'HTTP/1.1 99 OK'],
    ['a status of four digits', 'Content-Length: 3\r\n\r\nabc', 'HTTP/1.1 2000 OK'],
    ['a status in words', 'Content-Length: 3\r\n\r\nabc', 'HTTP/1.1 OK'],
    ['two spaces before the status', 'Content-Length: 3\r\n\r\nabc', 'HTTP/1.1  200 OK'],
    ['a control character in the reason', 'Content-Length: 3\r\n\r\nabc', 'HTTP/1.1 200 \x07'],
    ['an empty line first', 'Content-Length: 3\r\n\r\nabc', '\r\nHTTP/1.1 200 OK'],
    ['hints without end', 'Content-Length: 0\r\n\r\n', `${'HTTP/1.1 103 Wait\r\n\r\n'.repeat(20)}HTTP/1.1 200 OK`],
  ])('with %s is refused', (_name, rest, first = 'HTTP/1.1 200 OK') => {
    expect(readText(`${first}\r\n${rest}`)).toMatchObject({ fault: true })
  })

  it.each([
    ['in its head', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab'],
    ['before its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
    ['in its trailers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: a\r\n'],
  ])('that stops %s is not whole', (_name, text) => {
    expect(readText(text)).toMatchObject({ done: false, fault: false })
  })

  it.each(['SSH-2.0-OpenSSH_9.6\r\n', 'HTTP/2', '<html>', 'HTTP/1.1 200 OK\nContent-Length: 3\n\nabc'])(
    'is not waited for behind %j, which cannot become one',
    (text) => {
      expect(readText(text)).toMatchObject({ done: false, fault: true })
    },
  )

  it('has no body where its status says so', () => {
    expect(readText('HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n')).toMatchObject({ done: true, body: '' })
  })
})

/** Bytes of a good answer with some of them changed, taken out or doubled. */
const broken = fc
  .tuple(
    answers,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom('change', 'drop', 'double'), fc.nat(255)), { maxLength: 4 }),
  )
  .map(([{ wire }, edits]) => {
    let bytes = Buffer.from(wire, 'latin1')
    for (const [place, how, byte] of edits) {
      const at = place % bytes.length
      const middle = how === 'change' ? [byte] : how === 'double' ? [bytes[at]!, bytes[at]!] : []
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(middle), bytes.subarray(at + 1)])
      if (bytes.length === 0) break
    }
    return bytes
  })

describe('bytes that may be no answer', () => {
  it('mean the same wherever they are cut', () => {
    fc.assert(
      fc.property(broken, pieces, (bytes, lengths) => {
        expect(read(bytes, lengths)).toEqual(read(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  describe('beside Node’s own parser', () => {
    let bytes = Buffer.alloc(0)
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(bytes))
    })
    beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
    afterAll(() => void server.close())

    const byNode = (): Promise<{ status: number; body: string } | undefined> =>
      new Promise((resolve) => {
        const { port } = server.address() as AddressInfo
        const asked = request({ port, host: '127.0.0.1', agent: false }, (response) => {
          let text = ''
          response.setEncoding('latin1')
          response.on('data', (part: string) => void (text += part))
          response.on('error', () => resolve(undefined))
          response.on('end', () => resolve({ status: response.statusCode!, body: text }))
        })
        asked.on('error', () => resolve(undefined))
        asked.on('upgrade', () => resolve(undefined))
        asked.end()
      })

    it('are never taken for another answer', async () => {
      await fc.assert(
        fc.asyncProperty(broken, async (some) => {
          bytes = some
          const ours = read(some)
          if (!ours.done || ours.fault) return
          const theirs = await byNode()
          if (theirs) expect({ status: ours.status, body: ours.body }).toEqual(theirs)
        }),
        { numRuns: 300 },
      )
    })
  })
})
