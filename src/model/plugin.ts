import type { ErrorCode } from '../errors.js'
import type { JsonObject } from './json.js'
import type { ToolResult } from './result.js'
import type { ToldEvent } from './told-event.js'
import type { ToolDefinition } from './tool.js'

/** A call as a plugin sees it. Nothing in it may be changed in place: what a hook returns counts. */
export interface PluginCall {
  /** The id by which its caller knows the tool. */
  readonly tool: string
  readonly source: string
  /** As they came, before anything checked them. */
  readonly arguments: unknown
  readonly caller: {
    readonly id: string
    readonly name?: string | undefined
    readonly profile: string
    /** The person or machine behind it, where an issuer vouches for one. */
    readonly identity?:
      | {
          readonly id: string
          readonly name?: string | undefined
          readonly email?: string | undefined
          readonly groups?: readonly string[] | undefined
        }
      | undefined
  }
}

/** What becomes of a call before anybody judges it. Whatever is left out stays as it is. */
export interface CallChange {
  /** In the place of those that came. They pass validation, rules, approvals and quotas like any other. */
  readonly arguments?: JsonObject | undefined
  /** Sent besides to a source over HTTP: an MCP server or an API. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The id of another tool that is called instead. Its caller must be allowed to call that one. */
  readonly route?: string | undefined
  /** The answer, in MCP's words or as text: the source is not asked. Rules and quotas count all the same. */
  readonly answer?: ToolResult | string | undefined
  /** Nobody is asked. Default of `code`: `ACCESS_DENIED`. */
  readonly refuse?: { readonly code?: ErrorCode | undefined; readonly message: string } | undefined
}

/** How a call ended, as a plugin sees it. */
export type PluginEnding =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly error: { readonly code: ErrorCode; readonly message: string } }

/** What goes out instead: a result for a result, words for an error. */
export interface EndingChange {
  readonly result?: ToolResult | undefined
  readonly message?: string | undefined
}

/** A tool as one profile is shown it. */
export interface ListedTool {
  readonly id: string
  readonly source: string
  readonly definition: ToolDefinition
}

/** What one profile is shown of one tool; tools that are not named stay as they are. */
export interface ListChange {
  readonly id: string
  /** Nobody of this profile sees or calls it. */
  readonly hide?: boolean | undefined
  readonly description?: string | undefined
}

/** Code of the operator's own that takes part in calls. All hooks are optional, and what none of them has costs nothing. */
export interface Plugin {
  /** What it is called in lists and logs. Default: the name of its file. */
  readonly name?: string | undefined
  /** Asked once for each profile and version of the catalog, and never waited for. */
  onList?(
    tools: readonly ListedTool[],
    context: { readonly profile: string },
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that says nothing is written without a return.
  ): readonly ListChange[] | undefined | void
  // biome-ignore lint/suspicious/noConfusingVoidType: as above.
  beforeCall?(call: PluginCall): CallChange | undefined | void | Promise<CallChange | undefined | void>
  afterCall?(
    call: PluginCall,
    ending: PluginEnding,
    // biome-ignore lint/suspicious/noConfusingVoidType: as above.
  ): EndingChange | undefined | void | Promise<EndingChange | undefined | void>
  onEvent?(event: ToldEvent): void | Promise<void>
}

export const hookNames = ['onList', 'beforeCall', 'afterCall', 'onEvent'] as const
export type HookName = (typeof hookNames)[number]

/** What a module of a plugin exports: the plugin, or what makes one of the options in the configuration. */
export type PluginModule = Plugin | ((options: JsonObject) => Plugin | Promise<Plugin>)

/** Says that this is a plugin, so that an editor knows its hooks. */
export const definePlugin = <Module extends PluginModule>(plugin: Module): Module => plugin

/** How a plugin is run. */
export interface PluginTerms {
  /** How long each hook may take. Default 50. */
  readonly timeoutMs?: number | undefined
  /** What becomes of a call whose hook fails: it goes on without it, or is refused. Default `skip`. */
  readonly onError?: 'skip' | 'refuse' | undefined
}
