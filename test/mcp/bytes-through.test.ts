import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { localCaller } from '../../src/model/caller.js'
import { systemClock } from '../../src/model/clock.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'

const version = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}
const tool = { name: 'say', inputSchema: { type: 'object' } }
const wrapped = { ...tool, name: 'list', outputSchema: { type: 'array' } }

/** A modern server whose tool answers with exactly the text that it is given, as JSON or on a stream of events. */
const createParrot = (): Server =>
  createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    if (id === undefined || method === 'subscriptions/listen') return void response.writeHead(405).end()
    const results: Record<string, string> = {
      'server/discover': JSON.stringify({ supportedVersions: [version], capabilities: { tools: {} } }),
      'tools/list': JSON.stringify({ tools: [tool, wrapped] }),
      'tools/call': params.arguments?.raw,
    }
    const message = `{"jsonrpc":"2.0","id":${id},"result":${results[method]}}`
    const isStream = params.arguments?.stream === true
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? `data: ${message}\n\n` : message)
  })

describe('a result that nothing asks to look into', () => {
  const parrot = createParrot()
  let gateway: Gateway
  let served: ServedFixture
  let session: Record<string, string>

  const post = (body: object, headers: Record<string, string> = {}) =>
    fetch(served.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  const resultIn = (text: string): string =>
    /^\{"jsonrpc":"2.0","id":"mine","result":(.*)\}$/s.exec(text)?.[1] ?? `no result: ${text}`
  const modern = async (raw: string, more: object = {}, name = 'up.say'): Promise<string> => {
    const params = { name, arguments: { raw, ...more }, _meta: meta }
    const headers = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name }
    const answer = await post({ id: 'mine', method: 'tools/call', params }, headers)
    return resultIn(await answer.text())
  }
  const legacy = async (raw: string, more: object = {}, name = 'up.say'): Promise<string> => {
    const answer = await post(
      { id: 'mine', method: 'tools/call', params: { name, arguments: { raw, ...more } } },
      session,
    )
    return resultIn(await answer.text())
  }

  beforeAll(async () => {
    parrot.listen(0, '127.0.0.1')
    await once(parrot, 'listening')
    gateway = createGateway()
    const url = `http://127.0.0.1:${(parrot.address() as AddressInfo).port}/mcp`
    const clientInfo = { name: 'test', version: '1' }
    await gateway.addSource(
      'up',
      createHttpSource({ name: 'up', url, clientInfo, clock: systemClock, logger: silentLogger }),
    )
    served = await serveFixture(gateway)
    const hello = await post({
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    })
    session = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  })
  afterAll(async () => {
    await served.close()
    parrot.close()
  })

  // No parser writes a number with a zero behind it, or a space there: these bytes are the source's own.
  const odd = '"content": [{"type":"text","text":"caf\\u00e9 é"} ],"score":1.50'

  it('reaches its caller as it came, in both eras, as JSON and on a stream', async () => {
    for (const more of [{}, { stream: true }]) {
      expect(await modern(`{${odd}}`, more)).toMatch(`{"resultType":"complete",${odd},"_meta":{`)
      expect(await legacy(`{${odd}}`, more)).toBe(`{${odd}}`)
    }
  })

  it('is what library callers read', async () => {
    const outcome = await gateway.call({ tool: 'up.say', args: { raw: `{${odd}}` }, caller: localCaller })
    expect(outcome).toMatchObject({ ok: true, answer: { result: { score: 1.5 }, bytes: Buffer.byteLength(odd) + 2 } })
    expect(JSON.parse(JSON.stringify(outcome))).toMatchObject({ answer: { type: 'result', result: { score: 1.5 } } })
    expect(inspect(outcome)).toContain('score: 1.5')
  })

  it('loses what speaks of the last hop, and keeps what is its own', async () => {
    const reserved = '"io.modelcontextprotocol/serverInfo":{"name":"parrot","version":"1"}'
    const own = `{"_meta":{${reserved},"mine":1},"resultType":"complete",${odd},"ttlMs":3}`
    const seen = JSON.parse(await modern(own))
    expect(seen._meta).toEqual({
      mine: 1,
      'io.modelcontextprotocol/serverInfo': { name: 'pegboard', version: '0.0.0' },
    })
    expect(await legacy(own)).toBe(`{${odd},"_meta":{"mine":1}}`)
    expect(await legacy(`{${odd},"_meta":{${reserved}}}`)).toBe(`{${odd}}`)
  })

  it('is written anew where it could be read in two ways, or would break a line', async () => {
    expect(await legacy(`{"content":[],"a":{"b":1,"b":2}}`)).toBe('{"content":[],"a":{"b":2}}')
    expect(await legacy(`{"content":[],\n "a":1}`)).toBe('{"content":[],"a":1}')
    expect(await legacy(`{"content":[],"\\u0061":1}`)).toBe('{"content":[],"a":1}')
  })

  it('is refused where its bounds are broken', async () => {
    const deep = `{"content":[],"a":${'['.repeat(70)}${']'.repeat(70)}}`
    const inexact = '{"content":[],"a":12345678901234567890}'
    for (const raw of [deep, inexact, '{"content":[],"a":tru}', '{"content":[]'])
      for (const ask of [modern, legacy]) expect(JSON.parse(await ask(raw))).toMatchObject({ isError: true })
  })

  it('has structured content in the form of the era', async () => {
    const list = '{"content":[],"structuredContent":[1, 2]}'
    expect(await modern(list, {}, 'up.list')).toContain('"structuredContent":[1, 2]')
    expect(JSON.parse(await legacy(list, {}, 'up.list')).structuredContent).toEqual({ result: [1, 2] })
    const object = '{"content":[],"structuredContent":{"a": 1}}'
    expect(await legacy(object)).toBe(object)
    expect(JSON.parse(await legacy(object, {}, 'up.list')).structuredContent).toEqual({ result: { a: 1 } })
  })

  it('passes when it is large, byte for byte', async () => {
    const large = `"content":[{"type":"text","text":"${'é\\n"'.replace('"', '\\"').repeat(200_000)}"}]`
    for (const more of [{}, { stream: true }]) {
      expect((await modern(`{${large}}`, more)).startsWith(`{"resultType":"complete",${large},"_meta":{`)).toBe(true)
      expect(await legacy(`{${large}}`, more)).toBe(`{${large}}`)
    }
  })

  it('counts as a failure of the tool where it says so, and as its cost', async () => {
    const records: unknown[] = []
    const stop = gateway.onCall((record, _call, outcome) => void records.push([record.cost, outcome.ok]))
    await modern('{"content":[],"isError" : true,"_meta":{"cost":0.25}}')
    await modern('{"content":[],"meta":{"cost":2}}')
    stop()
    expect(records).toEqual([
      [0.25, true],
      [2, true],
    ])
  })
})
