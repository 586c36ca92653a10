import type { CharacterSet, PatternNode } from './syntax.js'

/**
 * The pattern in RE2's spelling, meaning what ECMAScript means by it (its `\s`, its `.`, its escapes), or undefined
 * when RE2 has no such thing: look-around and back-references.
 */
export const toRe2 = (node: PatternNode): string | undefined => {
  switch (node.type) {
    case 'character':
      return writeSet(node.set)
    case 'assertion':
      return node.kind === '^' || node.kind === '$' ? node.kind : `\\${node.kind}`
    case 'sequence':
      return joined(node.items, '')
    case 'choice':
      return wrap(joined(node.options, '|'))
    case 'repeat':
      return writeRepeat(node)
    default:
      return undefined
  }
}

const joined = (nodes: readonly PatternNode[], separator: string): string | undefined => {
  const parts = nodes.map(toRe2)
  return parts.includes(undefined) ? undefined : parts.join(separator)
}

const wrap = (text: string | undefined): string | undefined => (text === undefined ? undefined : `(?:${text})`)

const writeRepeat = ({ body, min, max }: PatternNode & { type: 'repeat' }): string | undefined => {
  const inner = wrap(toRe2(body))
  return inner === undefined ? undefined : `${inner}{${min},${max === Infinity ? '' : max}}`
}

const writeSet = ({ negated, ranges, properties }: CharacterSet): string => {
  if (ranges.length === 0 && properties.length === 0) return negated ? '[\\x{0}-\\x{10FFFF}]' : '[^\\x{0}-\\x{10FFFF}]'
  const points = ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`))
  const names = properties.map(({ name, negated: not }) => `\\${not ? 'P' : 'p'}{${propertyName(name)}}`)
  return `[${negated ? '^' : ''}${points.join('')}${names.join('')}]`
}

const hex = (point: number): string => `\\x{${point.toString(16)}}`

const longNames: Readonly<Record<string, string>> = {
  Letter: 'L',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  Punctuation: 'P',
  Symbol: 'S',
  Separator: 'Z',
  Other: 'C',
}

/** `Script=Han` is `Han` there; names it does not know are refused by its compiler, and we fall back. */
const propertyName = (name: string): string => {
  const bare = name.slice(name.indexOf('=') + 1)
  return Object.hasOwn(longNames, bare) ? longNames[bare]! : bare
}
