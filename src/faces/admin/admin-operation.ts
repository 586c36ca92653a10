import type { HttpExchange, Method } from '../../http/route.js'
import type { Caller, Right } from '../../model/caller.js'
import type { JsonObject } from '../../model/json.js'
import { type ErrorEnvelope, type Operation, operation } from '../../operations/operation.js'
import { anyObject, flag, shape, type ValueOf, type Words, words } from '../../operations/shape.js'
import { plainErrors } from '../../operations/told-error.js'

/** Before every path of this face. */
export const adminPath = '/api/admin/v1'

export interface AdminRequest<Body> {
  readonly exchange: HttpExchange
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
}

export interface AdminOperation<Body extends JsonObject, Answer extends JsonObject> {
  readonly id: string
  readonly method: Method
  /** Behind `adminPath`. */
  readonly path: string
  /**
   * `look` for what only shows; `operate` for what is running and configured already; `approve` for what somebody says of a
   * definition; `spawn` for whatever names a process or an address (T3); `known` for what belongs to whoever asks, `open`
   * for signing in; `admin` for the rest.
   */
  readonly right: Extract<Right, 'look' | 'operate' | 'approve' | 'admin' | 'spawn'> | 'known' | 'open'
  readonly summary: Words
  readonly params?: Readonly<Record<string, Words>> | undefined
  /** What the body must be. Without it none is read. */
  readonly body?: Body | undefined
  /** What comes back. Default: `{ ok: true }`. */
  readonly answer?: Answer | undefined
  /** What it does, for the trail; false where it changes nothing though it is no GET. Default: read off its path. */
  readonly deed?: Operation['deed'] | undefined
  readonly tellsOfEnd?: boolean | undefined
  /** How errors are told. Default: by code and message. */
  readonly errors?: ErrorEnvelope | undefined
  run(request: AdminRequest<ValueOf<Body>>): ValueOf<Answer> | Promise<ValueOf<Answer>>
}

const done = shape({ ok: flag() })

/** An operation of this face: any query, a body that may be left out, errors in English beside their codes. */
export const adminOperation = <Body extends JsonObject, Answer extends JsonObject>({
  path,
  answer,
  errors = plainErrors,
  run,
  ...declared
}: AdminOperation<Body, Answer>): Operation =>
  operation({
    ...declared,
    path: `${adminPath}${path}`,
    tag: path.split('/')[1]!,
    query: anyObject(),
    bodyOptional: true,
    answers: {
      200: {
        description: answer ? words('As it is now', '当前状态') : words('Done', '已完成'),
        schema: answer ?? done,
      },
    },
    errors,
    run: async (request) => ({
      json: (await run(request as AdminRequest<ValueOf<Body>>)) ?? { ok: true },
      headers: { 'Cache-Control': 'no-store' },
    }),
  })
