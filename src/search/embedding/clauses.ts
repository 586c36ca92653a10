// A full stop within a number or an address ends nothing.
const between = /[,;!?\n，。；！？、：]|\.(?=\s|$)|\b(?:and|then|also|afterwards)\b|然后|并且|以及|同时|接着|之后再/iu
const shortest = 4
const most = 6

/** The parts of a query that may each ask for a tool of its own; none where it says one thing only. */
export const clausesOf = (query: string): readonly string[] => {
  const clauses = query
    .split(between)
    .map((clause) => clause.trim())
    .filter((clause) => clause.length >= shortest)
  return clauses.length > 1 ? clauses.slice(0, most) : []
}
