/** Document 001's words for MCP (001-01). Lists, calls and results may carry more than these fields; nothing is dropped. */

/** As far as document 001 looks into a schema; the whole JSON Schema is kept. */
export interface JSONSchema {
  readonly type?: string | undefined
  readonly properties?: Readonly<Record<string, any>> | undefined
  readonly required?: readonly string[] | undefined
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
  readonly params: { readonly name: string; readonly arguments?: Readonly<Record<string, any>> | undefined }
}

/** One piece of a result. MCP has had more kinds since (audio, links); they pass as they are (C18). */
export interface ContentItem {
  readonly type: 'text' | 'image' | 'resource' | (string & {})
  readonly text?: string | undefined
  readonly data?: string | undefined
  readonly mimeType?: string | undefined
}

export interface CallToolResult {
  readonly content: readonly ContentItem[]
  readonly isError?: boolean | undefined
}

export interface ListToolsRequest {
  readonly method: 'tools/list'
}

export interface ListToolsResponse {
  readonly tools: readonly Tool[]
}
