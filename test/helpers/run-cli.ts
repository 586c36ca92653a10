import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { builtCli } from './built-cli.js'

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd: string
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** False leaves a `pegboard.json` of the folder unnamed. Default: true. */
  readonly trusts?: boolean
}

let built: string | undefined

/** Looked up once per test file, so that an edit of `src/` in between does not put two versions into one story. */
export const cliPath = (): string => (built ??= builtCli())

/**
 * The environment of a newcomer: a home of its own and nothing of ours. A `pegboard.json` of the folder it works in, by
 * default its home, is named: without a terminal nobody can say yes to one that merely lies there (S1). `unnamed` leaves
 * it at that.
 */
export const bareEnv = (
  home: string,
  more: Readonly<Record<string, string>> = {},
  folder: string | 'unnamed' = home,
): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  LANG: 'C.UTF-8',
  ...(folder === 'unnamed' ? {} : namedConfig(folder)),
  ...more,
})

// Nothing where there is none, so that commands which make one make it.
const namedConfig = (folder: string): Record<string, string> => {
  const file = join(folder, 'pegboard.json')
  return existsSync(file) ? { PEGBOARD_CONFIG: file } : {}
}

/** The compiled command line as a process in a pipe. */
export const runCli = (
  args: readonly string[],
  { cwd, home, env = {}, input = '', trusts = true }: RunOptions,
): Promise<CliRun> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cliPath(), ...args], {
      cwd,
      env: bareEnv(home, { ...(trusts ? namedConfig(cwd) : {}), ...env }),
    })
    const out: Buffer[] = []
    const err: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    )
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
