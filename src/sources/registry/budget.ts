/** The bytes of a value as it is written into a reply. */
export const bytesOf = (value: unknown, indent = 2): number =>
  Buffer.byteLength(JSON.stringify(value, null, indent) ?? '')

/**
 * How many items from the front fit, as members of a list inside an object. Fewer rather than half of one, and never none:
 * an answer that holds nothing could not be read on.
 */
export const fitting = (items: readonly unknown[], budgetBytes: number): number => {
  let used = 0
  for (const [index, item] of items.entries()) {
    used += bytesOf([[item]])
    if (used > budgetBytes) return Math.max(1, index)
  }
  return items.length
}

const longestDescription = 240

/** One line, cut where it gets long. */
export const shorten = (text: string, most = longestDescription): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${withoutHalf(line.slice(0, most - 1))}…`
}

// Half a character at the end of a cut: strict readers of JSON refuse the whole answer for it.
const withoutHalf = (cut: string): string => cut.replace(/[\ud800-\udbff]$/, '')

/** The longest front of a text that takes so many bytes, never half a character. */
export const textWithin = (text: string, bytes: number): string => {
  if (Buffer.byteLength(text) <= bytes) return text
  let end = Math.min(text.length, bytes)
  while (Buffer.byteLength(text.slice(0, end)) > bytes) end -= Math.max(1, Math.ceil((end * 3) / 100))
  const cut = text.slice(0, Math.max(1, end))
  return withoutHalf(cut) || text.slice(0, 2)
}
