import { type Cursor, Unreadable } from './cursor.js'
import {
  type CharacterRange,
  type CharacterSet,
  complement,
  digits,
  type PatternNode,
  spaces,
  wordCharacters,
} from './syntax.js'

const shorthands: Readonly<Record<string, readonly CharacterRange[]>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
}

const controls: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d, '0': 0x00 }

type Member = Omit<CharacterSet, 'negated'>

/** An escape outside a class; the backslash has been read. */
export const parseEscape = (cursor: Cursor): PatternNode => {
  const next = cursor.points[cursor.at]
  if (next === 'b' || next === 'B') {
    cursor.at += 1
    return { type: 'assertion', kind: next }
  }
  if (next !== undefined && /[1-9k]/.test(next)) return parseBackreference(cursor, next)
  return { type: 'character', set: { negated: false, ...parseEscapedMember(cursor) } }
}

const parseBackreference = (cursor: Cursor, next: string): PatternNode => {
  cursor.at += 1
  if (next === 'k') {
    const end = cursor.points.indexOf('>', cursor.at)
    if (cursor.points[cursor.at] !== '<' || end < 0) throw new Unreadable()
    cursor.at = end + 1
  } else while (/^\d$/.test(cursor.points[cursor.at] ?? '')) cursor.at += 1
  return { type: 'backreference' }
}

/** A class; the opening bracket has been read. */
export const parseClass = (cursor: Cursor): PatternNode => {
  const negated = cursor.points[cursor.at] === '^'
  if (negated) cursor.at += 1
  const ranges: CharacterRange[] = []
  const properties: { name: string; negated: boolean }[] = []
  while (cursor.points[cursor.at] !== ']') {
    const member = parseMember(cursor)
    const range = parseRange(member, cursor)
    ranges.push(...(range ? [range] : member.ranges))
    properties.push(...member.properties)
  }
  cursor.at += 1
  return { type: 'character', set: { negated, ranges, properties } }
}

const parseMember = (cursor: Cursor): Member => {
  const next = cursor.points[cursor.at]
  if (next === undefined) throw new Unreadable()
  cursor.at += 1
  if (next !== '\\') return single(next.codePointAt(0)!)
  if (cursor.points[cursor.at] === 'b') {
    cursor.at += 1
    return single(0x08)
  }
  return parseEscapedMember(cursor)
}

/** `a-z` once `a` is read; a dash at the end of the class, or after a shorthand, is a dash. */
const parseRange = (from: Member, cursor: Cursor): CharacterRange | undefined => {
  const first = singlePoint(from)
  if (first === undefined || cursor.points[cursor.at] !== '-' || cursor.points[cursor.at + 1] === ']') return undefined
  cursor.at += 1
  const last = singlePoint(parseMember(cursor))
  if (last === undefined || last < first) throw new Unreadable()
  return [first, last]
}

const singlePoint = ({ ranges, properties }: Member): number | undefined => {
  const [only, other] = ranges
  return only !== undefined && other === undefined && properties.length === 0 && only[0] === only[1]
    ? only[0]
    : undefined
}

/** What an escape stands for, inside or outside a class; the backslash has been read. */
const parseEscapedMember = (cursor: Cursor): Member => {
  const next = cursor.points[cursor.at]
  if (next === undefined) throw new Unreadable()
  cursor.at += 1
  const shorthand = Object.hasOwn(shorthands, next) ? shorthands[next] : undefined
  if (shorthand !== undefined) return { ranges: shorthand, properties: [] }
  if (next === 'p' || next === 'P') return parseProperty(cursor, next === 'P')
  if (next === 'u' || next === 'x') return single(parseHex(cursor, next))
  if (next === 'c') return single(parseControl(cursor))
  if (Object.hasOwn(controls, next)) {
    if (next === '0' && /^\d$/.test(cursor.points[cursor.at] ?? '')) throw new Unreadable()
    return single(controls[next]!)
  }
  if (/^[1-9]$/.test(next)) throw new Unreadable()
  return single(next.codePointAt(0)!)
}

const single = (point: number): Member => ({ ranges: [[point, point]], properties: [] })

const parseProperty = (cursor: Cursor, negated: boolean): Member => {
  const end = cursor.points.indexOf('}', cursor.at)
  if (cursor.points[cursor.at] !== '{' || end < 0) throw new Unreadable()
  const name = cursor.points.slice(cursor.at + 1, end).join('')
  cursor.at = end + 1
  return { ranges: [], properties: [{ name, negated }] }
}

const parseControl = (cursor: Cursor): number => {
  const letter = cursor.points[cursor.at] ?? ''
  if (!/^[A-Za-z]$/.test(letter)) throw new Unreadable()
  cursor.at += 1
  return letter.charCodeAt(0) % 32
}

const parseHex = (cursor: Cursor, kind: 'u' | 'x'): number => {
  const text = cursor.points.slice(cursor.at, cursor.at + 12).join('')
  const braced = kind === 'u' ? /^\{([\da-f]{1,8})\}/i.exec(text) : null
  const found = braced ?? (kind === 'u' ? /^([\da-f]{4})/i : /^([\da-f]{2})/i).exec(text)
  if (found === null) throw new Unreadable()
  cursor.at += found[0].length
  const point = Number.parseInt(found[1]!, 16)
  const low = /^\\u(d[c-f][\da-f]{2})/i.exec(cursor.points.slice(cursor.at, cursor.at + 6).join(''))
  if (braced !== null || point < 0xd800 || point > 0xdbff || low === null) return point
  cursor.at += 6
  return (point - 0xd800) * 0x400 + (Number.parseInt(low[1]!, 16) - 0xdc00) + 0x10000
}
