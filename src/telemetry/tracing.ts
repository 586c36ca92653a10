import { isGatewayError } from '../errors.js'
import { isErrorAnswer } from '../model/answer.js'
import { type Call, methodOf, type RequestKind } from '../model/call.js'
import type { Clock } from '../model/clock.js'
import { defined, type JsonObject } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import type { Answer } from '../model/result.js'
import { type OtelApi, type OtelSpan, otelScope } from './otel-api.js'

/** A source that is about to be asked. */
export interface AskedSource {
  readonly source: string
  readonly kind: string
  /** The tool, prompt or address by the source's own name. */
  readonly tool: string
  /** By which it is asked, in MCP's words. */
  readonly method: string
}

export interface Tracing {
  /** Around the whole call: the span towards the caller. */
  around(call: Call, next: (call: Call) => Promise<Outcome>): Promise<Outcome>
  /** Around each question put to a source: the span towards it, which becomes the parent of its own. */
  outward(call: Call, to: AskedSource, next: (call: Call) => Answer | Promise<Answer>): Promise<Answer>
}

export interface TracingOptions {
  readonly clock: Clock
  /** The protocol version agreed with a source, where that is known. */
  readonly versionOf?: ((source: string) => string | undefined) | undefined
}

const contextKeys = ['traceparent', 'tracestate', 'baggage'] as const
const buckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/** What is asked over a wire. Functions of our own process are not: their time is the call's. */
const wires: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ['stdio', { 'network.transport': 'pipe' }],
  ['http', { 'network.transport': 'tcp', 'network.protocol.name': 'http' }],
  ['sse', { 'network.transport': 'tcp', 'network.protocol.name': 'http' }],
  ['websocket', { 'network.transport': 'tcp', 'network.protocol.name': 'websocket' }],
  ['openapi', { 'network.transport': 'tcp', 'network.protocol.name': 'http' }],
])

/**
 * Spans and measurements in the words of OpenTelemetry's MCP conventions: SERVER towards the caller, whose parent is the
 * context in the request's `_meta` (SEP-414), and CLIENT towards the source, once per attempt. The source gets the
 * CLIENT span as its parent, never the caller's: we stand between them.
 */
export const createTracing = (api: OtelApi, { clock, versionOf }: TracingOptions): Tracing => {
  const tracer = api.trace.getTracer(otelScope)
  const serverTime = histogram(api, 'mcp.server.operation.duration', 'MCP requests as seen by their receiver')
  const clientTime = histogram(api, 'mcp.client.operation.duration', 'MCP requests as seen by their sender')
  // By call rather than by the active context: not every SDK is set up with one that follows promises.
  const contexts = new WeakMap<Call, unknown>()

  const handOn = (call: Call, context: unknown, parent: unknown): Call => {
    const carrier: Record<string, string> = {}
    api.propagation.inject(context, carrier)
    const handed = { ...call, meta: { ...withoutContext(call.meta), ...carrier } }
    contexts.set(handed, parent)
    return handed
  }
  const finish = (span: OtelSpan, errorType: string | undefined, measure: () => void): void => {
    try {
      measure()
      if (errorType !== undefined) {
        span.setAttribute('error.type', errorType)
        span.setStatus({ code: api.SpanStatusCode.ERROR })
      }
      span.end()
    } catch {
      // Exporters run in here, and they are somebody else's: telemetry must not turn an answer into a failure.
    }
  }

  return {
    around: async (call, next) => {
      const name = call.tool.slice(0, 256)
      const { kind = 'tool' } = call
      const method = { 'mcp.method.name': methodOf(call).slice(0, 256), ...operationOf(kind) }
      const named = { ...method, ...nameOf(kind, name) }
      const active = api.context.active()
      const carrier = carrierOf(call.meta)
      const parent = api.propagation.extract(active, carrier)
      const links = carrier.traceparent === undefined ? [] : linksTo(api.trace.getSpan(active))
      const options = { kind: api.SpanKind.SERVER, attributes: { ...named, ...runOf(call) }, links }
      const span = tracer.startSpan(spanName(method['mcp.method.name'], kind, name), options, parent)
      const context = api.trace.setSpan(parent, span)
      const outcome = await api.context.with(context, () => next(handOn(call, context, context)))
      const errorType = errorTypeOf(outcome)
      // A script is known by its run, which is known only when it has begun.
      if (outcome.meta.run !== undefined) span.setAttribute('pegboard.run', outcome.meta.run)
      // A name that is no tool's is the caller's own words, and addresses are endless: they get no series.
      const attributes = outcome.meta.source !== undefined && counted.has(kind) ? named : measured(method, kind)
      finish(span, errorType, () => serverTime.record(outcome.meta.latencyMs / 1000, withError(attributes, errorType)))
      return outcome
    },

    outward: async (call, { source, kind: how, tool, method }, next) => {
      const wire = wires.get(how)
      if (!wire) return next(call)
      const { kind = 'tool' } = call
      const version = versionOf?.(source)
      const spoken = how === 'openapi' ? {} : { 'mcp.method.name': method }
      const common = {
        ...wire,
        ...spoken,
        ...operationOf(kind),
        'pegboard.source': source,
        ...defined({ 'mcp.protocol.version': version }),
      }
      const attributes = { ...common, ...nameOf(kind, tool) }
      const parent = contexts.get(call) ?? api.context.active()
      const name = spanName(how === 'openapi' ? 'execute_tool' : method, kind, tool)
      const span = tracer.startSpan(
        name,
        { kind: api.SpanKind.CLIENT, attributes: { ...attributes, ...runOf(call) } },
        parent,
      )
      const context = api.trace.setSpan(parent, span)
      const startedAt = clock.now()
      const end = (errorType: string | undefined): void => {
        const seconds = (clock.now() - startedAt) / 1000
        const told = counted.has(kind) ? attributes : measured(common, kind)
        finish(span, errorType, () => clientTime.record(seconds, withError(told, errorType)))
      }
      try {
        const answer = await api.context.with(context, () => next(handOn(call, context, parent)))
        end(isErrorAnswer(answer) ? 'tool_error' : undefined)
        return answer
      } catch (error) {
        const code = codeOf(error)
        if (typeof code === 'number') span.setAttribute('rpc.response.status_code', String(code))
        end(code === undefined ? 'TOOL_FAILED' : String(code))
        throw error
      }
    },
  }
}

