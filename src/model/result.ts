import type { JsonObject, JsonValue } from './json.js'
import type { RawResult } from './raw-result.js'

export interface ContentBlock {
  readonly type: string
  readonly text?: string | undefined
  readonly [key: string]: unknown
}

/** MCP's CallToolResult, with whatever else the tool put into it. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: JsonValue | undefined
  readonly isError?: boolean | undefined
  readonly _meta?: JsonObject | undefined
  readonly [key: string]: unknown
}

/**
 * What a source answers. In-process functions give back any value and library faces hand it on as it is, object
 * identity included; remote tools give an MCP result. Each face converts only if its language needs the other form.
 */
export type Answer =
  | {
      readonly type: 'value'
      readonly value: unknown
      /** What goes with it as `_meta` where it becomes a result: how to read on what was cut. */
      readonly meta?: JsonObject | undefined
      readonly raw?: undefined
      readonly bytes?: undefined
      readonly cached?: boolean | undefined
      readonly failed?: undefined
    }
  | {
      readonly type: 'result'
      /** May be read only now: what came as bytes is parsed when somebody asks, so nothing on the path spreads or copies an answer. */
      readonly result: ToolResult
      /** The result as it came, where it came as bytes; and how many. */
      readonly raw?: RawResult | undefined
      readonly bytes?: number | undefined
      readonly cached?: boolean | undefined
      /** What went wrong at the far side itself, in a few words: told to callers as a result, but a sign of ill health. */
      readonly failed?: string | undefined
    }

export const valueAnswer = (value: unknown): Answer => ({ type: 'value', value })
export const resultAnswer = (result: ToolResult, failed?: string): Answer =>
  failed === undefined ? { type: 'result', result } : { type: 'result', result, failed }

export const textResult = (text: string, extra?: { readonly isError?: boolean | undefined }): ToolResult => ({
  content: [{ type: 'text', text }],
  ...extra,
})
