import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { messageOf } from '../errors.js'
import { type Clock, systemClock } from '../model/clock.js'
import { Shares } from '../model/shares.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { createHostRules, createOriginRules, type DoorRules } from './admit.js'
import { type TellRefusal, toErrorAnswer } from './answer.js'
import type { Authenticate } from './auth.js'
import type { DoorChallenge } from './challenge.js'
import { createActive } from './exchange.js'
import type { Active } from './exchange-context.js'
import { LargeRequests } from './large-requests.js'
import { listenOn, urlOf } from './listen.js'
import type { Route, RouteInfo, UpgradeRoute } from './route.js'
import { createRouteTable } from './route-table.js'
import { createServe, type ServeParts } from './serve.js'
import { createServeUpgrade } from './serve-upgrade.js'
import type { TlsEnd } from './tls.js'

/** What a listener takes before it says no. */
export interface HttpLimits {
  /** The most one body may hold. Default: 4 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** What all bodies that are being read may hold together; past it new ones get 503. Default: 256 MiB. */
  readonly maxBufferedBytes?: number | undefined
  /** What the large requests of one caller hold until they are answered; past it new ones get 429. Default: 64 MiB. */
  readonly maxBufferedBytesPerCaller?: number | undefined
  /** Requests of a megabyte that one caller may make a second while others call, larger ones counting more; 0: any. Default: 10. */
  readonly largeRequestsPerSecond?: number | undefined
  /** What large answers and event streams hold that nobody reads; past it they are cut. Default: 256 MiB. */
  readonly maxUnreadBytes?: number | undefined
  /** The same of one caller, who gets 429 from half of it on. Default: 64 MiB. */
  readonly maxUnreadBytesPerCaller?: number | undefined
  /** Request line and headers. Default: 16 KiB. */
  readonly maxHeaderBytes?: number | undefined
  /** Time for the headers. Default: 5 s; Node's 60 s lets slow clients hold sockets for free (F21). */
  readonly headersTimeoutMs?: number | undefined
  /** Time for the request with its body, not for the answer. Default: 10 s. */
  readonly requestTimeoutMs?: number | undefined
  /** How often both are looked at. Default: 1 s. */
  readonly checkIntervalMs?: number | undefined
  /** Default: 65 s, above the 60 s of common proxies, so that they close idle connections and not we under them. */
  readonly keepAliveMs?: number | undefined
  /** How long an ended answer may wait for a client that reads nothing of it. Default: 30 s. */
  readonly stalledMs?: number | undefined
  /** Default: 10,000. */
  readonly maxConnections?: number | undefined
}

export interface HttpHostOptions extends HttpLimits {
  readonly authenticate: Authenticate
  /** How much each caller holds, shared with the faces. Default: its own. */
  readonly shares?: Shares | undefined
  /** Names to accept in `Host` beside our own: `gw.example.com` with any port, `gw.example.com:8443` with that one. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Web origins that may call us, as `https://app.example.com`. Pages of our own and, on loopback, local ones may anyway. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** On loopback: whether pages of this machine may call us from any port (S16). Default: true. */
  readonly localOrigins?: boolean | undefined
  /** Headers on the answers of every route that does not write its own. Default: `defaultSecurityHeaders`. */
  readonly securityHeaders?: Readonly<Record<string, string>> | undefined
  /** The words of what is refused before a route is reached. Default: English. */
  readonly tellRefusal?: TellRefusal | undefined
  /** Speaks TLS where it is given. */
  readonly tls?: Pick<TlsEnd, 'createServer'> | undefined
  /** Throws for whom it keeps out, whichever path they ask for; not asked about probes and open upgrades. Default: nobody. */
  readonly guard?: ((request: IncomingMessage) => void) | undefined
  /** What goes with every 401. Default: that a key is needed. */
  readonly challenge?: DoorChallenge | undefined
  readonly clock?: Clock | undefined
  readonly logger?: Logger | undefined
  /** Told of whoever was sent away: 401, 403 and 429. */
  readonly onRefused?: ServeParts['onRefused'] | undefined
}