/** The script that makes the call. In spans alone: measurements would get a series for each. */
const runOf = ({ run, step }: Call): Readonly<Record<string, string | number>> =>
  run === undefined ? {} : { 'pegboard.run': run, ...defined({ 'pegboard.run.step': step }) }

const operationOf = (kind: RequestKind): Readonly<Record<string, string>> =>
  kind === 'tool' ? { 'gen_ai.operation.name': 'execute_tool' } : {}

const nameOf = (kind: RequestKind, name: string): Readonly<Record<string, string>> => {
  if (kind === 'tool') return { 'gen_ai.tool.name': name }
  if (kind === 'prompt') return { 'gen_ai.prompt.name': name }
  return kind === 'resource' ? { 'mcp.resource.uri': name } : {}
}

/** As the conventions want it: the method, and what it is about where there are few of that. */
const spanName = (method: string, kind: RequestKind, name: string): string =>
  counted.has(kind) ? `${method} ${name}` : method

const counted: ReadonlySet<RequestKind> = new Set(['tool', 'prompt'])

/** Methods that nobody here knows are the caller's own words: one series for all. */
const measured = (attributes: Readonly<Record<string, string>>, kind: RequestKind): Readonly<Record<string, string>> =>
  kind === 'other' ? { ...attributes, 'mcp.method.name': '_OTHER' } : attributes

const histogram = (api: OtelApi, name: string, what: string) =>
  api.metrics.getMeter(otelScope).createHistogram(name, {
    unit: 's',
    description: `Duration of ${what}`,
    advice: { explicitBucketBoundaries: buckets },
  })

const carrierOf = (meta: JsonObject | undefined): Record<string, string> =>
  Object.fromEntries(
    contextKeys.flatMap((key) => (typeof meta?.[key] === 'string' ? [[key, meta[key] as string]] : [])),
  )

const withoutContext = (meta: JsonObject | undefined): JsonObject =>
  Object.fromEntries(Object.entries(meta ?? {}).filter(([key]) => !(contextKeys as readonly string[]).includes(key)))

// The span of the HTTP request is no parent where `_meta` names one, but the two belong together.
const linksTo = (span: OtelSpan | undefined): readonly object[] => (span ? [{ context: span.spanContext() }] : [])

const withError = (attributes: object, errorType: string | undefined): object =>
  errorType === undefined ? attributes : { ...attributes, 'error.type': errorType }

const errorTypeOf = (outcome: Outcome): string | undefined =>
  outcome.ok ? (isErrorAnswer(outcome.answer) ? 'tool_error' : undefined) : outcome.error.code

/** The code of ours, or the number of a JSON-RPC error. Never its words, which are a stranger's. */
const codeOf = (error: unknown): string | number | undefined => {
  if (isGatewayError(error)) return error.code
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'number' ? code : undefined
}
