import { isGatewayError } from '../../../errors.js'
import type { HttpExchange, Route } from '../../../http/route.js'
import { accepts } from '../../../mcp/headers.js'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import type { Clock } from '../../../model/clock.js'
import { createSeals, type Seal } from '../../../model/seal.js'
import type { Logger } from '../../../telemetry/logger.js'
import { tellChanges } from '../changes.js'
import { followedKey, type Visitor } from '../exchange.js'
import type { McpFace } from '../face.js'
import { stopFollowing } from '../methods/resources.js'
import type { FindProfile } from '../profile.js'
import type { HttpSession } from './http-session.js'
import type { Passing } from './passing.js'
import { createPostHandler, visitorOf } from './post.js'
import type { PostOptions } from './post-options.js'
import { acknowledge, refuseBound, refusePlainly, sessionLost } from './refuse.js'
import { SessionIds } from './session-ids.js'
import { type RememberedSession, type SessionMemory, SessionNotes, type SessionState } from './session-memory.js'
import { type SessionLimits, Sessions, sessionOf } from './sessions.js'

export interface McpEndpointOptions {
  readonly face: McpFace
  readonly findProfile: FindProfile
  /** Where the default profile is served; others below it. Default `/mcp`. */
  readonly path?: string | undefined
  readonly sessions?: EndpointLimits | undefined
  /** What session ids are closed by. Default: a seal of this process, with which they end. */
  readonly seal?: Seal | undefined
  /** What time it is for all who open these ids. Default: by our own wall clock. */
  readonly now?: (() => number) | undefined
  /** Where it is kept what sessions asked for, and that they ended. Default: in this process. */
  readonly memory?: SessionMemory | undefined
  readonly clock: Clock
  readonly logger: Logger
  /** How what is at other replicas is reached. Default: there are none. */
  readonly passing?: Passing | undefined
}

export interface EndpointLimits extends SessionLimits {
  /** Streams that listen, of sessions and of modern clients together. Default 10,000. */
  readonly maxStreams?: number | undefined
  /** Of one caller. Default 100 (S10). */
  readonly maxStreamsPerCaller?: number | undefined
}

export interface McpEndpoint {
  readonly routes: readonly Route[]
  readonly sessions: Sessions
  /** What is open beyond new bounds stays until it ends by itself, or until room is wanted. */
  limit(limits: EndpointLimits): void
  close(): void
}

/** The Streamable HTTP carrier: legacy sessions and modern requests on one address at once. */
export const createMcpEndpoint = ({
  face,
  findProfile,
  clock,
  passing,
  ...options
}: McpEndpointOptions): McpEndpoint => {
  const path = options.path ?? '/mcp'
  const { shares } = face
  const ids = new SessionIds(options.seal ?? createSeals().of('session'), options.now ?? (() => clock.wall()))
  const memory = options.memory ?? new SessionNotes()
  const sessions = new Sessions({ clock, shares, ids, memory, passing }, options.sessions)
  const limitStreams = ({ maxStreams, maxStreamsPerCaller }: EndpointLimits): void =>
    shares.of('streams').limit({ inAll: maxStreams, perCaller: maxStreamsPerCaller })
  limitStreams(options.sessions ?? {})
  const shared: PostOptions = { face, findProfile, sessions, shares, clock, passing }
  const stopTelling = tellChanges(face.changes, (text) => sessions.each((session) => session.client.send(text)))
  const stopHearing = passing ? hearOthers(passing, sessions) : () => {}
  const below = `${path === '/' ? '' : path}/:profile`
  const post = createPostHandler(shared)
  const get = (http: HttpExchange): Promise<void> => openStream(http, shared)
  const remove = (http: HttpExchange): Promise<void> => endSession(http, shared)
  const at = (where: string): Route[] => [
    { method: 'POST', path: where, right: 'discover', ownHeaders: true, handle: post },
    { method: 'GET', path: where, right: 'discover', stream: true, handle: get },
    { method: 'DELETE', path: where, right: 'discover', handle: remove },
  ]
  return {
    routes: [...at(path), ...at(below)],
    sessions,
    limit: (limits) => {
      sessions.limit(limits)
      limitStreams(limits)
    },
    close: () => {
      stopTelling()
      stopHearing()
      sessions.close()
    },
  }
}

