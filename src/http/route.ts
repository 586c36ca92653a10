import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Caller, Right } from '../model/caller.js'
import type { CancelSignal } from '../model/cancel.js'
import type { EitherRight } from '../model/role.js'
import type { Shares } from '../model/shares.js'
import type { Authenticate } from './auth.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * What a route asks of its caller. `open` skips authentication: for probes and static pages that tell nothing. `peer` is for
 * replicas alone: no credential of anybody else's opens it, the route's own `admit` does. `known` takes whoever has shown
 * who they are, whatever else they may do: for what belongs to themselves. `discover or look` takes both those who use tools
 * and those who watch over them: for figures.
 */
export type RouteRight = Right | EitherRight | 'open' | 'peer' | 'known'

/** Takes a body once it is whole. What it throws or rejects with becomes the error answer, as what its route throws. */
export interface BodySink {
  received(body: Buffer): void | undefined | Promise<void>
}

/** One request that passed every check, and the answer to it. */
export interface HttpExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As it came; a GET route also sees `HEAD`, whose answer has no body whatever the route writes. */
  readonly method: string
  /** As it came, not decoded, without the query. */
  readonly path: string
  /** The `:name` segments, decoded once; a null-prototype object. They are data: `a/b` from `a%2Fb`, never `.` or `..`. */
  readonly params: Readonly<Record<string, string>>
  /** Read on first use; throws an `HttpError` for one that is malformed or has too many fields. */
  readonly query: URLSearchParams
  readonly caller: Caller
  /** How much each caller holds of this host and of what is behind it. */
  readonly shares: Shares
  /** The replica that handed it on to us, for its caller. Default: it came from the caller. */
  readonly passedBy?: string | undefined
  /** The Host header names another host. Only a `probe` route is called then, and it may reveal health and nothing else. */
  readonly isStranger: boolean
  /** Aborts when the client's connection closes before the answer ended. Made on first use. */
  readonly cancel: CancelSignal
  /** Names this exchange in error bodies and logs. Made on first use. */
  readonly requestId: string
  /**
   * The whole body, or an `HttpError`: 413 past `maxBytes` (default and ceiling: the host's `maxBodyBytes`), 400 when
   * the client stops half-way, 503 when all bodies together hold too much memory. Later calls get the same body.
   */
  readBody(maxBytes?: number): Promise<Buffer>
  /** The same for the hot path, without a promise. What `readBody` would reject with is answered here. */
  receive(sink: BodySink): void
  /** For streams without an end of their own: called once when the host begins to close. Say goodbye and end. */
  onDrain(hook: () => void): void
}

/** An error in the words of a route. Its headers are all that the answer has besides its type and length. */
export interface RouteError {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: unknown
  /** None of us threw it, so it is for our log and not for the client. */
  readonly unexpected?: boolean | undefined
}

/** What is answered when a route throws; undefined leaves it to the host. */
export type TellError = (error: unknown, exchange: HttpExchange) => RouteError | undefined

export interface Route {
  readonly method: Method
  /** Static (`/mcp`), or with `:name` segments (`/tools/:id/call`). A static route wins over one with parameters. */
  readonly path: string
  /** Declared by every route, so that a forgotten check cannot leave a door open (T4). */
  readonly right: RouteRight
  /** Answers under any name: balancers ask by an address of their own, and the answer tells nobody anything. Default: false. */
  readonly probe?: boolean | undefined
  /** A page for people, which may be opened by a link of another site. Default: false. */
  readonly page?: boolean | undefined
  /** Any page may ask for it and read the answer, which is the same for everybody. Default: false. */
  readonly anyOrigin?: boolean | undefined
  /** The answer is an endless stream, so HEAD is refused (405) instead of being kept open. Default: false. */
  readonly stream?: boolean | undefined
  /**
   * The route answers only by `sendBody`, `sendJson` or event streams, and so needs no security headers set beforehand.
   * For the hot path: headers that are set before `writeHead` put an answer on Node's slow way (2.4 µs of CPU,
   * measured; a subclass of ServerResponse that adds them costs 10). Default: false.
   */
  readonly ownHeaders?: boolean | undefined
  /** Its answer is not cut off with the session or person that asked: it is what tells them of their end. Default: false. */
  readonly tellsOfEnd?: boolean | undefined
  /** Of the right `peer`, and there alone: who comes in. */
  readonly admit?: Authenticate | undefined
  /** The words for what it throws. Default: the host's, in English. */
  readonly tellError?: TellError | undefined
  /** What it throws becomes the error answer; after headers were sent, the connection is cut instead. */
  handle(exchange: HttpExchange): void | undefined | Promise<void>
}

/** A handshake, of a WebSocket mostly, that passed every check. The handler owns the socket from here on. */
export interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** The first bytes after the handshake, if the client already sent some. */
  readonly head: Buffer
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  /** Called once when the host begins to close. Sockets still open when the grace ends are destroyed. */
  onDrain(hook: () => void): void
}

export interface UpgradeRoute {
  readonly path: string
  readonly right: RouteRight
  /** Of the right `peer`, and there alone: who comes in. */
  readonly admit?: Authenticate | undefined
  /** What the client must ask to speak. Default: `websocket`. */
  readonly protocol?: string | undefined
  /** What it throws before it has answered becomes the error answer. */
  handle(upgrade: Upgrade): void | Promise<void>
}

/** A row of the route table, for the matrix of routes and rights (A1). */
export interface RouteInfo {
  readonly method: Method | 'UPGRADE'
  readonly path: string
  readonly right: RouteRight
}
