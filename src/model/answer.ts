import { GatewayError } from '../errors.js'
import { isRecord, type JsonValue } from './json.js'
import type { Outcome } from './outcome.js'
import type { Answer, ContentBlock, ToolResult } from './result.js'

/** The answer in MCP's words: text for models, the structure beside it for programs. */
export const toToolResult = (answer: Answer): ToolResult => {
  if (answer.type === 'result') return answer.result
  const { value, meta } = answer
  if (isToolResult(value)) return value
  return meta ? { ...valueResult(value), _meta: meta } : valueResult(value)
}

const valueResult = (value: unknown): ToolResult => {
  if (value === undefined || value === null) return { content: [] }
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] }
  const text = toJson(value)
  if (typeof value !== 'object') return { content: [{ type: 'text', text }] }
  // Parsed back, so that dates, class instances and the like are what the text says they are.
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as JsonValue }
}

/**
 * The answer as a plain value (003-09): the structure if there is one, else the first block, its text read as JSON where
 * it is JSON. Whether the tool said "no" is `isErrorAnswer`'s question.
 */
export const toValue = (answer: Answer): unknown => {
  if (answer.type === 'value') return isToolResult(answer.value) ? resultValue(answer.value) : answer.value
  return resultValue(answer.result)
}

export const isErrorAnswer = (answer: Answer): boolean => {
  if (answer.type === 'value') return isToolResult(answer.value) && answer.value.isError === true
  return answer.raw ? answer.raw.textOf('isError') === 'true' : answer.result.isError === true
}

/** All text of an answer, for error messages and links that carry nothing else. */
export const toText = (answer: Answer): string =>
  toToolResult(answer)
    .content.map((block) => (block.type === 'text' ? (block.text ?? '') : ''))
    .filter((text) => text !== '')
    .join('\n')

const resultValue = ({ structuredContent, content }: ToolResult): unknown => {
  // As in the original, an empty structure says nothing and the content decides.
  if (structuredContent && (!isRecord(structuredContent) || Object.keys(structuredContent).length > 0))
    return structuredContent
  const first = content[0]
  if (!first) return null
  if (first.type !== 'text') return first
  try {
    return JSON.parse(first.text ?? '') as JsonValue
  } catch {
    return first.text ?? ''
  }
}

/** A function may answer in MCP's own words. A list of blocks with types is unlikely to be anything else. */
export const isToolResult = (value: unknown): value is ToolResult =>
  isRecord(value) && Array.isArray(value.content) && value.content.every(isBlock)

const isBlock = (value: unknown): value is ContentBlock => isRecord(value) && typeof value.type === 'string'

const toJson = (value: unknown): string => {
  try {
    const json = JSON.stringify(value)
    if (json !== undefined) return json
  } catch (cause) {
    throw unspeakable(cause)
  }
  throw unspeakable(undefined)
}

const unspeakable = (cause: unknown): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    'The tool answered with something JSON cannot hold (a cycle, a function or a BigInt); return plain data.',
    { cause },
  )

/** The short way out of an outcome: the tool's value, or what went wrong as an exception. */
export const valueOrThrow = (outcome: Outcome): unknown => {
  if (!outcome.ok) throw outcome.error
  if (isErrorAnswer(outcome.answer))
    throw new GatewayError('TOOL_FAILED', toText(outcome.answer) || 'The tool answered with an error.')
  return toValue(outcome.answer)
}

/** The part of an answer that may tell its cost: of one that came as bytes only that is read, and only where the word is in it. */
const toldBy = (answer: Answer): Told | null | undefined => {
  if (answer.type === 'value') return answer.value as Told | null | undefined
  const { raw } = answer
  if (!raw) return answer.result as Told
  const read = (name: string): Told['meta'] =>
    raw.textOf(name)?.includes('"cost"') ? (raw.memberOf(name) as Told['meta']) : undefined
  return { meta: read('meta'), _meta: read('_meta') }
}

type Told = {
  readonly meta?: { readonly cost?: unknown } | null | undefined
  readonly _meta?: { readonly cost?: unknown } | null | undefined
}

/** What an answer says it cost: `{ output, meta: { cost } }` as document 000 advises (000-15), or MCP's `_meta`. */
export const costOf = (answer: Answer): number | undefined => {
  const told = toldBy(answer)
  if (typeof told !== 'object' || told === null) return undefined
  const cost = told.meta?.cost ?? told._meta?.cost
  return typeof cost === 'number' && Number.isFinite(cost) ? cost : undefined
}
