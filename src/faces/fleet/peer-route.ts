import type { IncomingMessage } from 'node:http'
import { type OpenedPass, type PeerDoor, type PeerPass, peerHeader, peerPath } from '../../fleet/peers.js'
import type { AuthResult } from '../../http/auth.js'
import { HttpError } from '../../http/http-error.js'
import type { HttpExchange, Method, Route } from '../../http/route.js'

/** What other replicas may ask, and nobody else. */
export interface PeerRoute {
  readonly method: Method
  /** Below `peerPath`. */
  readonly path: string
  /** The answer is an endless stream. Default: false. */
  readonly stream?: boolean | undefined
  /** `exchange.caller` is the pass's own. Of the headers only those of the pass are to be believed. */
  handle(exchange: HttpExchange, pass: PeerPass, body: Buffer): void | Promise<void>
}

/** A route that no key, token or session opens: only a pass, made for this replica, this moment and these very bytes. */
export const toPeerRoute = (door: PeerDoor, { method, path, stream, handle }: PeerRoute): Route => {
  const opened = new WeakMap<IncomingMessage, OpenedPass>()
  return {
    method,
    path: peerPath + path,
    right: 'peer',
    stream,
    // Before anything of the body is read, and so before it is held for anybody.
    admit: (request): AuthResult => {
      const pass = door.open(request.headers[peerHeader])
      if ('refused' in pass) return { refused: { status: 401, message: noPass(pass.refused) } }
      opened.set(request, pass)
      return { caller: pass.pass.caller }
    },
    handle: async (exchange) => {
      const { request } = exchange
      const body = await exchange.readBody()
      await handle(exchange, passOf(opened.get(request), request, body), body)
    },
  }
}

/** The pass, if it was made for this request and no other. */
export const passOf = (
  opened: OpenedPass | undefined,
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer | undefined,
): PeerPass => {
  const pass = opened?.fits(method, url, headers, body)
  if (pass) return pass
  throw new HttpError(401, 'UNAUTHENTICATED', noPass('it was made for another request'))
}

/** Who answers it needs no more than this; nothing of a pass is ever shown. */
export const noPass = (why: string): string => `This is for replicas of the fleet; the pass is refused, because ${why}.`
