import { messageOf } from '../errors.js'
import type { GatewayFacts, WaitingFacts } from './gateway-metrics.js'
import type { Logger } from './logger.js'

/** The part of `@opentelemetry/api` we use. That package is the user's to install; nothing of ours depends on it. */
export interface OtelApi {
  readonly trace: {
    getTracer(name: string): { startSpan(name: string, options: object, context: unknown): OtelSpan }
    getSpan(context: unknown): OtelSpan | undefined
    setSpan(context: unknown, span: OtelSpan): unknown
  }
  readonly context: { active(): unknown; with<T>(context: unknown, run: () => T): T }
  readonly propagation: {
    extract(context: unknown, carrier: object): unknown
    inject(context: unknown, carrier: object): void
  }
  readonly metrics: { getMeter(name: string): OtelMeter }
  readonly SpanKind: { readonly SERVER: number; readonly CLIENT: number }
  readonly SpanStatusCode: { readonly ERROR: number }
}

export interface OtelSpan {
  spanContext(): object
  setAttribute(name: string, value: string | number | boolean): unknown
  setStatus(status: { readonly code: number; readonly message?: string | undefined }): unknown
  end(): void
}

export interface OtelMeter {
  createHistogram(name: string, options: object): { record(value: number, attributes: object): void }
  createObservableUpDownCounter(
    name: string,
    options: object,
  ): { addCallback(read: (result: { observe(value: number, attributes?: object): void }) => void): void }
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

/** Whose telemetry it is. */
export const otelScope = 'pegboard'

/** The gauges of `/metrics` that tell who runs and who waits, for whoever collects by OpenTelemetry. */
export const observeLoad = (api: OtelApi, gateway: Pick<GatewayFacts, 'load'>, waiting: WaitingFacts): void => {
  const meter = api.metrics.getMeter(otelScope)
  const calls = (name: string, description: string) =>
    meter.createObservableUpDownCounter(`pegboard.calls.${name}`, { unit: '{call}', description })
  calls('in_flight', 'Calls running now').addCallback((result) => {
    for (const { source, running } of gateway.load().sources) result.observe(running, { 'pegboard.source': source })
  })
  calls('waiting', 'Calls waiting for a place').addCallback((result) => {
    for (const each of gateway.load().sources) result.observe(each.waiting, { 'pegboard.source': each.source })
  })
  calls('parked', 'Calls waiting for their callers to answer').addCallback((result) =>
    result.observe(waiting.parked?.() ?? 0),
  )
  const unread = { unit: 'By', description: 'Bytes a child process has yet to read' }
  meter.createObservableUpDownCounter('pegboard.stdio.unread', unread).addCallback((result) => {
    for (const { source, bytes } of waiting.unread?.() ?? []) result.observe(bytes, { 'pegboard.source': source })
  })
}