export type DoorOptions = Pick<HttpHostOptions, 'allowedHosts' | 'allowedOrigins' | 'localOrigins'>

export interface ListenAddress {
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** 0 takes any free port. */
  readonly port: number
  /** Of this process alone, where several share their ports. Default: false. */
  readonly isOwn?: boolean | undefined
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
  /** Replaces the limits. The header size and the interval of the timeout checks stay as they were at the start. */
  limit(limits: HttpLimits): void
  /** Draining: goes on serving, but closes each connection after its answer, until a load balancer has noticed. */
  drain(): void
  /** From now on these names and origins pass beside our own. */
  trust(door: DoorOptions): void
  /**
   * New requests get 503 and `Connection: close`; running ones have `graceMs` (default 10 s) to end, then their
   * connections are destroyed. A second call with a shorter grace hurries the first.
   */
  close(options?: { readonly graceMs?: number | undefined }): Promise<void>
}

/** What is JSON stays JSON for a browser. Pages add `pageHeaders`. */
export const defaultSecurityHeaders: Readonly<Record<string, string>> = { 'X-Content-Type-Options': 'nosniff' }

/** Builds the host; nothing is bound before `listen`. */
export const createHttpHost = (options: HttpHostOptions): HttpHost => {
  const { clock = systemClock, logger = silentLogger, shares = new Shares() } = options
  const routes = createRouteTable<Route>()
  const upgrades = createRouteTable<UpgradeRoute>()
  const active = createActive((error) => logger.log('error', `A drain hook failed: ${messageOf(error)}`))
  const around = {
    othersThan: shares.othersThan,
    held: (caller: string): number => shares.of('requestBytes').of(caller),
    refusal: (caller: string) => shares.of('largeRequests').refuse(caller, 'caller'),
  }
  const budget = { maxBytes: 0, usedBytes: 0 }
  let door: DoorOptions = options
  let bound = { host: '127.0.0.1', port: 0 }
  const context = {
    maxBodyBytes: 0,
    budget,
    shares,
    largeRequests: new LargeRequests(around, clock),
    nextId: createIds(),
    draining: false,
    closing: false,
    rules: rulesFor(options, bound),
  }
  let stalledMs = 0
  let stopWatch = () => {}

  const parts: ServeParts = {
    routes,
    context,
    active,
    authenticate: options.authenticate,
    guard: options.guard,
    challenge: options.challenge,
    securityHeaders: options.securityHeaders ?? defaultSecurityHeaders,
    tellRefusal: options.tellRefusal ?? toErrorAnswer,
    logger,
    onRefused: options.onRefused,
  }
  const { onRequest, onCheckContinue } = createServe(parts)
  const server = createHttpServer(options)
  server.on('request', onRequest)
  server.on('checkContinue', onCheckContinue)
  const closeOnce = createClose({ server, active, clock, begin: () => void (context.closing = true) })

  const limit = (limits: HttpLimits): void => {
    context.maxBodyBytes = limits.maxBodyBytes ?? 4 * mebibyte
    context.largeRequests.perSecond = limits.largeRequestsPerSecond ?? 10
    budget.maxBytes = limits.maxBufferedBytes ?? 256 * mebibyte
    shares.limit({
      largeRequests: { perCaller: context.largeRequests.perSecond },
      requestBytes: { perCaller: limits.maxBufferedBytesPerCaller, inAll: limits.maxBufferedBytes },
      unreadBytes: { perCaller: limits.maxUnreadBytesPerCaller, inAll: limits.maxUnreadBytes },
    })
    stalledMs = limits.stalledMs ?? 30_000
    server.headersTimeout = limits.headersTimeoutMs ?? 5_000
    server.requestTimeout = limits.requestTimeoutMs ?? 10_000
    server.keepAliveTimeout = limits.keepAliveMs ?? 65_000
    server.maxConnections = limits.maxConnections ?? 10_000
  }
  limit(options)

  const watch = (): void => {
    active.watchStalled(stalledMs)
    stopWatch = clock.after(stalledMs, watch)
  }

  return {
    addRoutes: (added) => {
      for (const route of added) routes.add(route.method, route.path, route)
    },
    onUpgrade: (route) => {
      // Listening changes how Node treats every request with an Upgrade header, so only where somebody wants them.
      if (upgrades.list().length === 0) server.on('upgrade', createServeUpgrade({ ...parts, server, upgrades }))
      upgrades.add('UPGRADE', route.path, route)
    },
    routes: () => [...routes.list(), ...upgrades.list()],
    listen: async ({ host = '127.0.0.1', port, isOwn }) => {
      const address = await listenOn(server, host, port, isOwn)
      // From here on: what keeps us from listening is told by the rejection, once and in words for people.
      server.on('error', (error) => logger.log('error', `The HTTP listener reports ${messageOf(error)}`))
      bound = { host, port: address.port }
      context.rules = rulesFor(door, bound)
      watch()
      return { url: urlOf(host, address.port, options.tls ? 'https' : 'http'), host, port: address.port }
    },
    limit,
    trust: (next) => {
      context.rules = rulesFor(next, bound)
      door = next
    },
    drain: () => void (context.draining = true),
    close: ({ graceMs = 10_000 } = {}) => {
      stopWatch()
      return closeOnce(graceMs)
    },
  }
}

