import { defined, type JsonObject, type JsonValue } from '../../model/json.js'
import { type Answer, resultAnswer } from '../../model/result.js'
import { bytesOf } from './budget.js'
import type { FoundArea, SearchReply } from './search-tools.js'

/** Two-space JSON as document 002 writes it, and the same for programs where both fit. */
export const json = (value: JsonObject, budgetBytes: number): Answer =>
  texts([JSON.stringify(value, null, 2)], value, budgetBytes)

/** Document 002's list of results; what else there is to know stands behind it. */
export const found = (reply: SearchReply, budgetBytes: number): Answer => {
  const { results, notice, parts, areas, next_cursor } = reply
  const hint = next_cursor === undefined ? [] : [`Left out for size. Read on: cursor "${next_cursor}".`]
  return texts(
    [
      JSON.stringify(results, null, 2),
      ...(notice === undefined ? [] : [notice]),
      ...asParts(parts),
      ...toAskFor(areas),
      ...hint,
    ],
    toObject(reply),
    budgetBytes,
  )
}

/** Several searches at once, each with its query. */
export const foundMany = (
  searches: readonly (SearchReply & { readonly query: string })[],
  budgetBytes: number,
): Answer => {
  const list = searches.map(({ query, ...reply }) => ({ query, ...toObject(reply) }))
  return texts([JSON.stringify(list, null, 2)], { searches: list }, budgetBytes)
}

const toObject = ({ results, method, notice, match, parts, areas, next_cursor }: SearchReply): JsonObject => ({
  results: results as unknown as JsonValue,
  method,
  ...defined({ notice, match, parts, areas: areas as JsonValue | undefined }),
  ...reading(next_cursor),
})

const asParts = (parts: readonly string[] | undefined): readonly string[] =>
  parts ? [`Taken as ${parts.length} parts: ${parts.join('; ')}. "part" says which one a tool serves.`] : []

/** In one line what a model may ask for next, as `github (42: create_issue, merge, …)`. */
const toAskFor = (areas: readonly FoundArea[] = []): readonly string[] =>
  areas.length === 0 ? [] : [`There is, to ask for: ${areas.map(areaText).join('; ')}.`]

const areaText = ({ category, tools, examples }: FoundArea): string =>
  `${category} (${tools}: ${examples.join(', ')}${tools > examples.length ? ', …' : ''})`

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
