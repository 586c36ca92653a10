import { type ErrorCode, GatewayError } from '../errors.js'

/** Where a value sits in a configuration: `['sources', 'github', 'args', 0]`. */
export type Path = readonly (string | number)[]

/** One thing wrong with a configuration. The message never holds an environment value or anything that looks secret. */
export interface ConfigProblem {
  readonly code: Extract<ErrorCode, 'CONFIG_INVALID' | 'VARIABLE_UNSET'>
  /** As the operator wrote it: `services.calc.healthCheck.interval`, also where we know that section as `sources`. */
  readonly path: string
  /** `file:line:column`, the flag (`--port`) or the environment variable that holds the value. */
  readonly where: string
  readonly message: string
  /** The source whose entry it is in; such a problem sets that source aside and leaves the rest as it is. */
  readonly source?: string | undefined
}

/** Something the operator may want to know, though the configuration is in order. */
export interface ConfigNote {
  readonly path: string
  readonly message: string
}

/** Beyond this many the first ones have to be repaired anyway. */
const shownProblems = 20

/** An identifier-like key is joined by a dot, any other is quoted in brackets: `sources["my server"].args[0]`. */
export const formatPath = (path: Path): string => path.map(formatSegment).join('') || '(the whole file)'

/** A path as a key for maps: two different paths never have the same one. */
export const pathKey = (path: Path): string => JSON.stringify(path)

/** One error for all problems; VARIABLE_UNSET only when nothing else is wrong, since 001 gives that case its own number. */
export const configError = (problems: readonly ConfigProblem[], subject: string): GatewayError => {
  const onlyVariables = problems.every((problem) => problem.code === 'VARIABLE_UNSET')
  // What was typed or set in the shell is not the file's fault.
  const isFile = problems.some(({ where }) => !where.startsWith('--') && !/^[A-Z][A-Z0-9_]*$/.test(where))
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  const lines = problems.slice(0, shownProblems).map((problem) => `\n  ${formatProblem(problem)}`)
  const rest = problems.length - lines.length
  const more = rest > 0 ? `\n  and ${rest} more` : ''
  return new GatewayError(
    onlyVariables ? 'VARIABLE_UNSET' : 'CONFIG_INVALID',
    `${isFile ? subject : 'What was given'} cannot be used: ${count}${lines.join('')}${more}`,
    { details: { problems } },
  )
}

/** `pegboard.json:3:11 server.port: expected …` */
export const formatProblem = ({ where, path, message }: ConfigProblem): string =>
  [where, where === path ? '' : path].filter(Boolean).join(' ').concat(`: ${message}`)

const formatSegment = (segment: string | number, index: number): string => {
  if (typeof segment === 'number') return `[${segment}]`
  if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(segment) && segment.length <= 64) return index === 0 ? segment : `.${segment}`
  return `[${JSON.stringify(segment.length > 64 ? `${segment.slice(0, 61)}...` : segment)}]`
}
