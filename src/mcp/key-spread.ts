/**
 * About how many different keys a text has. Every new one costs the parser a microsecond, a hundred times what a repeated one
 * does, so a megabyte of them holds the event loop (T29). Keys of one hash count once; nobody begins within another's count.
 */
export const freely = 4096
const slots = 1 << 17
const seen = new Uint8Array(slots)
let different = 0

/** For the first key past `freely`. */
export const beginSpread = (): void => {
  seen.fill(0)
  different = 0
}

/** How many there are now, with this one. */
export const spread = (hash: number): number => {
  const slot = (hash ^ (hash >>> 17)) & (slots - 1)
  if (seen[slot] === 0) {
    seen[slot] = 1
    different += 1
  }
  return different
}
