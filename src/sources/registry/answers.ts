import { defined, type JsonObject, type JsonValue } from '../../model/json.js'
import { type Answer, resultAnswer } from '../../model/result.js'
import { bytesOf } from './budget.js'
import type { SearchReply } from './search-tools.js'

/** Two-space JSON as document 002 writes it, and the same for programs where both fit. */
export const json = (value: JsonObject, budgetBytes: number): Answer =>
  texts([JSON.stringify(value, null, 2)], value, budgetBytes)

/** Document 002's list of results; what else there is to know stands behind it. */
export const found = ({ results, method, notice, next_cursor }: SearchReply, budgetBytes: number): Answer => {
  const more = { ...defined({ notice }), ...reading(next_cursor) }
  const hint = next_cursor === undefined ? [] : [`Left out for size. Read on: cursor "${next_cursor}".`]
  return texts(
    [JSON.stringify(results, null, 2), ...(notice === undefined ? [] : [notice]), ...hint],
    { results: results as unknown as JsonValue, method, ...more },
    budgetBytes,
  )
}

/** Several searches at once, each with its query. */
export const foundMany = (
  searches: readonly (SearchReply & { readonly query: string })[],
  budgetBytes: number,
): Answer => {
  const list = searches.map(({ query, results, method, notice, next_cursor }) => ({
    query,
    results: results as unknown as JsonValue,
    method,
    ...defined({ notice }),
    ...reading(next_cursor),
  }))
  return texts([JSON.stringify(list, null, 2)], { searches: list }, budgetBytes)
}

/** What is added to an answer that holds less than was asked for. */
export const reading = (next_cursor: string | undefined): JsonObject =>
  next_cursor === undefined ? {} : { truncated: true, next_cursor }

export const refused = (tool: string, message: string): Answer =>
  resultAnswer({ content: [{ type: 'text', text: `Error calling tool '${tool}': ${message}` }], isError: true })

// Clients hand the model the text, the structure, or both: together they keep to the budget, and the text goes first.
const texts = (lines: readonly string[], structured: JsonObject, budgetBytes: number): Answer => {
  const used = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0)
  const fits = used + bytesOf(structured, 0) <= budgetBytes
  const content = lines.map((text) => ({ type: 'text' as const, text }))
  return resultAnswer({ content, ...defined({ structuredContent: fits ? structured : undefined }) })
}
