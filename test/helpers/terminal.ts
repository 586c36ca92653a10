import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { bareEnv, cliPath } from './run-cli.js'

export interface TerminalRun {
  readonly code: number | null
  readonly screen: string
}

export interface TerminalPlace {
  readonly cwd: string
  readonly home: string
  /** Default: 100. */
  readonly columns?: number
  /** False leaves a `pegboard.json` of the folder unnamed. Default: true. */
  readonly named?: boolean
}

// util-linux and BSD have programs of this name; only the first takes a command and ends with its code.
export const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false

/** Runs a command on a pseudo-terminal and types an answer whenever the screen ends with what it waits for. */
export const onTerminal = (
  args: readonly string[],
  answers: readonly (readonly [RegExp, string])[],
  { cwd, home, columns = 100, named = true }: TerminalPlace,
): Promise<TerminalRun> =>
  new Promise((resolve, reject) => {
    const words = [process.execPath, cliPath(), ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['-qefc', `stty cols ${columns} rows 40; exec ${words}`, '/dev/null'], {
      cwd,
      env: bareEnv(home, { TERM: 'xterm-256color', SHELL: '/bin/sh' }, named ? cwd : 'unnamed'),
    })
    const waiting = [...answers]
    let screen = ''
    child.stdout.on('data', (chunk: Buffer) => {
      screen += chunk.toString()
      const [next] = waiting
      if (!next?.[0].test(stripVTControlCharacters(screen))) return
      waiting.shift()
      child.stdin.write(next[1])
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, screen }))
  })
