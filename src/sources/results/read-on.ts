import { fitJson } from '../../model/fit/fit-json.js'
import { byteLength, wholeHead } from '../../model/fit/fit-text.js'
import { parseStructure } from '../../model/fit/one-text.js'
import { isRecord } from '../../model/json.js'
import { type ResultHandle, readResultName } from '../../model/kept-result.js'

/** With less room, the words that say how to read on would be most of the answer. */
export const leastForHandle = 256

/** `text` within `maxBytes`, with how to read on: JSON stays JSON, text ends between words. Undefined when even that does not fit. */
export const fitReadable = (text: string, maxBytes: number, handle: ResultHandle): string | undefined => {
  const parsed = parseStructure(text)
  if (parsed === undefined) return fitWords(text, maxBytes, handle)
  const fitted = fitReadableJson(parsed, maxBytes, handle)
  return fitted === undefined ? undefined : JSON.stringify(fitted)
}

/** The same of a value: a list has the words as its last item, an object under a key that no tool uses. */
export const fitReadableJson = (value: unknown, maxBytes: number, handle: ResultHandle): unknown => {
  const words = `… cut: ${handle.bytes} bytes. ${wayTo(handle)}`
  const room = maxBytes - byteLength(JSON.stringify({ [readOn]: words })) - 1
  const fitted = room > 0 ? fitJson(value, room) : undefined
  if (Array.isArray(fitted)) return [...fitted, words]
  return isRecord(fitted) ? { ...fitted, [readOn]: words } : undefined
}

const readOn = '… read on'

const fitWords = (text: string, maxBytes: number, handle: ResultHandle): string | undefined => {
  // The longest that the note can become: its numbers have as many digits as the whole has.
  const longest = noteOf(handle, handle.bytes)
  const room = maxBytes - byteLength(longest)
  if (room < 0) return undefined
  const head = wholeHead(text, room)
  return head + noteOf(handle, byteLength(head))
}

const noteOf = (handle: ResultHandle, shown: number): string =>
  `… [cut: ${shown} of ${handle.bytes} bytes. ${wayTo(handle, shown)}]`

const wayTo = ({ id }: ResultHandle, offset?: number): string =>
  `Read on: ${readResultName} ${JSON.stringify(offset === undefined ? { id } : { id, offset })}`
