import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../model/caller.js'
import { Cancel, type CancelSignal, toAbortSignal } from '../model/cancel.js'
import { type BodyBudget, readBody } from './body.js'
import type { HttpExchange, Route } from './route.js'
import { parseQuery } from './target.js'

/** What exchanges need of their host; one object for all of them. */
export interface ExchangeContext {
  readonly maxBodyBytes: number
  /** Answers no longer keep their connections: whoever sends us requests should look elsewhere. */
  readonly draining: boolean
  readonly budget: BodyBudget
  nextId(): string
  readonly closing: boolean
}

/** Whoever passes without being asked: no rights at all. */
export const nobody: Caller = Object.freeze({ id: 'anonymous', rights: Object.freeze([]) })

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/** A class, since one is made per request: methods are shared, and what is seldom read is made when it is. */
export class Exchange implements HttpExchange {
  path = ''
  params = noParams
  caller = nobody
  isStranger = false
  /** The query as it came, without its `?`. */
  search = ''
  drainHooks: (() => void)[] | undefined
  /** Who has it: what goes wrong from then on is told in the route's words. */
  route: Route | undefined
  /** Where `Active` keeps it. */
  place = 0
  #query: URLSearchParams | undefined
  #signal: AbortSignal | undefined
  #cancel: Cancel | undefined
  #requestId: string | undefined
  #body: Promise<Buffer> | undefined

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    readonly context: ExchangeContext,
  ) {}

  get method(): string {
    return this.request.method ?? ''
  }

  get query(): URLSearchParams {
    return (this.#query ??= parseQuery(this.search))
  }

  get signal(): AbortSignal {
    return (this.#signal ??= toAbortSignal(this.cancel))
  }

  get cancel(): CancelSignal {
    if (this.#cancel) return this.#cancel
    this.#cancel = new Cancel()
    if (this.response.destroyed || this.response.closed) this.closed()
    return this.#cancel
  }

  /** Told by `Active`, which listens anyway: a second listener per request costs more than the whole cancelling. */
  closed(): void {
    // Node says `close` after a good end too. `writableFinished` would not do: a socket destroyed under a large answer
    // counts as finished, and once an answer has ended there is nothing left to stop.
    if (!this.response.writableEnded) this.#cancel?.abort(new Error('The client closed the connection.'))
  }

  get requestId(): string {
    return (this.#requestId ??= this.context.nextId())
  }

  readBody(maxBytes = this.context.maxBodyBytes): Promise<Buffer> {
    const { maxBodyBytes, budget } = this.context
    return (this.#body ??= readBody(this.request, Math.min(maxBytes, maxBodyBytes), budget))
  }

  onDrain(hook: () => void): void {
    if (this.context.closing) hook()
    else this.drainHooks = [...(this.drainHooks ?? []), hook]
  }
}
