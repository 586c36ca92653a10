import type { Keys } from '../access/keys.js'
import type { LoadedConfig } from '../config/load.js'
import type { LogRing } from '../faces/admin/log-ring.js'
import { peerRoutes } from '../faces/fleet/routes.js'
import { createMcpEndpoint } from '../faces/mcp/http/endpoint.js'
import { type Place, sourceLease } from '../fleet/fleet.js'
import { createHttpHost, type HttpHost } from '../http/host.js'
import type { RouteInfo } from '../http/route.js'
import type { TlsEnd } from '../http/tls.js'
import { systemClock } from '../model/clock.js'
import { toRoute } from '../operations/to-route.js'
import { tellRefusal } from '../operations/told-error.js'
import type { Logger } from '../telemetry/logger.js'
import type { Redactor } from '../telemetry/redact.js'
import type { Access } from './access.js'
import { openAdmin } from './admin/admin.js'
import { openApprovalLinks } from './approvals/approval-links.js'
import { refusalsTo } from './audit-trail.js'
import type { Board } from './board.js'
import { peopleAtSources } from './caller-sign-ins.js'
import { openConsole } from './console.js'
import type { FileInForce } from './file-in-force.js'
import { doorOf, followHost, guardOf } from './host-settings.js'
import type { AdminIntroduction } from './introduce-admin.js'
import type { HttpOptions } from './open-board.js'
import { openConnect } from './open-connect.js'
import { otherReplicas } from './other-replicas.js'
import type { PeerLinks } from './peer-links.js'
import { createReadiness, probes, type Readiness } from './probes.js'
import { publicBase } from './public-address.js'
import { openPublished } from './publish/open-published.js'
import type { CommonFlags } from './read-config.js'
import { openRest } from './rest.js'
import { type Local, type LocalOptions, openLocal } from './running/local.js'
import { type OpenedSessionMemory, openSessionMemory } from './session-memory.js'
import { redirectUrlAt } from './sign-ins.js'
import type { Telemetry } from './telemetry.js'
import { tlsFilesOf } from './tls-files.js'
import { openXiaozhi, type XiaozhiLinks } from './xiaozhi-links.js'

export interface ListenerParts extends HttpOptions, Pick<LocalOptions, 'events' | 'plugins'> {
  readonly loaded: LoadedConfig
  readonly board: Board
  readonly inForce: FileInForce
  readonly flags: CommonFlags
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly access: Access
  readonly telemetry: Telemetry
  readonly ring: LogRing
  readonly redactor: Redactor
  /** Whoever listens in our place lets go of the port, and says which it was. */
  readonly makeWay?: (() => Promise<number>) | undefined
}

/** Every face that is borne by HTTP, behind one open port; and what dials out beside it. */
export interface Listener {
  /** The address of the port. */
  readonly listensAt: string
  /** Where others reach it. */
  url(): string
  /** Where other replicas reach it, if that is a place of its own. */
  readonly peersAt: string | undefined
  readonly keys: Keys
  /** The key for administration, where this start has made it. */
  readonly introduction: AdminIntroduction | undefined
  /** Resolves when nobody uses a shared gateway any more; never for another. */
  readonly unused: Promise<string>
  routes(): readonly RouteInfo[]
  /** The sources are being started: devices may be dialled. */
  begin(): void
  /** Somebody looks at the readiness of a process beside this one. */
  asked(): void
  /** Goes on serving while it says that it is not ready, for the time that a balancer needs to notice. */
  drain(): Promise<void>
  close(): Promise<void>
}

