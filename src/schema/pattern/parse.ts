import { type Cursor, Unreadable } from './cursor.js'
import { parseClass, parseEscape } from './parse-class.js'
import { lineEnds, type PatternNode } from './syntax.js'

const deepestGroups = 100

/**
 * The tree of a pattern the native engine accepts, or undefined when it uses something unusual (inline modifiers,
 * legacy octal escapes, class set operations): such patterns run under a time limit only.
 */
export const parsePattern = (source: string): PatternNode | undefined => {
  const cursor: Cursor = { points: [...source], at: 0, depth: 0 }
  try {
    const tree = parseChoice(cursor)
    return cursor.at === cursor.points.length ? tree : undefined
  } catch (thrown) {
    if (thrown instanceof Unreadable) return undefined
    throw thrown
  }
}

const parseChoice = (cursor: Cursor): PatternNode => {
  const options = [parseSequence(cursor)]
  while (cursor.points[cursor.at] === '|') {
    cursor.at += 1
    options.push(parseSequence(cursor))
  }
  return options.length === 1 ? options[0]! : { type: 'choice', options }
}

const parseSequence = (cursor: Cursor): PatternNode => {
  const items: PatternNode[] = []
  for (let next = cursor.points[cursor.at]; next !== undefined && next !== '|' && next !== ')'; ) {
    items.push(parseRepeats(parseAtom(cursor, next), cursor))
    next = cursor.points[cursor.at]
  }
  return items.length === 1 ? items[0]! : { type: 'sequence', items }
}

const parseAtom = (cursor: Cursor, next: string): PatternNode => {
  cursor.at += 1
  if (next === '(') return parseGroup(cursor)
  if (next === '[') return parseClass(cursor)
  if (next === '\\') return parseEscape(cursor)
  if (next === '^' || next === '$') return { type: 'assertion', kind: next }
  if (next === '.') return { type: 'character', set: { negated: true, ranges: lineEnds, properties: [] } }
  const point = next.codePointAt(0)!
  return { type: 'character', set: { negated: false, ranges: [[point, point]], properties: [] } }
}

const parseGroup = (cursor: Cursor): PatternNode => {
  cursor.depth += 1
  if (cursor.depth > deepestGroups) throw new Unreadable()
  const look = parseGroupHead(cursor)
  const body = parseChoice(cursor)
  if (cursor.points[cursor.at] !== ')') throw new Unreadable()
  cursor.at += 1
  cursor.depth -= 1
  return look ? { type: 'look', body } : body
}

/** Reads what follows the bracket; true for a look-ahead or look-behind. */
const parseGroupHead = (cursor: Cursor): boolean => {
  if (cursor.points[cursor.at] !== '?') return false
  const head = cursor.points.slice(cursor.at + 1, cursor.at + 3).join('')
  const behind = head === '<=' || head === '<!'
  if (behind || head[0] === '=' || head[0] === '!') {
    cursor.at += behind ? 3 : 2
    return true
  }
  if (head[0] === ':') cursor.at += 2
  else if (head[0] === '<') cursor.at = indexOf(cursor, '>') + 1
  else throw new Unreadable()
  return false
}

const indexOf = (cursor: Cursor, wanted: string): number => {
  const index = cursor.points.indexOf(wanted, cursor.at)
  if (index < 0) throw new Unreadable()
  return index
}

const parseRepeats = (body: PatternNode, cursor: Cursor): PatternNode => {
  const bounds = parseBounds(cursor)
  if (bounds === undefined) return body
  // Greedy or lazy costs the same when the match fails.
  if (cursor.points[cursor.at] === '?') cursor.at += 1
  return { type: 'repeat', body, min: bounds[0], max: bounds[1] }
}

const parseBounds = (cursor: Cursor): readonly [number, number] | undefined => {
  const next = cursor.points[cursor.at]
  if (next === '*' || next === '+' || next === '?') {
    cursor.at += 1
    return [next === '+' ? 1 : 0, next === '?' ? 1 : Infinity]
  }
  if (next !== '{') return undefined
  const text = cursor.points.slice(cursor.at, cursor.at + 24).join('')
  const counts = /^\{(\d+)(?:(,)(\d*))?\}/.exec(text)
  // A brace that counts nothing is a literal in the legacy grammar.
  if (counts === null) return undefined
  cursor.at += counts[0].length
  const min = Number(counts[1])
  return [min, counts[2] === undefined ? min : counts[3] === '' ? Infinity : Number(counts[3])]
}
