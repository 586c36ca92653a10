import { isRecord } from '../../model/json.js'

/** Which part of a kept result is wanted. */
export interface PieceWanted {
  /** Where it begins, in bytes; inside a character it begins with that character. */
  readonly offset?: number | undefined
  /** So many bytes at most, whole characters. */
  readonly bytes: number
  /** So many lines at most. */
  readonly lines?: number | undefined
  /** A JSON Pointer: that part alone, where the result is JSON. */
  readonly path?: string | undefined
}

/** A part of a text, and where the next one begins. */
export interface Piece {
  readonly text: string
  readonly offset: number
  /** Undefined at the end. */
  readonly next: number | undefined
  /** Bytes of what the offsets count in. */
  readonly total: number
}

/** Pieces that begin where the one before ended are, joined, the whole: no character is ever divided. Throws PieceAbsent. */
export const readPiece = (whole: Buffer, { offset = 0, bytes, lines, path }: PieceWanted): Piece => {
  const from = path === undefined || path === '' ? whole : partOf(whole, path)
  const start = startOf(from, Math.min(offset, from.length))
  const end =
    lines === undefined ? endOf(from, start, bytes) : Math.min(endOf(from, start, bytes), lineEnd(from, start, lines))
  const text = from.toString('utf8', start, end)
  return { text, offset: start, next: end < from.length ? end : undefined, total: from.length }
}

/** There is nothing at the path. The words say what there is. */
export class PieceAbsent extends Error {}

const isInside = (bytes: Buffer, at: number): boolean => at < bytes.length && (bytes[at]! & 0xc0) === 0x80

const startOf = (bytes: Buffer, offset: number): number => {
  let start = offset
  while (start > 0 && isInside(bytes, start)) start -= 1
  return start
}

/** One character at least: a reader with room for none would never get on. */
const endOf = (bytes: Buffer, start: number, most: number): number => {
  let end = Math.min(bytes.length, start + most)
  while (end > start && isInside(bytes, end)) end -= 1
  if (end > start || start === bytes.length) return end
  end = start + 1
  while (isInside(bytes, end)) end += 1
  return end
}

const lineEnd = (bytes: Buffer, start: number, lines: number): number => {
  let end = start
  for (let line = 0; line < lines; line++) {
    const at = bytes.indexOf(10, end)
    if (at === -1) return bytes.length
    end = at + 1
  }
  return end
}

const partOf = (whole: Buffer, path: string): Buffer => {
  const found = valueAt(parsed(whole), path)
  return Buffer.from(typeof found === 'string' ? found : JSON.stringify(found), 'utf8')
}

const parsed = (whole: Buffer): unknown => {
  try {
    return JSON.parse(whole.toString('utf8'))
  } catch {
    throw new PieceAbsent('This result is plain text: read it by offset, without path.')
  }
}

const valueAt = (root: unknown, path: string): unknown => {
  if (!path.startsWith('/')) throw new PieceAbsent('path is a JSON Pointer and begins with /, as in /items/0.')
  let value = root
  for (const step of path.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    const isThere =
      (Array.isArray(value) && /^\d+$/.test(key)) || isRecord(value) ? Object.hasOwn(value as object, key) : false
    if (!isThere) throw new PieceAbsent(`There is nothing at ${path.slice(0, 200)}. ${whatIsThere(value)}`)
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const mostNamed = 20

const whatIsThere = (value: unknown): string => {
  if (Array.isArray(value)) return `There is a list of ${value.length} there, counted from 0.`
  if (!isRecord(value)) return 'What is there has no parts.'
  const keys = Object.keys(value)
  const named = keys.slice(0, mostNamed).map((key) => key.slice(0, 64))
  return `There are: ${named.join(', ')}${keys.length > mostNamed ? ' …' : ''}.`
}
