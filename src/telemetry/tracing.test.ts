import { describe, expect, it } from 'vitest'
import { createGateway } from '../gateway.js'
import type { Call } from '../model/call.js'
import { localCaller } from '../model/caller.js'
import { silentLogger } from './logger.js'
import { loadOtel, type OtelApi, traceCalls } from './tracing.js'

interface Recorded {
  readonly name: string
  readonly options: any
  readonly parent: any
  readonly attributes: Record<string, unknown>
  status?: number
  ended: boolean
}

/** The API with an SDK behind it that remembers: contexts are plain objects, ids count. */
const createFakeOtel = () => {
  const spans: Recorded[] = []
  const measured: { value: number; attributes: any }[] = []
  const api: OtelApi = {
    trace: {
      getTracer: () => ({
        startSpan: (name, options, parent) => {
          const span: Recorded = { name, options, parent, attributes: {}, ended: false }
          spans.push(span)
          return {
            setAttribute: (key, value) => void (span.attributes[key] = value),
            setStatus: ({ code }) => void (span.status = code),
            end: () => void (span.ended = true),
          }
        },
      }),
      setSpan: (context) => ({ ...(context as object), span: spans.length }),
    },
    context: { active: () => ({}), with: (_context, run) => run() },
    propagation: {
      extract: (context, carrier) => ({ ...(context as object), remote: (carrier as any).traceparent }),
      inject: (context, carrier) => void ((carrier as any).traceparent = `ours-${(context as any).span}`),
    },
    metrics: {
      getMeter: () => ({
        createHistogram: () => ({ record: (value, attributes) => void measured.push({ value, attributes }) }),
      }),
    },
    SpanKind: { SERVER: 1 },
    SpanStatusCode: { ERROR: 2 },
  }
  return { api, spans, measured }
}

describe('tracing', () => {
  const story = () => {
    const { api, spans, measured } = createFakeOtel()
    const calls: Call[] = []
    const gateway = createGateway({
      around: (call, next) =>
        traceCalls(api)(call, (inner) => {
          calls.push(inner)
          return next(inner)
        }),
    })
    gateway.register({ definition: { name: 'ok', inputSchema: { type: 'object' } }, handler: () => 1 })
    gateway.register({
      definition: { name: 'no', inputSchema: { type: 'object' } },
      handler: () => ({ content: [], isError: true }),
    })
    return { gateway, spans, measured, calls }
  }

  it('opens a span per call in the words of the MCP conventions', async () => {
    const { gateway, spans, measured } = story()
    await gateway.call({ tool: 'ok', caller: localCaller })
    expect(spans[0]).toMatchObject({
      name: 'tools/call ok',
      options: {
        kind: 1,
        attributes: {
          'mcp.method.name': 'tools/call',
          'gen_ai.tool.name': 'ok',
          'gen_ai.operation.name': 'execute_tool',
        },
      },
      ended: true,
    })
    expect(spans[0]?.status).toBeUndefined()
    expect(measured).toEqual([
      { value: expect.any(Number), attributes: expect.objectContaining({ 'gen_ai.tool.name': 'ok' }) },
    ])
  })

  it('takes the parent from _meta and hands its own span on, never the caller’s', async () => {
    const { gateway, spans, calls } = story()
    await gateway.call({ tool: 'ok', caller: localCaller, meta: { traceparent: 'theirs', baggage: 'b=1', other: 1 } })
    expect(spans[0]?.parent).toMatchObject({ remote: 'theirs' })
    expect(calls[0]?.meta).toEqual({ traceparent: 'ours-1', other: 1 })
  })

  it('names what went wrong', async () => {
    const { gateway, spans } = story()
    await gateway.call({ tool: 'nope', caller: localCaller })
    await gateway.call({ tool: 'no', caller: localCaller })
    expect(spans.map(({ attributes, status }) => [attributes['error.type'], status])).toEqual([
      ['TOOL_NOT_FOUND', 2],
      ['tool_error', 2],
    ])
  })

  it('is off with a clear word where the API is not installed', async () => {
    const said: string[] = []
    const logger = { ...silentLogger, log: (_level: string, message: string) => void said.push(message) }
    const missing = () => Promise.reject(new Error('not found'))
    expect(await loadOtel(logger, missing)).toBeUndefined()
    expect(said[0]).toMatch(/npm install @opentelemetry\/api/)
  })
})
