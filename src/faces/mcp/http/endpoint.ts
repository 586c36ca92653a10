import type { HttpExchange, Route } from '../../../http/route.js'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import type { Logger } from '../../../telemetry/logger.js'
import { tellChanges } from '../changes.js'
import type { McpFace } from '../face.js'
import type { FindProfile } from '../profile.js'
import {
  accepts,
  acknowledge,
  createPostHandler,
  type PostOptions,
  refusePlainly,
  sessionLost,
  sessionOf,
  visitorOf,
} from './post.js'
import { createSessions, type SessionLimits, type Sessions } from './sessions.js'

export interface McpEndpointOptions {
  readonly face: McpFace
  readonly findProfile: FindProfile
  /** Where the default profile is served; others below it. Default `/mcp`. */
  readonly path?: string | undefined
  readonly sessions?: SessionLimits | undefined
  readonly clock: Clock
  readonly logger: Logger
}

export interface McpEndpoint {
  readonly routes: readonly Route[]
  readonly sessions: Sessions
  close(): void
}

/** The Streamable HTTP carrier: legacy sessions and modern requests on one address at once. */
export const createMcpEndpoint = ({ face, findProfile, clock, ...options }: McpEndpointOptions): McpEndpoint => {
  const path = options.path ?? '/mcp'
  const sessions = createSessions(clock, options.sessions)
  const shared: PostOptions = { face, findProfile, sessions, clock }
  const stopTelling = tellChanges(face.changes, (text) => sessions.each((session) => session.client.send(text)))
  const below = `${path === '/' ? '' : path}/:profile`
  const post = createPostHandler(shared)
  const get = (http: HttpExchange): void => openStream(http, shared)
  const remove = (http: HttpExchange): void => endSession(http, shared)
  const at = (where: string): Route[] => [
    { method: 'POST', path: where, right: 'discover', ownHeaders: true, handle: post },
    { method: 'GET', path: where, right: 'discover', stream: true, handle: get },
    { method: 'DELETE', path: where, right: 'discover', handle: remove },
  ]
  return {
    routes: [...at(path), ...at(below)],
    sessions,
    close: () => {
      stopTelling()
      sessions.close()
    },
  }
}

/** GET: a legacy session's stream for what we say unasked. Modern clients listen by a request instead. */
const openStream = (http: HttpExchange, options: PostOptions): void => {
  const { request, response } = http
  const visitor = visitorOf(http, options.findProfile)
  if (!visitor) return refusePlainly(http, 404, 'There is no such profile.')
  const session = sessionOf(http, visitor, options)
  if (session === undefined || !accepts(request.headers.accept, 'text/event-stream')) {
    response.setHeader('Allow', 'POST')
    return refusePlainly(http, 405, 'Only a session of an earlier protocol version can open a stream here.')
  }
  if (session === 'unknown') return refusePlainly(http, 404, sessionLost)
  // The newest stream is the one the client still reads.
  session.stream?.end()
  const stream = createSseResponse(response, { clock: options.clock })
  session.stream = stream
  http.onDrain(() => stream.end())
}

const endSession = (http: HttpExchange, options: PostOptions): void => {
  const visitor = visitorOf(http, options.findProfile)
  const session = visitor ? sessionOf(http, visitor, options) : 'unknown'
  if (http.request.headers['mcp-session-id'] === undefined) {
    http.response.setHeader('Allow', 'POST')
    return refusePlainly(http, 405, 'There is no session to end.')
  }
  if (session === 'unknown' || session === undefined) return refusePlainly(http, 404, 'Session not found.')
  options.sessions.end(session)
  acknowledge(http, 204)
}
