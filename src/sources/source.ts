import type { GatewayError } from '../errors.js'
import type { Call, CallLink, Progress, RequestKind, ScriptMark } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import type { CancelSignal } from '../model/cancel.js'
import type { JsonObject } from '../model/json.js'
import type { Answer } from '../model/result.js'
import type { Tool, ToolSpec } from '../model/tool.js'
import type { McpSurface } from './surface.js'

/** The whole tool set, or only what changed since the last report. */
export type SourceUpdate =
  | {
      readonly type: 'all'
      readonly tools: readonly ToolSpec[]
      /** What the source itself could not read of its list. */
      readonly problems?: readonly ToolProblem[] | undefined
    }
  | { readonly type: 'change'; readonly changed: readonly ToolSpec[]; readonly removed: readonly string[] }

/** A reported tool that could not be listed, and why. The others are. */
export interface ToolProblem {
  readonly tool: string
  readonly error: GatewayError
}

/** A request that is no tool's call. */
export interface SourceRequest {
  readonly kind: Exclude<RequestKind, 'tool'>
  /** As MCP names it: `resources/read`. */
  readonly method: string
  readonly params: JsonObject
}

/** The call of another tool that a call of `call_tool` carries. */
export interface CarriedCall {
  readonly tool: Tool
  readonly args: unknown
}

/** What a source may know about the call it carries. `signal` is made when first read: most functions never ask. */
export interface SourceCall {
  readonly call: Call
  readonly signal: AbortSignal
  /** Fires when `signal` would; cheaper, for code that needs no AbortSignal. */
  readonly cancel: CancelSignal
  /** The caller waits on the stack: answer without a promise, or throw TOOL_ASYNC_ONLY. */
  readonly sync: boolean
  /** The name under which the source that is asked is mounted. */
  readonly source?: string | undefined
  /** Pass as `parent` to calls made while answering, so that loops are seen. */
  readonly link: CallLink
  reportProgress(progress: Progress): void
  /** What is called is a script, and its run begins: the call's record and those of its own calls are found by it. */
  noteScript?(script: ScriptMark): void
  /** The caller is being asked: its time to think is not the tool's. Returns how to let the clock go on. */
  pause?(): () => void
}

/**
 * Where tools come from. One contract suite (`test/contracts/source.ts`) holds every implementation to the same
 * promises: the first report comes before `watch` waits, calls end when the signal aborts, disposal is idempotent.
 */
export interface Source extends AsyncDisposable {
  readonly kind: string
  /** What it offers besides tools, if its protocol knows such things. */
  readonly surface?: McpSurface | undefined
  /** Whose state a call meets, where it is not everybody's: what one was answered is then nothing to tell another. */
  readonly isolation?: 'caller' | 'session' | undefined
  /** Reports the tool set now and after each change, until the signal aborts. */
  watch(onTools: (update: SourceUpdate) => readonly ToolProblem[], signal: AbortSignal): Promise<void>
  /** Runs a tool by its bare name. Throws what the tool threw, or a GatewayError when it could not be asked. */
  call(name: string, args: JsonObject, context: SourceCall): Answer | Promise<Answer>
  /**
   * Of a tool that only calls another: that call, where the other is known at once. It then goes on in place of this one, so
   * that nothing is limited, timed or asked twice; where it is undefined, `call` is asked.
   */
  readonly carried?: ((name: string, args: JsonObject, caller: Caller) => CarriedCall | undefined) | undefined
  /**
   * Everything else that can be asked of it, in its own words; the result as it came. Throws RpcError for its refusal. A
   * source without it offers tools alone.
   */
  readonly ask?: ((request: SourceRequest, context: SourceCall) => Promise<JsonObject>) | undefined
}
