import type { Asking } from './asking.js'
import type { Caller } from './caller.js'
import type { CancelSignal } from './cancel.js'
import type { JsonObject } from './json.js'
import type { Tool, ToolId } from './tool.js'

export type ValidationMode = 'off' | 'warn' | 'strict'

export interface Progress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** A call as its face decoded it; nothing in it has been checked yet. */
export interface Call {
  /** The tool as the caller wrote it: canonical id or an advertised name. */
  readonly tool: string
  /** Where the face has looked it up already, by `Gateway.resolve`: then nobody looks again. */
  readonly found?: Found | undefined
  /** Missing means `{}`. Anything else than an object reaches only tools whose validation is off. */
  readonly args?: unknown
  readonly caller: Caller
  readonly signal?: CancelSignal | undefined
  readonly timeoutMs?: number | undefined
  readonly validation?: ValidationMode | undefined
  /** The face's limit on the UTF-8 bytes of the answer; undefined is no limit. */
  readonly maxResultBytes?: number | undefined
  /** The call during which this one was made; chains are bounded by the loop guard. */
  readonly parent?: CallLink | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** The request's `_meta` as it came, for sources that speak MCP. */
  readonly meta?: JsonObject | undefined
  /** How the caller can be asked back. Without it, a tool that asks is refused. */
  readonly asking?: Asking | undefined
}

/** What a name stands for, found once. Only what `Gateway.resolve` made counts, for its caller, until something changes. */
export interface Found {
  /** Undefined where there is none that this caller can see. */
  readonly tool: Tool | undefined
}

export interface CallLink {
  readonly tool: ToolId
  readonly args: unknown
  readonly depth: number
  readonly parent?: CallLink | undefined
}
