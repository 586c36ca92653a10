import type { LegacyRequest, ModernRequest } from '../../mcp/classify.js'
import type { RpcRequest } from '../../mcp/message.js'
import type { Caller } from '../../model/caller.js'
import type { ProfileSettings } from './profile.js'

/** Who is at the other end of a carrier, and what the legacy handshake settled with them. */
export interface Client {
  readonly caller: Caller
  readonly profile: ProfileSettings
}

/** One request on its way to an answer. */
export interface Exchange extends Client {
  readonly request: RpcRequest
  readonly sender: ModernRequest | LegacyRequest
  /** Aborts when the client cancels, or leaves where leaving cancels. */
  readonly signal: AbortSignal
  /** Sends a notification that belongs to this request, before its answer. */
  notify(text: string): void
}

/** The answer: `result` as JSON text or as bytes prepared before. A refusal is a thrown RpcError. */
export type Reply = string | Buffer
