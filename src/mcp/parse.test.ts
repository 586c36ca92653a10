import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorText, requestText, responseBytes, resultText } from './message.js'
import { callerLimits, parseMessage, sourceLimits } from './parse.js'
import { isRpcError, type RpcError } from './rpc-error.js'

const refusal = (input: Buffer | string, limits = callerLimits): RpcError => {
  try {
    parseMessage(input, limits)
  } catch (error) {
    if (isRpcError(error)) return error
    throw error
  }
  throw new Error('the message was accepted')
}

const request = (more: string): string => `{"jsonrpc":"2.0","id":1,"method":"tools/call"${more}}`

describe('parseMessage', () => {
  it('tells requests, notifications, results and failures apart', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":0,"method":"ping"}')).toMatchObject({ kind: 'request', id: 0 })
    expect(parseMessage('{"jsonrpc":"2.0","method":"x","params":{"a":1}}')).toMatchObject({
      kind: 'notification',
      params: { a: 1 },
    })
    expect(parseMessage('{"jsonrpc":"2.0","id":"a","result":{"b":[1]}}')).toMatchObject({
      kind: 'result',
      result: { b: [1] },
    })
    expect(parseMessage('{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"m","data":2}}')).toMatchObject({
      kind: 'failure',
      id: null,
      error: { code: -1, message: 'm', data: 2 },
    })
  })

  it('keeps every integer that is exact, as bytes and as text, and refuses the first that is not', () => {
    for (const digits of ['9007199254740991', '-9007199254740991', '1763251200000000', '999999999999999'])
      for (const shape of [(text: string) => text, (text: string) => Buffer.from(text)])
        expect(parseMessage(shape(request(`,"params":{"at":${digits}}`)))).toMatchObject({ params: { at: +digits } })
    for (const digits of ['9007199254740993', '-9007199254740993', '99999999999999999'])
      expect(refusal(Buffer.from(request(`,"params":{"at":${digits}}`))).message).toContain('more digits')
  })

  it('refuses much that is no message without reading it, and a large batch in its own words', () => {
    for (const noise of ['x', '"', ' 7', 'null'])
      expect(refusal(Buffer.from(noise.repeat(4000)), sourceLimits).message).toBe('The message is not valid JSON.')
    const batch = Buffer.from(`  [${request('')}${`,${request('')}`.repeat(100)}]`)
    expect(refusal(batch, sourceLimits).message).toContain('Batches are not supported')
  })

  it('accepts what xiaozhi sends (X4, X5): id 0, no params, unknown params, null params', () => {
    expect(parseMessage('{"id":0,"jsonrpc":"2.0","method":"tools/list"}')).toMatchObject({ id: 0, params: undefined })
    expect(parseMessage(request(',"params":{"serialNumber":null}'))).toMatchObject({ params: { serialNumber: null } })
    expect(parseMessage(request(',"params":null'))).toMatchObject({ params: undefined })
    expect(parseMessage('{"id":"u_n_1","jsonrpc":"2.0","method":"ping"}')).toMatchObject({ id: 'u_n_1' })
  })

  // Corpus R: id and words, input, code.
  const deep = (levels: number) =>
    `{"jsonrpc":"2.0","method":"x","params":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`
  const cases: readonly (readonly [string, Buffer | string, number])[] = [
    ['R31 not JSON', 'hello', -32700],
    ['R31 nothing', '', -32700],
    ['R32 truncated', '{"jsonrpc":"2.0","id":1,"meth', -32700],
    ['R33 two objects', `${request('')}${request('')}`, -32700],
    ['R34 empty batch', '[]', -32600],
    ['R34 batch of one', `[${request('')}]`, -32600],
    ['R34 batch of 1,000', `[${Array(1000).fill(request('')).join(',')}]`, -32600],
    ['R35 no jsonrpc', '{"id":1,"method":"x"}', -32600],
    ['R35 jsonrpc 1.0', '{"jsonrpc":"1.0","id":1,"method":"x"}', -32600],
    ['R35 jsonrpc number', '{"jsonrpc":2,"id":1,"method":"x"}', -32600],
    ['R36 id null', '{"jsonrpc":"2.0","id":null,"method":"x"}', -32600],
    ['R36 id float', '{"jsonrpc":"2.0","id":1.5,"method":"x"}', -32600],
    ['R36 id object', '{"jsonrpc":"2.0","id":{},"method":"x"}', -32600],
    ['R36 id 1e400', '{"jsonrpc":"2.0","id":1e400,"method":"x"}', -32600],
    ['R36 id 2^53+1', '{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}', -32600],
    ['R36 id of 10 KB', `{"jsonrpc":"2.0","id":"${'a'.repeat(10_240)}","method":"x"}`, -32600],
    ['R38 method number', '{"jsonrpc":"2.0","id":1,"method":3}', -32600],
    ['R38 method empty', '{"jsonrpc":"2.0","id":1,"method":""}', -32600],
    ['R38 method of 100 KB', `{"jsonrpc":"2.0","id":1,"method":"${'m'.repeat(102_400)}"}`, -32600],
    ['R39 params array', request(',"params":[]'), -32602],
    ['R39 params string', request(',"params":"x"'), -32602],
    ['R40 duplicate at top', request(',"method":"tools/list"'), -32600],
    ['R40 duplicate in params', request(',"params":{"name":"a","name":"b"}'), -32600],
    ['R40 duplicate in arguments', request(',"params":{"name":"a","arguments":{"x":1,"y":{"z":1,"z":2}}}'), -32600],
    ['R40 duplicate behind an escape', request(',"params":{"name":"a","n\\u0061me":"b"}'), -32600],
    ['R41 Method', request(',"Method":"tools/list"'), -32600],
    ['R41 paramſ', request(',"paramſ":{}'), -32600],
    ['R41 ＩＤ', request(',"ｉｄ":2'), -32600],
    ['R44 result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}', -32600],
    ['R44 neither', '{"jsonrpc":"2.0","id":1}', -32600],
    ['R44 method and result', request(',"result":{}'), -32600],
    ['R45 error without code', '{"jsonrpc":"2.0","id":1,"error":{"message":"m"}}', -32600],
    ['R45 error a string', '{"jsonrpc":"2.0","id":1,"error":"m"}', -32600],
    ['R59 4 MiB + 1', ' '.repeat(4 * 1024 * 1024 + 1), -32600],
    ['R60 beyond 2^53', request(',"params":{"arguments":{"n":12345678901234567890}}'), -32600],
    [
      'R62 broken UTF-8',
      Buffer.concat([Buffer.from('{"jsonrpc":"2.0","method":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
      -32700,
    ],
    ['R62 overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), -32700],
    ['R63 nesting 65', deep(64), -32600],
    ['R63 nesting 5,000', deep(5_000), -32600],
    ['R63 nesting 1,000,000', '['.repeat(1_000_000), -32600],
    ['R64 too many values', `{"jsonrpc":"2.0","method":"x","params":{"a":[${'1,'.repeat(200_001)}1]}}`, -32600],
    ['a scalar', '3', -32600],
    ['null', 'null', -32600],
    ['a string never closed', '{"jsonrpc":"2', -32700],
  ]
  it.each(cases)('refuses %s', (_name, input, code) => {
    expect(refusal(input).code).toBe(code)
  })

  it('accepts R38, R61 and R63 at their limits, and 10,000 keys (R64)', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":1,"method":"__proto__"}')).toMatchObject({ method: '__proto__' })
    expect(parseMessage(deep(63))).toMatchObject({ kind: 'notification' })
    expect(parseMessage(request(',"params":{"t":"\\ud800\\u0000\u2028"}'))).toMatchObject({
      params: { t: '\ud800\u0000\u2028' },
    })
    const keys = Array.from({ length: 10_000 }, (_, index) => `"k${index}":1`).join(',')
    expect(parseMessage(request(`,"params":{${keys}}`))).toMatchObject({ kind: 'request' })
    expect(refusal(request(`,"params":{${keys},"k0":2}`)).code).toBe(-32600)
  })

  it('keeps __proto__ as data (T30)', () => {
    const message = parseMessage(request(',"params":{"arguments":{"__proto__":{"polluted":1}}}'))
    expect(JSON.stringify(message)).toContain('"__proto__":{"polluted":1}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('hands the id of a refused request back, so that the answer reaches it', () => {
    expect(refusal('{"jsonrpc":"2.0","id":7,"method":"x","params":[]}').id).toBe(7)
    expect(refusal('{"jsonrpc":"1.0","id":"q","method":"x"}').id).toBe('q')
    expect(refusal('[').id).toBeNull()
    const deepResult = `{"a":{"id":1},"jsonrpc":"2.0","result":${'['.repeat(100)}${']'.repeat(100)},"id" : "x\\"y" }`
    expect(refusal(deepResult).id).toBe('x"y')
    expect(refusal(`{"id":1,"id":2,"method":"x"}`).id).toBeNull()
    expect(refusal(`{"id":1.5,"x":${'['.repeat(100)}`).id).toBeNull()
  })

  it('says nothing of the text it refuses', () => {
    expect(refusal('{"secret-token": }').message).not.toContain('secret')
  })

  it('lets a source repeat a key inside a result, not in the envelope', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":2}}', sourceLimits)).toMatchObject({
      result: { a: 2 },
    })
    expect(refusal('{"jsonrpc":"2.0","id":1,"id":2,"result":{}}', sourceLimits).code).toBe(-32600)
  })

  it('rounds numbers only when told to', () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"n":1234567890123456789}}'
    expect(refusal(text, sourceLimits).code).toBe(-32600)
    expect(parseMessage(text, { ...sourceLimits, inexactNumbers: 'round' })).toMatchObject({ kind: 'result' })
    expect(
      parseMessage('{"jsonrpc":"2.0","id":1,"result":{"n":[1e20,0.1234567890123456789,-12,100000000000000000000]}}'),
    ).toBeTruthy()
  })

  it('gives back whatever was serialised, for any params', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer(), fc.string({ maxLength: 100 })),
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
        (id, params) => {
          const text = requestText(id, 'm', params)
          expect(parseMessage(Buffer.from(text))).toMatchObject({ kind: 'request', id: id === 0 ? 0 : id })
          expect(JSON.stringify((parseMessage(text) as { params: unknown }).params)).toBe(JSON.stringify(params))
        },
      ),
    )
  })

  it('throws nothing but RpcError, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(refusal(Buffer.from(bytes)).code).toBeLessThan(0)
      }),
    )
  })

  it('finds a duplicate exactly where JSON.parse would drop one', () => {
    // No key that begins with a backslash: once Node 24's own JSON.parse has seen one, it takes other escaped keys for it.
    const key = fc.constantFrom('a', 'b', '\\u0061', 'a\\"')
    const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '"}"', '"\\","', '[]'),
        tie('object'),
        tie('value').map((v) => `[${v}, ${v}]`),
      ),
      object: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 3 })
        .map((pairs) => `{${pairs.map(([k, v]) => `"${k}" : ${v}`).join(' , ')}}`),
    }))
    fc.assert(
      fc.property(value, (text) => {
        const colons = text.replace(/"(\\.|[^"\\])*"/g, '""').split(':').length - 1
        const duplicates = countKeys(JSON.parse(text)) < colons
        const message = `{"jsonrpc":"2.0","method":"x","params":{"v":${text}}}`
        if (duplicates) expect(refusal(message).message).toContain('twice')
        else expect(parseMessage(message)).toBeTruthy()
      }),
    )
  })
})

