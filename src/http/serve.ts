import type { IncomingMessage, ServerResponse } from 'node:http'
import { isGatewayError, messageOf } from '../errors.js'
import type { Caller } from '../model/caller.js'
import type { Logger } from '../telemetry/logger.js'
import { checkEncoding, checkHeaders, checkRight } from './admit.js'
import { sendJson, type TellRefusal, toErrorAnswer } from './answer.js'
import { type Authenticate, type AuthResult, nobody } from './auth.js'
import type { DoorChallenge } from './challenge.js'
import { allowOrigin, answerOptions } from './cors.js'
import { OpenExchange } from './exchange.js'
import type { Active, ExchangeContext } from './exchange-context.js'
import { notReading } from './held-bytes.js'
import { bodyTooLarge, HttpError, isHttpError } from './http-error.js'
import type { Route, RouteError } from './route.js'
import type { Match, RoutePlace, RouteTable } from './route-table.js'
import { maxQueryBytes, queryTooLong } from './target.js'

export interface ServeParts {
  readonly routes: RouteTable<Route>
  readonly context: ExchangeContext
  readonly active: Active
  readonly authenticate: Authenticate
  readonly guard?: ((request: IncomingMessage) => void) | undefined
  readonly challenge?: DoorChallenge | undefined
  readonly securityHeaders: Readonly<Record<string, string>>
  readonly tellRefusal: TellRefusal
  readonly logger: Logger
  /** Told of whoever was sent away: 401, 403 and 429. */
  readonly onRefused?: ((refused: RefusedRequest) => void) | undefined
}

export interface RefusedRequest {
  readonly code: string
  /** Nobody where no credential was good. */
  readonly caller: Caller
  /** As its route is declared; undefined where there is none. */
  readonly path: string | undefined
  readonly ip: string | undefined
}

/**
 * From a request to its route, in one order for all: Host and Origin, path, method, credential, right, body. Plain
 * `node:http`, since every framework measured costs more per request than all of this together (`bench/http-host.mjs`).
 */
