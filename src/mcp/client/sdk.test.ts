import { randomUUID } from 'node:crypto'
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { Server as V1Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StdioServerTransport as V1Stdio } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server as V2Server } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport as V2Stdio } from '@modelcontextprotocol/server/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createLineSplitter } from '../framing.js'
import type { ClientPeer, ClientPeerOptions } from './client-peer.js'
import { createHttpTransport } from './http-transport.js'
import type { LineChannel } from './line-transport.js'
import { createLineTransport } from './line-transport.js'
import { createClientPeer } from './peer.js'
import { createSseTransport } from './sse-transport.js'
import type { ClientTransport } from './transport.js'
import { createWebSocketTransport } from './websocket-transport.js'

/** What the test sees of a server: calls that were cancelled, and a way to announce a changed list. */
interface World {
  transport: ClientTransport
  readonly cancelled: () => Promise<void>
  announce(): void | Promise<void>
}

const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})

const tools = [
  { name: 'echo', inputSchema: { type: 'object' as const }, vendorField: { kept: true } },
  { name: 'slow', inputSchema: { type: 'object' as const } },
]

/** The same three tools for both SDKs: `echo`, `fail`, `slow` (progress) and `hang` (until cancelled). */
const answer = async (
  name: string,
  args: Record<string, unknown> | undefined,
  signal: AbortSignal,
  progress: (value: number) => Promise<void>,
  onCancel: () => void,
) => {
  if (name === 'fail') return { content: [{ type: 'text' as const, text: 'no' }], isError: true }
  if (name === 'slow') for (const step of [1, 2, 3]) await progress(step)
  if (name === 'hang') {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    onCancel()
  }
  if (name === 'broken') throw Object.assign(new Error('unknown tool'), { code: -32602, data: { tool: name } })
  return { content: [{ type: 'text' as const, text: String(args?.text ?? '') }], extra: { kept: true } }
}

const signalled = () => {
  let fire = () => {}
  const promise = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { promise, fire }
}

const v1Server = (onCancel: () => void): V1Server => {
  const server = new V1Server(
    { name: 'v1', version: '1' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'hello' },
  )
  server.setRequestHandler(ListToolsRequestSchema, (request) =>
    request.params?.cursor ? { tools: [tools[1]!] } : { tools: [tools[0]!], nextCursor: 'two' },
  )
  server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
    answer(
      request.params.name,
      request.params.arguments,
      extra.signal,
      async (progress) => {
        const progressToken = request.params._meta?.progressToken
        if (progressToken !== undefined)
          await extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 3 },
          })
      },
      onCancel,
    ),
  )
  return server
}

const v2Server = (onCancel: () => void): V2Server => {
  const server = new V2Server(
    { name: 'v2', version: '1' },
    { capabilities: { tools: { listChanged: true } }, instructions: 'hello' },
  )
  server.setRequestHandler('tools/list', (request) =>
    (request.params as { cursor?: string | undefined } | undefined)?.cursor
      ? { tools: [tools[1]!] }
      : { tools: [tools[0]!], nextCursor: 'two' },
  )
  server.setRequestHandler('tools/call', (request, context) =>
    answer(
      request.params.name,
      request.params.arguments,
      context.mcpReq.signal,
      async (progress) => {
        const progressToken = context.mcpReq._meta?.progressToken
        if (progressToken !== undefined)
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 3 },
          })
      },
      onCancel,
    ),
  )
  return server
}

const listen = async (
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ url: string; server: HttpServer }> => {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  clean.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

const pipes = () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const channel: LineChannel = {
    send: (line) => void input.write(`${line}\n`),
    onLine: (onLine) => {
      const splitter = createLineSplitter({ onLine, onTooLong: () => output.destroy() })
      output.on('data', (chunk: Buffer) => splitter.push(chunk))
    },
    onClose: (listener) => void output.on('close', () => listener(undefined)),
    close: () => void output.destroy(),
  }
  return { input, output, channel }
}

