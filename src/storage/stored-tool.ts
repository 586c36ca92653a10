import { GatewayError } from '../errors.js'
import { isRecord, kindOf } from '../model/json.js'
import type { StoredTool, Temperature } from './store.js'

export const temperatures: readonly Temperature[] = ['hot', 'warm', 'cold']

/** One tool must never make the whole file unreadable. */
export const maxToolChars = 4 * 1024 * 1024
/** Deeper than any schema people write; indentation makes a file grow with the square of the depth. */
export const maxToolDepth = 200
const maxTextChars = 4096

/**
 * A checked, detached copy of what a caller wants stored. Detached, since a caller may go on editing its object while
 * the write waits in a queue. Duplicate tags are dropped; fields we do not know are kept.
 */
export const toStoredTool = (input: StoredTool): StoredTool => parseStoredTool(plainCopy(input))

/** Makes plain JSON data a tool, or throws TOOL_INVALID naming the field. */
export const parseStoredTool = (value: unknown): StoredTool => {
  if (!isRecord(value)) throw invalid(undefined, `must be an object, not ${kindOf(value)}`)
  const id = typeof value.id === 'string' ? value.id : undefined
  for (const [field, rule] of Object.entries(rules)) {
    if (value[field] === undefined && rule.optional) continue
    if (!rule.test(value[field]))
      throw invalid(id, `needs ${field} to be ${rule.expected}, found ${kindOf(value[field])}`)
  }
  if (!isShallow(value, maxToolDepth)) throw invalid(id, `is nested more than ${maxToolDepth} levels deep`)
  const {
    id: _,
    namespace,
    source,
    definition,
    tags,
    useCount,
    lastUsed,
    temperature,
    ...rest
  } = value as unknown as StoredTool
  return { id: id!, namespace, source, definition, tags: [...new Set(tags)], useCount, lastUsed, temperature, ...rest }
}

interface Rule {
  readonly test: (value: unknown) => boolean
  readonly expected: string
  readonly optional?: true | undefined
}

// NUL ends a text in some databases, and half a surrogate pair becomes U+FFFD in UTF-8: both would come back changed.
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= maxTextChars && !/\0|\p{Surrogate}/u.test(value)
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string')
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isDate = (value: unknown): boolean =>
  value === null || (Number.isInteger(value) && Math.abs(value as number) <= 8.64e15)
const isDefinition = (value: unknown): boolean =>
  isRecord(value) && typeof value.name === 'string' && isRecord(value.inputSchema)

const text = `a text of at most ${maxTextChars} characters without NUL or half surrogates`

const rules: Readonly<Record<string, Rule>> = {
  id: { test: (value) => isText(value) && value !== '', expected: `${text}, not empty` },
  namespace: { test: isText, expected: text },
  source: { test: isText, expected: text },
  definition: { test: isDefinition, expected: 'an object with a name and an inputSchema' },
  tags: { test: isTexts, expected: `a list, each ${text}` },
  useCount: { test: isCount, expected: 'a whole number from 0' },
  lastUsed: { test: isDate, expected: 'null or whole milliseconds since the epoch' },
  temperature: { test: (value) => temperatures.includes(value as Temperature), expected: temperatures.join(', ') },
  category: { test: isText, expected: text, optional: true },
  aliases: { test: isStrings, expected: 'a list of strings', optional: true },
  examples: { test: isStrings, expected: 'a list of strings', optional: true },
  idempotent: { test: isBoolean, expected: 'true or false', optional: true },
  definitionOnly: { test: isBoolean, expected: 'true or false', optional: true },
  owner: { test: isText, expected: text, optional: true },
  deferLoading: { test: isBoolean, expected: 'true or false', optional: true },
  timeoutMs: { test: (value) => typeof value === 'number' && value > 0, expected: 'a number above 0', optional: true },
}

const plainCopy = (input: StoredTool): unknown => {
  const json = stringify(input)
  if (json.length > maxToolChars) throw invalid(input.id, `is longer than ${maxToolChars} characters as JSON`)
  return JSON.parse(json)
}

const stringify = (input: StoredTool): string => {
  try {
    return JSON.stringify(input) ?? 'null'
  } catch (cause) {
    throw invalid(input?.id, 'cannot be written as JSON: it has a cycle, a BigInt or too many levels', cause)
  }
}

const isShallow = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  if (levels === 0) return false
  for (const item of Array.isArray(value) ? value : Object.values(value)) if (!isShallow(item, levels - 1)) return false
  return true
}

const invalid = (id: unknown, problem: string, cause?: unknown): GatewayError => {
  const subject = typeof id === 'string' && id !== '' ? `Tool '${id.slice(0, 128)}'` : 'A tool'
  return new GatewayError('TOOL_INVALID', `${subject} ${problem}. It was not stored.`, { cause })
}
