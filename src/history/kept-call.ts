import type { ErrorCode } from '../errors.js'
import type { FaceName, RequestKind } from '../model/call.js'

/** Where the time of a call went; the three are all of it. */
export interface TimeSpent {
  /** For a place, or before it was asked again. */
  readonly waitingMs: number
  /** At the source. */
  readonly sourceMs: number
  /** What is left: rules, checks, masks. */
  readonly ownMs: number
}

/** A call as it is kept: names, sizes and times. What was said in it is kept apart, where a profile wants that. */
export interface KeptCall {
  /** For good: in a link it finds the call until that is let go. */
  readonly id: string
  /** Milliseconds since the epoch at which it ended. */
  readonly at: number
  readonly kind: RequestKind
  readonly tool: string
  readonly source?: string | undefined
  readonly caller: string
  /** For people to read: of a key its name, of a person what the issuer calls them. */
  readonly callerName?: string | undefined
  /** The program that asked, by its own word. */
  readonly client?: string | undefined
  readonly clientVersion?: string | undefined
  readonly profile: string
  /** The revision of MCP that was spoken, where one was. */
  readonly protocol?: string | undefined
  readonly face: FaceName
  readonly ok: boolean
  readonly code?: ErrorCode | undefined
  readonly message?: string | undefined
  /** The tool answered, and its answer says that it failed. */
  readonly isError?: true | undefined
  readonly latencyMs: number
  readonly spent: TimeSpent
  readonly attempts: number
  readonly cached: boolean
  /** Of what carried the arguments, and of the result; not there where nobody had to write them out. */
  readonly argumentBytes?: number | undefined
  readonly resultBytes?: number | undefined
  /** Estimated from the bytes. */
  readonly argumentTokens?: number | undefined
  readonly resultTokens?: number | undefined
  readonly cost?: number | undefined
  readonly run?: string | undefined
  readonly step?: number | undefined
  readonly script?: { readonly sha256: string; readonly bytes: number } | undefined
  readonly rule?: string | undefined
  readonly grant?: string | undefined
  /** Its arguments and its result were kept. */
  readonly hasValues: boolean
}
