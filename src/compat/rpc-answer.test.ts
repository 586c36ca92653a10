import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readRpcAnswer } from './rpc-answer.js'

const read = (text: string | Buffer) => readRpcAnswer(Buffer.from(text as string))

describe('readRpcAnswer', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":"a","result":{"x":1}}', { id: 'a', error: null, result: { x: 1 } }],
    ['{"id":7,"error":"words"}', { id: '7', error: 'words', result: {} }],
    ['{"result":[1]}', { id: undefined, error: null, result: [1] }],
    ['{"id":null,"error":null,"result":null}', { id: undefined, error: null, result: {} }],
    ['{}', { id: undefined, error: null, result: {} }],
  ])('reads %s', (line, expected) => {
    expect(read(line)).toEqual(expected)
  })

  it.each([
    ['a banner', 'Server listening'],
    ['a list', '[]'],
    ['a request', '{"id":1,"method":"ping"}'],
    ['half a message', '{"id":1,'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0x7d])],
    ['depth without end', '['.repeat(100_000)],
  ])('takes %s for no answer', (_what, line) => {
    expect(read(line)).toBeUndefined()
  })

  it('never throws, and gives back every result whole', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void readRpcAnswer(Buffer.from(bytes))))
    fc.assert(
      fc.property(fc.string(), fc.jsonValue({ maxDepth: 5 }), (id, result) => {
        const line = JSON.stringify({ jsonrpc: '2.0', id, result })
        expect(read(line)).toEqual({ id, error: null, result: JSON.parse(line).result ?? {} })
      }),
    )
  })
})
