import type { ServerResponse } from 'node:http'
import { WaitsElsewhere } from '../../../gateway.js'
import { countUnread, largeBytes } from '../../../http/held-bytes.js'
import type { BodySink, HttpExchange } from '../../../http/route.js'
import { classifyRequest, type Era, type LegacyRequest, type ModernRequest } from '../../../mcp/eras.js'
import { acceptedBy, checkHeaders, isJson } from '../../../mcp/headers.js'
import { type RpcMessage, type RpcRequest, responseBytes, responseHead } from '../../../mcp/message.js'
import { parseMessage } from '../../../mcp/parse.js'
import type { RpcId } from '../../../mcp/rpc-error.js'
import { errorAnswer } from '../../../mcp/server/error-answer.js'
import { createSseResponse, type SseResponse } from '../../../mcp/server/sse-response.js'
import type { CallSession, Found } from '../../../model/call.js'
import { type Caller, profileFor, throughProfile } from '../../../model/caller.js'
import { type CancelSignal, goneAlready } from '../../../model/cancel.js'
import { standInKey } from '../../session-name.js'
import { toRpcError } from '../encode-error.js'
import type { ClientSession, EncodedResult, Exchange, Prepared, Visitor } from '../exchange.js'
import type { RunningRequest } from '../in-flight.js'
import type { FindProfile, ProfileSettings } from '../profile.js'
import { hear } from './heard.js'
import type { HttpSession } from './http-session.js'
import { passCall } from './passing.js'
import type { PostOptions } from './post-options.js'
import { acknowledge, ownHeaders, refusePlainly, sessionLost, tooMany } from './refuse.js'
import { type NamedSession, sessionOf } from './sessions.js'

/** How POSTs to one endpoint are answered. */
export const createPostHandler = (options: PostOptions): ((http: HttpExchange) => undefined) => {
  // A client says the same with every request, and most clients say the same: the last answer is usually the next one.
  let accepted = acceptedBy(undefined)
  return (http) => {
    const { headers } = http.request
    const visitor = visitorOf(http, options.findProfile)
    if (!visitor) return void refusePlainly(http, 404, 'There is no such profile.')
    if (accepted.header !== headers.accept) accepted = acceptedBy(headers.accept)
    const { streams, json } = accepted
    if (!streams && !json) return void refusePlainly(http, 406, 'Accept application/json and text/event-stream.')
    if (!isJson(headers['content-type'])) return void refusePlainly(http, 415, 'Send Content-Type: application/json.')
    // From here on nothing awaits a value that is already there: every request would pay for the microtask.
    http.receive(new Post(http, visitor, streams, options))
    return undefined
  }
}

/**
 * A message that came by POST, and how it is answered: with JSON, or as a stream from the first notification on. A class:
 * an object literal with a getter gets a hidden class of its own, which lives in the old generation and keeps the whole
 * request there (measured: a third of all garbage, and twice the CPU per call).
 */
class Post implements Exchange, BodySink, CallSession {
  readonly caller: Caller
  readonly profile: ProfileSettings
  request!: RpcRequest
  sender!: ModernRequest | LegacyRequest
  found: Found | undefined
  session: ClientSession | undefined
  readonly #http: HttpExchange
  readonly #visitor: Visitor
  readonly #options: PostOptions
  /** False where the client reads JSON only, so that nothing can be said before the answer. */
  readonly #streams: boolean
  #stream: SseResponse | undefined
  #inSession: HttpSession | undefined
  /** Its place among the requests of its session, where a notification can cancel it. */
  #running: RunningRequest | undefined
  /** The bytes of a large request. */
  #weight = 0

  constructor(http: HttpExchange, visitor: Visitor, streams: boolean, options: PostOptions) {
    this.caller = visitor.caller
    this.profile = visitor.profile
    this.#http = http
    this.#visitor = visitor
    this.#streams = streams
    this.#options = options
  }

  /** A modern request ends with its connection. In a session leaving is not cancelling, a notification is. */
  get signal(): CancelSignal {
    return this.#running ?? this.#http.cancel
  }

