/** A reason as one line of a log: what happened, and the last line of what the program wrote, where it says why (U8). */
export const folded = (reason: string): string => {
  const [first = '', ...rest] = reason
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const last = rest.at(-1)
  if (last === undefined) return first
  return `${first} ${rest.length > 1 ? '… ' : ''}${last}`
}
