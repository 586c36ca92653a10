import type { Arena, Block } from './arena.js'

/** The tools that hold one term, sorted by slot: pairs of (slot, fields << 16 | impact). */
export interface Postings {
  readonly id: number
  readonly term: string
  block: Block
  /** Number of pairs. */
  count: number
}

/** Adds a pair, keeping the order. The slot must not be there yet. */
export const insertPosting = (arena: Arena, postings: Postings, slot: number, data: number): void => {
  if ((postings.count + 1) * 2 > postings.block.capacity) grow(arena, postings)
  const { offset } = postings.block
  const list = arena.segment(postings.block)
  const at = offset + 2 * position(list, offset, postings.count, slot)
  list.copyWithin(at + 2, at, offset + 2 * postings.count)
  list[at] = slot
  list[at + 1] = data
  postings.count += 1
}

/** Takes the slot's pair out. */
export const removePosting = (arena: Arena, postings: Postings, slot: number): void => {
  const { offset } = postings.block
  const list = arena.segment(postings.block)
  const at = offset + 2 * position(list, offset, postings.count, slot)
  list.copyWithin(at, at + 2, offset + 2 * postings.count)
  postings.count -= 1
}

/** The data of a slot, or 0 when the term is not in it. */
export const findPosting = (arena: Arena, postings: Postings, slot: number): number => {
  const { offset } = postings.block
  const list = arena.segment(postings.block)
  const index = position(list, offset, postings.count, slot)
  const at = offset + 2 * index
  return index < postings.count && list[at] === slot ? list[at + 1]! : 0
}

const grow = (arena: Arena, postings: Postings): void => {
  const old = postings.block
  const from = arena.segment(old)
  const fresh = arena.allocate(old.capacity * 2)
  arena.segment(fresh).set(from.subarray(old.offset, old.offset + 2 * postings.count), fresh.offset)
  arena.free(old)
  postings.block = fresh
}

/** The index of the first pair whose slot is not smaller. */
const position = (list: Uint32Array, offset: number, count: number, slot: number): number => {
  let low = 0
  let high = count
  // Tools mostly arrive in the order of their slots.
  if (count > 0 && list[offset + 2 * (count - 1)]! < slot) return count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[offset + 2 * middle]! < slot) low = middle + 1
    else high = middle
  }
  return low
}
