import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { GatewayError } from '../../errors.js'
import { defined } from '../../model/json.js'
import { plainText } from '../../telemetry/plain-text.js'

export interface AttemptedStart {
  readonly command: string
  readonly cwd?: string | undefined
  /** The child's search path, as the system would use it to find the command. */
  readonly path?: string | undefined
}

export interface ProcessExit {
  readonly command: string
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stderr: string
  /** What it wrote on stdout that is no message. */
  readonly stdout?: string | undefined
  /** The limit that it was over. */
  readonly limit?: string | undefined
}

/**
 * Why the system refused to start a command, with what to try. The system's own error is not kept as the cause: Node
 * puts the arguments into it, and those may hold secrets.
 */
export const spawnFailure = (start: AttemptedStart, code: string | undefined): GatewayError =>
  new GatewayError('SOURCE_START_FAILED', `${start.command} could not be started: ${explain(start, code)}`, {
    notSent: true,
    details: { command: start.command, ...defined({ cwd: start.cwd || undefined }), reason: code ?? 'unknown' },
  })

/** The child ended before it was ready to serve. */
export const startFailure = (
  what: string,
  { command, exitCode, signal, stderr, stdout, limit }: ProcessExit,
): GatewayError =>
  new GatewayError('SOURCE_START_FAILED', `${command} ${what}${exitHint(exitCode)}${lastWords(stderr, stdout)}`, {
    notSent: true,
    details: { command, exitCode, signal, stderr, ...defined({ limit }) },
  })

/** The child ended while it served. Its last words stay in the log: callers who wait for an answer get this error. */
export const lossOf = (what: string, { command, exitCode, signal, limit }: ProcessExit): GatewayError =>
  new GatewayError('SOURCE_UNAVAILABLE', `${command} ${what} It is started again; the log has its last words.`, {
    details: { command, exitCode, signal, ...defined({ limit }) },
  })

export const describeExit = (exitCode: number | null, signal: NodeJS.Signals | null): string =>
  signal ? `was ended by ${signal}.` : `ended by itself with exit code ${exitCode ?? 'unknown'}.`

const exitHint = (exitCode: number | null): string => {
  if (exitCode === 127) return ' A shell says 127 when it cannot find a command: is it installed and on PATH?'
  if (exitCode === 126) return ' A shell says 126 when a file is not executable.'
  return ''
}

/** Why a start that takes too long may do so, and what to try. */
export const lateStart = (timeoutMs: number, fetcher: string | undefined): string =>
  fetcher === undefined
    ? `was not ready within ${timeoutMs} ms. Raise its start timeout, or see why it hangs.`
    : `was not ready within ${timeoutMs} ms; it may still have been downloading what it runs. Run the command once in a shell, or raise "startTimeoutMs".`

/** The same of a download that takes too long. */
export const lateDownload = (timeoutMs: number): string =>
  `was still downloading what it runs after ${timeoutMs} ms. Run the command once in a shell to see why, or raise "downloadTimeoutMs".`

/** What is said of a source while its launcher fetches. */
export const downloadReason = (fetcher: string): string => `Starting: ${fetcher} is downloading what it runs.`

const shownText = 80
// Much more than is shown, so that a secret that begins there is whole when it is looked for.
const readBytes = 4096

/** A line of stdout that is no message, as it can be shown; undefined for one that looks like a message, or is blank. */
export const strayTextOf = (line: Uint8Array): string | undefined => {
  const text = plainText(Buffer.from(line.subarray(0, readBytes)).toString('utf8')).trim()
  return text === '' || /^[{[]/.test(text) ? undefined : text
}

const lastWords = (stderr: string, stdout: string | undefined): string => {
  const stray = stdout === undefined ? '' : ` It wrote '${cut(stdout)}' on stdout, which is not MCP.`
  if (stderr === '') return stray || ' It wrote nothing to stderr.'
  return `${stray} Its last words on stderr:\n${stderr}`
}

const cut = (text: string): string => (text.length > shownText ? `${text.slice(0, shownText)}…` : text)

const limits = 'the limit on processes or memory is reached. Raise it (ulimit -u), or run fewer sources.'
const files = 'too many files are open. Raise the limit (ulimit -n), or run fewer sources.'

const explain = (start: AttemptedStart, code: string | undefined): string => {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return explainCwd(start) ?? explainMissing(start.command, findCommand(start))
    case 'EACCES':
    case 'EPERM':
      return explainCwd(start) ?? 'it may not be executed. Is it a program, with its execute permission set (chmod +x)?'
    case 'EAGAIN':
    case 'ENOMEM':
      return limits
    case 'EMFILE':
    case 'ENFILE':
      return files
    case 'E2BIG':
      return 'its arguments and variables are too large for this system. Pass large values in a file.'
    case 'ENOEXEC':
      return 'the file is not a program for this system. A script needs a first line such as #!/usr/bin/env node.'
    default:
      return `the system answered ${code ?? 'with an unknown error'}.`
  }
}

/** A missing working folder is reported by the system as if the command were missing. */
const explainCwd = ({ cwd }: AttemptedStart): string | undefined => {
  if (cwd === undefined) return undefined
  const kind = statOf(cwd)
  if (!kind) return `its working folder ${cwd} does not exist. Create it, or correct "cwd".`
  if (!kind.isDirectory()) return `its working folder ${cwd} is not a folder. Correct "cwd".`
  return canEnter(cwd) ? undefined : `its working folder ${cwd} may not be entered. Change its permissions, or "cwd".`
}

const explainMissing = (command: string, found: string | undefined): string => {
  if (found) return `${found} exists, but the interpreter in its first line, or its loader, does not. Install that.`
  if (/\s/.test(command))
    return 'there is no such command. Put only the program into "command", and the rest into "args".'
  if (/[/\\]/.test(command)) return 'there is no such file. Check the path; relative ones start at the working folder.'
  const windows =
    process.platform === 'win32' ? ' On Windows, npx and the like need "command": "cmd", "args": ["/c", …].' : ''
  return `there is no such command. Is it installed, and in a folder of PATH? An absolute path always works.${windows}`
}

const findCommand = ({ command, cwd, path }: AttemptedStart): string | undefined => {
  const places = command.includes('/')
    ? [resolve(cwd ?? '.', command)]
    : searchPath(path).map((folder) => `${folder}/${command}`)
  return places.find((place) => statOf(place)?.isFile())
}

const searchPath = (path: string | undefined): string[] =>
  (path ?? '').split(delimiter).filter((folder) => folder !== '')

const statOf = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const canEnter = (folder: string): boolean => {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}