const mebibyte = 1024 * 1024

// The rest of its bounds can be changed while it runs, and is set by `limit`.
const createHttpServer = (options: HttpHostOptions): Server => {
  const make = options.tls?.createServer ?? createServer
  const server = make({
    connectionsCheckingInterval: options.checkIntervalMs ?? 1_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16 * 1024,
    // Length and encoding both given, bare line feeds and the like: refused by Node's parser (H71-H75), kept strict.
    insecureHTTPParser: false,
  })
  // `checkHeaders` counts them: past its limit Node drops headers silently, X-Forwarded-For among them (A5).
  server.maxHeadersCount = 0
  return server
}

const rulesFor = (options: DoorOptions, { host, port }: { host: string; port: number }): DoorRules => ({
  hosts: createHostRules({ host, port, allowedHosts: options.allowedHosts ?? [] }),
  origins: createOriginRules({
    host,
    allowedOrigins: options.allowedOrigins ?? [],
    localOrigins: options.localOrigins,
  }),
})

/** Unique across restarts by the first part, within one by the second; a counter costs nothing. */
const createIds = (): (() => string) => {
  const start = randomBytes(4).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

interface CloseParts {
  readonly server: Server
  readonly active: Active
  readonly clock: Clock
  /** From here on new requests are refused. */
  begin(): void
}

/**
 * Stops within a grace (F23). The port stays open until the last running request has ended: new ones are told 503 and
 * go elsewhere, where a closed port would look like a crash. A later call may shorten the grace, never lengthen it.
 */
const createClose = ({ server, active, clock, begin }: CloseParts): ((graceMs: number) => Promise<void>) => {
  let closing: Promise<void> | undefined
  let force = () => {}

  const run = async (): Promise<void> => {
    const forced = new Promise<void>((resolve) => {
      force = resolve
    })
    begin()
    active.drain()
    server.closeIdleConnections()
    await Promise.race([active.idle(), forced])
    await shut(server, active)
  }

  return (graceMs) => {
    closing ??= run()
    const cancel = clock.after(graceMs, force)
    return closing.finally(cancel)
  }
}

const shut = (server: Server, active: Active): Promise<void> =>
  new Promise((resolve) => {
    // The error of a server that never listened is no news: closed is what was asked for.
    server.close(() => resolve())
    active.destroySockets()
    server.closeAllConnections()
  })
