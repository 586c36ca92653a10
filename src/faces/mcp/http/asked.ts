import type { HttpExchange } from '../../../http/route.js'
import type { LegacyRequest, ModernRequest } from '../../../mcp/eras.js'
import type { RpcRequest } from '../../../mcp/message.js'
import type { Found } from '../../../model/call.js'
import type { Caller } from '../../../model/caller.js'
import type { CancelSignal } from '../../../model/cancel.js'
import type { Client, ClientSession, Exchange } from '../exchange.js'
import type { ProfileSettings } from '../profile.js'
import type { HttpAnswer } from './answer.js'
import type { Session } from './sessions.js'

/**
 * A request that came by POST. A class: an object literal with a getter gets a hidden class of its own, which lives in
 * the old generation and keeps the whole request there (measured: a third of all garbage, and twice the CPU per call).
 */
export class Asked implements Exchange {
  readonly caller: Caller
  readonly profile: ProfileSettings

  constructor(
    readonly request: RpcRequest,
    readonly sender: ModernRequest | LegacyRequest,
    { caller, profile }: Client,
    protected readonly answer: HttpAnswer,
    protected readonly http: HttpExchange,
    readonly found?: Found | undefined,
  ) {
    this.caller = caller
    this.profile = profile
  }

  get signal(): CancelSignal {
    return this.http.cancel
  }

  notify(text: string): void {
    this.answer.notify(text)
  }
}

/** One of a legacy client: a notification cancels it, and it can be asked something back. */
export class AskedInSession extends Asked {
  readonly session: ClientSession | undefined
  readonly #cancelled: CancelSignal | undefined

  constructor(
    request: RpcRequest,
    sender: LegacyRequest,
    client: Client,
    answer: HttpAnswer,
    http: HttpExchange,
    session: Session | undefined,
    cancelled: CancelSignal | undefined,
  ) {
    super(request, sender, client, answer, http)
    this.session = session?.client
    this.#cancelled = cancelled
  }

  // Questions go out on this very answer: where it cannot stream, or nobody reads it any more, they have no way.
  get gone(): CancelSignal {
    return this.answer.streams ? this.http.cancel : AbortSignal.abort()
  }

  override get signal(): CancelSignal {
    return this.#cancelled ?? this.http.cancel
  }
}
