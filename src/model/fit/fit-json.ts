import type { JsonObject, JsonValue } from '../json.js'
import { byteLength, wholeHead } from './fit-text.js'

const mark = '…'
const deepest = 64
/** A field that gets less than this says nothing; then it is better left out for another. */
const leastUseful = 32

/**
 * A smaller value whose compact JSON fits `maxBytes` and is still whole JSON: what comes first is kept, list tails and
 * long strings go, and a mark says so. Undefined when not even the marks fit.
 */
export const fitJson = (value: unknown, maxBytes: number): unknown => {
  const json = JSON.stringify(value)
  if (json === undefined) return undefined
  if (byteLength(json) <= maxBytes) return value
  // Read back once, so that below there is plain data only, whatever `toJSON` methods the tool's value had.
  return shrink(JSON.parse(json) as JsonValue, maxBytes, 0)
}

const shrink = (value: JsonValue, maxBytes: number, depth: number): JsonValue | undefined => {
  if (sizeWithin(value, maxBytes) <= maxBytes) return value
  if (typeof value === 'string') return fitString(value, maxBytes)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= deepest) return fitString(mark, maxBytes)
  return Array.isArray(value) ? fitArray(value, maxBytes, depth) : fitObject(value as JsonObject, maxBytes, depth)
}

/**
 * Bytes of the compact JSON, exact up to `most` and anything larger beyond: counting stops there, or a large value
 * would be counted whole again on each of its levels. What is nested absurdly deep counts as too large.
 */
const sizeWithin = (value: JsonValue, most: number, depth = 0): number => {
  if (typeof value === 'string') return value.length > most ? most + 1 : byteLength(JSON.stringify(value))
  if (typeof value !== 'object' || value === null) return String(value).length
  if (most < 2 || depth > 4 * deepest) return most + 1
  let size = 2
  const add = (key: string | undefined, item: JsonValue): boolean => {
    if (size > 2) size += 1
    if (key !== undefined) size += sizeWithin(key, most - size) + 1
    if (size <= most) size += sizeWithin(item, most - size, depth + 1)
    return size > most
  }
  if (Array.isArray(value)) value.some((item: JsonValue) => add(undefined, item))
  else for (const [key, item] of Object.entries(value)) if (add(key, item!)) break
  return size
}

const wholeSize = (value: JsonValue): number => sizeWithin(value, Number.POSITIVE_INFINITY)

const fitString = (text: string, maxBytes: number): string | undefined => {
  if (maxBytes < byteLength(mark) + 2) return undefined
  // Escapes make JSON longer than its text, so the right length is found by halving.
  let low = 0
  let high = Math.min(text.length, maxBytes)
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (wholeSize(text.slice(0, middle)) + byteLength(mark) <= maxBytes) low = middle
    else high = middle - 1
  }
  return wholeHead(text, byteLength(text.slice(0, low))) + mark
}

const fitArray = (items: readonly JsonValue[], maxBytes: number, depth: number): JsonValue[] | undefined => {
  const note = (left: number) => `${mark} ${left} more left out`
  const noteBytes = wholeSize(note(items.length)) + 1
  const kept: JsonValue[] = []
  let used = 2
  for (const item of items) {
    const room = maxBytes - used - noteBytes - 1
    const size = sizeWithin(item, room)
    if (size > room) break
    kept.push(item)
    used += size + 1
  }
  // The next best item in part says more than none, where there is room to say something.
  const left = maxBytes - used - (kept.length + 1 < items.length ? noteBytes : 0) - 1
  if (kept.length < items.length && (kept.length === 0 || left >= 2 * leastUseful)) {
    const part = shrink(items[kept.length]!, left, depth + 1)
    if (part !== undefined) kept.push(part)
  }
  if (kept.length < items.length) kept.push(note(items.length - kept.length))
  return wholeSize(kept) <= maxBytes ? kept : undefined
}

const fitObject = (value: JsonObject, maxBytes: number, depth: number): JsonObject | undefined => {
  const entries = Object.entries(value) as [string, JsonValue][]
  const note = (left: number): [string, JsonValue] => [freeKey(value), `${left} fields left out`]
  const noteBytes = wholeSize(Object.fromEntries([note(entries.length)]))
  const all = choose(entries, maxBytes - 2)
  // Room for the note only where it is sure to be needed: reserved on every level, it would eat what is deep inside.
  const room = all.length === entries.length ? maxBytes - 2 : maxBytes - 2 - noteBytes
  const chosen = all.length === entries.length ? all : choose(entries, room)
  const grants = share(
    chosen.map(({ size }) => size),
    room,
  )
  const kept: [string, JsonValue][] = []
  chosen.forEach(({ key, item, frame }, index) => {
    const part = shrink(item, grants[index]! - frame, depth + 1)
    if (part !== undefined) kept.push([key, part])
  })
  for (; ; kept.pop()) {
    const left = entries.length - kept.length
    const fitted = Object.fromEntries(left > 0 ? [...kept, note(left)] : kept)
    if (wholeSize(fitted) <= maxBytes) return fitted
    if (kept.length === 0) return undefined
  }
}

interface Field {
  readonly key: string
  readonly item: JsonValue
  /** Bytes of the key with its colon and comma. */
  readonly frame: number
  /** Bytes of all of it, as far as anybody can use them. */
  readonly size: number
}

/** The fields that can each say something in `room`, first come first; small ones slip into what is left. */
const choose = (entries: readonly [string, JsonValue][], room: number): readonly Field[] => {
  const chosen: Field[] = []
  let used = 0
  for (const [key, item] of entries) {
    const frame = sizeWithin(key, room) + 2
    const size = frame + sizeWithin(item, room)
    const least = Math.min(size, frame + leastUseful)
    if (used + least > room) continue
    used += least
    chosen.push({ key, item, frame, size })
  }
  return chosen
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

/** The key of our note, unlike any key of the tool's own. */
const freeKey = (value: JsonObject): string => {
  let key = mark
  while (Object.hasOwn(value, key)) key += mark
  return key
}
