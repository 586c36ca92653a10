import { describe, expect, it } from 'vitest'
import { glanceAt } from './peek.js'

const glance = (text: string) => glanceAt(Buffer.from(text))
const call = { kind: 'request', id: '7', method: 'tools/call' }

describe('a glance at a message', () => {
  it.each([
    ['id first', '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"id":9}}'],
    ['id last', '{"method":"tools/call","params":{"id":9},"jsonrpc":"2.0","id":7}'],
    ['id last, before the version', '{"method":"tools/call","params":{"id":9},"id":7,"jsonrpc":"2.0"}'],
    ['method first', '{"jsonrpc":"2.0","method":"tools/call","params":{"a":"b"},"id":7}'],
    ['id in the middle', '{"jsonrpc":"2.0","method":"tools/call","id":7,"params":{"id":9}}'],
    ['spaces', '{ "jsonrpc": "2.0", "id": 7, "method": "tools/call" }'],
    ['a line end', '{"method":"tools/call","params":{},"jsonrpc":"2.0","id":7}\r'],
  ])('knows a request: %s', (_, text) => expect(glance(text)).toEqual(call))

  it('knows it also where it is longer than the glance', () => {
    const params = JSON.stringify({ text: ',"jsonrpc":"2.0","id":1}'.repeat(200) })
    expect(glance(`{"jsonrpc":"2.0","method":"tools/call","id":7,"params":${params}}`)).toEqual(call)
    expect(glance(`{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":7}`)).toEqual(call)
    expect(glance(`{"jsonrpc":"2.0","method":"notifications/x","params":${params}}`)).toEqual({
      kind: 'notification',
      method: 'notifications/x',
    })
  })

  it.each([
    '{"jsonrpc":"2.0","id":"a-1","result":{}}',
    '{"result":{"id":3},"jsonrpc":"2.0","id":"a-1"}',
    '{"jsonrpc":"2.0","id":"a-1","error":{"code":1,"message":"x"}}',
  ])('knows a response: %s', (text) => expect(glance(text)).toEqual({ kind: 'response', id: '"a-1"' }))

  it('writes an id as JSON.stringify does, whatever its escapes', () => {
    for (const text of ['"\\u0061\\n"', '"é"', '"\\u00e9"'])
      expect(glance(`{"jsonrpc":"2.0","id":${text},"method":"ping"}`)).toEqual({
        kind: 'request',
        id: JSON.stringify(JSON.parse(text)),
        method: 'ping',
      })
  })

  it('knows what is nothing', () => {
    for (const text of [
      '',
      'hello',
      '[]',
      '[{"jsonrpc":"2.0","id":1,"method":"a"}]',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":null,"error":{}}',
      '{"method":"tools/call","params":{"a":{"id":7}',
    ])
      expect(glance(text)).toBeUndefined()
  })
})
