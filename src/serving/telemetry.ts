import type { Config } from '../config/schema.js'
import type { Gateway } from '../gateway.js'
import { systemClock } from '../model/clock.js'
import type { AuditLog } from '../telemetry/audit-file.js'
import { CallHistory } from '../telemetry/call-history.js'
import type { Note } from '../telemetry/deed.js'
import { createGatewayMetrics, type GatewayMetrics, type WaitingFacts } from '../telemetry/gateway-metrics.js'
import type { Logger } from '../telemetry/logger.js'
import { createMetrics, type Metrics } from '../telemetry/metrics.js'
import { loadOtel, observeLoad } from '../telemetry/otel-api.js'
import { createTracing, type Tracing } from '../telemetry/tracing.js'
import { type AuditSurroundings, lateAuditTrail } from './audit-trail.js'
import type { CurrentConfig } from './current.js'
import { followHistory, type KeptCalls, type OpenedKeptCalls } from './history.js'

/** What a served board knows of what happened. */
export interface Telemetry {
  readonly metrics: Metrics
  readonly gatewayMetrics: GatewayMetrics
  readonly audit: AuditLog
  /** Writes down what somebody did; nothing where no trail is kept. */
  readonly note: Note
  /** One for all faces: each that kept its own would pay for it with every call. */
  readonly history: CallHistory
  /** Calls over restarts; from when there is a gateway. */
  readonly kept: KeptCalls
  /** For the board, before it is opened. */
  readonly watch: Partial<Tracing> & { readonly onSearch: GatewayMetrics['onSearch'] }
  /** Begins to listen. */
  attach(gateway: Gateway, waiting: WaitingFacts): void
  close(): Promise<void>
}

/** Once there is a gateway, or with the first line: a refused start and a command that makes no call leave no trace in the data folder. */
export type AuditBegins = 'attached' | 'lazily'

export interface TelemetrySurroundings extends AuditSurroundings {
  readonly current: CurrentConfig
  /** Takes secrets out of what is kept. */
  readonly clean: (text: string) => string
}

/** Metrics always, an audit trail where data is kept, tracing where it is asked for. */
export const openTelemetry = async (
  config: Config,
  logger: Logger,
  audited: AuditBegins,
  around: TelemetrySurroundings,
): Promise<Telemetry> => {
  const metrics = createMetrics()
  const history = new CallHistory(config.telemetry.history)
  const gatewayMetrics = createGatewayMetrics(metrics)
  const audit = await lateAuditTrail(config, logger, around)
  const api = config.telemetry.otel ? await loadOtel(logger) : undefined
  // Known once there is a gateway, which needs the tracing first.
  let versionOf: (source: string) => string | undefined = () => undefined
  const tracing = api && createTracing(api, { clock: systemClock, versionOf: (source) => versionOf(source) })
  const stops: (() => void)[] = []
  let kept: OpenedKeptCalls | undefined
  return {
    metrics,
    gatewayMetrics,
    audit,
    note: audit.note,
    history,
    kept: { isKept: () => kept?.isKept() ?? false, reader: () => kept!.reader() },
    watch: { ...tracing, onSearch: gatewayMetrics.onSearch },
    attach: (gateway, waiting) => {
      versionOf = (source) => gateway.supervised(source)?.status.peer?.version
      if (api) observeLoad(api, gateway, waiting)
      gatewayMetrics.follow(gateway, waiting)
      stops.push(gateway.onCall(history.listener), gateway.onCall(gatewayMetrics.onCall))
      // The trail itself where it has begun: what stands before it would cost each call something.
      const begun = audited === 'lazily' ? audit : audit.begin()
      if (begun) stops.push(gateway.onCall(begun.listener))
      kept = followHistory(around.current, gateway, { logger, clean: around.clean })
    },
    close: async () => {
      for (const stop of stops) stop()
      await kept?.close()
      await audit.close()
    },
  }
}
