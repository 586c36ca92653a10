import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { OtelApi } from '../../src/telemetry/otel-api.js'

/** The real API with the real SDK behind it, which remembers. It is global, so one per test file. */
export const startOtel = () => {
  const spans = new InMemorySpanExporter()
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 30 })
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(
    new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
  )
  // As `import('@opentelemetry/api')` gives it: the types must fit too.
  const api: OtelApi = { trace, context, propagation, metrics, SpanKind, SpanStatusCode } as unknown as OtelApi
  return {
    api,
    /** What ended since the last look, in the order of its beginning. */
    spans: (): readonly ReadableSpan[] => {
      const ended = [...spans.getFinishedSpans()].sort((a, b) => nanos(a) - nanos(b) || kindOrder(a) - kindOrder(b))
      spans.reset()
      return ended
    },
    /** Data points by the name of their metric. */
    points: async (): Promise<Readonly<Record<string, readonly { attributes: object; value: any }[]>>> => {
      measured.reset()
      await reader.forceFlush()
      const found = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      return Object.fromEntries(found.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]))
    },
    stop: () => {
      for (const each of [trace, metrics, context, propagation]) each.disable()
    },
  }
}

const nanos = ({ startTime: [seconds, rest] }: ReadableSpan): number => seconds * 1e9 + rest

// Two that begin in one tick of the clock: whoever is asked comes before whom it asks.
const kindOrder = ({ kind }: ReadableSpan): number => (kind === SpanKind.SERVER ? 0 : 1)

/** As W3C writes it: version, trace, span, flags. */
export const traceparentOf = (span: ReadableSpan): string =>
  `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`
