import type { JsonObject, JsonValue } from './json.js'

export interface ContentBlock {
  readonly type: string
  readonly text?: string
  readonly [key: string]: unknown
}

/** MCP's CallToolResult, with whatever else the tool put into it. */
export interface ToolResult {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: JsonValue
  readonly isError?: boolean
  readonly _meta?: JsonObject
  readonly [key: string]: unknown
}

/**
 * What a source answers. In-process functions give back any value and library faces hand it on as it is, object
 * identity included; remote tools give an MCP result. Each face converts only if its language needs the other form.
 */
export type Answer =
  | { readonly type: 'value'; readonly value: unknown; readonly cached?: boolean; readonly failed?: undefined }
  | {
      readonly type: 'result'
      readonly result: ToolResult
      readonly cached?: boolean
      /** What went wrong at the far side itself, in a few words: told to callers as a result, but a sign of ill health. */
      readonly failed?: string | undefined
    }

export const valueAnswer = (value: unknown): Answer => ({ type: 'value', value })
export const resultAnswer = (result: ToolResult, failed?: string): Answer =>
  failed === undefined ? { type: 'result', result } : { type: 'result', result, failed }

export const textResult = (text: string, extra?: { readonly isError?: boolean }): ToolResult => ({
  content: [{ type: 'text', text }],
  ...extra,
})
