/** One line of a difference. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

// The table has a cell for each pair of lines.
const mostLines = 2000

/** What changed between two texts, line by line: the longest common run of lines stays. */
export const diffLines = (before: string, after: string): readonly DiffLine[] => {
  const old = before.split('\n')
  const now = after.split('\n')
  if (old.length > mostLines || now.length > mostLines) return [...mark(old, 'gone'), ...mark(now, 'new')]
  const lengths = commonLengths(old, now)
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i]! })
      i++
      j++
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) lines.push({ kind: 'gone', text: old[i++]! })
    else lines.push({ kind: 'new', text: now[j++]! })
  }
  return [...lines, ...mark(old.slice(i), 'gone'), ...mark(now.slice(j), 'new')]
}

/** What a reader needs to see: the changes, a few lines around each, and where something was left out. */
export const foldDiff = (lines: readonly DiffLine[], around = 3): readonly (DiffLine | 'left-out')[] => {
  const near = new Set<number>()
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') for (let at = index - around; at <= index + around; at++) near.add(at)
  })
  const folded: (DiffLine | 'left-out')[] = []
  lines.forEach((line, index) => {
    if (near.has(index)) folded.push(line)
    else if (folded.at(-1) !== 'left-out') folded.push('left-out')
  })
  return folded
}

const mark = (lines: readonly string[], kind: DiffLine['kind']): readonly DiffLine[] =>
  lines.map((text) => ({ kind, text }))

/** How many lines the rest of both have in common, for every pair of beginnings. */
const commonLengths = (old: readonly string[], now: readonly string[]): readonly Uint16Array[] => {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1))
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      table[i]![j] = old[i] === now[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
  return table
}
