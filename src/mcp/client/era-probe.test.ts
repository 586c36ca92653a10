import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  connect,
  json,
  legacy,
  type Message,
  modern,
  result,
  type Script,
  serve,
} from '../../../test/helpers/scripted-source.js'

describe('what a modern source sees', () => {
  it('gets the headers and the metadata of this hop, and no compression is asked for unless the operator does', async () => {
    let seen: { headers: IncomingMessage['headers']; message: Message } | undefined
    const url = await serve(
      modern((message, response, request) => {
        seen = { headers: request.headers, message }
        result(response, message.id, {})
      }),
    )
    const peer = connect(
      url,
      { capabilities: { a: {} } },
      { headers: { Authorization: 'Bearer x', 'Accept-Encoding': 'gzip', 'Mcp-Session-Id': 'forged' } },
    )
    const args = { region: '北' }
    await peer.request(
      'tools/call',
      { name: 'tool é', arguments: args },
      {
        meta: { traceparent: '00-1', 'io.modelcontextprotocol/clientInfo': { name: 'caller' }, progressToken: 9 },
        headerParams: [{ header: 'Region', path: ['region'], type: 'string' }],
        capabilities: { elicitation: {} },
        logLevel: 'debug',
      },
    )
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer x',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?dG9vbCDDqQ==?=',
      'mcp-param-region': '=?base64?5YyX?=',
    })
    expect(seen?.headers).toHaveProperty('accept-encoding', 'gzip')
    expect(seen?.headers).not.toHaveProperty('mcp-session-id')
    expect(seen?.message.params).toEqual({
      name: 'tool é',
      arguments: args,
      _meta: {
        traceparent: '00-1',
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
        'io.modelcontextprotocol/logLevel': 'debug',
      },
    })
    await connect(url).request('tools/list')
    expect(seen?.headers).not.toHaveProperty('accept-encoding')
  })
})

describe('era probe over HTTP', () => {
  it.each([401, 403, 408, 429, 500, 502, 503])('takes %i for no evidence and remembers nothing', async (status) => {
    let refuse = true
    const good = modern((message, response) => result(response, message.id, {}))
    const url = await serve((message, response, request) => {
      if (refuse) json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'm' } }, status)
      else good(message, response, request)
    })
    const peer = connect(url)
    await expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    expect(peer.verdict).toBeUndefined()
    refuse = false
    expect(await peer.connect()).toMatchObject({ era: 'modern' })
  })

  it.each([
    ['-32601 on 200', 200, -32601],
    ['-32601 on 404', 404, -32601],
    ['-32600 on 400', 400, -32600],
  ])('takes %s for legacy', async (_name, status, code) => {
    const url = await serve((message, response, request) => {
      if (message.method === 'server/discover')
        json(response, { jsonrpc: '2.0', id: message.id, error: { code, message: 'm' } }, status)
      else legacy(() => {})(message, response, request)
    })
    expect(await connect(url).connect()).toMatchObject({ era: 'legacy', version: '2025-06-18' })
  })

  it('takes a discover answer without our version for legacy', async () => {
    const url = await serve((message, response, request) => {
      if (message.method === 'server/discover')
        result(response, message.id, { supportedVersions: ['2025-11-25'], capabilities: {} })
      else legacy(() => {})(message, response, request)
    })
    expect(await connect(url).connect()).toMatchObject({ era: 'legacy' })
  })

  it('takes -32021 for modern', async () => {
    const url = await serve((message, response) =>
      json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32021, message: 'm' } }, 400),
    )
    expect(await connect(url).connect()).toMatchObject({ era: 'modern' })
  })

  it('asks again once when a modern source begins to answer as a legacy one', async () => {
    let script: Script = modern((message, response) => result(response, message.id, { from: 'modern' }))
    const seen: string[] = []
    const url = await serve((message, response, request) => {
      seen.push(message.method)
      script(message, response, request)
    })
    const peer = connect(url)
    expect(await peer.request('tools/list')).toEqual({ from: 'modern' })
    const old = legacy((message, response) => result(response, message.id, { from: 'legacy' }))
    script = (message, response, request) => {
      const needsSession = message.method === 'tools/list' && request.headers['mcp-session-id'] === undefined
      if (needsSession)
        json(response, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } }, 400)
      else old(message, response, request)
    }
    expect(await peer.request('tools/list')).toEqual({ from: 'legacy' })
    expect(peer.verdict).toMatchObject({ era: 'legacy' })
    expect(seen.filter((method) => method === 'tools/list')).toHaveLength(3)
  })

  it('does not believe a modern source to have changed every minute anew', async () => {
    const methods: string[] = []
    const discover = modern((_message, response) => void response.writeHead(404).end())
    const url = await serve((message, response, request) => {
      methods.push(message.method)
      discover(message, response, request)
    })
    const peer = connect(url)
    for (let turn = 0; turn < 3; turn++)
      await expect(peer.request('tools/list')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
    expect(methods.filter((method) => method === 'server/discover')).toHaveLength(2)
  })

  it.each(['9999', 3, undefined])(
    'refuses the version %j in an answer to initialize (R49)',
    async (protocolVersion) => {
      const url = await serve((message, response) => {
        if (message.method === 'initialize') result(response, message.id, { protocolVersion, capabilities: {} })
        else response.writeHead(404).end()
      })
      await expect(connect(url).connect()).rejects.toMatchObject({ name: 'GatewayError' })
    },
  )
})