const worlds: Record<string, () => Promise<World>> = {
  'SDK v1, streamable HTTP with sessions and event streams': () => v1Http(false),
  'SDK v1, streamable HTTP with sessions and JSON answers': () => v1Http(true),
  'SDK v1, HTTP+SSE': async () => {
    const cancel = signalled()
    const server = v1Server(cancel.fire)
    let transport: SSEServerTransport | undefined
    const { url } = await listen((request, response) => {
      if (request.method === 'GET') {
        transport = new SSEServerTransport('/messages', response)
        void server.connect(transport)
      } else void transport?.handlePostMessage(request, response)
    })
    return {
      transport: createSseTransport({ url: `${url}/sse` }),
      cancelled: () => cancel.promise,
      announce: () => server.sendToolListChanged(),
    }
  },
  'SDK v1, lines': async () => {
    const cancel = signalled()
    const server = v1Server(cancel.fire)
    const { input, output, channel } = pipes()
    await server.connect(new V1Stdio(input, output))
    return {
      transport: createLineTransport(channel),
      cancelled: () => cancel.promise,
      announce: () => server.sendToolListChanged(),
    }
  },
  'SDK v1, WebSocket': async () => {
    const cancel = signalled()
    const server = v1Server(cancel.fire)
    const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await new Promise((resolve) => sockets.on('listening', resolve))
    clean.push(() => sockets.close())
    sockets.on('connection', (socket) => {
      const { input, output, channel } = pipes()
      channel.onLine((line) => socket.send(line))
      socket.on('message', (data) => channel.send(data as Buffer))
      void server.connect(new V1Stdio(input, output))
    })
    const url = `ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`
    return {
      transport: createWebSocketTransport({ url }),
      cancelled: () => cancel.promise,
      announce: () => server.sendToolListChanged(),
    }
  },
  'SDK v2, streamable HTTP': async () => {
    const cancel = signalled()
    const handler = createMcpHandler(() => v2Server(cancel.fire), { legacy: 'reject' })
    const { url } = await listen(toNodeHandler(handler) as never)
    clean.push(() => handler.close())
    return {
      transport: createHttpTransport({ url: `${url}/mcp` }),
      cancelled: () => cancel.promise,
      announce: () => handler.notify.toolsChanged(),
    }
  },
  'SDK v2, lines': () => v2Lines('reject'),
  // A pipe carries one era for all callers, and the legacy one serves those of both (B5).
  'dual SDK v2, lines': () => v2Lines('serve'),
}

const v2Lines = async (legacy: 'serve' | 'reject'): Promise<World> => {
  const cancel = signalled()
  let server: V2Server | undefined
  const { input, output, channel } = pipes()
  const create = () => {
    server = v2Server(cancel.fire)
    return server
  }
  serveStdio(create, { transport: new V2Stdio(input, output), legacy })
  return {
    transport: createLineTransport(channel),
    cancelled: () => cancel.promise,
    announce: () => server!.sendToolListChanged(),
  }
}

const v1Http = async (enableJsonResponse: boolean): Promise<World> => {
  const cancel = signalled()
  const server = v1Server(cancel.fire)
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, enableJsonResponse })
  await server.connect(transport as never)
  const { url } = await listen((request, response) => void transport.handleRequest(request, response))
  return {
    transport: createHttpTransport({ url: `${url}/mcp` }),
    cancelled: () => cancel.promise,
    announce: () => server.sendToolListChanged(),
  }
}

const open = async (
  name: string,
  options: Partial<ClientPeerOptions> = {},
): Promise<{ peer: ClientPeer; world: World }> => {
  const world = await worlds[name]!()
  const peer = createClientPeer(world.transport, { clientInfo: { name: 'test', version: '1' }, ...options })
  clean.push(() => peer.close())
  return { peer, world }
}

