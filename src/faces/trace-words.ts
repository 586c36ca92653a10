/** A reason taken apart for people: what happened, the line that says why, and everything that was written. */
export interface ToldReason {
  /** What the gateway says happened: one paragraph. */
  readonly what: string
  /** The one line of a program's last words that says why; undefined where it left none. */
  readonly why: string | undefined
  /** All of its last words, several lines; undefined where there is nothing more to read. */
  readonly trace: string | undefined
}

/** The end of the sentence before what a program wrote; see `sources/stdio/failure.ts`. */
const lastWords = /\s*Its last words on stderr:\s*\n/

/**
 * Takes a reason apart, for a list that has room for one line of it (G1). Python says why at the end of its traceback, Node
 * before its stack, package managers above a line about their own log.
 */
export const splitReason = (reason: string): ToldReason => {
  const [before = '', ...rest] = reason.split(lastWords)
  const written = rest.length > 0 ? rest.join('\n') : afterFirstLine(reason)
  if (written === undefined) return { what: reason.trim(), why: undefined, trace: undefined }
  const what = (rest.length > 0 ? before : reason.slice(0, reason.indexOf('\n'))).trim()
  const lines = written.split('\n').filter((line) => line.trim() !== '')
  return {
    what,
    why: tellingLine(lines)?.trim().slice(0, longestLine),
    trace: lines.length > 1 ? written.replace(/^\n+|\s+$/g, '') : undefined,
  }
}

/** The same on one line: why, and what happened. */
export const reasonLine = (reason: string): string => {
  const { what, why } = splitReason(reason)
  return why === undefined ? what : `${why} (${what})`
}

const longestLine = 400

const afterFirstLine = (reason: string): string | undefined => {
  const at = reason.trim().indexOf('\n')
  return at < 0 ? undefined : reason.trim().slice(at + 1)
}

/** `AttributeError: …`, `Error [ERR_X]: …`, `npm error …`, `fatal: …`. */
const saysWhy =
  /^\s*(?:Uncaught\s+)?(?:[A-Za-z_$][\w$.]*(?:Error|Exception|Interrupt|Failure|Exit)\b|(?:npm\s+)?(?:error|err!|fatal|panic|critical)\b)/i
/** Frames, marks under code, lone brackets, and what is said after everything. */
const saysNothing =
  /^\s*(?:at\s|File\s"|[\^~|]+\s*$|[{}[\](),;]+\s*$|Node\.js v|Traceback \(most|During handling|\w+:\s'[\w-]*',?$|npm (?:error|err!)\s*(?:A complete log|.*\.log$|$|code |errno |syscall ))/i

const tellingLine = (lines: readonly string[]): string | undefined => {
  const useful = lines.filter((line) => !saysNothing.test(line))
  return useful.findLast((line) => saysWhy.test(line)) ?? useful.at(-1) ?? lines.at(-1)
}
