/** Document 001's words for MCP (001-01). Lists, calls and results may carry more than these fields; nothing is dropped. */

/** As far as document 001 looks into a schema; the whole JSON Schema is kept. */
export interface JSONSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, any>>
  readonly required?: readonly string[]
  readonly [keyword: string]: any
}

/** A tool as a service lists it. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JSONSchema
}

export interface CallToolRequest {
  readonly method: 'tools/call'
  readonly params: { readonly name: string; readonly arguments?: Readonly<Record<string, any>> }
}

/** One piece of a result. MCP has had more kinds since (audio, links); they pass as they are (C18). */
export interface ContentItem {
  readonly type: 'text' | 'image' | 'resource' | (string & {})
  readonly text?: string
  readonly data?: string
  readonly mimeType?: string
}

export interface CallToolResult {
  readonly content: readonly ContentItem[]
  readonly isError?: boolean
}

export interface ListToolsRequest {
  readonly method: 'tools/list'
}

export interface ListToolsResponse {
  readonly tools: readonly Tool[]
}
