import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { settle, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { legacyResult, legacyTool, legacyToolResult, modernResult, modernResultText } from '../eras.js'
import { RpcError } from '../rpc-error.js'
import { errorAnswer } from './error-answer.js'
import { createSseResponse, type SseResponse, type SseResponseOptions } from './sse-response.js'

const serverInfo = { name: 'pegboard', version: '1' }
const foreign = { 'io.modelcontextprotocol/serverInfo': { name: 'upstream' }, 'dev.acme/x': 1 }

describe('projection of results', () => {
  it('to modern clients names the type, the caching and us (R69, T164)', () => {
    const result = { content: [], unknown: 1, _meta: foreign }
    expect(modernResult(result, { serverInfo, caching: { ttlMs: 5, cacheScope: 'private' } })).toEqual({
      resultType: 'complete',
      content: [],
      unknown: 1,
      ttlMs: 5,
      cacheScope: 'private',
      _meta: { 'dev.acme/x': 1, 'io.modelcontextprotocol/serverInfo': serverInfo },
    })
    expect(modernResult({ resultType: 'task' }, { serverInfo }).resultType).toBe('task')
  })

  it('says as text what it says as an object', () => {
    const members = fc.dictionary(fc.constantFrom('content', 'resultType', '_meta', 'a"b', '__proto__'), fc.jsonValue())
    fc.assert(
      fc.property(members, (drawn) => {
        const result = JSON.parse(JSON.stringify(drawn))
        expect(JSON.parse(modernResultText(result, serverInfo))).toEqual(
          JSON.parse(JSON.stringify(modernResult(result, { serverInfo }))),
        )
      }),
    )
    expect(JSON.parse(modernResultText({ resultType: undefined }, serverInfo)).resultType).toBe('complete')
  })

  it('to legacy clients leaves out what only the modern era knows', () => {
    expect(legacyResult({ resultType: 'complete', ttlMs: 1, cacheScope: 'public', tools: [], _meta: foreign })).toEqual(
      {
        tools: [],
        _meta: { 'dev.acme/x': 1 },
      },
    )
    expect(legacyResult({ _meta: { 'io.modelcontextprotocol/serverInfo': {} } })).toEqual({})
  })

  it('wraps structured content that is no object, and whatever belongs to a wrapped schema', () => {
    expect(legacyToolResult({ structuredContent: [1] })).toEqual({ structuredContent: { result: [1] } })
    expect(legacyToolResult({ structuredContent: null })).toEqual({ structuredContent: { result: null } })
    expect(legacyToolResult({ structuredContent: { a: 1 } }, { type: 'object' })).toEqual({
      structuredContent: { a: 1 },
    })
    expect(legacyToolResult({ structuredContent: { a: 1 } }, { anyOf: [] })).toEqual({
      structuredContent: { result: { a: 1 } },
    })
    expect(legacyToolResult({ content: [] })).toEqual({ content: [] })
  })

  it('wraps output schemas whose root is no object, and leads their references the longer way', () => {
    const tool = {
      name: 't',
      outputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'array',
        items: { $ref: '#/$defs/item' },
        $defs: {
          item: { anyOf: [{ $ref: '#' }, { $ref: '#named' }, { const: { $ref: '#' } }] },
          other: { $id: 'urn:x', $ref: '#/a' },
        },
      },
    }
    expect(legacyTool(tool).outputSchema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        result: {
          type: 'array',
          items: { $ref: '#/properties/result/$defs/item' },
          $defs: {
            item: { anyOf: [{ $ref: '#/properties/result' }, { $ref: '#named' }, { const: { $ref: '#' } }] },
            other: { $id: 'urn:x', $ref: '#/a' },
          },
        },
      },
      required: ['result'],
    })
    const plain = { name: 't', outputSchema: { type: 'object' } }
    expect(legacyTool(plain)).toBe(plain)
    expect(legacyTool({ name: 't' })).toEqual({ name: 't' })
  })
})

describe('error answers', () => {
  it('have the status of the era, or their own', () => {
    expect(errorAnswer(new RpcError(-32601, 'm'), 3, 'modern')).toEqual({
      status: 404,
      body: '{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"m"}}',
    })
    expect(errorAnswer(new RpcError(-32601, 'm'), 3, 'legacy').status).toBe(200)
    expect(errorAnswer(new RpcError(-32600, 'm', { httpStatus: 413, id: 'x' }), null, 'legacy')).toMatchObject({
      status: 413,
      body: expect.stringContaining('"id":"x"'),
    })
  })
})

const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

const stream = async (options: Partial<SseResponseOptions> = {}) => {
  const clock = new VirtualClock()
  const ends: string[] = []
  let found: (pair: SseResponse) => void = () => {}
  const opened = new Promise<SseResponse>((resolve) => {
    found = resolve
  })
  const server = createServer((_request, response) =>
    found(createSseResponse(response, { clock, onEnd: (reason) => ends.push(reason), ...options })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clean.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = await new Promise<IncomingMessage>((resolve) =>
    get({ port: (server.address() as AddressInfo).port }, resolve),
  )
  client.on('error', () => {})
  return { clock, ends, client, response: await opened }
}

describe('an SSE response', () => {
  it('carries messages, keeps awake, and ends', async () => {
    const { clock, ends, client, response } = await stream()
    expect(client.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    response.send('{"a":1}')
    await clock.advance(15_000)
    response.send(Buffer.from('{"b":2}'))
    response.end('{"c":3}')
    response.send('after the end')
    const chunks: Buffer[] = []
    for await (const chunk of client) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString()).toBe('data: {"a":1}\n\n: keep-alive\n\ndata: {"b":2}\n\ndata: {"c":3}\n\n')
    expect(ends).toEqual(['ended'])
    expect(response.open).toBe(false)
    expect(clock.pendingTimers).toBe(0)
  })

  it('cuts a client that does not read, and holds no more than its bound for it (F20)', async () => {
    const { ends, client, response } = await stream({ keepAliveMs: 0 })
    client.pause()
    const message = JSON.stringify('x'.repeat(64 * 1024))
    let sent = 0
    // Whatever the kernel holds for the socket is far below this.
    for (; response.open && sent < 5_000; sent++) {
      response.send(message)
      await settle()
    }
    expect(ends).toEqual(['slow'])
    expect(sent).toBeLessThan(5_000)
  })

  it('lets one message larger than the bound pass to a client that reads', async () => {
    const { client, response } = await stream()
    const large = JSON.stringify('x'.repeat(3 * 1024 * 1024))
    response.send(large)
    response.end()
    let bytes = 0
    for await (const chunk of client) bytes += (chunk as Buffer).length
    expect(bytes).toBe(large.length + 'data: \n\n'.length)
  })

  it('notices that the client left', async () => {
    let left = () => {}
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    const reasons: string[] = []
    const { client } = await stream({
      onEnd: (reason) => {
        reasons.push(reason)
        left()
      },
    })
    client.destroy()
    await gone
    expect(reasons).toEqual(['left'])
  })
})
