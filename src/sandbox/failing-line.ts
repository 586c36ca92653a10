// The engine marks calls and `throw`, not reads: of a read that fails it tells the line of the last call, or of the function.
const failedRead =
  /cannot (?:read|set) property '([\w$]+)' of|^ReferenceError: '?([\w$]+)'? is not (?:defined|initialized)/

/** The line on which a script failed: what the engine says, or below it the first that reads what could not be read. */
export const failingLine = (script: string, message: string, said: number | undefined): number | undefined => {
  const [, property, variable] = failedRead.exec(message) ?? []
  // A script that ends too early fails behind its end, in what is put around it: its last line is where to look.
  const told = said && Math.min(said, script.trimEnd().split('\n').length)
  const name = property ?? variable
  if (told === undefined || name === undefined) return told
  const escaped = name.replaceAll('$', '\\$')
  const read =
    property === undefined ? new RegExp(`(?<![\\w$.])${escaped}(?![\\w$])`) : new RegExp(`${mark}${escaped}(?![\\w$])`)
  const at = script.split('\n').findIndex((line, index) => index + 1 >= told && read.test(line))
  return at < 0 ? told : at + 1
}

// `a.name`, `a?.name`, `a['name']`, `{ name } = a`.
const mark = '(?:\\.\\s*|\\[\\s*[\'"`]|[{,]\\s*)'
