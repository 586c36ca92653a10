import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import type { Authenticate } from './auth.js'
import type { Route, RouteInfo, UpgradeRoute } from './route.js'

export interface HttpHostOptions {
  readonly authenticate: Authenticate
  /** Names to accept in `Host` beside our own: `gw.example.com` with any port, `gw.example.com:8443` with that one. */
  readonly allowedHosts?: readonly string[]
  /** Web origins that may call us, as `https://app.example.com`. Pages of our own and, on loopback, local ones may anyway. */
  readonly allowedOrigins?: readonly string[]
  /** The most one body may hold. Default: 4 MiB. */
  readonly maxBodyBytes?: number
  /** What all bodies that are being read may hold together; past it new ones get 503. Default: 256 MiB. */
  readonly maxBufferedBytes?: number
  /** Request line and headers. Default: 16 KiB. */
  readonly maxHeaderBytes?: number
  /** Time for the headers. Default: 5 s; Node's 60 s lets slow clients hold sockets for free (F21). */
  readonly headersTimeoutMs?: number
  /** Time for the request with its body, not for the answer. Default: 10 s. */
  readonly requestTimeoutMs?: number
  /** How often both are looked at. Default: 1 s. */
  readonly checkIntervalMs?: number
  /** Default: 65 s, above the 60 s of common proxies, so that they close idle connections and not we under them. */
  readonly keepAliveMs?: number
  /** How long an ended answer may wait for a client that reads nothing of it. Default: 30 s. */
  readonly stalledMs?: number
  /** Default: 10,000. */
  readonly maxConnections?: number
  /** Headers on every answer. Default: `defaultSecurityHeaders`. */
  readonly securityHeaders?: Readonly<Record<string, string>>
  readonly clock?: Clock
  readonly logger?: Logger
}

export interface ListenAddress {
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** 0 takes any free port. */
  readonly port: number
}

export interface Listening {
  /** For people and clients: a wildcard bind is shown as 127.0.0.1. */
  readonly url: string
  readonly host: string
  readonly port: number
}

/** The one listener that every HTTP-borne face shares. */
export interface HttpHost {
  /** Before or after `listen`. Throws for a route that is there already or declares no right. */
  addRoutes(routes: readonly Route[]): void
  /** A WebSocket endpoint, behind the same checks as routes. */
  onUpgrade(route: UpgradeRoute): void
  /** The whole route table. */
  routes(): readonly RouteInfo[]
  /** Rejects with CONFIG_INVALID and `details.reason` (`EADDRINUSE` …) when the address cannot be had. */
  listen(address: ListenAddress): Promise<Listening>
  /**
   * New requests get 503 and `Connection: close`; running ones have `graceMs` (default 10 s) to end, then their
   * connections are destroyed. A second call with a shorter grace hurries the first.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>
}
