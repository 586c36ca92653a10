import { isUtf8 } from 'node:buffer'
import { RawResult } from '../model/raw-result.js'
import { beginSpread, freely, spread } from './key-spread.js'
import type { RpcResult } from './message.js'
import type { ScanLimits } from './scan.js'

/** An answer whose result is bytes until somebody reads it. */
export class RawAnswer implements RpcResult {
  readonly kind = 'result'

  constructor(
    readonly id: number,
    readonly raw: RawResult,
    readonly bytes: number,
  ) {}

  get result(): unknown {
    return this.raw.value
  }
}

/**
 * One pass over the bytes of an answer to a request of ours, instead of decoding, checking and parsing it: its syntax is
 * checked as `JSON.parse` would, within the limits, and the members of the result are noted. Undefined for everything that
 * is not plainly the result of a request with a numeric id: another message, a fault, or what is seldom (a key that is
 * repeated or has escapes, a number that a double may not hold, a line end between members, an object of very many
 * keys). Those are read by `parseMessage`, which knows what to say of them; so what is taken here is taken there too, and
 * means the same.
 */
export const scanAnswer = (bytes: Buffer, limits: ScanLimits): RawAnswer | undefined => {
  const end = bytes.length
  let at = afterSpace(bytes, 0, end)
  if (bytes[at] !== openBrace) return undefined
  let id = -1
  let hasVersion = false
  let start = -1
  let stop = -1
  const members: number[] = []
  do {
    at = afterSpace(bytes, at + 1, end)
    if (matches(bytes, at, idKey) && id < 0) {
      at = afterColon(bytes, at + idKey.length, end)
      const from = at
      for (id = 0; at < end && isDigit(bytes[at]!) && at - from < mostDigits; at++) id = id * 10 + (bytes[at]! - zero)
      // A leading zero would not be JSON, and no digit at all is an id that is not ours.
      if (at === from || (bytes[from] === zero && at > from + 1)) return undefined
    } else if (matches(bytes, at, versionKey) && !hasVersion) {
      at = afterColon(bytes, at + versionKey.length, end)
      if (!matches(bytes, at, version)) return undefined
      at += version.length
      hasVersion = true
    } else if (matches(bytes, at, resultKey) && start < 0) {
      start = afterColon(bytes, at + resultKey.length, end)
      if (bytes[start] !== openBrace) return undefined
      at = stop = objectEnd(bytes, start, end, limits, members)
      if (at < 0) return undefined
    } else return undefined
    at = afterSpace(bytes, at, end)
  } while (bytes[at] === comma)
  if (bytes[at] !== closeBrace || afterSpace(bytes, at + 1, end) !== end) return undefined
  if (id < 0 || !hasVersion || start < 0 || !isUtf8(bytes)) return undefined
  return new RawAnswer(id, new RawResult(bytes, start, stop, members), end)
}

/**
 * Whether these bytes are plainly one object of JSON within the limits, so that only `JSON.parse` is left to do. False for
 * what is odd as above: `scanJson` tells what is wrong with it, if anything is.
 */
export const isPlainObject = (bytes: Buffer, limits: ScanLimits): boolean => {
  const start = afterSpace(bytes, 0, bytes.length)
  if (bytes[start] !== openBrace) return false
  const end = objectEnd(bytes, start, bytes.length, limits)
  return end >= 0 && afterSpace(bytes, end, bytes.length) === bytes.length && isUtf8(bytes)
}

const quote = 0x22
const comma = 0x2c
const minus = 0x2d
const dot = 0x2e
const zero = 0x30
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const idKey = Buffer.from('"id"')
const versionKey = Buffer.from('"jsonrpc"')
const resultKey = Buffer.from('"result"')
const version = Buffer.from('"2.0"')
const words: Readonly<Record<number, Buffer>> = {
  102: Buffer.from('false'),
  110: Buffer.from('null'),
  116: Buffer.from('true'),
}

// Every integer of so many digits is exact, and so is what a double makes of it.
const mostDigits = 15
// A fraction may be as long as it likes to be: we hand on what was written.
const longestNumber = 300
const deepest = 64
// Keys of objects that are open at once, and of one object: more are looked at by whoever parses.
const mostKeys = 1024
const mostOwnKeys = 128

// What one pass needs. Nothing here outlives it and no pass begins within another.
const isObjectAt = new Uint8Array(deepest + 1)
const firstKeyAt = new Int32Array(deepest + 1)
const keyHashes = new Int32Array(mostKeys)

