import { afterEach, describe, expect, it } from 'vitest'
import { createMcpFace, type McpFace } from '../../src/faces/mcp/face.js'
import { createGateway, type Gateway, waitingRoomOf } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import type { JsonObject } from '../../src/model/json.js'
import { createHttpSource } from '../../src/sources/http/http.js'
import { createStdioHost } from '../../src/sources/stdio/sessions.js'
import { createStdioSource } from '../../src/sources/stdio/stdio.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { boardCommand } from '../helpers/fixture-servers.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import { ask, canElicit } from './modern-request.js'
import { question, type RawCall, type RawMessage, startRawLegacy, text } from './raw-server.js'

const cleanup: (() => unknown)[] = []
afterEach(async () => {
  for (const task of cleanup.splice(0).reverse()) await task()
})

const common = { name: 'raw', clientInfo: { name: 'pegboard', version: '0' }, clock: systemClock, logger: silentLogger }

const mountRaw = async (onCall: (call: RawCall) => Promise<void> | void) => {
  const server = await startRawLegacy(onCall)
  const gateway = createGateway()
  await gateway.addSource('raw', createHttpSource({ ...common, url: server.url, healthCheck: false }))
  cleanup.push(server.close, () => gateway.close())
  return { gateway, server }
}
const faceOf = (gateway: Gateway): McpFace => {
  const face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock: systemClock })
  cleanup.push(face.close)
  return face
}
const textIn = (result: JsonObject): unknown => (result.content as readonly JsonObject[])[0]?.text
const accept = { action: 'accept', content: { name: 'Ada' } }

describe('a server that asks', () => {
  it('without end is answered with refusals after 64 questions of one call', async () => {
    const { gateway } = await mountRaw(async ({ ask: askClient, end }) => {
      for (let asked = 1; ; asked++) {
        const { error } = await askClient('elicitation/create', question)
        if (error) return end(text(`refused at ${asked}`))
      }
    })
    const face = faceOf(gateway)
    const params = { name: 'raw.ask' }
    let result = await ask({ face, params })
    for (let rounds = 0; result.resultType === 'input_required' && rounds < 100; rounds++) {
      const [key] = Object.keys(result.inputRequests as JsonObject)
      const requestState = result.requestState as string
      result = await ask({ face, params: { ...params, inputResponses: { [key!]: accept }, requestState } })
    }
    expect(textIn(result)).toBe('refused at 65')
    expect(waitingRoomOf(gateway).list()).toEqual([])
  })

  it('for what the caller did not declare is refused, and the caller hears nothing of it', async () => {
    const { gateway } = await mountRaw(async ({ ask: askClient, end }) => {
      const { error } = await askClient('sampling/createMessage', { messages: [], maxTokens: 1 })
      end(text(`refused with ${error.code}`))
    })
    expect(textIn(await ask({ face: faceOf(gateway), params: { name: 'raw.ask' } }))).toBe('refused with -32601')
  })

  it('hears of each caller exactly what that caller declared, in a session of its own', async () => {
    const { gateway, server } = await mountRaw(({ end }) => end(text('done')))
    const face = faceOf(gateway)
    const params = { name: 'raw.ask' }
    await ask({ face, params, caller: 'ada' })
    await ask({ face, params, caller: 'bob', capabilities: { sampling: { tools: {} }, roots: {} } })
    await ask({ face, params, caller: 'eve', capabilities: {} })
    await ask({ face, params, caller: 'ada' })
    expect(server.declared.slice(1)).toEqual([canElicit, { sampling: { tools: {} }, roots: {} }, {}])
  })

  it('two callers at once gets its answers from the right ones, and logs and progress reach only their calls (T7)', async () => {
    const { gateway } = await mountRaw(async ({ params, ask: askClient, say, end }) => {
      const { mark } = params.arguments
      say({ method: 'notifications/message', params: { level: 'error', data: mark } })
      say({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1 } })
      const { result } = await askClient('elicitation/create', { ...question, message: mark })
      end(text(`${mark} ${result.content.name}`))
    })
    const face = faceOf(gateway)
    const tell = async (mark: string): Promise<{ readonly answer: unknown; readonly heard: string }> => {
      const heard: string[] = []
      const meta = { progressToken: mark }
      const params = { name: 'raw.ask', arguments: { mark }, _meta: meta }
      const sender = {
        era: 'modern' as const,
        version: '2026-07-28',
        clientCapabilities: canElicit,
        clientInfo: undefined,
        logLevel: 'debug',
      }
      const more = { face, caller: mark, onNotify: (said: string) => heard.push(said), extra: { sender } }
      const asked = await ask({ ...more, params })
      const [[key, request]] = Object.entries(asked.inputRequests as RawMessage) as [[string, RawMessage]]
      expect(request.params.message).toBe(mark)
      const inputResponses = { [key]: { action: 'accept', content: { name: mark } } }
      const requestState = asked.requestState as string
      const result = await ask({ ...more, params: { ...params, inputResponses, requestState } })
      return { answer: textIn(result), heard: heard.join('') }
    }
    const marks = Array.from({ length: 20 }, (_, at) => `nonce${at}x`)
    const told = await Promise.all(marks.map(tell))
    marks.forEach((mark, at) => {
      expect(told[at]!.answer).toBe(`${mark} ${mark}`)
      expect(told[at]!.heard).toContain(mark)
      for (const other of marks) if (other !== mark) expect(told[at]!.heard).not.toContain(other)
    })
  })
})

