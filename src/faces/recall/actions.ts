import type { Caller } from '../../model/caller.js'
import type { CancelSignal } from '../../model/cancel.js'
import type { JsonObject } from '../../model/json.js'

/** Where an action is carried out (004-04). */
export interface ActionSource {
  readonly type: string
  readonly box_id?: string | undefined
  readonly tool_id?: string | undefined
  readonly mcp_id?: string | undefined
  readonly tool_name?: string | undefined
  readonly [key: string]: unknown
}

/** What a knowledge network knows of an action type and the things it is asked about. */
export interface ActionsFound {
  readonly action_source: ActionSource | null
  readonly actions: readonly { readonly parameters?: JsonObject | undefined; readonly [key: string]: unknown }[]
}

/** For whom a request is made, as the services behind us are told. */
export interface Account {
  readonly id: string
  readonly type: string
  readonly businessDomain: string
}

/** Everything around one request that the adapters behind us may need. */
export interface RecallContext {
  readonly account: Account
  readonly caller: Caller
  readonly signal: CancelSignal
  /** What this is about, as far as it is known by now: ids for the log, should it fail (004-21). */
  readonly about?: ((ids: Readonly<Record<string, string>>) => void) | undefined
}

export interface ActionQuery {
  readonly knId: string
  readonly atId: string
  readonly identities: readonly JsonObject[]
}

/** The knowledge network behind the recall: embedded, or a service. */
export interface KnowledgeNetwork {
  queryActions(query: ActionQuery, context: RecallContext): Promise<ActionsFound>
  /** Where an action of this type is carried out asynchronously; undefined where that is not offered. */
  executeUrl?(query: ActionQuery): string
}

/** A tool of a tool box: an OpenAPI operation with its components (004, type=tool). */
export interface BoxToolDetail {
  readonly name: string
  readonly description: string
  readonly apiSpec: JsonObject
}

/** 004-05 */
export interface McpToolDetail {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject | null
  /** What stood in the schema's place was none. */
  readonly isUnreadable?: boolean | undefined
  readonly annotations?: JsonObject | undefined
}

/** The operator service behind the recall (004-05): embedded, or a service. Failures are `RecallError`s. */
export interface OperatorIntegration {
  getToolDetail(boxId: string, toolId: string, context: RecallContext): Promise<BoxToolDetail>
  /** Where a tool of a box is called. */
  toolBoxUrl(boxId: string, toolId: string): string
  getMcpToolDetail(mcpId: string, toolName: string, context: RecallContext): Promise<McpToolDetail>
  callMcpTool(mcpId: string, toolName: string, parameters: JsonObject, context: RecallContext): Promise<JsonObject>
}
