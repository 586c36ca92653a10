import { isRecord, kindOf } from '../model/json.js'

const mostKeys = 32
const deepest = 4
const longestKey = 64

/** What arguments looked like without what they said: `{ city: 'string', days: 'number', tags: ['string', 3] }`. */
export const shapeOf = (value: unknown, depth = 0): unknown => {
  if (Array.isArray(value))
    return depth >= deepest || value.length === 0 ? 'array' : [shapeOf(value[0], depth + 1), value.length]
  if (!isRecord(value)) return kindOf(value)
  if (depth >= deepest) return 'object'
  const entries = Object.entries(value)
  const shown = entries
    .slice(0, mostKeys)
    .map(([key, each]) => [key.slice(0, longestKey), shapeOf(each, depth + 1)] as const)
  return Object.fromEntries(entries.length > mostKeys ? [...shown, ['…', entries.length - mostKeys]] : shown)
}

/** UTF-8 bytes of a value as JSON; 0 for what JSON cannot hold. */
export const bytesOf = (value: unknown): number => {
  if (value === undefined) return 0
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '')
  } catch {
    return 0
  }
}
