/** The known word closest to a mistyped one, or undefined when none is close enough to be worth suggesting. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  const typed = fold(word.slice(0, longestWord))
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(typed.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(typed, fold(candidate))
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** `; did you mean "x"?`, or nothing. */
export const didYouMean = (word: string, known: Iterable<string>): string => {
  const guess = nearest(word, known)
  return guess === undefined ? '' : `; did you mean "${guess}"?`
}

// The cost of a distance grows with the product of the lengths, and no key of ours is longer.
const longestWord = 40

// Case and the separators `_` and `-` are what people vary most: `timeout_ms` is `timeoutMs`.
const fold = (word: string): string => word.toLowerCase().replace(/[_\-\s]/g, '')

// Two letters in the wrong order are one mistake, the commonest of all.
const editDistance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2]![j - 2]! + 1 : Infinity
      row.push(Math.min(substituted, swapped, rows[i - 1]![j]! + 1, row[j - 1]! + 1))
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}
