import { isToolResult } from '../../model/answer.js'
import { oneText, parseStructure } from '../../model/fit/one-text.js'
import type { JsonObject } from '../../model/json.js'
import { type ResultHandle, withHandle } from '../../model/kept-result.js'
import { type Answer, resultAnswer, type ToolResult } from '../../model/result.js'
import { fitReadable, fitReadableJson, leastForHandle } from './read-on.js'

/** The answer within `limit`, with how to read on what `keep` has kept of it. Undefined where that cannot be said or kept. */
export const cutAnswer = (
  answer: Answer,
  limit: number,
  keep: (whole: string) => ResultHandle | undefined,
): Answer | undefined => {
  const handle = limit >= leastForHandle ? keep(wholeOf(answer)) : undefined
  if (!handle) return undefined
  if (answer.type === 'result') {
    const cut = cutResult(answer.result, limit, handle)
    return cut && resultAnswer(cut, answer.failed)
  }
  const value = cutValue(answer.value, limit, handle)
  return value === undefined ? undefined : { ...answer, value, meta: withHandle(undefined, handle) }
}

const wholeOf = (answer: Answer): string => {
  const value = answer.type === 'result' ? answer.result : answer.value
  if (answer.type === 'result' || isToolResult(value)) return wholeText(value as ToolResult)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** One text where that says all; else all of it, from which a path picks. */
const wholeText = (result: ToolResult): string => {
  const { content, structuredContent } = result
  const text = oneText(result)
  const isAll = structuredContent === undefined || parseStructure(text) !== undefined
  return isAll && content.every(({ type }) => type === 'text') ? text : JSON.stringify({ content, structuredContent })
}

const cutValue = (value: unknown, limit: number, handle: ResultHandle): unknown => {
  if (isToolResult(value)) return cutResult(value, limit, handle)
  return typeof value === 'string' ? fitReadable(value, limit, handle) : fitReadableJson(value, limit, handle)
}

/** The structured twin goes, as wherever a result is cut: a shortened one would break the tool's output schema. */
const cutResult = (whole: ToolResult, limit: number, handle: ResultHandle): ToolResult | undefined => {
  const { structuredContent: _, ...result } = whole
  const text = fitReadable(oneText(whole), limit, handle)
  const _meta: JsonObject = withHandle(whole._meta, handle)
  return text === undefined ? undefined : { ...result, content: [{ type: 'text', text }], _meta }
}
