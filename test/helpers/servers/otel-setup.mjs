// As an operator sets OpenTelemetry up, with `node --import`: here every span that ends is a line of a file.
import { appendFileSync } from 'node:fs'
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base'

const toFile = {
  onStart: () => {},
  onEnd: (span) => {
    const { name, kind, attributes, parentSpanContext } = span
    const line = { name, kind, attributes, parent: parentSpanContext?.spanId, ...span.spanContext() }
    appendFileSync(process.env.SPANS_FILE, `${JSON.stringify(line)}\n`)
  },
  forceFlush: async () => {},
  shutdown: async () => {},
}

trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [toFile] }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
