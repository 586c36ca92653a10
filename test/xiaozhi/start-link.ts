import { safeNaming } from '../../src/catalog/names.js'
import { createMcpFace } from '../../src/faces/mcp/face.js'
import { createXiaozhiCarrier, type XiaozhiCarrier, type XiaozhiOptions } from '../../src/faces/mcp/xiaozhi/carrier.js'
import type { EndpointSettings } from '../../src/faces/mcp/xiaozhi/endpoint.js'
import type { EndpointStatus } from '../../src/faces/mcp/xiaozhi/status.js'
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway.js'
import type { Logger, LogLevel } from '../../src/telemetry/logger.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

export interface Line {
  readonly level: LogLevel
  readonly service: string
  readonly message: string
  readonly meta: Readonly<Record<string, unknown>>
}

/** Keeps what is logged, as document 001 would print it. */
export const recordingLogger = (lines: Line[], service = 'main'): Logger => ({
  log: (level, message, meta = {}) => void lines.push({ level, service, message, meta }),
  child: (name) => recordingLogger(lines, name),
})

export interface LinkFixture {
  readonly gateway: Gateway
  readonly carrier: XiaozhiCarrier
  readonly clock: VirtualClock
  readonly lines: Line[]
  /** Resolves when the endpoint's status satisfies the question; never by waiting. */
  until(isSo: (status: EndpointStatus) => boolean, endpoint?: number): Promise<EndpointStatus>
  close(): Promise<void>
}

export interface LinkFixtureOptions extends Partial<Omit<XiaozhiOptions, 'endpoints' | 'clock'>> {
  readonly gateway?: Gateway
  readonly gatewayOptions?: GatewayOptions
  readonly clock?: VirtualClock
}

export const endpointAt = (url: string, more: Partial<EndpointSettings> = {}): EndpointSettings => ({
  url,
  profile: 'default',
  view: { naming: safeNaming },
  maxResultBytes: 1024,
  maxListBytes: 10_240,
  ...more,
})

/** A gateway whose tools are served at these endpoints, under a clock that stands still. */
export const startLink = (endpoints: readonly EndpointSettings[], options: LinkFixtureOptions = {}): LinkFixture => {
  const clock = options.clock ?? new VirtualClock()
  const lines: Line[] = []
  const logger = recordingLogger(lines)
  const gateway =
    options.gateway ?? createGateway({ clock, logger: logger.child('tool-aggregator'), ...options.gatewayOptions })
  const face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0.0.0' }, clock })
  const carrier = createXiaozhiCarrier({
    face,
    clock,
    logger,
    initialBackoffMs: 1000,
    maxBackoffMs: 60_000,
    random: () => 0,
    endpoints,
    ...options,
  })
  carrier.start()
  return {
    gateway,
    carrier,
    clock,
    lines,
    until: (isSo, endpoint = 0) =>
      new Promise((resolve) => {
        const check = (): boolean => {
          const status = carrier.status()[endpoint]!
          if (isSo(status)) resolve(status)
          return isSo(status)
        }
        if (check()) return
        const stop = carrier.onStatus(() => check() && stop())
      }),
    close: async () => {
      // The close of a socket is bounded by the clock, which stands still: the far sides of these tests all answer.
      await carrier.close()
      face.close()
      await gateway.close()
    },
  }
}
