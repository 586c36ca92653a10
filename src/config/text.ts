import type { Path } from './problems.js'

export interface Position {
  readonly line: number
  readonly column: number
}

/** What a parser hands back: the plain value, and where in the text each part of it stands. */
export interface ParsedText {
  readonly value: unknown
  /** The position of the value, or of the nearest part around it that exists. */
  locate(path: Path): Position | undefined
}

/** Thrown by whatever reads the text; the file's name is added by `parseConfig`, which knows it. */
export class TextProblem extends Error {
  constructor(
    message: string,
    readonly position?: Position,
    readonly path: Path = [],
  ) {
    super(message)
  }
}

export const nestedTooDeep = 'the text is nested too deep; 64 levels are the limit'

/** Bytes as text, or a TextProblem that says how to save the file. */
export const decodeText = (bytes: Uint8Array): string => {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new TextProblem('the file is UTF-16; save it as UTF-8')
  }
  const text = decodeUtf8(bytes)
  // Not the defaults: an editor that truncates before it writes must not empty a running gateway (F27).
  if (text.trim() === '') throw new TextProblem('the file is empty; write {} to take the defaults')
  if (text.includes('\0')) throw new TextProblem('the file holds NUL bytes; save it as UTF-8 text')
  refuseDeepBrackets(text)
  return text
}

/** The position of a character in a text. */
export const positionAt = (text: string, offset: number): Position => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const lossy = new TextDecoder('utf-8').decode(bytes)
    const position = positionAt(lossy, Math.max(0, lossy.indexOf('\ufffd')))
    throw new TextProblem('the file has bytes that are not UTF-8; save it as UTF-8', position)
  }
}

/**
 * Both parsers recurse per level, and one of them can take the process down with it: a regular expression compiled at
 * the end of the stack is fatal, not an exception. Brackets inside strings count too; hundreds of them unclosed are no
 * configuration either.
 */
const refuseDeepBrackets = (text: string): void => {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x5b || code === 0x7b) depth++
    else if ((code === 0x5d || code === 0x7d) && depth > 0) depth--
    if (depth > maxOpenBrackets) throw new TextProblem(nestedTooDeep, positionAt(text, index))
  }
}

const maxOpenBrackets = 500
