import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startOtel, traceparentOf } from '../../test/helpers/real-otel.js'
import { settle, VirtualClock } from '../../test/helpers/virtual-clock.js'
import { GatewayError } from '../errors.js'
import { createGateway, type GatewayOptions } from '../gateway.js'
import { RpcError } from '../mcp/rpc-error.js'
import type { Call, RequestKind } from '../model/call.js'
import { localCaller } from '../model/caller.js'
import { type Answer, resultAnswer } from '../model/result.js'
import type { Source } from '../sources/source.js'
import { silentLogger } from './logger.js'
import { loadOtel, observeLoad } from './otel-api.js'
import { createTracing } from './tracing.js'

const otel = startOtel()
afterAll(otel.stop)
beforeEach(() => void otel.spans())

const said = (text: string, isError = false): Answer => resultAnswer({ content: [{ type: 'text', text }], isError })

/** A far server with one tool, which remembers what it was asked with. */
const createFar = (kind: string, answer: (call: Call) => Answer | Promise<Answer>) => {
  const asked: Call[] = []
  const source: Source = {
    kind,
    watch: async (report, signal) => {
      report({ type: 'all', tools: [{ definition: { name: 'look', inputSchema: { type: 'object' } } }] })
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    call: (_name, _args, { call }) => {
      asked.push(call)
      return answer(call)
    },
    [Symbol.asyncDispose]: async () => {},
  }
  return { source, asked }
}

const story = async (
  kind = 'http',
  answer: (call: Call) => Answer | Promise<Answer> = () => said('seen'),
  options: GatewayOptions = {},
) => {
  const clock = new VirtualClock()
  const tracing = createTracing(otel.api, {
    clock,
    versionOf: (source) => (source === 'far' ? '2026-07-28' : undefined),
  })
  const gateway = createGateway({ clock, ...tracing, ...options })
  const far = createFar(kind, answer)
  await gateway.addSource('far', far.source)
  gateway.register({ definition: { name: 'near', inputSchema: { type: 'object' } }, handler: () => 1 })
  const call = (tool: string, meta?: Call['meta']) => gateway.call({ tool, caller: localCaller, meta })
  return { gateway, clock, call, asked: far.asked }
}

const server = { 'mcp.method.name': 'tools/call', 'gen_ai.operation.name': 'execute_tool' }
const theirs = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('tracing', () => {
  it('opens a SERVER span towards the caller and under it a CLIENT span towards the source', async () => {
    const { call } = await story()
    await call('far.look')
    const [outer, inner] = otel.spans()
    expect(outer).toMatchObject({
      name: 'tools/call far.look',
      kind: 1,
      attributes: { ...server, 'gen_ai.tool.name': 'far.look' },
    })
    expect(inner).toMatchObject({ name: 'tools/call look', kind: 2 })
    expect(inner!.attributes).toEqual({
      ...server,
      'gen_ai.tool.name': 'look',
      'pegboard.source': 'far',
      'mcp.protocol.version': '2026-07-28',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
    })
    expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId)
    expect(inner!.spanContext().traceId).toBe(outer!.spanContext().traceId)
    expect([outer!.status.code, inner!.status.code]).toEqual([0, 0])
  })

  it('tells of prompts, resources and other methods in the same words, with no series for endless names', async () => {
    const { gateway } = await story()
    const asked: Call[] = []
    const offer = { era: 'modern', capabilities: { prompts: {}, resources: {} }, instructions: undefined } as const
    const { source } = createFar('stdio', () => said(''))
    const quiet = () => () => {}
    await gateway.addSource('up', {
      ...source,
      surface: {
        offer: { ...offer, prompts: [{ name: 'hello' }], resources: [], templates: [] },
        settled: async () => {},
        ...{ follow: quiet, listen: quiet, onChange: quiet, onUpdated: quiet },
      },
      ask: async (_request, { call }) => {
        asked.push(call)
        return {}
      },
    })
    const seen = async (kind: Exclude<RequestKind, 'tool'>, tool: string) => {
      await gateway.call({ kind, tool, source: 'up', args: {}, caller: localCaller, meta: { traceparent: theirs } })
      const [outer, inner] = otel.spans()
      expect(inner!.parentSpanContext?.spanId).toBe(outer!.spanContext().spanId)
      expect(asked.at(-1)?.meta).toEqual({ traceparent: traceparentOf(inner!) })
      return [outer!.name, inner!.name, inner!.attributes]
    }
    const wire = { 'network.transport': 'pipe', 'pegboard.source': 'up' }
    expect(await seen('prompt', 'up.hello')).toEqual([
      'prompts/get up.hello',
      'prompts/get hello',
      { ...wire, 'mcp.method.name': 'prompts/get', 'gen_ai.prompt.name': 'hello' },
    ])
    expect(await seen('resource', 'file:///a')).toEqual([
      'resources/read',
      'resources/read',
      { ...wire, 'mcp.method.name': 'resources/read', 'mcp.resource.uri': 'file:///a' },
    ])
    expect(await seen('other', 'notes/burn')).toEqual([
      'notes/burn',
      'notes/burn',
      { ...wire, 'mcp.method.name': 'notes/burn' },
    ])
    const points = (await otel.points())['mcp.client.operation.duration']!.map(({ attributes }) => attributes)
    expect(points).toContainEqual({ ...wire, 'mcp.method.name': 'resources/read' })
    expect(points).toContainEqual({ ...wire, 'mcp.method.name': '_OTHER' })
    expect(JSON.stringify(points)).not.toMatch(/file:|notes/)
  })

  it('takes its parent from _meta and gives the source the CLIENT span’s id, never the caller’s', async () => {
    const { call, asked } = await story()
    await call('far.look', { traceparent: theirs, tracestate: 'v=1', baggage: 'who=me', other: 1 })
    const [outer, inner] = otel.spans()
    expect(outer!.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true })
    expect(asked[0]?.meta).toEqual({
      traceparent: traceparentOf(inner!),
      tracestate: 'v=1',
      baggage: 'who=me',
      other: 1,
    })
    expect(traceparentOf(inner!)).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/)
  })

  it('links the span of the HTTP request where the parent is another’s', async () => {
    const { call } = await story()
    const http = otel.api.trace.getTracer('http').startSpan('POST', {}, otel.api.context.active())
    await otel.api.context.with(otel.api.trace.setSpan(otel.api.context.active(), http), () =>
      call('near', { traceparent: theirs }),
    )
    const [outer] = otel.spans()
    expect(outer!.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    expect(outer!.links.map(({ context }) => context)).toEqual([http.spanContext()])
  })

  it.each([
    ['stdio', 'tools/call look', { 'mcp.method.name': 'tools/call', 'network.transport': 'pipe' }],
    ['websocket', 'tools/call look', { 'network.protocol.name': 'websocket' }],
    ['openapi', 'execute_tool look', { 'network.protocol.name': 'http' }],
  ])('names the wire of a source: %s', async (kind, name, attributes) => {
    const { call } = await story(kind)
    await call('far.look')
    expect(otel.spans()[1]).toMatchObject({ name, attributes })
  })

  it('has no CLIENT span for functions of this process, nor for a call that never left', async () => {
    const { call } = await story()
    await call('near')
    await call('far.gone')
    expect(otel.spans().map(({ kind }) => kind)).toEqual([1, 1])
  })

  it('has one CLIENT span per attempt, each the parent of what it asked', async () => {
    let tries = 0
    const down = () => new GatewayError('SOURCE_UNAVAILABLE', 'down', { notSent: true })
    const { call, asked, clock } = await story(
      'http',
      () => {
        if (tries++ === 0) throw down()
        return said('seen')
      },
      { retry: { attempts: 2, backoffMs: 10 } },
    )
    const outcome = call('far.look')
    await settle()
    await clock.advance(10)
    expect((await outcome).ok).toBe(true)
    const [outer, first, second] = otel.spans()
    expect([first, second].map((span) => span!.parentSpanContext?.spanId)).toEqual(
      Array(2).fill(outer!.spanContext().spanId),
    )
    expect(asked.map(({ meta }) => meta?.traceparent)).toEqual([traceparentOf(first!), traceparentOf(second!)])
    expect([first!.attributes['error.type'], second!.attributes['error.type']]).toEqual([
      'SOURCE_UNAVAILABLE',
      undefined,
    ])
  })

  it('names what went wrong on either side, never in a stranger’s words', async () => {
    const failures: [string, () => Answer, unknown[]][] = [
      ['a tool that says no', () => said('secret', true), ['tool_error', 'tool_error', undefined]],
      [
        'an error of the protocol',
        () => {
          throw new RpcError(-32602, 'secret')
        },
        [expect.any(String), '-32602', '-32602'],
      ],
      [
        'anything else',
        () => {
          throw new Error('secret')
        },
        ['TOOL_FAILED', 'TOOL_FAILED', undefined],
      ],
    ]
    for (const [_what, answer, expected] of failures) {
      const { call } = await story('http', answer)
      await call('far.look')
      const [outer, inner] = otel.spans()
      expect([
        outer!.attributes['error.type'],
        inner!.attributes['error.type'],
        inner!.attributes['rpc.response.status_code'],
      ]).toEqual(expected)
      expect([outer!.status.code, inner!.status.code]).toEqual([2, 2])
      expect(JSON.stringify([outer!.attributes, inner!.attributes, outer!.status, inner!.status])).not.toContain(
        'secret',
      )
    }
  })

  it('measures both sides, and makes no series of a caller’s own words', async () => {
    const { call } = await story()
    await call('far.look')
    await call('canary-words')
    const points = await otel.points()
    expect(points['mcp.client.operation.duration']?.map(({ attributes }) => attributes)).toContainEqual(
      expect.objectContaining({ 'gen_ai.tool.name': 'look', 'pegboard.source': 'far' }),
    )
    expect(points['mcp.server.operation.duration']?.map(({ attributes }) => attributes)).toContainEqual({
      ...server,
      'error.type': 'TOOL_NOT_FOUND',
    })
    expect(JSON.stringify(points)).not.toContain('canary')
  })

  it('tells who runs and who waits when it is collected', async () => {
    const release: (() => void)[] = []
    const { gateway, call } = await story(
      'http',
      () => new Promise((resolve) => release.push(() => resolve(said('seen')))),
      { limits: { concurrencyPerTool: 1 } },
    )
    observeLoad(otel.api, gateway, { parked: () => 3, unread: () => [{ source: 'child', bytes: 9 }] })
    const calls = [call('far.look'), call('far.look')]
    await settle()
    const points = await otel.points()
    const valuesOf = (name: string) => points[name]?.map(({ value, attributes }) => [value, attributes])
    expect(valuesOf('pegboard.calls.in_flight')).toEqual([[1, { 'pegboard.source': 'far' }]])
    expect(valuesOf('pegboard.calls.waiting')).toEqual([[1, { 'pegboard.source': 'far' }]])
    expect(valuesOf('pegboard.calls.parked')).toEqual([[3, {}]])
    expect(valuesOf('pegboard.stdio.unread')).toEqual([[9, { 'pegboard.source': 'child' }]])
    while (release.length > 0) {
      for (const finish of release.splice(0)) finish()
      await settle()
    }
    await Promise.all(calls)
  })

  it('costs nobody an answer when an exporter throws', async () => {
    const broken = {
      ...otel.api,
      trace: {
        ...otel.api.trace,
        getTracer: () => ({
          startSpan: (...given: Parameters<ReturnType<typeof otel.api.trace.getTracer>['startSpan']>) => {
            const span = otel.api.trace.getTracer('broken').startSpan(...given)
            span.end = () => {
              throw new Error('no exporter')
            }
            return span
          },
        }),
        getSpan: otel.api.trace.getSpan,
        setSpan: otel.api.trace.setSpan,
      },
    }
    const { call } = await story('http', () => said('seen'), createTracing(broken, { clock: new VirtualClock() }))
    expect((await call('far.look')).ok).toBe(true)
  })

  it('is off with a clear word where the API is not installed', async () => {
    const told: string[] = []
    const logger = { ...silentLogger, log: (_level: string, message: string) => void told.push(message) }
    const missing = () => Promise.reject(new Error('not found'))
    expect(await loadOtel(logger, missing)).toBeUndefined()
    expect(told[0]).toMatch(/npm install @opentelemetry\/api/)
  })
})
