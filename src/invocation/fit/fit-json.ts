import { byteLength, headWithin } from './fit-text.js'

const mark = '…'

/**
 * A smaller value whose compact JSON fits `maxBytes` and is still whole JSON: what comes first is kept, list tails and
 * long strings go, and a mark says so. Undefined when not even the marks fit.
 */
export const fitJson = (value: unknown, maxBytes: number): unknown => {
  const json = JSON.stringify(value)
  if (json === undefined) return undefined
  if (byteLength(json) <= maxBytes) return value
  if (typeof value === 'string') return fitString(value, maxBytes)
  if (Array.isArray(value)) return fitArray(value, maxBytes)
  if (typeof value === 'object' && value !== null) return fitObject(value as Record<string, unknown>, maxBytes)
  return undefined
}

const sizeOf = (value: unknown): number => byteLength(JSON.stringify(value) ?? '')

const fitString = (text: string, maxBytes: number): string | undefined => {
  if (maxBytes < byteLength(mark) + 2) return undefined
  // Escapes make JSON longer than its text, so the right length is found by halving.
  let low = 0
  let high = Math.min(text.length, maxBytes)
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (sizeOf(headWithin(text, middle) + mark) <= maxBytes) low = middle
    else high = middle - 1
  }
  return headWithin(text, low) + mark
}

const fitArray = (items: readonly unknown[], maxBytes: number): unknown[] | undefined => {
  const note = (left: number) => `${mark} ${left} more left out`
  const noteBytes = sizeOf(note(items.length)) + 1
  const kept: unknown[] = []
  let used = 2
  for (const item of items) {
    const size = sizeOf(item) + 1
    if (used + size + noteBytes > maxBytes) break
    kept.push(item)
    used += size
  }
  // The best item in part says more than none at all.
  if (kept.length === 0 && items.length > 0) {
    const part = fitJson(items[0], maxBytes - used - (items.length > 1 ? noteBytes : 0))
    if (part !== undefined) kept.push(part)
  }
  if (kept.length < items.length) kept.push(note(items.length - kept.length))
  return sizeOf(kept) <= maxBytes ? kept : undefined
}

const fitObject = (value: Record<string, unknown>, maxBytes: number): Record<string, unknown> | undefined => {
  const entries = Object.entries(value).filter(([, each]) => JSON.stringify(each) !== undefined)
  const note = (left: number): [string, unknown] => [mark, `${left} fields left out`]
  const noteBytes = sizeOf(Object.fromEntries([note(entries.length)]))
  const whole = entries.map(([key, each]) => sizeOf(key) + 2 + sizeOf(each))
  const grants = share(whole, maxBytes - 2 - noteBytes)
  const kept: [string, unknown][] = []
  entries.forEach(([key, each], index) => {
    const part = fitJson(each, grants[index]! - sizeOf(key) - 2)
    if (part !== undefined) kept.push([key, part])
  })
  if (kept.length < entries.length) kept.push(note(entries.length - kept.length))
  const fitted = Object.fromEntries(kept)
  return sizeOf(fitted) <= maxBytes ? fitted : undefined
}

/** Divides `room` so that small fields are kept whole and the large ones share what is left evenly. */
const share = (sizes: readonly number[], room: number): number[] => {
  const grants = sizes.map(() => 0)
  const bySize = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size)
  let left = Math.max(0, room)
  bySize.forEach(({ size, index }, position) => {
    const grant = Math.min(size, Math.floor(left / (bySize.length - position)))
    grants[index] = grant
    left -= grant
  })
  return grants
}
