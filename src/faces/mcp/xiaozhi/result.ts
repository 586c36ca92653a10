import { byteLength } from '../../../model/fit/fit-text.js'
import { fitTextOrJson, oneText, parseStructure } from '../../../model/fit/one-text.js'
import { isRecord, type JsonObject } from '../../../model/json.js'
import type { ToolResult } from '../../../model/result.js'

export interface ResultLimits {
  /** UTF-8 bytes of the text (001 open point 3). */
  readonly maxTextBytes: number
  /** UTF-8 bytes of the whole frame: escapes can make six bytes of one, and links drop at 8 KB (X14). */
  readonly maxFrameBytes: number
}

export const limitsOf = (maxTextBytes: number): ResultLimits => ({
  maxTextBytes,
  // An owner who allows more text than a frame should have has chosen so.
  maxFrameBytes: Math.max(8000, maxTextBytes + 512),
})

/**
 * A tool's result as the link carries it: one text, and an `error` beside `isError` (X11, X12). The call path has cut it to
 * the limit; it is cut again only where wrapping and escapes make more of it than the frame takes.
 */
export const toLinkResult = (result: ToolResult, limits: ResultLimits, toText: ToText = JSON.stringify): string => {
  const text = oneText(result)
  let json = toText(encode(result, text, limits.maxTextBytes))
  for (let most = limits.maxTextBytes; byteLength(json) > limits.maxFrameBytes && most > smallest; ) {
    most = Math.max(smallest, Math.floor(most * 0.8))
    json = toText(encode(result, text, most))
  }
  return json
}

/** How the peer's era writes it. */
type ToText = (result: JsonObject) => string

const smallest = 256

const encode = (result: ToolResult, whole: string, maxBytes: number): JsonObject => {
  const text = linkText(whole, maxBytes)
  const failed = result.isError === true
  return {
    // `[]` stays `[]`: an empty text would be read aloud as an answer.
    content: result.content.length === 0 && text === '' ? [] : [{ type: 'text', text }],
    isError: failed || undefined,
    error: failed ? text : undefined,
  }
}

const before = '{"result":'
const after = '}'

/** The text within the limit. An object with `action` would be taken for an order to the far side (X12), so it is wrapped. */
const linkText = (text: string, maxBytes: number): string => {
  if (!readsAsAction(text)) return fitTextOrJson(text, maxBytes) ?? ''
  const inner = fitTextOrJson(text, maxBytes - before.length - after.length) ?? '""'
  return readsAsAction(inner) ? before + inner + after : inner
}

const readsAsAction = (text: string): boolean => {
  if (!/^\s*\{/.test(text)) return false
  const parsed = parseStructure(text)
  // Python's parser takes NaN and the like where ours does not, so an object we cannot read may still be one there.
  return parsed === undefined ? text.includes('"action"') : isRecord(parsed) && Object.hasOwn(parsed, 'action')
}
