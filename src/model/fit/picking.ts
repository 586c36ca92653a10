import { isRecord } from '../json.js'

/** The steps of a JSON Pointer (RFC 6901); `*` stands for every element or member. */
export type ResultPlace = readonly string[]

/** What is handed on of a value, what is left out and what is blotted out, in this order. */
export interface Picking {
  readonly pick: readonly ResultPlace[]
  readonly drop: readonly ResultPlace[]
  readonly redact: readonly ResultPlace[]
}

/** What stands in the place of what was blotted out. */
export const blot = '[redacted]'

const longestPointer = 1_000

/** A pointer such as `/user/email` as steps; undefined where it is no pointer. */
export const parsePlace = (pointer: string): ResultPlace | undefined => {
  if (!pointer.startsWith('/') || pointer.length > longestPointer || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A JSON value after picking; the value itself is not touched. Undefined where nothing is left of it. */
export const pickFrom = (value: unknown, { pick, drop, redact }: Picking): unknown => {
  const picked = pick.length > 0 ? onlyAt(value, pick) : value
  const dropped = drop.reduce<unknown>((left, place) => replaced(left, place, 0, gone), picked)
  return redact.reduce<unknown>((left, place) => replaced(left, place, 0, blot), dropped)
}

const gone = Symbol('gone')

/** Only what lies at or under these places, in the shape in which it was. */
const onlyAt = (value: unknown, places: readonly ResultPlace[]): unknown => {
  // What no place leads to is gone, lists too: an empty one would still tell that there was one.
  if (places.length === 0) return undefined
  if (places.some((place) => place.length === 0)) return value
  if (Array.isArray(value)) {
    const items = value.map((item, index) => onlyAt(item, inside(places, String(index))))
    return items.filter((item) => item !== undefined)
  }
  if (!isRecord(value)) return undefined
  const entries = Object.keys(value)
    .map((key) => [key, onlyAt(value[key], inside(places, key))] as const)
    .filter(([, item]) => item !== undefined)
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}

/** What is left of the places after one step; nothing where none leads there. */
const inside = (places: readonly ResultPlace[], step: string): readonly ResultPlace[] =>
  places.filter(([first]) => first === step || first === '*').map((place) => place.slice(1))

const replaced = (value: unknown, place: ResultPlace, at: number, by: unknown): unknown => {
  if (at === place.length) return by
  const step = place[at]!
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      step === '*' || step === String(index) ? replaced(item, place, at + 1, by) : item,
    )
    return items.filter((item) => item !== gone)
  }
  if (!isRecord(value)) return value
  const entries = Object.keys(value).map(
    (key) => [key, step === '*' || step === key ? replaced(value[key], place, at + 1, by) : value[key]] as const,
  )
  return Object.fromEntries(entries.filter(([, item]) => item !== gone))
}
