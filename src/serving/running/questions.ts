import type { Reviewed } from '../../catalog/reviewed.js'
import type { ExplainAnswer, ExplainRequest, RuleRow } from '../../faces/admin/rules.js'
import type { SourceInfo } from '../../gateway.js'
import type { JsonObject } from '../../model/json.js'
import type { ToolResult } from '../../model/result.js'
import type { Tool } from '../../model/tool.js'
import type { WebhookRow } from '../events/webhooks.js'
import type { PluginRow } from '../plugins.js'
import type { OfferedWords } from '../scanning.js'
import type { HeldBack } from '../view.js'

/** A tool, and whether the command line's caller sees it. */
export interface PicturedTool {
  readonly tool: Tool
  readonly seen: boolean
  /** As callers see it, where an operator shows it otherwise. */
  readonly shown?: Tool | undefined
}

/** A board at one moment. */
export interface Picture {
  readonly tools: readonly PicturedTool[]
  readonly held: readonly Tool[]
  readonly heldBack: HeldBack
  readonly words: readonly Reviewed[]
  readonly sources: readonly SourceInfo[]
  readonly problems: readonly (readonly [source: string, problem: string])[]
  /** Not told by a gateway of an earlier version. */
  readonly offered?: readonly OfferedWords[] | undefined
}

export interface PlainError {
  readonly code: string
  readonly message: string
  readonly details?: JsonObject | undefined
}

/** What single commands ask a running gateway, as plain data. */
export interface Questions {
  picture: { asks: { readonly tools: boolean; readonly words: boolean }; answer: Picture }
  tool: {
    asks: { readonly name: string }
    answer: { readonly tool?: Tool | undefined; readonly usage?: JsonObject | undefined }
  }
  rules: { asks: Record<string, never>; answer: readonly RuleRow[] }
  explain: { asks: ExplainRequest; answer: ExplainAnswer }
  profiles: { asks: Record<string, never>; answer: readonly JsonObject[] }
  plugins: { asks: Record<string, never>; answer: readonly PluginRow[] }
  webhooks: { asks: Record<string, never>; answer: readonly WebhookRow[] }
  search: {
    asks: { readonly query: string; readonly limit: number; readonly method?: string | undefined }
    answer: JsonObject
  }
  call: {
    asks: { readonly tool: string; readonly args: unknown }
    answer:
      | { readonly ok: true; readonly result: ToolResult; readonly meta: JsonObject }
      | { readonly ok: false; readonly error: PlainError; readonly meta: JsonObject }
  }
}

export type QuestionName = keyof Questions

/** One line of the conversation towards the gateway. */
export interface AskLine {
  readonly id: number
  readonly ask: string
  readonly with: unknown
}

/** And back: whom it waits for, then the answer or an error. */
export interface AnswerLine {
  readonly id: number
  readonly waiting?: readonly string[] | undefined
  readonly answer?: unknown
  readonly error?: PlainError | undefined
}