export const createServe = (parts: ServeParts) => {
  const { routes, context, active, authenticate, guard, logger } = parts
  const securityHeaders = Object.entries(parts.securityHeaders)
  const unread = context.shares.of('unreadBytes')

  const lookUp = ({ url = '', method = '', headers }: IncomingMessage): Route | undefined => {
    const asked = (method === 'OPTIONS' && headers['access-control-request-method']) || method
    try {
      const route = routes.find(url.split('?', 1)[0]!)?.place.byMethod.get(asked === 'HEAD' ? 'GET' : asked)
      return route?.anyOrigin || method === 'GET' || method === 'HEAD' ? route : undefined
    } catch {
      // A path that is not even one is nobody's.
      return undefined
    }
  }

  const serve = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void => {
    const exchange = new OpenExchange(request, response, context, fail)
    active.add(exchange)
    if (context.draining) response.shouldKeepAlive = false
    try {
      const route = select(exchange)
      if (route) enter(exchange, route, expectsContinue)
    } catch (error) {
      fail(exchange, error)
    }
  }

  /** The route, or undefined where OPTIONS has been answered. */
  const select = (exchange: OpenExchange): Route | undefined => {
    const { request, response } = exchange
    exchange.isStranger = checkHeaders(request, context.rules, lookUp)
    if (request.headers.origin !== undefined) allowOrigin(response, request.headers.origin)
    if (guard && lookUp(request)?.probe !== true) guard(request)
    if (context.closing) throw stopping()
    const { place, params } = findPlace(routes, request.url ?? '', exchange)
    if (request.method === 'OPTIONS') return void answerOptions(exchange, place.allow)
    checkEncoding(request)
    exchange.params = params
    const route = routeOf(place, exchange.method)
    if (!route.ownHeaders) for (const [name, value] of securityHeaders) response.setHeader(name, value)
    return route
  }

  const enter = (exchange: OpenExchange, route: Route, expectsContinue: boolean): void => {
    const { right } = route
    const check = right === 'peer' ? route.admit! : authenticate
    const result = right === 'open' ? { caller: nobody } : check(exchange.request)
    // No promise where none is needed: one microtask costs more than all checks.
    if (!('then' in result)) run(exchange, route, result, expectsContinue)
    else
      result
        .then((settled) => run(exchange, route, settled, expectsContinue))
        .catch((error: unknown) => fail(exchange, error))
  }

  const run = (exchange: OpenExchange, route: Route, result: AuthResult, expectsContinue: boolean): void => {
    // Known also where it may not: who was refused is told.
    if ('caller' in result) exchange.caller = result.caller
    exchange.caller = checkRight(result, route.right, { request: exchange.request, challenge: parts.challenge })
    if ('warning' in result) exchange.response.setHeader('Warning', `199 - "${result.warning}"`)
    context.shares.seen(exchange.caller.id)
    const waiting = unread.total > 0 ? notReading(exchange) : undefined
    if (waiting) throw waiting
    const declared = exchange.request.headers['content-length']
    if (declared !== undefined && Number(declared) > context.maxBodyBytes) throw bodyTooLarge(context.maxBodyBytes)
    // Only now: a client that asks before it sends is told "no" without sending.
    if (expectsContinue) exchange.response.writeContinue()
    exchange.route = route
    const done = route.handle(exchange)
    if (done !== undefined) done.catch((error: unknown) => fail(exchange, error))
  }

  const fail = (exchange: OpenExchange, error: unknown): void => {
    const { request, response } = exchange
    const { status, headers, body, unexpected } = answerTo(exchange, error)
    if (unexpected) report(exchange, error)
    if (parts.onRefused && (status === 401 || status === 403 || status === 429)) tellRefused(exchange, error)
    if (response.writableEnded || response.destroyed) return
    // Half an answer must not look like a whole one.
    if (response.headersSent) return void response.destroy()
    sendJson(response, status, body, headers)
    discardBody(request)
  }

  const answerTo = (exchange: OpenExchange, error: unknown): RouteError => {
    const told = exchange.route?.tellError?.(error, exchange)
    if (told) return told
    const { route, request, requestId } = exchange
    // A body that is too large is our own bound too, though it is noticed while a route reads.
    const isOurs = route === undefined || (isHttpError(error) && error.code === 'BODY_TOO_LARGE')
    const answer = isOurs ? parts.tellRefusal(error, requestId, request.headers) : toErrorAnswer(error, requestId)
    const { status, headers, body } = answer
    const unexpected = !isHttpError(error) && !isGatewayError(error)
    return { status, headers: { 'Cache-Control': 'no-store', ...headers }, body, unexpected }
  }

  const tellRefused = ({ caller, path, request }: OpenExchange, error: unknown): void => {
    const code = isHttpError(error) || isGatewayError(error) ? error.code : 'INTERNAL'
    // What was refused by its Host or Origin never had a path looked up.
    const place = path === '' ? undefined : routes.find(path)?.place.path
    parts.onRefused?.({ code, caller, path: place, ip: request.socket.remoteAddress })
  }

  const report = ({ method, path, requestId }: OpenExchange, error: unknown): void => {
    const stack = error instanceof Error ? error.stack : undefined
    logger.log('error', `Request failed: ${messageOf(error)}`, { requestId, method, path, stack })
  }

  return {
    onRequest: (request: IncomingMessage, response: ServerResponse): void => serve(request, response, false),
    /** Asks before it sends its body. */
    onCheckContinue: (request: IncomingMessage, response: ServerResponse): void => serve(request, response, true),
  }
}

// What is thrown away after a refusal, so that the client can still read the answer; a reset could overtake it.
const maxDiscardedBytes = 64 * 1024 * 1024

/** Throws away what is left of a refused request's body. Too much of it ends the connection. */
const discardBody = (request: IncomingMessage): void => {
  if (request.complete || request.destroyed) return
  let bytes = 0
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxDiscardedBytes) request.destroy()
  })
}

/** Cuts the target at its query without building a URL, and finds what answers to the path. */
const findPlace = (routes: RouteTable<Route>, url: string, exchange: OpenExchange): Match<Route> => {
  const cut = url.indexOf('?')
  exchange.path = cut < 0 ? url : url.slice(0, cut)
  if (cut >= 0) {
    exchange.search = url.slice(cut + 1)
    if (exchange.search.length > maxQueryBytes) throw queryTooLong()
  }
  const match = routes.find(exchange.path)
  if (match) return match
  throw new HttpError(404, 'ROUTE_NOT_FOUND', 'There is nothing at this path.')
}

const routeOf = (place: RoutePlace<Route>, method: string): Route => {
  const route = place.byMethod.get(method === 'HEAD' ? 'GET' : method)
  if (route && !(method === 'HEAD' && route.stream)) return route
  throw new HttpError(405, 'METHOD_NOT_ALLOWED', `${place.path} does not answer to this method.`, {
    hint: `Use one of ${place.allow}.`,
    headers: { Allow: place.allow },
  })
}

/** 503 while the host closes: whoever balances load asks another one, and this connection ends. */
export const stopping = (): HttpError =>
  new HttpError(503, 'STOPPING', 'The server is stopping.', {
    hint: 'Try again in a moment.',
    headers: { Connection: 'close', 'Retry-After': '1' },
  })
