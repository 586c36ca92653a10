import type { LegacyRequest, ModernRequest } from '../../mcp/eras.js'
import { type RpcRequest, responseBytes, responseHead } from '../../mcp/message.js'
import type { RpcId } from '../../mcp/rpc-error.js'
import type { CallOrigin, CallSession, Found } from '../../model/call.js'
import type { Caller } from '../../model/caller.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { JsonObject } from '../../model/json.js'
import type { ClientQuestions } from './asking/questions.js'
import type { ProfileSettings } from './profile.js'

/** Who is at the other end of a carrier, and what the legacy handshake settled with them. */
export interface Client {
  readonly caller: Caller
  readonly profile: ProfileSettings
}

/** The same where the profile is a part of the address. */
export interface Visitor extends Client {
  readonly profileName: string
}

/** One request on its way to an answer. */
export interface Exchange extends Client {
  readonly request: RpcRequest
  readonly sender: ModernRequest | LegacyRequest
  /** The tool of a call, where its carrier had to look at it before. */
  readonly found?: Found | undefined
  /** Aborts when the client cancels, or leaves where leaving cancels. */
  readonly signal: CancelSignal
  /** Sends a notification that belongs to this request, before its answer. */
  notify(text: string): void
  /** Aborts when the connection is gone, where there is one that outlives a request. */
  readonly gone?: CancelSignal | undefined
  /** What outlives this request; modern clients have none of it. */
  readonly session?: ClientSession | undefined
  /** By what a client without a session is told from others of its caller. */
  readonly standIn?: CallSession | undefined
}

/** What a legacy handshake settled, and what the client asked for since. */
export interface ClientSession extends CallSession {
  readonly capabilities: JsonObject
  /** By what its calls come in, and who the client said it is. */
  readonly origin: CallOrigin
  /** By `logging/setLevel`. */
  logLevel: string | undefined
  /** Followed resources by the URI the client used, with how to stop. */
  readonly followed: Map<string, () => void>
  /** Requests of ours that wait for the client's answers. */
  readonly questions: ClientQuestions
  /** Says something unasked, where the client listens. */
  send(text: string): void
  /** The same, at whichever replica it listens: for what nobody else would tell it. */
  reach(text: string): void
  /** What was asked for just now, where it must be known at other places and times too; null: no longer. */
  keep(changes: JsonObject): void
}

/** Under which key a session keeps that it follows a resource. */
export const followedKey = (uri: string): string => `follow ${uri}`

/**
 * The answer: `result` as JSON text, or as bytes: prepared before, or a source's own. None holds a line end. A refusal is a
 * thrown RpcError.
 */
export type EncodedResult = string | Prepared

/** Bytes in one piece, or in several of which others may share some. */
export type Prepared = Buffer | readonly Buffer[]

export const inOnePiece = (bytes: Prepared): Buffer => (Buffer.isBuffer(bytes) ? bytes : Buffer.concat(bytes))

/** A whole answer in one piece, for carriers that send one. */
export const wholeAnswer = (id: RpcId, result: EncodedResult): string | Buffer =>
  typeof result === 'string' ? `${responseHead(id)}${result}}` : responseBytes(id, result)
