import { randomUUID } from 'node:crypto'
import { plainText } from '../../telemetry/plain-text.js'

type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>

// Stand for the two characters by which we ourselves steer a terminal. Nobody else can know them, so whatever else
// looks like steering came from somebody else.
const secret = randomUUID()
const marks = { '\u001b': `\ue000${secret}e`, '\r': `\ue000${secret}r` } as const
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const steering = /[\u001b\r]/g
const marked = new RegExp(`\ue000${secret}([er])`, 'g')

const guarded = new WeakSet<object>()
let resting = 0

/**
 * Words of tools, sources and logs reach a terminal as text and nothing else (S11): whatever is written to one passes here.
 * Pipes and files get everything as it is. JSON keeps its meaning: what must not be shown is written as an escape.
 */
export const guardTerminal = (streams: readonly Output[] = [process.stdout, process.stderr]): void => {
  for (const stream of streams) {
    if (!stream.isTTY || guarded.has(stream)) continue
    guarded.add(stream)
    const write = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean
    stream.write = (chunk: unknown, ...rest: unknown[]) =>
      write(typeof chunk === 'string' && resting === 0 ? harmless(chunk) : chunk, ...rest)
  }
}

/** A sequence of ours, which the guard lets through. */
export const ours = (sequence: string, stream: object): string =>
  guarded.has(stream) ? sequence.replace(steering, (each) => marks[each as keyof typeof marks]) : sequence

/** While a line editor has the terminal to itself: it moves the cursor, and shows only what is typed. */
export const unguarded = async <T>(task: () => Promise<T>): Promise<T> => {
  resting += 1
  try {
    return await task()
  } finally {
    resting -= 1
  }
}

/** What may be shown of a text, our own marks turned into what they stand for. */
export const harmless = (text: string): string => {
  const shown = plainText(text)
  if (shown === text) return unmark(text)
  return unmark(isJson(text) ? text.replace(unshown, escaped) : shown)
}

const unmark = (text: string): string => text.replace(marked, (_, kind: string) => (kind === 'e' ? '\u001b' : '\r'))

// In JSON control characters below a blank are escapes already; these it may hold as they are.
const unshown = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const isJson = (text: string): boolean => {
  if (!/^\s*[[{"]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
