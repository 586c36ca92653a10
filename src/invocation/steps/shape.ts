import { GatewayError } from '../../errors.js'
import { isToolResult } from '../../model/answer.js'
import { fitJson } from '../../model/fit/fit-json.js'
import { byteLength } from '../../model/fit/fit-text.js'
import { fitTextOrJson, oneText, parseStructure } from '../../model/fit/one-text.js'
import { fitReadable, fitReadableJson, leastForHandle } from '../../model/fit/read-on.js'
import { type ResultHandle, type ResultKeeper, withHandle } from '../../model/kept-result.js'
import { type Answer, type ContentBlock, resultAnswer, type ToolResult } from '../../model/result.js'
import type { Logger } from '../../telemetry/logger.js'
import type { Passage, Step } from '../passage.js'

/** Makes the answer fit the face's link: JSON stays JSON, text ends at a character, and what was left out is said. */
export const shape = (logger: Logger, keeper?: ResultKeeper): Step => ({
  leave: (passage, answer) => {
    const limit = leastOf(passage.call.maxResultBytes, passage.shown?.applied.maxBytes)
    return limit === undefined || passage.kind !== 'tool' ? answer : fitAnswer(answer, limit, passage, logger, keeper)
  },
})

/** What the face can carry, or less where an operator says so of the tool. */
const leastOf = (face: number | undefined, tool: number | undefined): number | undefined =>
  face === undefined || tool === undefined ? (face ?? tool) : Math.min(face, tool)

const fitAnswer = (
  answer: Answer,
  limit: number,
  passage: Passage,
  logger: Logger,
  keeper: ResultKeeper | undefined,
): Answer => {
  // Nothing in it is larger than all of it as it came.
  if (answer.bytes !== undefined && answer.bytes <= limit) return answer
  const size = sizeOf(answer)
  if (size <= limit) return answer
  logger.log('warn', `Result size ${size} bytes exceeds limit ${limit}`, { tool: passage.tool.id })
  const handle = keeper && limit >= leastForHandle ? kept(answer, passage, keeper) : undefined
  const cut = answer.type === 'value' ? fitValue(answer.value, limit, handle) : fitResult(answer.result, limit, handle)
  if (cut === undefined) throw tooLarge(passage.tool.id, size, limit)
  return answer.type === 'value' ? { ...answer, value: cut, handle } : resultAnswer(cut as ToolResult, answer.failed)
}

/** Text counts as its bytes, everything else as its JSON: what goes over the link is what is measured. */
const sizeOf = (answer: Answer): number => {
  const value = answer.type === 'result' ? answer.result : answer.value
  if (answer.type === 'result' || isToolResult(value)) return contentSize((value as ToolResult).content)
  if (typeof value === 'string') return byteLength(value)
  return byteLength(JSON.stringify(value) ?? '')
}

// With one byte between blocks, as a link that joins them needs.
const contentSize = (content: readonly ContentBlock[]): number =>
  content.reduce((sum, block) => sum + blockSize(block), Math.max(0, content.length - 1))

const blockSize = (block: ContentBlock): number =>
  block.type === 'text' ? byteLength(block.text ?? '') : byteLength(JSON.stringify(block))

/** The whole, kept for the caller as they would have been given it. What reads on is not read on itself. */
const kept = (answer: Answer, passage: Passage, keeper: ResultKeeper): ResultHandle | undefined => {
  if (passage.tool.switch === 'results') return undefined
  return keeper.keep(wholeOf(answer), passage.call.caller, passage.shown?.applied.cacheMs)
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

const fitValue = (value: unknown, limit: number, handle: ResultHandle | undefined): unknown => {
  // A function that answers in MCP's words is shaped like any other MCP answer.
  if (isToolResult(value)) return fitResult(value, limit, handle)
  if (typeof value === 'string') return fitted(value, limit, handle)
  return (handle && fitReadableJson(value, limit, handle)) ?? fitJson(value, limit)
}

/** One text block of what fits. The structured twin goes: a shortened one would break the tool's output schema. */
const fitResult = (whole: ToolResult, limit: number, handle: ResultHandle | undefined): ToolResult | undefined => {
  const { structuredContent: _, ...result } = whole
  const text = fitted(oneText(whole), limit, handle)
  if (text === undefined) return undefined
  const cut = { ...result, content: [{ type: 'text', text }] }
  return handle ? { ...cut, _meta: withHandle(whole._meta, handle) } : cut
}

const fitted = (text: string, limit: number, handle: ResultHandle | undefined): string | undefined =>
  (handle && fitReadable(text, limit, handle)) ?? fitTextOrJson(text, limit)

const tooLarge = (tool: string, size: number, limit: number): GatewayError =>
  new GatewayError(
    'RESULT_TOO_LARGE',
    `The result of '${tool}' has ${size} bytes and cannot be shaped to ${limit}; raise the limit or ask for less.`,
    { details: { tool, size, limit } },
  )