describe.each(Object.keys(worlds))('a client peer before %s', (name) => {
  const modern = name.startsWith('SDK v2')

  it('finds the era and reports it', async () => {
    const verdicts: unknown[] = []
    const { peer } = await open(name, { onVerdict: (verdict) => verdicts.push(verdict) })
    const info = await peer.connect()
    expect(info).toMatchObject({
      era: modern ? 'modern' : 'legacy',
      version: modern ? '2026-07-28' : '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: name.includes('v2') ? 'v2' : 'v1' },
      instructions: 'hello',
    })
    expect(verdicts).toEqual([{ era: info.era, version: info.version, at: expect.any(Number) }])
    await peer.ping()
  })

  it('reads all pages and keeps unknown fields', async () => {
    const { peer } = await open(name)
    const { items, pages } = await peer.listAll('tools/list', 'tools')
    expect(items.map((tool) => tool.name)).toEqual(['echo', 'slow'])
    expect(pages).toBe(2)
    expect(items[0]).toMatchObject({ vendorField: { kept: true } })
  })

  it('calls, also with text of every kind, and hands results over untouched', async () => {
    const { peer } = await open(name)
    const text = 'é 北京 \u2028 😀 "\\'
    const result = await peer.request('tools/call', { name: 'echo', arguments: { text } })
    expect(result).toMatchObject({ content: [{ type: 'text', text }], extra: { kept: true } })
    expect(await peer.request('tools/call', { name: 'fail', arguments: {} })).toMatchObject({ isError: true })
  })

  it('passes errors of the source on with their code', async () => {
    const { peer } = await open(name)
    await expect(peer.request('tools/call', { name: 'broken' })).rejects.toMatchObject({
      name: 'RpcError',
      code: -32602,
    })
    await expect(peer.request('no/such')).rejects.toMatchObject({ name: 'RpcError', code: -32601 })
    // A failed request leaves the connection whole (F17).
    expect(await peer.request('tools/call', { name: 'echo', arguments: { text: 'x' } })).toBeTruthy()
  })

  it('maps progress back to the request', async () => {
    const { peer } = await open(name)
    const seen: number[] = []
    const call = { name: 'slow', arguments: {}, _meta: { progressToken: 'the caller’s own' } }
    await peer.request('tools/call', call, { onProgress: ({ progress }) => seen.push(progress) })
    // A JSON answer has no place for progress.
    if (!name.includes('JSON')) expect(seen).toEqual([1, 2, 3])
  })

  it('cancels what nobody waits for', async () => {
    const { peer, world } = await open(name)
    await peer.connect()
    const controller = new AbortController()
    const call = peer.request('tools/call', { name: 'hang' }, { signal: controller.signal })
    const refused = expect(call).rejects.toMatchObject({ code: 'CALL_CANCELLED', notSent: false })
    // The call is on its way once another one, sent after it, has been answered.
    await peer.request('tools/call', { name: 'echo', arguments: {} })
    controller.abort()
    await refused
    await world.cancelled()
  })

  it('keeps 200 calls at once apart (T7)', async () => {
    const { peer } = await open(name)
    const calls = Array.from({ length: 200 }, (_, index) =>
      peer.request('tools/call', { name: 'echo', arguments: { text: `nonce ${index}` } }),
    )
    const texts = (await Promise.all(calls)).map((result) => (result.content as { text: string }[])[0]!.text)
    expect(texts).toEqual(calls.map((_, index) => `nonce ${index}`))
    expect(peer.stats).toMatchObject({ foreignAnswers: 0, lateAnswers: 0, noise: 0 })
  })

  it('hears of changed lists', async () => {
    const heard: string[] = []
    const { peer, world } = await open(name, { onNotification: ({ method }) => void heard.push(method) })
    await peer.connect()
    const stop = peer.listen({ toolsListChanged: true })
    // The stream of announcements opens in its own time; announcing until it is heard waits for nothing else.
    const heardAfterOne = async () => {
      await world.announce()
      return heard
    }
    await expect.poll(heardAfterOne, { interval: 1 }).toContain('notifications/tools/list_changed')
    stop()
  })

  it('refuses requests after it was closed, as never sent', async () => {
    const { peer } = await open(name)
    await peer.connect()
    await peer.close()
    await expect(peer.request('tools/list')).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
  })
})

describe('eras', () => {
  it('speaks legacy to a dual-era source when told to', async () => {
    const handler = createMcpHandler(() => v2Server(() => {}))
    const { url } = await listen(toNodeHandler(handler) as never)
    clean.push(() => handler.close())
    const peer = createClientPeer(createHttpTransport({ url }), {
      clientInfo: { name: 't', version: '1' },
      era: 'legacy',
    })
    clean.push(() => peer.close())
    expect(await peer.connect()).toMatchObject({ era: 'legacy' })
    expect((await peer.listAll('tools/list', 'tools')).items).toHaveLength(2)
  })

  it('corrects a legacy verdict about a source that became modern', async () => {
    const verdict = { era: 'legacy', version: '2025-11-25', at: 0 } as const
    for (const name of ['SDK v2, streamable HTTP']) {
      const { peer } = await open(name, { verdict })
      expect(await peer.connect()).toMatchObject({ era: 'modern' })
      expect(peer.verdict).toMatchObject({ era: 'modern' })
    }
  })

  it('corrects a modern verdict about a source that is legacy', async () => {
    const verdict = { era: 'modern', version: '2026-07-28', at: 0 } as const
    for (const name of ['SDK v1, lines', 'SDK v1, streamable HTTP with sessions and JSON answers']) {
      const { peer } = await open(name, { verdict })
      expect(await peer.connect()).toMatchObject({ era: 'legacy' })
    }
  })

  it('says so when a legacy source is required to be modern', async () => {
    const { peer } = await open('SDK v1, lines', { era: 'modern' })
    await expect(peer.connect()).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' })
  })
})
