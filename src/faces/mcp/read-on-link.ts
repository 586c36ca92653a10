import { isRecord } from '../../model/json.js'
import { resultKey } from '../../model/kept-result.js'
import type { ToolResult } from '../../model/result.js'

/** A cut result with a link to the whole, for clients of the modern era: earlier ones may not know such a block. */
export const withReadOnLink = (result: ToolResult): ToolResult => {
  const handle = result._meta?.[resultKey]
  if (!isRecord(handle) || typeof handle.uri !== 'string') return result
  const link = { type: 'resource_link', uri: handle.uri, name: 'whole result', size: handle.bytes }
  return { ...result, content: [...result.content, link] }
}
