import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callerLimits, parseMessage, sourceLimits } from './parse.js'
import { isRpcError } from './rpc-error.js'
import { scanJson } from './scan.js'
import { isPlainObject, scanAnswer } from './scan-bytes.js'

const scan = (text: string | Buffer) => scanAnswer(Buffer.from(text as string), sourceLimits)
const answer = (result: string): string => `{"jsonrpc":"2.0","id":7,"result":${result}}`

describe('scanAnswer', () => {
  it('knows the id and the members of a plain result', () => {
    const text = '{"content":[{"type":"text","text":"a\\"b"}],"isError":false , "n":-1.50,"_meta":{}}'
    const found = scan(answer(text))!
    expect(found.id).toBe(7)
    expect(found.bytes).toBe(answer(text).length)
    expect(found.raw.bytes).toBe(text.length)
    expect(found.result).toEqual(JSON.parse(text))
    expect(found.raw.textOf('isError')).toBe('false')
    expect(found.raw.textOf('n')).toBe('-1.50')
    expect(found.raw.begins('content', '[')).toBe(true)
    expect(found.raw.has('structuredContent')).toBe(false)
    expect(found.raw.memberOf('content')).toEqual([{ type: 'text', text: 'a"b' }])
  })

  it('takes the members of the message in any order and with any space around them', () => {
    for (const text of [
      '{"result":{},"id":1,"jsonrpc":"2.0"}',
      ' {\n "jsonrpc" : "2.0",\r\n\t"id" : 12 , "result" : {} }\n',
    ])
      expect(scan(text)?.result).toEqual({})
  })

  it.each([
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"x"}'],
    ['an id that is text', '{"jsonrpc":"2.0","id":"1","result":{}}'],
    ['an id with a leading zero', '{"jsonrpc":"2.0","id":01,"result":{}}'],
    ['an id of sixteen digits', '{"jsonrpc":"2.0","id":1234567890123456,"result":{}}'],
    ['a result that is no object', answer('[]')],
    ['the same member twice', '{"jsonrpc":"2.0","id":1,"id":2,"result":{}}'],
    ['another member', '{"jsonrpc":"2.0","id":1,"result":{},"more":1}'],
    ['no version', '{"id":1,"result":{}}'],
    ['the same key twice, deep inside', answer('{"a":[{"b":1,"c":2,"b":3}]}')],
    ['a key with escapes', answer('{"\\u0061":1}')],
    ['a line end between members', answer('{"a":1,\n"b":2}')],
    ['an integer that no double holds', answer('{"a":12345678901234567890}')],
    ['an exponent', answer('{"a":1e999}')],
    ['a control character in a string', answer('{"a":"\u0001"}')],
    ['a broken escape', answer('{"a":"\\x"}')],
    ['half an escape', answer('{"a":"\\u12g4"}')],
    ['a comma too many', answer('{"a":1,}')],
    ['a list without its end', answer('{"a":[1}')],
    ['something behind the end', `${answer('{}')}x`],
    ['nothing', ''],
    ['too deep', answer(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`)],
    ['more keys than it keeps', answer(`{${Array.from({ length: 200 }, (_, key) => `"k${key}":1`).join(',')}}`)],
  ])('leaves %s to the parser', (_, text) => {
    expect(scan(text)).toBeUndefined()
  })

  it('leaves bytes that are not UTF-8 to the parser', () => {
    const bytes = Buffer.from(answer('{"a":"x"}'))
    bytes[bytes.length - 4] = 0xff
    expect(scan(bytes)).toBeUndefined()
  })

  it('reads strings of every length, wherever they lie in memory', () => {
    for (let length = 0; length < 300; length += 7)
      for (let shift = 0; shift < 4; shift++)
        for (const last of ['', '\\n', '\\"', '\\u00e9', 'é', '\\\\']) {
          const text = answer(`{"a":"${'x'.repeat(length)}${last}${'y'.repeat(length)}","b":1}`)
          const room = Buffer.alloc(Buffer.byteLength(text) + shift)
          room.write(text, shift)
          expect(scanAnswer(room.subarray(shift), sourceLimits)?.result).toEqual(JSON.parse(text).result)
        }
  })

  it('gives the members without some of them, short ones as text and long ones where they lie', () => {
    const members = { resultType: 'complete', content: [], _meta: { a: 1 }, isError: true, more: 'é' }
    for (const text of [JSON.stringify(members), JSON.stringify({ ...members, more: 'é'.repeat(9000) })]) {
      const { raw } = scan(answer(text))!
      for (const names of [[], ['_meta'], ['resultType', 'more'], ['content', 'isError'], Object.keys(members)]) {
        const left = raw.without(names)
        const whole = `{${typeof left === 'string' ? left : Buffer.concat(left).toString()}}`
        const expected = Object.fromEntries(Object.entries(JSON.parse(text)).filter(([key]) => !names.includes(key)))
        expect(JSON.parse(whole)).toEqual(expected)
        expect(typeof left).toBe(text.length > 8192 ? 'object' : 'string')
      }
    }
  })

  it('takes nothing that the parser refuses, and means the same by what it takes', () => {
    const json = fc.jsonValue({ depthSize: 'medium', maxDepth: 6 })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), fc.infiniteStream(fc.nat()), (result, numbers) => {
        const text = JSON.stringify({ jsonrpc: '2.0', id: 3, result })
        agree(Buffer.from(text))
        for (let round = 0; round < 20; round++) agree(mutated(Buffer.from(text), numbers))
      }),
      { numRuns: runs },
    )
  })
})

/** By command as many as asked for: FUZZ=1000000 npx vitest run src/mcp/scan-bytes.test.ts */
const runs = Math.ceil(Number(process.env.FUZZ ?? 20_000) / 21)

const agree = (bytes: Buffer): void => {
  if (isPlainObject(bytes, callerLimits)) {
    const text = bytes.toString()
    expect(scanJson(text, callerLimits)).toBeUndefined()
    expect(JSON.parse(text)).toBeTypeOf('object')
  }
  const found = scanAnswer(bytes, sourceLimits)
  if (!found) return
  try {
    const read = parseMessage(bytes, sourceLimits)
    expect(read).toEqual({ kind: 'result', id: found.id, result: found.result, bytes: bytes.length })
    const names = Object.keys(found.result as object)
    expect(JSON.parse(`{${textOf(found.raw.without([]))}}`)).toEqual(found.result)
    for (const name of names)
      if (isPlainKey(name)) expect(found.raw.memberOf(name)).toEqual((found.result as never)[name])
  } catch (error) {
    if (isRpcError(error)) throw new Error(`The parser refuses what was taken: ${bytes.toString()}`, { cause: error })
    throw error
  }
}

// Names are compared as bytes of ASCII, which all that we ask for are.
const isPlainKey = (name: string): boolean => /^[\x20-\x7e]*$/.test(name)

const textOf = (pieces: string | readonly Buffer[]): string =>
  typeof pieces === 'string' ? pieces : Buffer.concat(pieces).toString()

const interesting = Buffer.from('{}[]:,"\\u0123456789abcdefnrt.-+eE \n\t\u0000')

const mutated = (bytes: Buffer, numbers: Iterator<number>): Buffer => {
  const next = (below: number): number => (numbers.next().value as number) % below
  let made = bytes
  for (let change = next(3); change >= 0; change--) {
    const at = next(made.length + 1)
    const kind = next(4)
    const some = interesting.subarray(next(interesting.length)).subarray(0, 1 + next(2))
    if (kind === 0) made = Buffer.concat([made.subarray(0, at), some, made.subarray(at)])
    else if (kind === 1) made = Buffer.concat([made.subarray(0, at), made.subarray(at + 1 + next(3))])
    else if (kind === 2) made = Buffer.concat([made.subarray(0, at), some, made.subarray(at + some.length)])
    else {
      const from = next(made.length + 1)
      made = Buffer.concat([made.subarray(0, at), made.subarray(from, from + next(12)), made.subarray(at)])
    }
  }
  return made
}
