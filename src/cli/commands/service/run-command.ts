import { spawn } from 'node:child_process'

export interface CommandEnd {
  /** Null: there is no such program, or it was ended for taking too long. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly missing: boolean
}

const mostBytes = 1024 * 1024

/** A program of the system, asked and awaited; never by a shell. */
export const runCommand = (
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs = 60_000,
): Promise<CommandEnd> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    // Not by the option of that name, whose timer outlives a program that could not be started.
    const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const texts = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        texts[name] = (texts[name] + chunk).slice(-mostBytes)
      })
    const end = (code: number | null, missing: boolean): void => {
      clearTimeout(late)
      resolve({ code, ...texts, missing })
    }
    child.on('error', (error: NodeJS.ErrnoException) => end(null, error.code === 'ENOENT'))
    child.on('close', (code) => end(code, false))
  })
