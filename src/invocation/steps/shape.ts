import { GatewayError } from '../../errors.js'
import type { Answer, ContentBlock, ToolResult } from '../../model/result.js'
import type { Logger } from '../../telemetry/logger.js'
import { isPromise, type Step } from '../compose.js'
import { fitJson } from '../fit/fit-json.js'
import { byteLength, fitText } from '../fit/fit-text.js'
import type { Passage } from '../passage.js'

/** Makes the answer fit the face's link: JSON stays JSON, text ends at a character, and what was left out is said. */
export const shape =
  (logger: Logger): Step =>
  (next) =>
  (passage) => {
    const limit = passage.call.maxResultBytes
    if (limit === undefined) return next(passage)
    const answer = next(passage)
    const shaped = (whole: Answer) => fitAnswer(whole, limit, passage, logger)
    return isPromise(answer) ? answer.then(shaped) : shaped(answer)
  }

const fitAnswer = (answer: Answer, limit: number, passage: Passage, logger: Logger): Answer => {
  const size = sizeOf(answer)
  if (size <= limit) return answer
  logger.log('warn', `Result size ${size} bytes exceeds limit ${limit}`, { tool: passage.tool.id })
  const fitted = answer.type === 'value' ? fitValue(answer.value, limit) : fitResult(answer.result, limit)
  if (fitted === undefined) throw tooLarge(passage.tool.id, size, limit)
  return answer.type === 'value' ? { ...answer, value: fitted } : { ...answer, result: fitted as ToolResult }
}

/** Text counts as its bytes, everything else as its JSON: what goes over the link is what is measured. */
const sizeOf = (answer: Answer): number => {
  if (answer.type === 'result') return answer.result.content.reduce((sum, block) => sum + blockSize(block), 0)
  if (typeof answer.value === 'string') return byteLength(answer.value)
  return byteLength(JSON.stringify(answer.value) ?? '')
}

const blockSize = (block: ContentBlock): number =>
  block.type === 'text' ? byteLength(block.text ?? '') : byteLength(JSON.stringify(block))

const fitValue = (value: unknown, limit: number): unknown =>
  typeof value === 'string' ? fitText(value, limit) : fitJson(value, limit)

/** One text block of what fits. The structured twin goes: a shortened one would break the tool's output schema. */
const fitResult = ({ structuredContent, ...result }: ToolResult, limit: number): ToolResult | undefined => {
  const text = fitTextOrJson(joined(result.content), limit)
  return text === undefined ? undefined : { ...result, content: [{ type: 'text', text }] }
}

const joined = (content: readonly ContentBlock[]): string =>
  content.map((block) => (block.type === 'text' ? (block.text ?? '') : `[${block.type} left out]`)).join('\n')

const fitTextOrJson = (text: string, limit: number): string | undefined => {
  const parsed = parseJson(text)
  if (parsed === undefined) return fitText(text, limit)
  const fitted = fitJson(parsed, limit)
  return fitted === undefined ? undefined : JSON.stringify(fitted)
}

/** The object or list this text is, or undefined: a bare number or string is text like any other. */
const parseJson = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const tooLarge = (tool: string, size: number, limit: number): GatewayError =>
  new GatewayError(
    'RESULT_TOO_LARGE',
    `The result of '${tool}' has ${size} bytes and cannot be shaped to ${limit}; raise the limit or ask for less.`,
    { details: { tool, size, limit } },
  )
