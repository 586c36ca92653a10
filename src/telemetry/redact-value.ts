import { defined } from '../model/json.js'
import { isSecretContainer, isSecretName } from './secret-names.js'
import { label } from './secret-shapes.js'

const maxDepth = 8
const maxEntries = 100
// Over all levels: width to the power of depth is no bound.
const maxNodes = 5_000

/** A copy for logs: bounded in depth and width, safe to stringify, with secrets taken out by key and by text. */
export const redactValue = (value: unknown, text: (source: string) => string): unknown => {
  let nodes = 0

  const copy = (source: unknown, depth: number, hidden: boolean): unknown => {
    if (++nodes > maxNodes) return '[cut]'
    if (source === null || source === undefined || typeof source === 'boolean') return source
    if (typeof source === 'object') return depth >= maxDepth ? '[deep]' : copyObject(source, depth, hidden)
    if (hidden) return label
    if (typeof source === 'string') return text(source)
    return typeof source === 'number' ? source : text(String(source))
  }

  const copyObject = (source: object, depth: number, hidden: boolean): unknown => {
    if (Array.isArray(source)) {
      const items = source.slice(0, maxEntries).map((item) => copy(item, depth + 1, hidden))
      return source.length > maxEntries ? [...items, `[${source.length - maxEntries} more]`] : items
    }
    if (source instanceof Date) return Number.isNaN(source.getTime()) ? 'Invalid Date' : source.toISOString()
    if (ArrayBuffer.isView(source)) return `[${source.byteLength} bytes]`
    if (source instanceof URL) return hidden ? label : text(source.href)
    return copyEntries(source instanceof Error ? errorFields(source) : source, depth, hidden)
  }

  const copyEntries = (source: object, depth: number, hidden: boolean): unknown => {
    const keys = Object.keys(source)
    const entries = keys.slice(0, maxEntries).map((key) => {
      const inside = hidden || isSecretName(key) || isSecretContainer(key)
      return [text(key), copy(read(source, key), depth + 1, inside)] as const
    })
    if (keys.length > maxEntries) entries.push(['…', `[${keys.length - maxEntries} more]`])
    // Defines instead of assigning: a key `__proto__` stays data.
    return Object.fromEntries(entries)
  }

  return copy(value, 0, false)
}

/** Errors have no keys of their own to list. */
const errorFields = (error: Error): object =>
  defined({
    name: error.name,
    message: error.message,
    code: 'code' in error ? error.code : undefined,
    cause: error.cause,
  })

// A getter may throw, and a log must not.
const read = (source: object, key: string): unknown => {
  try {
    return (source as Record<string, unknown>)[key]
  } catch {
    return '[unreadable]'
  }
}