/** Opens the port before any source is started: twenty servers must not delay the first client (F30). */
export const openListener = async (parts: ListenerParts): Promise<Listener> => {
  const { loaded, board, access, ring, redactor, part, shared = false } = parts
  const { logger } = ring
  const { current } = board
  const { server } = loaded.config
  const tls = part?.role === 'parent' ? undefined : await openTlsOf(parts)
  // Made below, since it needs the routes' own door; nobody can ask before we listen.
  let isProved: Local['isProved'] = () => false
  const http = createHost(parts, tls, (request) => isProved(request))
  followHost(http, current)
  // Known only once we listen: the port may be any free one.
  let listensAt = ''
  const publicUrl = current.reading(['server.publicUrl'], (now) => now.server)
  const apiUrl = () => publicBase(publicUrl(), listensAt)
  const readiness = createReadiness(systemClock, logger, part?.asked)
  const drainMs = current.reading(['server.drainMs'], (now) => now.server.drainMs)
  const memory = await openSessionMemory(board.storage, { clock: systemClock, logger })
  const xiaozhi = await openXiaozhi(board, logger, access.peers)
  const faces = openFaces(parts, { apiUrl, readiness, memory, xiaozhi })
  const many = part && (await import('./workers/peers-port.js'))
  http.addRoutes(many ? faces.routes.filter((route) => !many.isForPeers(route)) : faces.routes)
  const local = openLocal(board, { ...parts, folder: parts.cwd, shared, logger })
  redactor.add(local.key)
  isProved = local.isProved
  http.onUpgrade(local.route)
  const links = await openLinks(board, logger)
  if (links && !part) http.onUpgrade(links.route)
  // Before anybody can come in: whoever finds the port open finds the key as well.
  const introduction = part?.role === 'worker' ? undefined : await access.introduceAdmin()
  const listen = async () => {
    const keptFor = await parts.makeWay?.()
    const port = (parts.port ?? server.port) || (keptFor ?? 0)
    return { ...(await http.listen({ host: server.host, port })), pin: tls?.pin }
  }
  const peers = await many?.openPeersPort({
    ...{ routes: faces.routes, upgrade: links?.route, options: hostOptionsOf(parts) },
    far: part?.takes ? undefined : loaded.config,
  })
  const listening = await (part ? part.open(http.listen, tls?.pin) : listen()).catch(async (error) => {
    await introduction?.takeBack()
    tls?.close()
    await peers?.close()
    throw error
  })
  listensAt = listening.url
  parts.events?.listenAt(apiUrl)
  await local.publish(listening.url, listening.pin)
  part?.onChange((pin) => void local.publish(listening.url, pin))
  tls?.onChange(() => (part ? part.changed(tls.pin) : void local.publish(listening.url, tls.pin)))
  logger
    .child(loaded.isAgentFormat ? 'manager' : 'pegboard')
    .log(part?.role === 'worker' ? 'debug' : 'info', `Listening: ${listening.url}${server.path}`, { pid: process.pid })
  return {
    listensAt,
    peersAt: peers?.url,
    url: apiUrl,
    keys: access.keys,
    introduction,
    unused: local.unused,
    routes: http.routes,
    // A device is not served by what comes and goes with other clients.
    begin: () => {
      if (!shared && part?.role !== 'worker') faces.xiaozhi.start()
    },
    drain: async () => {
      http.drain()
      // With files, what runs once runs at the parent until its workers have ended.
      if (part?.takes && part.drain) return part.drain()
      const patienceMs = drainMs()
      // What runs once goes on elsewhere while we still serve: its calls find it there. Who cannot give it back leaves anyway.
      const givenBack = Promise.race([board.fleet.drain().catch(() => {}), after(Math.max(patienceMs, 2000))])
      const isOneOfMany = !board.fleet.isAlone && part?.takes === undefined
      await Promise.all([givenBack, part?.drain ? part.drain() : readiness.drain(patienceMs, isOneOfMany)])
    },
    asked: readiness.asked,
    close: async () => {
      tls?.close()
      await local.leave()
      // Before what they ask of us ends.
      await part?.close?.()
      links?.close()
      await faces.leave()
      await http.close({ graceMs: 6000 })
      await peers?.close()
      await faces.close()
    },
  }
}

const after = (ms: number): Promise<void> => new Promise((resolve) => void systemClock.after(ms, resolve))

/** What other replicas hand over to us; loaded only where there are others. */
const openLinks = async ({ gateway, fleet }: Board, logger: Logger): Promise<PeerLinks | undefined> => {
  if (!fleet.peers) return undefined
  const { openPeerLinks } = await import('./peer-links.js')
  const placeOf = (source: string): Place => fleet.look(sourceLease(source))
  return openPeerLinks(gateway, fleet.peers, placeOf, logger.child('fleet'))
}

/** Loaded only where the configuration names a certificate. */
export const openTlsOf = async ({
  loaded,
  ring,
}: Pick<ListenerParts, 'loaded'> & { readonly ring: Pick<LogRing, 'logger'> }): Promise<TlsEnd | undefined> => {
  const files = tlsFilesOf(loaded.config.server)
  if (files === undefined) return undefined
  const { openTls } = await import('../http/tls.js')
  return openTls(files, { clock: systemClock, logger: ring.logger.child('tls') })
}

