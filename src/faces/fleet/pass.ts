import type { PeerPass } from '../../fleet/peers.js'
import { checkRight } from '../../http/admit.js'
import { sendJson } from '../../http/answer.js'
import { HttpError } from '../../http/http-error.js'
import type { BodySink, HttpExchange, Method, Route } from '../../http/route.js'
import { createRouteTable, type RouteTable } from '../../http/route-table.js'
import { parseQuery } from '../../http/target.js'
import type { Caller } from '../../model/caller.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { Shares } from '../../model/shares.js'
import type { PeerRoute } from './peer-route.js'

/**
 * `/fleet/v1/pass?to=…`: a caller's whole request, for a call that waits here, a question of ours, or what only this replica
 * can tell. It goes to the route that it would have gone to, for the caller whom the other replica let in and with the rights
 * it found; what is asked so is answered here, and passed on to nobody.
 */
export const passRoutes = (routes: readonly Route[]): readonly PeerRoute[] => {
  const table = createRouteTable<Route>()
  for (const route of routes) table.add(route.method, route.path, route)
  return (['GET', 'POST', 'DELETE'] as const).map((method) => ({
    method,
    path: '/pass',
    handle: (exchange, pass, body) => answer(table, exchange, pass, body),
  }))
}

const answer = async (
  table: RouteTable<Route>,
  exchange: HttpExchange,
  pass: PeerPass,
  body: Buffer,
): Promise<void> => {
  const target = exchange.query.get('to') ?? ''
  const [path = ''] = target.split('?', 1)
  const match = table.find(path)
  const route = match?.place.byMethod.get(exchange.method as Method)
  if (!match || !route) throw new HttpError(404, 'ROUTE_NOT_FOUND', 'There is nothing at this path to pass on.')
  checkRight({ caller: pass.caller }, route.right, exchange)
  // Nobody but the other replica has said these; whatever else came along is anybody's.
  exchange.request.headers = { ...pass.headers }
  exchange.request.url = target
  const passed = new PassedExchange(exchange, { pass, path, params: match.params, body })
  try {
    await route.handle(passed)
  } catch (error) {
    const told = route.tellError?.(error, passed)
    if (!told || exchange.response.headersSent) throw error
    sendJson(exchange.response, told.status, told.body, told.headers)
  }
}

interface Passed {
  readonly pass: PeerPass
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The exchange as its caller began it, with another replica between. */
class PassedExchange implements HttpExchange {
  readonly #outer: HttpExchange
  readonly #passed: Passed
  #query: URLSearchParams | undefined

  constructor(outer: HttpExchange, passed: Passed) {
    this.#outer = outer
    this.#passed = passed
  }

  get request(): HttpExchange['request'] {
    return this.#outer.request
  }

  get response(): HttpExchange['response'] {
    return this.#outer.response
  }

  get method(): string {
    return this.#outer.method
  }

  get path(): string {
    return this.#passed.path
  }

  get params(): Readonly<Record<string, string>> {
    return this.#passed.params
  }

  get query(): URLSearchParams {
    return (this.#query ??= parseQuery((this.request.url ?? '').split('?').slice(1).join('?')))
  }

  get caller(): Caller {
    return this.#passed.pass.caller
  }

  get passedBy(): string {
    return this.#passed.pass.from
  }

  get shares(): Shares {
    return this.#outer.shares
  }

  get isStranger(): boolean {
    return false
  }

  get cancel(): CancelSignal {
    return this.#outer.cancel
  }

  get requestId(): string {
    return this.#outer.requestId
  }

  async readBody(): Promise<Buffer> {
    return this.#passed.body
  }

  receive(sink: BodySink): void {
    void sink.received(this.#passed.body)
  }

  onDrain(hook: () => void): void {
    this.#outer.onDrain(hook)
  }
}
