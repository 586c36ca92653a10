/** UTF-8 bytes of a text: what a link counts. */
export const byteLength = (text: string): number => Buffer.byteLength(text, 'utf8')

/** The longest head of `text` within `maxBytes`, never ending inside a character or a joined emoji's surrogate pair. */
export const headWithin = (text: string, maxBytes: number): string => {
  if (byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text, 'utf8')
  let end = Math.max(0, maxBytes)
  // A byte of the form 10xxxxxx continues a character: step back to where one starts.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** `text` within `maxBytes` with a visible note of what was cut, or undefined when not even the note fits. */
export const fitText = (text: string, maxBytes: number): string | undefined => {
  const size = byteLength(text)
  if (size <= maxBytes) return text
  const note = `… [cut: ${size} bytes, limit ${maxBytes}]`
  const room = maxBytes - byteLength(note)
  return room < 0 ? undefined : headWithin(text, room) + note
}