describe('a process that callers share', () => {
  it('is refused its question when two calls run: nobody knows whom it asks', async () => {
    const host = createStdioHost({ clock: systemClock, logger: silentLogger, hostEnv: process.env })
    const gateway = createGateway()
    cleanup.push(
      () => host.close(),
      () => gateway.close(),
    )
    await gateway.addSource('shared', createStdioSource({ ...common, ...boardCommand('legacy'), host }))
    const face = faceOf(gateway)
    const params = { name: 'shared.ask_name' }
    const first = await ask({ face, params, caller: 'ada' })
    expect(first.resultType).toBe('input_required')
    // The first call still runs over there, so the second question could be either's.
    await expect(ask({ face, params, caller: 'eve' })).rejects.toThrow(/Several calls are running/)
    const [key] = Object.keys(first.inputRequests as JsonObject)
    const back = { ...params, inputResponses: { [key!]: accept }, requestState: first.requestState as string }
    expect(textIn(await ask({ face, params: back, caller: 'ada' }))).toBe('accept: Ada')
  })
})

describe('a legacy client that vanishes mid-elicitation', () => {
  it('is not waited for: its question is refused upstream and its call ends', async () => {
    let refused: (message: RawMessage) => void = () => {}
    const refusal = new Promise<RawMessage>((resolve) => {
      refused = resolve
    })
    const { gateway } = await mountRaw(async ({ ask: askClient, end }) => {
      refused(await askClient('elicitation/create', question))
      end(text('over'))
    })
    const served: ServedFixture = await serveFixture(gateway)
    cleanup.push(() => served.close())
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const post = (body: RawMessage, more: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(served.url, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
        ...(signal ? { signal } : {}),
      })
    const hello = await post({
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: canElicit, clientInfo: { name: 'c', version: '1' } },
    })
    const session = { 'mcp-session-id': hello.headers.get('mcp-session-id')! }
    const leaving = new AbortController()
    const response = await post({ method: 'tools/call', params: { name: 'raw.ask' } }, session, leaving.signal)
    const { value } = await response.body!.getReader().read()
    expect(new TextDecoder().decode(value)).toContain('elicitation/create')
    leaving.abort()
    expect((await refusal).error).toBeDefined()
    served.endpoint.sessions.each(({ client }) => expect(client.questions.size).toBe(0))
  })

  it("cannot be answered for by another caller's session (T8)", async () => {
    const { gateway } = await mountRaw(async ({ ask: askClient, end }) => {
      const { result } = await askClient('elicitation/create', question)
      end(text(result.content.name))
    })
    const served: ServedFixture = await serveFixture(gateway)
    cleanup.push(() => served.close())
    const open = async (): Promise<{ post(body: RawMessage): Promise<Response> }> => {
      const send = (body: RawMessage, more: Record<string, string> = {}) =>
        fetch(served.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
        })
      const hello = await send({
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: canElicit, clientInfo: { name: 'c', version: '1' } },
      })
      return { post: (body) => send(body, { 'mcp-session-id': hello.headers.get('mcp-session-id')! }) }
    }
    const [one, other] = [await open(), await open()]
    const response = await one.post({ method: 'tools/call', params: { name: 'raw.ask' } })
    const reader = response.body!.getReader()
    const asked = JSON.parse(new TextDecoder().decode((await reader.read()).value).replace(/^data: /, '')) as RawMessage
    await other.post({ id: asked.id, result: { action: 'accept', content: { name: 'Eve' } } })
    await one.post({ id: asked.id, result: accept })
    let rest = ''
    for (let part = await reader.read(); !part.done; part = await reader.read())
      rest += new TextDecoder().decode(part.value)
    expect(rest).toContain('Ada')
    expect(rest).not.toContain('Eve')
  })
})