/** What came to another replica and is about a request or a stream of a session that is here. */
const hearOthers = (passing: Passing, sessions: Sessions): (() => void) => {
  const stops = [
    passing.onTold('cancel', ({ session, id }) => void sessions.known(session)?.inFlight.cancel(id)),
    passing.onTold('session', ({ session, text }) => {
      if (typeof text === 'string') sessions.known(session)?.send(text)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** GET: a legacy session's stream for what we say unasked. Modern clients listen by a request instead. */
const openStream = async (http: HttpExchange, options: PostOptions): Promise<void> => {
  const { request, response } = http
  const visitor = visitorOf(http, options.findProfile)
  if (!visitor) return refusePlainly(http, 404, 'There is no such profile.')
  const session = await sessionOf(http, visitor, options)
  if (session === undefined || !accepts(request.headers.accept, 'text/event-stream')) {
    response.setHeader('Allow', 'POST')
    return refusePlainly(http, 405, 'Only a session of an earlier protocol version can open a stream here.')
  }
  if (session === 'unknown') return refusePlainly(http, 404, sessionLost)
  if (session instanceof Error) return refuseBound(http, session)
  // The newest stream is the one the client still reads.
  session.stream?.end()
  const { caller } = visitor
  const { clock, shares } = options
  const refused = shares.of('streams').take(caller.id)
  if (refused) return refuseBound(http, refused)
  const onEnd = (): void => shares.of('streams').give(caller.id)
  const stream = createSseResponse(response, { clock, reader: { caller: caller.id, shares }, onEnd })
  session.stream = stream
  http.onDrain(() => stream.end())
  await followRemembered(session, visitor, options)
}

/** What the session followed elsewhere, or before, is told on this stream from now on; and what it follows elsewhere later. */
const followRemembered = async (
  session: HttpSession,
  visitor: Visitor,
  { face, sessions }: PostOptions,
): Promise<void> => {
  const { client } = session
  const follow = ({ state }: RememberedSession): Promise<void> =>
    face.followAgain(visitor, client, followedIn(state)).catch(() => {})
  session.onRemembered = (remembered) => {
    const wanted = new Set(followedIn(remembered.state))
    if (!session.stream?.open) return
    for (const uri of [...client.followed.keys()]) if (!wanted.has(uri)) stopFollowing(client, uri)
    void follow(remembered)
  }
  const remembered = await sessions.recall(session)
  if (remembered) await follow(remembered)
}

const followedIn = (state: SessionState): readonly string[] =>
  Object.keys(state).flatMap((key) => (key.startsWith(followedKey('')) ? [key.slice(followedKey('').length)] : []))

const endSession = async (http: HttpExchange, options: PostOptions): Promise<void> => {
  const visitor = visitorOf(http, options.findProfile)
  if (http.request.headers['mcp-session-id'] === undefined) {
    http.response.setHeader('Allow', 'POST')
    return refusePlainly(http, 405, 'There is no session to end.')
  }
  const session = visitor ? await sessionOf(http, visitor, options) : 'unknown'
  if (session === 'unknown' || session === undefined) return refusePlainly(http, 404, 'Session not found.')
  if (session instanceof Error) return refuseBound(http, session)
  try {
    await options.sessions.finish(session)
  } catch (error) {
    // It has ended here, and will elsewhere once others can be told; the client may ask again.
    return isGatewayError(error) ? refuseBound(http, error) : Promise.reject(error)
  }
  acknowledge(http, 204)
}
