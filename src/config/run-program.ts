import { type ChildProcess, spawn } from 'node:child_process'
import { systemClock } from '../model/clock.js'
import { plainText } from '../telemetry/plain-text.js'
import { hideShapes } from '../telemetry/secret-shapes.js'
import type { Environment } from './variables.js'

export interface ProgramOptions {
  readonly cwd: string
  readonly env: Environment
  readonly timeoutMs: number
  readonly maxBytes: number
}

export type ProgramEnd =
  | { readonly type: 'printed'; readonly output: Buffer }
  | { readonly type: 'absent' }
  /** It ran and failed; the reason has its exit and what it said on standard error, never what it printed. */
  | { readonly type: 'failed'; readonly reason: string; readonly exitCode?: number | undefined }

const mostSaid = 2048

/**
 * Runs a program for what it prints: without a shell, without input, in a process group of its own that ends with it. Our own
 * variables are not handed on; all others are, since helpers of password stores find their agents and sockets by them.
 */
export const runProgram = (argv: readonly string[], options: ProgramOptions): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    const [program = '', ...args] = argv
    const { cwd, timeoutMs, maxBytes } = options
    const isGroup = process.platform !== 'win32'
    const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !isOurs(name)))
    const child = spawn(program, args, {
      ...{ cwd, env, shell: false, detached: isGroup, windowsHide: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const printed: Buffer[] = []
    let bytes = 0
    let said = ''
    let stopped: string | undefined
    const stop = (why: string): void => {
      stopped ??= why
      endGroup(child, isGroup)
    }
    const cancel = systemClock.after(timeoutMs, () => stop(`it did not end within ${timeoutMs / 1000} s`), true)
    const end = (how: ProgramEnd): void => {
      cancel()
      resolve(how)
    }
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) stop(`it printed more than ${maxBytes} bytes`)
      else printed.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (said.length < mostSaid) said += text.slice(0, mostSaid - said.length)
    })
    child.on('error', (error: NodeJS.ErrnoException) =>
      end(error.code === 'ENOENT' ? { type: 'absent' } : { type: 'failed', reason: `it cannot be run: ${error.code}` }),
    )
    child.on('close', (code, signal) => {
      // What it left behind in its group has nobody to print for any more.
      endGroup(child, isGroup)
      if (stopped === undefined && code === 0) return end({ type: 'printed', output: Buffer.concat(printed) })
      const how = stopped ?? (code === null ? `it was ended by ${signal}` : `it ended with ${code}`)
      end({ type: 'failed', reason: `${how}${inWords(said)}`, exitCode: code ?? undefined })
    })
  })

// Among them may be the key to this gateway.
const isOurs = (name: string): boolean => /^(?:PEGBOARD|MCP_AGENT)_/i.test(name)

/** On one line and without what looks like a secret: it goes into logs. */
const inWords = (said: string): string => {
  const line = hideShapes(plainText(said.trim().replaceAll(/\s+/g, ' ')))
  return line === '' ? '' : ` and said: ${line.length > 300 ? `${line.slice(0, 300)}…` : line}`
}

const endGroup = (child: ChildProcess, isGroup: boolean): void => {
  if (child.pid === undefined) return
  try {
    if (isGroup) process.kill(-child.pid, 'SIGKILL')
    else child.kill('SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}
