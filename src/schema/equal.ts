/** Equality of JSON values: key order and keys holding `undefined` do not matter, `0` equals `-0`. */
export const deepEqual = (left: unknown, right: unknown): boolean => {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left)) return Array.isArray(right) && equalArrays(left, right)
  return !Array.isArray(right) && equalObjects(left as Members, right as Members)
}

type Members = Readonly<Record<string, unknown>>

const equalArrays = (left: readonly unknown[], right: readonly unknown[]): boolean => {
  if (left.length !== right.length) return false
  for (let i = 0; i < left.length; i++) if (!deepEqual(left[i], right[i])) return false
  return true
}

const equalObjects = (left: Members, right: Members): boolean => {
  let present = 0
  for (const key of Object.keys(left)) {
    if (left[key] === undefined) continue
    if (!Object.hasOwn(right, key) || !deepEqual(left[key], right[key])) return false
    present += 1
  }
  return Object.keys(right).filter((key) => right[key] !== undefined).length === present
}
