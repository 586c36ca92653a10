import { isGatewayError, messageOf } from '../../errors.js'
import { sendBody, sendJson } from '../../http/answer.js'
import { invalidRequest, isHttpError } from '../../http/http-error.js'
import type { HttpExchange, Route } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { formatProblems, type Schemas } from '../../schema/schemas.js'
import type { Logger } from '../../telemetry/logger.js'
import { type Language, languageOf } from '../language.js'
import { parseJson } from '../read-json.js'
import { toRestError } from './error-answer.js'
import type { Operation, Reply, RestRequest } from './operation.js'
import { type FindRestProfile, withProfile } from './profile.js'
import { readQuery } from './read-query.js'

export interface RouteParts {
  readonly schemas: Schemas
  readonly findProfile: FindRestProfile
  readonly logger: Logger
}

const noQuery: JsonObject = Object.freeze({ type: 'object', properties: {}, additionalProperties: false })

/**
 * An operation as a route: decode, check, run, encode; whatever goes wrong, one body shape in the reader's language.
 * Nothing awaits what is there already: every request pays for each turn of the queue.
 */
export const toRoute = (operation: Operation, parts: RouteParts): Route => {
  const querySchema = operation.query ?? noQuery
  // Most requests have no query: what that means is found out once, and no URLSearchParams is made for them.
  let plainQuery: JsonObject | undefined
  const queryOf = (exchange: HttpExchange): JsonObject =>
    exchange.request.url?.includes('?')
      ? readQuery(exchange.query, querySchema, parts.schemas)
      : (plainQuery ??= Object.freeze(readQuery(undefined, querySchema, parts.schemas)))

  const begin = (exchange: HttpExchange): void | Promise<void> => {
    const query = queryOf(exchange)
    const caller = withProfile(exchange.caller, query.profile, parts.findProfile)
    const run = (body: unknown) => send(operation.run(new Asked(exchange, caller, query, body)), exchange)
    if (operation.body === undefined) return run(undefined)
    return exchange.readBody().then((bytes) => run(bodyOf(operation, parseJson(bytes, exchange), parts.schemas)))
  }
  return {
    method: operation.method,
    path: operation.path,
    right: operation.right,
    ownHeaders: true,
    ...(operation.stream ? { stream: true } : {}),
    handle: (exchange) => {
      const failed = (error: unknown): void => fail(exchange, error, parts.logger)
      try {
        return begin(exchange)?.catch(failed)
      } catch (error) {
        return failed(error)
      }
    },
  }
}

/** A class, since one is made per request and few read its language. */
class Asked implements RestRequest {
  constructor(
    readonly exchange: HttpExchange,
    readonly caller: Caller,
    readonly query: JsonObject,
    readonly body: unknown,
  ) {}

  get params(): Readonly<Record<string, string>> {
    return this.exchange.params
  }

  get language(): Language {
    return languageOf(this.exchange.request.headers)
  }
}

const send = (reply: Reply | Promise<Reply>, exchange: HttpExchange): void | Promise<void> =>
  reply instanceof Promise ? reply.then((each) => write(each, exchange)) : write(reply, exchange)

const write = (reply: Reply, { response }: HttpExchange): void => {
  if (reply === undefined || response.destroyed) return
  const { status = 200, headers } = reply
  if (reply.text === undefined) sendJson(response, status, reply.json, headers)
  else sendBody(response, status, reply.type ?? 'application/json', reply.text, headers)
}

const bodyOf = (operation: Operation, parsed: unknown, schemas: Schemas): unknown => {
  const body = parsed ?? (operation.bodyOptional ? {} : undefined)
  if (body === undefined) throw invalidRequest('A JSON body is needed here.')
  const checked = schemas.validator(operation.body!).check(body)
  if (checked.ok) return checked.value
  const { problems } = checked
  throw invalidRequest(`The body is not valid: ${formatProblems(problems)}.`, { details: { problems } })
}

const fail = ({ request, response, requestId, method, path }: HttpExchange, error: unknown, logger: Logger): void => {
  if (!isHttpError(error) && !isGatewayError(error))
    logger.log('error', `Request failed: ${messageOf(error)}`, {
      requestId,
      method,
      path,
      ...(error instanceof Error ? { stack: error.stack } : {}),
    })
  if (response.writableEnded || response.destroyed) return
  // Half an answer must not look like a whole one.
  if (response.headersSent) return void response.destroy()
  const language = languageOf(request.headers)
  const { status, headers, body } = toRestError(error, requestId, language)
  sendJson(response, status, body, { 'Cache-Control': 'no-store', 'Content-Language': language, ...headers })
}