  // Questions go out on this very answer: where it cannot stream, or nobody reads it any more, they have no way.
  get gone(): CancelSignal | undefined {
    if (this.sender.era === 'modern') return undefined
    return this.#streams ? this.#http.cancel : goneAlready
  }

  /** Read by nobody but sources that keep state apart: then this request's own words say whose it is. */
  get standIn(): CallSession {
    return this
  }

  get key(): string {
    return standInKey(this.#http.request.headers, this.request, this.sender)
  }

  onEnd(): () => void {
    return () => {}
  }

  notify(text: string): void {
    const { response } = this.#http
    if (!this.#streams || response.destroyed) return
    const { clock, shares } = this.#options
    const reader = { caller: this.caller.id, shares }
    this.#stream ??= createSseResponse(response, { clock, reader, headers: ownHeaders })
    this.#stream.send(text)
  }

  /** A promise only where others are asked for the session: what fails then is answered by the host. */
  received(body: Buffer): void | Promise<void> {
    if (body.length > largeBytes) this.#weight = body.length
    let message: RpcMessage
    try {
      message = parseMessage(body)
    } catch (error) {
      return this.#refuse(error, null, this.#eraByHeader)
    }
    if (message.kind !== 'request')
      return hear(message, body, { http: this.#http, visitor: this.#visitor, options: this.#options })
    const { id, method, params } = message
    const sender = classifyRequest({ method, params, headers: this.#http.request.headers })
    if (sender.era === 'rejected') return this.#refuse(sender.error, id, this.#eraByHeader)
    this.request = message
    this.sender = sender
    if (sender.era === 'legacy') return this.#answerLegacy()
    this.#answerModern(sender)
  }

  /** Stateless: what it needs is in it. */
  #answerModern({ version }: ModernRequest): void {
    const { face } = this.#options
    const { id, method, params } = this.request
    const tool = method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined
    if (tool !== undefined) this.found = face.resolve(this, tool)
    const headerParams = this.found && face.headerParamsOf(this.found)
    const mismatch = checkHeaders({ version, method, params, headerParams }, this.#http.request.headers)
    if (mismatch) return this.#refuse(mismatch, id, 'modern')
    if (method === 'subscriptions/listen') return this.#listen()
    this.#answer()
  }

  #answerLegacy(): void | Promise<void> {
    // `initialize` begins a session; a request without one is served on its own, since nothing we answer depends on it.
    if (this.request.method === 'initialize') return this.#initialize()
    const named = sessionOf(this.#http, this.#visitor, this.#options)
    // Only of one that comes back to this process others may have to be asked.
    if (named instanceof Promise) return named.then((each) => this.#answerNamed(each))
    this.#answerNamed(named)
  }

  #answerNamed(named: NamedSession): void {
    if (named === 'unknown') refusePlainly(this.#http, 404, sessionLost)
    else if (named instanceof Error) this.#refuse(named, this.request.id, 'legacy')
    else this.#answerIn(named)
  }

  #answerIn(session: HttpSession | undefined): void {
    const running = session?.inFlight.begin(this.request.id, this.caller.session)
    if (session && !running) return this.#refuse(tooMany, this.request.id, 'legacy')
    if (running && this.#weight > 0)
      running.hold(this.#http.cancel, this.#options.shares.of('requestBytes'), this.caller.id, this.#weight)
    this.session = session?.client
    this.#inSession = session
    this.#running = running
    this.#answer()
  }

  /** Nothing awaits a value that is already there: every request would pay for the microtask. */
  #answer(): void {
    let reply: EncodedResult | Promise<EncodedResult>
    try {
      reply = this.#options.face.answer(this)
    } catch (error) {
      return this.#failed(error)
    }
    if (!(reply instanceof Promise)) return this.#answered(reply)
    reply.then(
      (each) => this.#answered(each),
      (error) => this.#failed(error),
    )
  }

  #answered(reply: EncodedResult): void {
    this.#end()
    try {
      if (!this.#running?.aborted) this.#reply(this.request.id, reply)
      // The spec wants no answer to a cancelled request; the HTTP exchange still has to end.
      else acknowledge(this.#http, 202)
    } catch (error) {
      this.#refuse(error, this.request.id, this.sender.era)
    }
  }

  #failed(error: unknown): void {
    this.#end()
    const { passing } = this.#options
    const refuse = (): void => this.#refuse(error, this.request.id, this.sender.era)
    if (passing && error instanceof WaitsElsewhere) passCall(this.#http, passing, this.request, error, refuse)
    else refuse()
  }

  #end(): void {
    if (this.#running) this.#inSession?.inFlight.end(this.#running)
  }

  #initialize(): void {
    const { caller, profileName } = this.#visitor
    try {
      const session = this.#options.sessions.begin(caller.id, profileName, this.request.params)
      this.#http.response.setHeader('Mcp-Session-Id', session.id)
      this.#answerIn(session)
    } catch (error) {
      this.#refuse(error, this.request.id, 'legacy')
    }
  }

  /** Has one of its caller's streams until this answer is over. */
  #listen(): void {
    const { id } = this.request
    const streams = this.#options.shares.of('streams')
    const refused = streams.take(this.caller.id)
    if (refused) return this.#refuse(refused, id, 'modern')
    this.#http.response.once('close', () => streams.give(this.caller.id))
    this.#answer()
    // It may stay for days, and what was asked for is known by now: the words of the request need not stay with it (S5).
    this.request = { ...this.request, params: undefined }
    this.sender = { ...(this.sender as ModernRequest), clientCapabilities: {}, clientInfo: undefined }
  }

  #reply(id: RpcId, reply: EncodedResult): void {
    if (typeof reply === 'string') this.#send(200, `${responseHead(id)}${reply}}`)
    else this.#sendBytes(id, reply)
  }

  #refuse(error: unknown, id: RpcId | null, era: Era): void {
    const { status, body, headers } = errorAnswer(toRpcError(error), id, era)
    this.#send(status, body, headers)
  }

  #send(status: number, body: string, headers?: Readonly<Record<string, string>>): void {
    const { response } = this.#http
    if (this.#stream) return this.#stream.end(body)
    if (isOver(response)) return
    const length = Buffer.byteLength(body)
    if (length > largeBytes && !countUnread(this.#http, length)) return
    response.writeHead(status, headers ? { ...headersFor(length), ...headers } : headersFor(length))
    response.end(body)
  }

  /** Bytes go out between a head and a tail of their own: a megabyte is not copied for each who asks. */
  #sendBytes(id: RpcId, result: Prepared): void {
    const { response } = this.#http
    if (this.#stream) return this.#stream.end(responseBytes(id, result))
    if (isOver(response)) return
    const pieces = Buffer.isBuffer(result) ? [result] : result
    const head = Buffer.from(responseHead(id))
    // A list is one piece of memory however many read it.
    const isShared = this.request.method.endsWith('/list')
    const length = pieces.reduce((sum, piece) => sum + piece.length, head.length + 1)
    if (length > largeBytes && !isShared && !countUnread(this.#http, length)) return
    response.writeHead(200, headersFor(length))
    response.cork()
    response.write(head)
    for (const piece of pieces) response.write(piece)
    response.end('}')
    response.uncork()
  }

  get #eraByHeader(): Era {
    return this.#http.request.headers['mcp-method'] === undefined ? 'legacy' : 'modern'
  }
}

/** Who asks, and through which profile. A key tied to a profile sees no other, whatever the path says. */
export const visitorOf = ({ caller, params }: HttpExchange, findProfile: FindProfile): Visitor | undefined => {
  const asked = params.profile
  // Nearly everybody is tied to none, or is where they belong: they are not asked about any further.
  const profileName =
    caller.profiles || caller.profile !== undefined ? profileFor(caller, asked) : (asked ?? defaultProfile)
  const profile = profileName === undefined ? undefined : findProfile(profileName)
  if (profileName === undefined || !profile) return undefined
  const isThere = profileName === (caller.profile ?? defaultProfile)
  return { caller: isThere ? caller : throughProfile(caller, profileName), profile, profileName }
}

const defaultProfile = 'default'

const isOver = (response: ServerResponse): boolean => response.headersSent || response.destroyed

const headersFor = (length: number) => ({
  'content-type': 'application/json',
  'content-length': length,
  'x-content-type-options': 'nosniff',
})