const createHost = (parts: ListenerParts, tls: TlsEnd | undefined, isProved: Local['isProved']): HttpHost =>
  createHttpHost({
    ...hostOptionsOf(parts),
    tls,
    guard: guardOf(parts.loaded.config, parts.access, isProved),
    ...doorOf(parts.loaded.config),
  })

const hostOptionsOf = ({ loaded, board, access, ring, telemetry }: ListenerParts) => ({
  authenticate: access.authenticate,
  challenge: access.resource?.challenge,
  shares: board.gateway.shares,
  ...loaded.config.server.limits,
  tellRefusal,
  clock: systemClock,
  logger: ring.logger.child('http'),
  onRefused: refusalsTo(telemetry.note),
})

interface FaceParts {
  readonly apiUrl: () => string
  readonly readiness: Readiness
  readonly memory: OpenedSessionMemory
  readonly xiaozhi: XiaozhiLinks
}

const openFaces = (parts: ListenerParts, { apiUrl, readiness, memory, xiaozhi }: FaceParts) => {
  const { loaded, board, inForce, flags, env, access, telemetry, ring, redactor, consoleFolder } = parts
  const { logger } = ring
  const clock = systemClock
  const { path, limits } = loaded.config.server
  const others = otherReplicas(board.fleet, clock)
  const endpoint = createMcpEndpoint({
    ...{ face: board.face, findProfile: board.findProfile, path, clock, logger },
    sessions: limits,
    passing: others,
    seal: board.fleet.seals.of('session'),
    now: () => board.fleet.now(),
    memory,
  })
  board.current.follow(
    [
      'maxSessions',
      'maxSessionsPerCaller',
      'sessionIdleMs',
      'sessionMaxAgeMs',
      'maxStreams',
      'maxStreamsPerCaller',
    ].map((name) => `server.limits.${name}`),
    (now) => endpoint.limit(now.server.limits),
  )
  const published = openPublished(board, inForce, logger)
  const beside = [...xiaozhi.operations, ...probes(board, readiness, access.authenticate), ...published]
  const metricsOfAll = parts.part?.metrics
  const pages = { access, logger, note: telemetry.note, base: apiUrl }
  const browsers = openConsole(board, pages)
  const { callDesk, ...links } = openApprovalLinks(board, { ...pages, browsers, clean: redactor.text })
  const rest = openRest(board, {
    ...{ logger, clock, telemetry, apiUrl, beside, others, callDesk },
    ...{ peers: access.peers, metricsOfAll },
  })
  board.signIns.listenAt(() => redirectUrlAt(apiUrl()), board.connecting.door.page)
  const connect = openConnect(board, { ...pages, browsers })
  const admin = openAdmin(board, {
    session: browsers.desk,
    people: browsers.people,
    own: connect.own,
    ...{ inForce, flags, env, xiaozhi, ring, consoleFolder, others, callDesk },
    keys: access.keys,
    clean: redactor.text,
    telemetry,
  })
  access.onLeave((caller) => {
    endpoint.sessions.each((each) => each.owner === caller && endpoint.sessions.end(each))
    board.face.dismiss((owner) => owner.caller === caller)
  })
  access.onSignOut((signIn) => {
    endpoint.sessions.each(({ inFlight }) => inFlight.cancelSignIn(signIn))
    board.face.dismiss((owner) => owner.session === signIn)
  })
  const routes = access.watch([
    ...peopleAtSources(board.signIns, access.people, logger),
    ...endpoint.routes,
    ...rest.routes,
    ...beside.map((each) => toRoute(each)),
    ...browsers.sessions.watch(admin.routes),
    ...connect.routes,
    ...links.routes,
    ...(access.resource?.routes ?? []),
    ...access.signInRoutes,
  ])
  return {
    xiaozhi,
    routes: [...routes, ...peerRoutes(board.fleet, { routes, feed: admin.feed })],
    /** Before the listener closes: streams say goodbye. */
    leave: async () => {
      await xiaozhi.close()
      board.face.close()
      admin.close()
    },
    /** After it. */
    close: async () => {
      endpoint.close()
      await memory.close()
      await browsers.close()
      await rest.close()
    },
  }
}