const countKeys = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>(
        (sum, child) => sum + countKeys(child),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )

describe('serialising', () => {
  it('splices prepared bytes under any id', () => {
    const prepared = Buffer.from('{"tools":[{"name":"é"}]}')
    for (const id of [0, -1, 'a"b', '<uuid>_n_1']) {
      expect(responseBytes(id, [prepared]).toString()).toBe(resultText(id, { tools: [{ name: 'é' }] }))
    }
  })

  it('leaves data out of an error that has none', () => {
    expect(errorText(null, { code: -32700, message: 'm', data: undefined })).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}',
    )
  })
})

describe('T29 very many keys', () => {
  const rows = (count: number, key: (index: number) => string): string =>
    `[${Array.from({ length: count }, (_, index) => `{"${key(index)}":${index}}`).join(',')}]`
  const inOne = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')}}`
  const call = (args: string): string => request(`,"params":{"name":"x","arguments":{"rows":${args}}}`)
  const answer = (value: string): Buffer =>
    Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":${value}}}}`)

  it('are no matter where they come again and again', () => {
    const same = rows(90_000, (index) => `column_${index % 50}`)
    expect(parseMessage(Buffer.from(call(same))).kind).toBe('request')
    expect(parseMessage(answer(same), sourceLimits).kind).toBe('result')
  })

  it('are taken up to a bound where each is another, however they are spread', () => {
    for (const some of [inOne(15_000), rows(15_000, (index) => `k${index}`)])
      expect(parseMessage(Buffer.from(call(some))).kind).toBe('request')
    for (const many of [
      inOne(60_000),
      rows(60_000, (index) => `k${index}`),
      rows(60_000, (index) => `\\u0061${index}`),
    ])
      for (const input of [call(many), Buffer.from(call(many))])
        expect(refusal(input).message).toContain('more than 20000 different keys')
  })

  it('are taken of a source up to another bound', () => {
    expect(parseMessage(answer(inOne(40_000)), sourceLimits).kind).toBe('result')
    for (const many of [inOne(120_000), rows(120_000, (index) => `k${index}`)])
      expect(refusal(answer(many), sourceLimits).message).toContain('more than 50000 different keys')
  })
})
