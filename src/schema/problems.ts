/** One reason why a value is not what its schema asks for. */
export interface Problem {
  /** Where in the value: a JSON pointer such as `/a/0/b`; the empty string is the value itself. */
  readonly path: string
  /** The keyword that refused; `depth`, `steps` and `time` mark our own bounds. */
  readonly keyword: string
  /** What is wrong, without the value: it may be a secret. */
  readonly message: string
}

const mostShown = 8
const longestPath = 120

/** Problems as one short sentence list: `'/city' must be a string, got number; '/days' is required`. */
export const formatProblems = (problems: readonly Problem[]): string => {
  const shown = problems.slice(0, mostShown).map(({ path, message }) => `${place(path)} ${message}`)
  const hidden = problems.length - shown.length
  return hidden > 0 ? `${shown.join('; ')}; and ${hidden} more` : shown.join('; ')
}

const place = (path: string): string => {
  if (path === '') return 'the value'
  return `'${path.length > longestPath ? `${path.slice(0, longestPath - 1)}…` : path}'`
}

/** A key as a JSON pointer token (RFC 6901). */
export const escapePointer = (key: string | number): string =>
  typeof key === 'number' ? String(key) : /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
