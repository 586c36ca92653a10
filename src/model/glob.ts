/**
 * Name patterns: `*` is any run of characters, `?` is one, everything else is itself. Matching walks both strings with
 * one remembered star, so a hostile pattern costs at most length × length, never a backtracking explosion.
 */
export const matchesGlob = (pattern: string, name: string): boolean => {
  let at = 0
  let read = 0
  let star = -1
  let resume = 0
  while (read < name.length) {
    if (pattern[at] === '*') {
      star = at++
      resume = read
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[read])) {
      at++
      read++
    } else if (star >= 0) {
      at = star + 1
      read = ++resume
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
