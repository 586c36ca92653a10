import type { HttpExchange } from '../../../http/route.js'
import type { RpcMessage, RpcRequest, RpcResponse } from '../../../mcp/message.js'
import { replicaAsking } from '../asking/questions.js'
import type { Visitor } from '../exchange.js'
import type { HttpSession } from './http-session.js'
import { passOn } from './passing.js'
import type { PostOptions } from './post-options.js'
import { acknowledge, refuseBound, refusePlainly, sessionLost } from './refuse.js'
import { type NamedSession, sessionOf } from './sessions.js'

/** A notification, or a legacy client's answer to a question of ours: nobody else's session can be answered for (T8). */
export const hear = (
  message: Exclude<RpcMessage, RpcRequest>,
  body: Buffer,
  { http, visitor, options }: { http: HttpExchange; visitor: Visitor; options: PostOptions },
): void | Promise<void> => {
  const named = sessionOf(http, visitor, options)
  if (named instanceof Promise) return named.then((each) => hearIn(each, message, body, { http, options }))
  hearIn(named, message, body, { http, options })
}

const hearIn = (
  session: NamedSession,
  message: Exclude<RpcMessage, RpcRequest>,
  body: Buffer,
  { http, options }: { http: HttpExchange; options: PostOptions },
): void => {
  if (session === 'unknown') return refusePlainly(http, 404, sessionLost)
  if (session instanceof Error) return refuseBound(http, session)
  if (message.kind !== 'notification') return answered(message, body, { http, session, options })
  if (message.method === 'notifications/cancelled' && session) cancel(message.params?.requestId, session, options)
  acknowledge(http, 202)
}

/** The question may be another replica's, which its id says. Nobody is told that one is no longer open. */
const answered = (
  message: RpcResponse,
  body: Buffer,
  { http, session, options }: { http: HttpExchange; session: HttpSession | undefined; options: PostOptions },
): void => {
  const { passing } = options
  const to = passing && session ? replicaAsking(message.id) : undefined
  if (session?.client.questions.settle(message) || !passing || to === undefined || to === passing.replica)
    return acknowledge(http, 202)
  passOn(http, passing, { to, body, otherwise: () => acknowledge(http, 202) })
}

/** Its request runs here, or at whichever replica it came to. */
const cancel = (id: unknown, session: HttpSession, { passing }: PostOptions): void => {
  if (session.inFlight.cancel(id) || !passing) return
  if (typeof id === 'string' || typeof id === 'number') passing.tell('cancel', { session: session.id, id })
}
