import { beginSpread, freely, spread } from './key-spread.js'

/** Bounds for one JSON text, checked before `JSON.parse` builds anything. */
export interface ScanLimits {
  readonly maxDepth: number
  /** Values in arrays and objects together: 10 MB of `{}` would otherwise cost 200 MB of heap and seconds (T29). */
  readonly maxElements: number
  /** Different keys of all objects together, about, past the first few thousand. */
  readonly maxKeys: number
  /** Objects nested deeper than this may repeat a key (the last wins). `Infinity` checks all of them. */
  readonly duplicateDepth: number
  /** What to do with a number that a double cannot hold: 2^53+1 would become another id, 1e400 would become null. */
  readonly inexactNumbers: 'refuse' | 'round'
}

export type ScanFault = 'depth' | 'elements' | 'keys' | 'duplicate-key' | 'inexact-number'

/**
 * One pass over the text, looking only at what the limits need; the syntax itself is left to `JSON.parse`, which runs
 * next and is much faster at it. For a text that is not JSON the answer means nothing, but it always comes.
 */
export const scanJson = (text: string, limits: ScanLimits): ScanFault | undefined => {
  const keys = createKeys(limits.duplicateDepth)
  const objects: boolean[] = []
  const length = text.length
  let depth = 0
  let elements = 0
  let keyCount = 0
  let keyComes = false
  for (let at = 0; at < length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = stringEnd(text, at + 1)
        if (end < 0) return undefined
        if (keyComes) {
          if (++keyCount === freely) beginSpread()
          if (keyCount > freely && spread(hashOf(text, at + 1, end)) > limits.maxKeys) return 'keys'
          if (keys.repeats(text, at + 1, end, depth)) return 'duplicate-key'
        }
        keyComes = false
        at = end
        break
      }
      case openBrace:
      case openBracket: {
        if (++depth > limits.maxDepth) return 'depth'
        if (++elements > limits.maxElements) return 'elements'
        keyComes = text.charCodeAt(at) === openBrace
        objects[depth] = keyComes
        if (keyComes) keys.open(depth)
        break
      }
      case closeBrace:
      case closeBracket:
        keyComes = false
        if (depth > 0) depth--
        break
      case comma:
        if (++elements > limits.maxElements) return 'elements'
        keyComes = objects[depth] === true
        break
      default:
        if (!startsNumber(text.charCodeAt(at))) break
        {
          const end = numberEnd(text, at)
          if (limits.inexactNumbers === 'refuse' && isInexact(text, at, end)) return 'inexact-number'
          at = end - 1
        }
    }
  }
  return undefined
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

// Most strings are short, where a loop beats a native call; long ones (file contents, images) are skipped by indexOf.
const shortString = 32

/** Where the string that begins before `from` ends, or -1. */
export const stringEnd = (text: string, from: number): number => {
  const near = Math.min(from + shortString, text.length)
  for (let at = from; at < near; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) return farEnd(text, at)
  }
  return farEnd(text, near)
}

const farEnd = (text: string, from: number): number => {
  let start = from
  for (;;) {
    const end = text.indexOf('"', start)
    if (end < 0) return -1
    let slashes = 0
    while (end - slashes - 1 >= start && text.charCodeAt(end - slashes - 1) === backslash) slashes++
    if (slashes % 2 === 0) return end
    start = end + 1
  }
}

const hashOf = (text: string, from: number, end: number): number => {
  let hash = 0
  for (let at = from; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return hash
}

interface Keys {
  open(depth: number): void
  repeats(text: string, start: number, end: number, depth: number): boolean
}

// Past this many keys in one object a set is cheaper than looking through the list, and 100,000 keys stay linear.
const smallObject = 16

const createKeys = (duplicateDepth: number): Keys => {
  const lists: string[][] = []
  const sets: (Set<string> | undefined)[] = []
  return {
    open: (depth) => {
      if (depth > duplicateDepth) return
      lists[depth] = []
      sets[depth] = undefined
    },
    repeats: (text, start, end, depth) => {
      if (depth > duplicateDepth) return false
      const key = decodedKey(text, start, end)
      const list = lists[depth]!
      const set = sets[depth] ?? (list.length >= smallObject ? new Set(list) : undefined)
      sets[depth] = set
      if (set) return set.size === set.add(key).size
      if (list.includes(key)) return true
      list.push(key)
      return false
    },
  }
}

/** `"n\u0061me"` and `"name"` are one key to every parser, so escapes are read before comparing. */
const decodedKey = (text: string, start: number, end: number): string => {
  const raw = text.slice(start, end)
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return raw
  }
}

const startsNumber = (code: number): boolean => code === 0x2d || (code >= 0x30 && code <= 0x39)

const numberEnd = (text: string, from: number): number => {
  let at = from + 1
  while (isNumberPart(text.charCodeAt(at))) at++
  return at
}

const isNumberPart = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2b || code === 0x2d || (code | 0x20) === 0x65

// Every integer of 15 digits is exact; longer than this overflows or pretends to a precision no double has.
const surelyExactLength = 15
const longestNumber = 400

const isInexact = (text: string, start: number, end: number): boolean => {
  const length = end - start
  if (length > longestNumber) return true
  if (length <= surelyExactLength && !hasExponent(text, start, end)) return false
  const literal = text.slice(start, end)
  const value = Number(literal)
  if (Number.isNaN(value)) return false
  if (!Number.isFinite(value)) return true
  // No integer beyond the safe ones becomes one of them.
  if (Number.isSafeInteger(value)) return false
  // What we write again as it was written is not lost, even where the double behind it is another integer.
  return /^-?\d+$/.test(literal) && String(value) !== literal && BigInt(literal) !== BigInt(value)
}

const hasExponent = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true
  return false
}
