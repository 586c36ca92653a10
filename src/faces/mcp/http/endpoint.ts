import type { HttpExchange, Route } from '../../../http/route.js'
import { classifyRequest, type LegacyRequest, type ModernRequest } from '../../../mcp/eras.js'
import { checkHeaders } from '../../../mcp/headers.js'
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '../../../mcp/message.js'
import { parseMessage } from '../../../mcp/parse.js'
import { RpcError, rpcCodes } from '../../../mcp/rpc-error.js'
import { createSseResponse } from '../../../mcp/server/sse-response.js'
import type { Caller } from '../../../model/caller.js'
import type { Clock } from '../../../model/clock.js'
import type { Logger } from '../../../telemetry/logger.js'
import { tellChanges } from '../changes.js'
import type { Client } from '../exchange.js'
import type { McpFace } from '../face.js'
import type { FindProfile } from '../profile.js'
import { createHttpAnswer, type HttpAnswer, ownHeaders } from './answer.js'
import { Asked, AskedInSession } from './asked.js'
import { createSessions, type Session, type SessionLimits, type Sessions } from './sessions.js'

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

const sessionHeader = 'mcp-session-id'
const defaultProfile = 'default'

/** The Streamable HTTP carrier: legacy sessions and modern requests on one address at once. */
export const createMcpEndpoint = (options: McpEndpointOptions): McpEndpoint => {
  const { face, clock } = options
  const path = options.path ?? '/mcp'
  const sessions = createSessions(clock, options.sessions)
  const stopTelling = tellChanges(face.changes, (text) => sessions.each((session) => session.client.send(text)))
  const below = `${path === '/' ? '' : path}/:profile`
  const at = (where: string): Route[] => [
    {
      method: 'POST',
      path: where,
      right: 'discover',
      ownHeaders: true,
      handle: (exchange) => post(exchange, options, sessions),
    },
    {
      method: 'GET',
      path: where,
      right: 'discover',
      stream: true,
      handle: (exchange) => openStream(exchange, options, sessions),
    },
    { method: 'DELETE', path: where, right: 'discover', handle: (exchange) => endSession(exchange, options, sessions) },
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

interface Visitor extends Client {
  readonly profileName: string
}

/** Who asks, and through which profile. A key tied to a profile sees no other, whatever the path says. */
const visitorOf = ({ caller, params }: HttpExchange, findProfile: FindProfile): Visitor | undefined => {
  const profileName = params.profile ?? caller.profile ?? defaultProfile
  if (caller.profile !== undefined && caller.profile !== profileName) return undefined
  const profile = findProfile(profileName)
  if (!profile) return undefined
  const named: Caller = profileName === defaultProfile ? caller : { ...caller, profile: profileName }
  return { caller: named, profile, profileName }
}

const post = (exchange: HttpExchange, options: McpEndpointOptions, sessions: Sessions): Promise<void> | undefined => {
  const { response } = exchange
  const visitor = visitorOf(exchange, options.findProfile)
  if (!visitor) return void plain(response, 404, 'There is no such profile.')
  const { streams, json } = acceptedBy(exchange.request.headers.accept)
  if (!streams && !json) return void plain(response, 406, 'Accept application/json and text/event-stream.')
  if (!isJson(exchange.request.headers['content-type']))
    return void plain(response, 415, 'Send Content-Type: application/json.')
  const answer = createHttpAnswer(response, { clock: options.clock, streams })
  // From here on nothing awaits a value that is already there: every request would pay for the microtask.
  return exchange.readBody().then((body) => received(body, exchange, visitor, answer, options, sessions))
}

const received = (
  body: Buffer,
  exchange: HttpExchange,
  visitor: Visitor,
  answer: HttpAnswer,
  options: McpEndpointOptions,
  sessions: Sessions,
): Promise<void> | undefined => {
  let message: RpcMessage
  try {
    message = parseMessage(body)
  } catch (error) {
    return void answer.refuse(error, null, eraByHeader(exchange))
  }
  if (message.kind === 'notification') return void notified(message, exchange, visitor, sessions)
  if (message.kind !== 'request') return void answered(message, exchange, visitor, sessions)
  const { method, params } = message
  const sender = classifyRequest({ method, params, headers: exchange.request.headers })
  if (sender.era === 'rejected') return void answer.refuse(sender.error, message.id, eraByHeader(exchange))
  if (sender.era === 'modern') return void askModern(message, sender, exchange, visitor, answer, options)
  return askLegacy(message, sender, exchange, visitor, answer, options, sessions)
}

/** Stateless: what it needs is in it, and leaving cancels it. */
const askModern = (
  request: RpcRequest,
  sender: ModernRequest,
  exchange: HttpExchange,
  visitor: Visitor,
  answer: HttpAnswer,
  { face }: McpEndpointOptions,
): void => {
  const { id, method, params } = request
  const tool = method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined
  const found = tool === undefined ? undefined : face.resolve(visitor, tool)
  const headerParams = found && face.headerParamsOf(found)
  const mismatch = checkHeaders({ version: sender.version, method, params, headerParams }, exchange.request.headers)
  if (mismatch) return answer.refuse(mismatch, id, 'modern')
  const refuse = (error: unknown): void => answer.refuse(error, id, 'modern')
  try {
    const reply = face.answer(new Asked(request, sender, visitor, answer, exchange, found))
    if (reply instanceof Promise) reply.then((each) => answer.reply(id, each)).catch(refuse)
    else answer.reply(id, reply)
  } catch (error) {
    refuse(error)
  }
}

/** In a session: leaving is not cancelling, a notification is. */
const askLegacy = async (
  request: RpcRequest,
  sender: LegacyRequest,
  exchange: HttpExchange,
  visitor: Visitor,
  answer: HttpAnswer,
  { face }: McpEndpointOptions,
  sessions: Sessions,
): Promise<void> => {
  const session = sessionFor(request, exchange, visitor, sessions)
  if (session === 'unknown') return plain(exchange.response, 404, 'Session not found; initialize again.')
  const running = session?.inFlight.begin(request.id)
  if (session && !running)
    return answer.refuse(
      new RpcError(rpcCodes.internalError, 'Too many requests are running in this session.'),
      request.id,
      'legacy',
    )
  if (session && request.method === 'initialize') {
    session.client.introduce(request.params)
    exchange.response.setHeader('Mcp-Session-Id', session.id)
  }
  try {
    const signal = running?.signal
    const reply = await face.answer(new AskedInSession(request, sender, visitor, answer, exchange, session, signal))
    if (!signal?.aborted) answer.reply(request.id, reply)
    // The spec wants no answer to a cancelled request; the HTTP exchange still has to end.
    else plain(exchange.response, 202)
  } catch (error) {
    answer.refuse(error, request.id, 'legacy')
  } finally {
    if (running) session?.inFlight.end(request.id, running)
  }
}

/** `initialize` begins one; a request without one is served on its own, since nothing we answer depends on it. */
const sessionFor = (
  request: RpcRequest,
  exchange: HttpExchange,
  visitor: Visitor,
  sessions: Sessions,
): Session | 'unknown' | undefined => {
  if (request.method === 'initialize') return sessions.create(visitor.caller.id, visitor.profileName)
  const id = exchange.request.headers[sessionHeader]
  if (id === undefined) return undefined
  return sessions.find(String(id), visitor.caller.id, visitor.profileName) ?? 'unknown'
}

/** A legacy client's answer to a question of ours. Nobody else's session can be answered for (T8). */
const answered = (message: RpcResponse, exchange: HttpExchange, visitor: Visitor, sessions: Sessions): void => {
  const id = exchange.request.headers[sessionHeader]
  const session = id === undefined ? undefined : sessions.find(String(id), visitor.caller.id, visitor.profileName)
  if (id !== undefined && !session) return plain(exchange.response, 404, 'Session not found; initialize again.')
  session?.client.questions.settle(message)
  plain(exchange.response, 202)
}

const notified = (message: RpcNotification, exchange: HttpExchange, visitor: Visitor, sessions: Sessions): void => {
  const id = exchange.request.headers[sessionHeader]
  const session = id === undefined ? undefined : sessions.find(String(id), visitor.caller.id, visitor.profileName)
  if (id !== undefined && !session) return plain(exchange.response, 404, 'Session not found; initialize again.')
  if (message.method === 'notifications/cancelled') session?.inFlight.cancel(message.params?.requestId)
  plain(exchange.response, 202)
}

/** GET: a legacy session's stream for what we say unasked. Modern clients listen by a request instead. */
const openStream = (exchange: HttpExchange, options: McpEndpointOptions, sessions: Sessions): void => {
  const { request, response } = exchange
  const visitor = visitorOf(exchange, options.findProfile)
  const id = request.headers[sessionHeader]
  if (!visitor) return plain(response, 404, 'There is no such profile.')
  if (id === undefined || !accepts(request.headers.accept, 'text/event-stream')) {
    response.setHeader('Allow', 'POST')
    return plain(response, 405, 'Only a session of an earlier protocol version can open a stream here.')
  }
  const session = sessions.find(String(id), visitor.caller.id, visitor.profileName)
  if (!session) return plain(response, 404, 'Session not found; initialize again.')
  // The newest stream is the one the client still reads.
  session.stream?.end()
  const stream = createSseResponse(response, { clock: options.clock })
  session.stream = stream
  exchange.onDrain(() => stream.end())
}

const endSession = (exchange: HttpExchange, options: McpEndpointOptions, sessions: Sessions): void => {
  const visitor = visitorOf(exchange, options.findProfile)
  const id = exchange.request.headers[sessionHeader]
  if (id === undefined) {
    exchange.response.setHeader('Allow', 'POST')
    return plain(exchange.response, 405, 'There is no session to end.')
  }
  const session = visitor && sessions.find(String(id), visitor.caller.id, visitor.profileName)
  if (!session) return plain(exchange.response, 404, 'Session not found.')
  sessions.end(session)
  plain(exchange.response, 204)
}

const eraByHeader = ({ request }: HttpExchange) => (request.headers['mcp-method'] === undefined ? 'legacy' : 'modern')

interface Accepted {
  readonly header: string | undefined
  readonly streams: boolean
  readonly json: boolean
}

// A client says the same with every request, and most clients say the same: the last answer is usually the next one.
let lastAccepted: Accepted | undefined

const acceptedBy = (header: string | undefined): Accepted => {
  if (lastAccepted && lastAccepted.header === header) return lastAccepted
  lastAccepted = { header, streams: accepts(header, 'text/event-stream'), json: accepts(header, 'application/json') }
  return lastAccepted
}

/** A missing header accepts all, as HTTP says. */
const accepts = (header: string | undefined, type: string): boolean => {
  if (header === undefined) return true
  const [family] = type.split('/')
  return header
    .split(',')
    .some((part) => [type, `${family}/*`, '*/*'].includes(part.split(';', 1)[0]!.trim().toLowerCase()))
}

const isJson = (header: string | undefined): boolean =>
  header === 'application/json' ||
  (header !== undefined && /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(header))

const plain = (response: HttpExchange['response'], status: number, text = ''): void => {
  if (response.headersSent || response.destroyed) return
  const body =
    text === ''
      ? ''
      : JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: rpcCodes.invalidRequest, message: text } })
  response.writeHead(
    status,
    body === ''
      ? { 'content-length': '0', ...ownHeaders }
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), ...ownHeaders },
  )
  response.end(body)
}
