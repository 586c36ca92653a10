import { GatewayError } from '../../errors.js'
import { isToolResult } from '../../model/answer.js'
import { fitJson } from '../../model/fit/fit-json.js'
import { byteLength } from '../../model/fit/fit-text.js'
import { fitTextOrJson, oneText } from '../../model/fit/one-text.js'
import type { ResultKeeper } from '../../model/kept-result.js'
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
  // What reads on is not read on itself.
  const { call, shown, tool } = passage
  const kept = tool.switch === 'results' ? undefined : keeper?.cut(answer, limit, call.caller, shown?.applied.cacheMs)
  if (kept) return kept
  const fitted = answer.type === 'value' ? fitValue(answer.value, limit) : fitResult(answer.result, limit)
  if (fitted === undefined) throw tooLarge(passage.tool.id, size, limit)
  return answer.type === 'value' ? { ...answer, value: fitted } : resultAnswer(fitted as ToolResult, answer.failed)
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

const fitValue = (value: unknown, limit: number): unknown => {
  // A function that answers in MCP's words is shaped like any other MCP answer.
  if (isToolResult(value)) return fitResult(value, limit)
  return typeof value === 'string' ? fitTextOrJson(value, limit) : fitJson(value, limit)
}

/** One text block of what fits. The structured twin goes: a shortened one would break the tool's output schema. */
const fitResult = (whole: ToolResult, limit: number): ToolResult | undefined => {
  const { structuredContent: _, ...result } = whole
  const text = fitTextOrJson(oneText(whole), limit)
  return text === undefined ? undefined : { ...result, content: [{ type: 'text', text }] }
}

const tooLarge = (tool: string, size: number, limit: number): GatewayError =>
  new GatewayError(
    'RESULT_TOO_LARGE',
    `The result of '${tool}' has ${size} bytes and cannot be shaped to ${limit}; raise the limit or ask for less.`,
    { details: { tool, size, limit } },
  )
