import type { GatewayFacts, WaitingFacts } from './gateway-metrics.js'
import { type OtelApi, otelScope } from './otel-api.js'

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
