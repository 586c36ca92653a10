/** UTF-8 bytes of a text: what a link counts. */
export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8')

/** The longest head of `text` within `maxBytes`, never ending inside a character or its surrogate pair. */
export const headWithin = (text: string, maxBytes: number): string => {
  // Every unit of a string is at least one byte, so a text of megabytes is never encoded for a head of a kilobyte.
  if (text.length <= maxBytes && byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text.slice(0, Math.max(0, maxBytes)), 'utf8')
  let end = Math.max(0, maxBytes)
  // A byte of the form 10xxxxxx continues a character: step back to where one starts.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/**
 * The same, ending between words where it can: half a number is another number, and half a word is read aloud. Where
 * there is no such place near the end (one long word, base64), it ends between what people see as characters.
 */
export const wholeHead = (text: string, maxBytes: number): string => {
  const head = headWithin(text, maxBytes)
  if (head.length === text.length) return head
  const start = Math.max(0, head.length - windowLength)
  const around = text.slice(start, head.length + windowLength)
  const most = head.length - start
  return head.slice(0, start + (betweenWords(around, most) ?? betweenCharacters(around, most))).trimEnd()
}

/** `text` within `maxBytes` with a visible note of what was cut, or undefined when not even the note fits. */
export const fitText = (text: string, maxBytes: number): string | undefined => {
  const size = byteLength(text)
  if (size <= maxBytes) return text
  const note = `… [cut: ${size} bytes, limit ${maxBytes}]`
  const room = maxBytes - byteLength(note)
  return room < 0 ? undefined : wholeHead(text, room) + note
}

const windowLength = 48
// A fixed language, so that two machines cut alike; the rules for Chinese words are in every one.
const words = new Intl.Segmenter('en', { granularity: 'word' })
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const betweenWords = (text: string, most: number): number | undefined => {
  const ends = [...words.segment(text)].map(({ index }) => index).filter((index) => index > 0 && index <= most)
  return ends.findLast((index) => !isJoined(text, index)) ?? ends.at(-1)
}

// `2026-11-15` and `a.b/c` have word boundaries inside, yet are one thing.
const isJoined = (text: string, index: number): boolean => /^[!-~]{2}$/.test(text.slice(index - 1, index + 1))

const betweenCharacters = (text: string, most: number): number => {
  const ends = [...characters.segment(text)].map(({ index }) => index).filter((index) => index > 0 && index <= most)
  return ends.at(-1) ?? most
}
