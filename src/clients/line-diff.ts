/** One line of a difference: kept, added or taken out. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** Past this product of changed lines the middle is shown as replaced whole: a table of it would not fit in memory. */
const maxCells = 4_000_000
const context = 2

/** What changed between two texts, line by line, with a little around it; empty when nothing did. */
export const lineDiff = (before: string, after: string): readonly DiffLine[] => {
  const a = linesOf(before)
  const b = linesOf(after)
  const head = commonHead(a, b)
  const tail = commonTail(a.slice(head), b.slice(head))
  const changed = middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail))
  if (changed.length === 0) return []
  const kept = (lines: readonly string[]): readonly DiffLine[] => lines.map((text) => ({ sign: ' ', text }))
  return [
    ...kept(a.slice(Math.max(0, head - context), head)),
    ...changed,
    ...kept(a.slice(a.length - tail, a.length - tail + context)),
  ]
}

/** As people read it: a sign before each line. */
export const formatDiff = (lines: readonly DiffLine[]): string =>
  lines.map(({ sign, text }) => `${sign} ${text}`).join('\n')

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

const commonHead = (a: readonly string[], b: readonly string[]): number => {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length++
  return length
}

const commonTail = (a: readonly string[], b: readonly string[]): number => {
  let length = 0
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++
  return length
}

const middle = (a: readonly string[], b: readonly string[]): readonly DiffLine[] => {
  if (a.length * b.length > maxCells)
    return [...a.map((text) => ({ sign: '-', text }) as const), ...b.map((text) => ({ sign: '+', text }) as const)]
  const longest = commonLengths(a, b)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i]! })
      i++
      j++
    } else if (j >= b.length || (i < a.length && longest[i + 1]![j]! >= longest[i]![j + 1]!))
      lines.push({ sign: '-', text: a[i++]! })
    else lines.push({ sign: '+', text: b[j++]! })
  }
  return lines
}

/** `[i][j]`: the length of the longest common subsequence of what follows line i and line j. */
const commonLengths = (a: readonly string[], b: readonly string[]): readonly Uint32Array[] => {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i]![j] = a[i] === b[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
  return table
}
