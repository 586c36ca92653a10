import { messageOf } from '../errors.js'
import { isErrorAnswer } from '../model/answer.js'
import type { Call } from '../model/call.js'
import type { JsonObject } from '../model/json.js'
import type { Outcome } from '../model/outcome.js'
import type { Logger } from './logger.js'

/** The part of `@opentelemetry/api` we use. That package is the user's to install; nothing of ours depends on it. */
export interface OtelApi {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options: object, context: unknown): OtelSpan }
    setSpan(context: unknown, span: OtelSpan): unknown
  }
  readonly context: { active(): unknown; with<T>(context: unknown, run: () => T): T }
  readonly propagation: {
    extract(context: unknown, carrier: object): unknown
    inject(context: unknown, carrier: object): void
  }
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(name: string, options: object): { record(value: number, attributes: object): void }
    }
  }
  readonly SpanKind: { readonly SERVER: number }
  readonly SpanStatusCode: { readonly ERROR: number }
}

export interface OtelSpan {
  setAttribute(name: string, value: string | number | boolean): unknown
  setStatus(status: { readonly code: number; readonly message?: string }): unknown
  end(): void
}

const packageName = '@opentelemetry/api'

/** The API if it is installed; otherwise undefined, and the log says what to install. */
export const loadOtel = async (
  logger: Logger,
  load: (name: string) => Promise<unknown> = (name) => import(name),
): Promise<OtelApi | undefined> => {
  try {
    return (await load(packageName)) as OtelApi
  } catch (error) {
    logger.log(
      'warn',
      `Tracing is off: ${packageName} cannot be loaded (${messageOf(error)}). Run: npm install ${packageName}, and start an OpenTelemetry SDK with node --import.`,
    )
    return undefined
  }
}

const scope = 'pegboard'
const contextKeys = ['traceparent', 'tracestate', 'baggage'] as const
const buckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/**
 * A span and a measurement per call, in the words of OpenTelemetry's MCP conventions. The parent is the context in the
 * request's `_meta` (SEP-414); the source gets our own span as its parent, never the caller's: we stand between them.
 */
export const traceCalls = (api: OtelApi) => {
  const tracer = api.trace.getTracer(scope)
  const durations = api.metrics.getMeter(scope).createHistogram('mcp.server.operation.duration', {
    unit: 's',
    description: 'Duration of MCP requests as seen by their receiver',
    advice: { explicitBucketBoundaries: buckets },
  })
  return async (call: Call, next: (call: Call) => Promise<Outcome>): Promise<Outcome> => {
    const attributes = {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': call.tool.slice(0, 256),
      'gen_ai.operation.name': 'execute_tool',
    }
    const parent = api.propagation.extract(api.context.active(), carrierOf(call.meta))
    const span = tracer.startSpan(
      `tools/call ${call.tool.slice(0, 256)}`,
      { kind: api.SpanKind.SERVER, attributes },
      parent,
    )
    const context = api.trace.setSpan(parent, span)
    const carrier: Record<string, string> = {}
    api.propagation.inject(context, carrier)
    const outcome = await api.context.with(context, () =>
      next({ ...call, meta: { ...withoutContext(call.meta), ...carrier } }),
    )
    const errorType = errorTypeOf(outcome)
    if (errorType !== undefined) {
      span.setAttribute('error.type', errorType)
      span.setStatus({ code: api.SpanStatusCode.ERROR })
    }
    durations.record(outcome.meta.latencyMs / 1000, {
      ...attributes,
      ...(errorType === undefined ? {} : { 'error.type': errorType }),
    })
    span.end()
    return outcome
  }
}

const carrierOf = (meta: JsonObject | undefined): Record<string, string> =>
  Object.fromEntries(
    contextKeys.flatMap((key) => (typeof meta?.[key] === 'string' ? [[key, meta[key] as string]] : [])),
  )

const withoutContext = (meta: JsonObject | undefined): JsonObject =>
  Object.fromEntries(Object.entries(meta ?? {}).filter(([key]) => !(contextKeys as readonly string[]).includes(key)))

const errorTypeOf = (outcome: Outcome): string | undefined =>
  outcome.ok ? (isErrorAnswer(outcome.answer) ? 'tool_error' : undefined) : outcome.error.code
