import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'
import { harmless, ours, unguarded } from './guard.js'

/** Colours where a person looks, plain text everywhere else. NO_COLOR (--no-color sets it) wins, then FORCE_COLOR. */
export const wantsColour = (
  stream: { readonly isTTY?: boolean | undefined },
  env: NodeJS.ProcessEnv = process.env,
): boolean => {
  if ((env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb') return false
  if ((env.FORCE_COLOR ?? '') !== '') return env.FORCE_COLOR !== '0'
  return stream.isTTY === true
}

type Style = Parameters<typeof styleText>[0]

/** Text in a style, or as it is where colours are not wanted. */
export const painted = (
  style: Style,
  text: string,
  stream: { readonly isTTY?: boolean | undefined } = process.stdout,
): string => (wantsColour(stream) ? coloured(style, text, stream) : text)

/** The colour alone is ours: what steers the terminal inside the text may be anybody's. */
const coloured = (style: Style, text: string, stream: object): string => {
  const [before = '', after = ''] = styleText(style, '|').split('|')
  return `${ours(before, stream)}${text}${ours(after, stream)}`
}

/** A person can answer: both ends are a terminal. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true

/** Asks on the terminal; anything but a clear yes means no. */
export const confirm = async (question: string): Promise<boolean> =>
  /^(?:y(?:es)?|是|好)$/i.test(await ask(`${question} [y/N] `))

/** One line from the person at the terminal; empty when they close it. */
export const ask = async (question: string): Promise<string> => {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    return (await unguarded(() => Promise.race([lines.question(harmless(question)), closed]))).trim()
  } finally {
    lines.close()
  }
}

let gone = false

/** Nobody reads any more, as behind `| head`: what is written from then on is lost, and that is no failure. */
export const isOutputGone = (): boolean => gone

/** Takes a reader that left for what it is instead of ending with a stack trace. */
export const tolerateLeavingReaders = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    gone = true
  })
}

/** One JSON document for programs, lines for people. */
export const print = (flags: { readonly json?: boolean | undefined }, json: unknown, lines: readonly string[]): void =>
  void process.stdout.write(flags.json ? `${JSON.stringify(json, null, 2)}\n` : `${lines.join('\n')}\n`)
