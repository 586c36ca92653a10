import { isGatewayError, messageOf } from '../../errors.js'
import { sendBody, sendJson } from '../../http/answer.js'
import { invalidRequest, isHttpError } from '../../http/http-error.js'
import type { HttpExchange, Route } from '../../http/route.js'
import type { JsonObject } from '../../model/json.js'
import { formatProblems, type Schemas } from '../../schema/schemas.js'
import type { Logger } from '../../telemetry/logger.js'
import { languageOf } from '../language.js'
import { readJson } from '../read-json.js'
import { toRestError } from './error-answer.js'
import type { Operation, RestRequest } from './operation.js'
import { type FindRestProfile, withProfile } from './profile.js'
import { readQuery } from './read-query.js'

export interface RouteParts {
  readonly schemas: Schemas
  readonly findProfile: FindRestProfile
  readonly logger: Logger
}

const noQuery: JsonObject = Object.freeze({ type: 'object', properties: {}, additionalProperties: false })

/** An operation as a route: decode, check, run, encode; whatever goes wrong, one body shape in the reader's language. */
export const toRoute = (operation: Operation, parts: RouteParts): Route => ({
  method: operation.method,
  path: operation.path,
  right: operation.right,
  ownHeaders: true,
  ...(operation.stream ? { stream: true } : {}),
  handle: async (exchange) => {
    try {
      await answer(operation, exchange, parts)
    } catch (error) {
      fail(exchange, error, parts.logger)
    }
  },
})

const answer = async (operation: Operation, exchange: HttpExchange, parts: RouteParts): Promise<void> => {
  const reply = await operation.run(await readRequest(operation, exchange, parts))
  const { response } = exchange
  if (reply === undefined || response.destroyed) return
  const { status = 200, headers } = reply
  if (reply.text === undefined) sendJson(response, status, reply.json, headers)
  else sendBody(response, status, reply.type ?? 'application/json', reply.text, headers)
}

const readRequest = async (operation: Operation, exchange: HttpExchange, parts: RouteParts): Promise<RestRequest> => {
  // Most requests have no query: no URLSearchParams is made for them.
  const fields = exchange.request.url?.includes('?') ? exchange.query : undefined
  const query = readQuery(fields, operation.query ?? noQuery, parts.schemas)
  const caller = withProfile(exchange.caller, query.profile, parts.findProfile)
  const body = operation.body === undefined ? undefined : await readChecked(operation, exchange, parts.schemas)
  return { exchange, caller, params: exchange.params, query, body, language: languageOf(exchange.request.headers) }
}

const readChecked = async (operation: Operation, exchange: HttpExchange, schemas: Schemas): Promise<unknown> => {
  const body = (await readJson(exchange)) ?? (operation.bodyOptional ? {} : undefined)
  if (body === undefined) throw invalidRequest('A JSON body is needed here.')
  const checked = schemas.validator(operation.body!).check(body)
  if (checked.ok) return checked.value
  throw invalidRequest(`The body is not valid: ${formatProblems(checked.problems)}.`)
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
