import type { HttpExchange, Method, Route } from '../../http/route.js'
import type { Right } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { anyObject, words } from '../../operations/shape.js'
import { toRoute } from '../../operations/to-route.js'
import { plainErrors } from '../../operations/told-error.js'

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

/** An operation of this face: any query, a body that may be left out, errors in English beside their codes. */
export const adminRoute = <Body = undefined>(asked: AdminOperation<Body>): Route =>
  toRoute({
    id: asked.path,
    method: asked.method,
    path: `${adminPath}${asked.path}`,
    right: asked.right,
    tag: 'admin',
    summary: words(asked.path, asked.path),
    query: anyObject(),
    body: asked.body,
    bodyOptional: true,
    answers: {},
    errors: plainErrors,
    run: async ({ exchange, params, body }) => ({
      json: (await asked.run({ exchange, params, body })) ?? { ok: true },
      headers: { 'Cache-Control': 'no-store' },
    }),
  })

export { closed } from '../../operations/shape.js'