/** Behind the end of the object that begins at `from`, or -1. `members`, if wanted, takes four numbers for each of its own. */
const objectEnd = (
  bytes: Buffer,
  from: number,
  end: number,
  limits: ScanLimits,
  members?: number[] | undefined,
): number => {
  const { maxElements } = limits
  const maxDepth = Math.min(limits.maxDepth - 1, deepest)
  // The message itself counts, and what parts its three members.
  let elements = 3
  let depth = 0
  let keys = 0
  let keyCount = 0
  let at = from
  let isValue = true
  while (at < end) {
    if (!isValue && depth === 1) members?.push(at)
    at = afterBlank(bytes, at, end)
    let byte = bytes[at]
    if (!isValue) {
      // Behind a value: the end of what holds it, or its neighbour.
      if (byte === comma) {
        if (++elements > maxElements) return -1
        at = afterBlank(bytes, at + 1, end)
        isValue = true
        if (isObjectAt[depth] === 0) continue
      } else {
        if (byte !== (isObjectAt[depth] === 1 ? closeBrace : closeBracket)) return -1
        keys = firstKeyAt[depth]!
        at += 1
        if (--depth === 0) return at
        continue
      }
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > maxDepth || ++elements > maxElements) return -1
      isObjectAt[depth] = byte === openBrace ? 1 : 0
      firstKeyAt[depth] = keys
      at = afterBlank(bytes, at + 1, end)
      if (bytes[at] === (byte === openBrace ? closeBrace : closeBracket)) {
        at += 1
        if (--depth === 0) return at
        isValue = false
        continue
      }
      if (byte === openBracket) continue
    } else {
      at = byte === quote ? stringEnd(bytes, at + 1, end) : scalarEnd(bytes, at, end)
      if (at < 0) return -1
      isValue = false
      continue
    }
    // A key.
    if (bytes[at] !== quote) return -1
    const start = ++at
    let hash = 0
    for (byte = bytes[at]; byte !== quote; byte = bytes[++at]) {
      if (byte === undefined || byte < 0x20 || byte === backslash) return -1
      hash = (Math.imul(hash, 31) + byte) | 0
    }
    if (++keyCount === freely) beginSpread()
    // Well before the bound of whoever parses: what is taken here is taken there.
    if (keyCount > freely && spread(hash) > limits.maxKeys >> 1) return -1
    const first = firstKeyAt[depth]!
    // Two keys with one hash are rarely the same; then it is looked at twice.
    for (let other = first; other < keys; other++) if (keyHashes[other] === hash) return -1
    if (keys === mostKeys || keys - first === mostOwnKeys) return -1
    keyHashes[keys++] = hash
    const value = afterColon(bytes, at + 1, end)
    if (value < 0) return -1
    if (depth === 1) members?.push(start, at, value)
    at = value
  }
  return -1
}

/** Behind a number or a word, or -1. */
const scalarEnd = (bytes: Buffer, from: number, end: number): number => {
  const word = words[bytes[from]!]
  if (word !== undefined) return matches(bytes, from, word) ? from + word.length : -1
  let at = bytes[from] === minus ? from + 1 : from
  const start = at
  while (at < end && isDigit(bytes[at]!)) at++
  const digits = at - start
  if (digits === 0 || (digits > mostDigits && !isSafe(bytes, start, at)) || (digits > 1 && bytes[start] === zero))
    return -1
  if (bytes[at] === dot) {
    const fraction = ++at
    while (at < end && isDigit(bytes[at]!)) at++
    if (at === fraction || at - from > longestNumber) return -1
  }
  return at
}

// Most strings are short: a view that reads four bytes at a time is worth making behind so many.
const shortString = 64

/** Behind the closing quote, or -1. `from` is behind the opening one. */
const stringEnd = (bytes: Buffer, from: number, end: number, isShort = true): number => {
  const near = isShort ? Math.min(end, from + shortString) : end
  let at = from
  while (at < near) {
    const byte = bytes[at]!
    if (byte === quote) return at + 1
    if (byte < 0x20) return -1
    if (byte === backslash) {
      at = escapeEnd(bytes, at, end)
      if (at < 0) return -1
    } else at++
  }
  return at >= end ? -1 : longStringEnd(bytes, at, end)
}

/** The same, four bytes at a time as long as none of them is a quote, a backslash or a control character. */
const longStringEnd = (bytes: Buffer, from: number, end: number): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, end)
  let at = from
  for (;;) {
    let odd = 0
    while (at + 4 <= end) {
      odd = oddBytes(view.getInt32(at, true))
      if (odd !== 0) break
      at += 4
    }
    if (odd === 0) return stringEnd(bytes, at, end, false)
    at += (31 - Math.clz32(odd & -odd)) >> 3
    const byte = bytes[at]
    if (byte === quote) return at + 1
    if (byte !== backslash) return -1
    at = escapeEnd(bytes, at, end)
    if (at < 0) return -1
  }
}

/** The high bit of each byte that is one of these. A borrow may set that of a byte behind one, never that of one before. */
const oddBytes = (four: number): number =>
  (((four ^ 0x22222222) - 0x01010101) | ((four ^ 0x5c5c5c5c) - 0x01010101) | (four - 0x20202020)) & ~four & 0x80808080

// A table: asking a set took longer than all the rest of a text with many line ends.
const isSimpleEscape = new Uint8Array(256)
for (const kind of Buffer.from('"\\/bfnrt')) isSimpleEscape[kind] = 1

const escapeEnd = (bytes: Buffer, at: number, end: number): number => {
  if (at + 1 >= end) return -1
  const kind = bytes[at + 1]!
  if (isSimpleEscape[kind] === 1) return at + 2
  if (kind !== 0x75 || at + 6 > end) return -1
  for (let digit = at + 2; digit < at + 6; digit++) if (!isHex(bytes[digit]!)) return -1
  return at + 6
}

/** Sixteen digits that are still an exact integer: microseconds of the clock are. */
const isSafe = (bytes: Buffer, start: number, end: number): boolean => {
  let value = end - start > mostDigits + 1 ? Number.POSITIVE_INFINITY : 0
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at]! - zero)
  return value <= Number.MAX_SAFE_INTEGER
}

const isDigit = (byte: number): boolean => byte >= zero && byte <= 0x39
const isHex = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

const matches = (bytes: Buffer, at: number, word: Buffer): boolean => {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false
  return true
}

/** Around the members of the message, where line ends do no harm. */
const afterSpace = (bytes: Buffer, from: number, end: number): number => {
  let at = from
  while (at < end && isSpace(bytes[at]!)) at++
  return at
}

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Within the result no line may end: it goes out on pipes and event streams, where a line end is the end of a message. */
const afterBlank = (bytes: Buffer, from: number, end: number): number => {
  let at = from
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++
  return at
}

/** Where the value behind a key begins, or -1. */
const afterColon = (bytes: Buffer, from: number, end: number): number => {
  const at = afterBlank(bytes, from, end)
  return bytes[at] === colon ? afterBlank(bytes, at + 1, end) : -1
}
