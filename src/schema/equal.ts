/** Told of work, in steps of well under a microsecond; may throw to end it. */
export type Work = (steps: number) => void

const uncounted: Work = () => {}

/** Equality of JSON values: key order and keys holding `undefined` do not matter, `0` equals `-0`. */
export const deepEqual = (left: unknown, right: unknown, work: Work = uncounted): boolean => {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  work(1)
  if (Array.isArray(left)) return Array.isArray(right) && equalArrays(left, right, work)
  return !Array.isArray(right) && equalObjects(left as Members, right as Members, work)
}

type Members = Readonly<Record<string, unknown>>

const equalArrays = (left: readonly unknown[], right: readonly unknown[], work: Work): boolean => {
  if (left.length !== right.length) return false
  for (let i = 0; i < left.length; i++) if (!deepEqual(left[i], right[i], work)) return false
  return true
}

const equalObjects = (left: Members, right: Members, work: Work): boolean => {
  const keys = Object.keys(left)
  work(keys.length >> 2)
  let present = 0
  for (const key of keys) {
    if (left[key] === undefined) continue
    if (!Object.hasOwn(right, key) || !deepEqual(left[key], right[key], work)) return false
    present += 1
  }
  const others = Object.keys(right)
  work(others.length >> 2)
  for (const key of others) if (right[key] !== undefined) present -= 1
  return present === 0
}

/**
 * A number that equal JSON values share. Members are added up, so that their order does not matter and nothing is sorted:
 * sorting the keys of one large object takes longer than a whole check may.
 */
export const hashOf = (value: unknown, work: Work): number => {
  if (typeof value === 'string') return textHash(value, work)
  if (typeof value === 'number') return mix(0x2545f491, Number.isInteger(value) ? value | 0 : Math.fround(value) * 1e6)
  if (typeof value !== 'object' || value === null) return value === null ? 1 : value === true ? 2 : 3
  work(1)
  return Array.isArray(value) ? arrayHash(value, work) : objectHash(value as Members, work)
}

const arrayHash = (items: readonly unknown[], work: Work): number => {
  let hash = 5
  work(items.length >> 2)
  for (let i = 0; i < items.length; i++) hash = mix(hash, hashOf(items[i], work))
  return hash
}

const objectHash = (object: Members, work: Work): number => {
  let sum = 7
  const keys = Object.keys(object)
  work(keys.length >> 1)
  for (const key of keys) {
    if (object[key] !== undefined) sum = (sum + mix(textHash(key, work), hashOf(object[key], work))) | 0
  }
  return sum
}

const textHash = (text: string, work: Work): number => {
  work(text.length >> 6)
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

const mix = (left: number, right: number): number => {
  const mixed = Math.imul(left ^ right, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
