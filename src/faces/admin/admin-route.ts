import { sendJson } from '../../http/answer.js'
import { invalidRequest } from '../../http/http-error.js'
import type { HttpExchange, Method, Route } from '../../http/route.js'
import type { Right } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { createSchemas, formatProblems } from '../../schema/schemas.js'
import { readJson } from '../read-json.js'

/** Before every path of this face. */
export const adminPath = '/api/admin/v1'

export interface AdminRequest<Body> {
  readonly exchange: HttpExchange
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
}

export interface AdminOperation<Body> {
  readonly method: Method
  /** Behind `adminPath`. */
  readonly path: string
  /** `spawn` for whatever starts a process or changes an address (T3); `admin` for the rest. */
  readonly right: Extract<Right, 'admin' | 'spawn'>
  /** What the body must be. Without it none is read. */
  readonly body?: JsonObject | undefined
  run(request: AdminRequest<Body>): unknown
}

const schemas = createSchemas()

/** An operation as a route: decode, run, encode. What is thrown becomes the host's one error body. */
export const adminRoute = <Body = undefined>(operation: AdminOperation<Body>): Route => ({
  method: operation.method,
  path: `${adminPath}${operation.path}`,
  right: operation.right,
  ownHeaders: true,
  handle: async (exchange) => {
    const body = (operation.body ? await readChecked(exchange, operation.body) : undefined) as Body
    const answer = await operation.run({ exchange, params: exchange.params, body })
    if (exchange.response.destroyed) return
    sendJson(exchange.response, 200, answer ?? { ok: true }, { 'Cache-Control': 'no-store' })
  },
})

/** A closed object schema. */
export const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const readChecked = async (exchange: HttpExchange, schema: JsonObject): Promise<unknown> => {
  const body = (await readJson(exchange)) ?? {}
  const checked = schemas.validator(schema).check(body)
  if (checked.ok) return checked.value
  throw invalidRequest(`The body is not valid: ${formatProblems(checked.problems)}.`)
}
