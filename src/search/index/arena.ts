/** Where a list of numbers lives: an offset into one of the arena's segments, with room for `capacity` of them. */
export interface Block {
  segment: number
  offset: number
  capacity: number
}

/**
 * Room for very many short lists of 32-bit numbers. One typed array per list would cost more in headers than in
 * numbers; one array for all would have to be copied as a whole when it grows. Blocks have sizes of powers of two and
 * return to a free list of their size.
 */
export interface Arena {
  allocate(size: number): Block
  free(block: Block): void
  segment(block: Block): Uint32Array
  readonly bytes: number
}

const segmentSize = 1 << 16

export const createArena = (): Arena => {
  const segments: Uint32Array[] = []
  const free = new Map<number, Block[]>()
  let current = -1
  let used = segmentSize
  let total = 0

  const addSegment = (size: number): number => {
    total += size * 4
    return segments.push(new Uint32Array(size)) - 1
  }

  return {
    allocate: (size) => {
      const capacity = 2 ** Math.max(1, Math.ceil(Math.log2(size)))
      const reused = free.get(capacity)?.pop()
      if (reused) return reused
      // A long list gets a segment of its own, or it would waste the rest of a shared one.
      if (capacity > segmentSize / 4) return { segment: addSegment(capacity), offset: 0, capacity }
      if (used + capacity > segmentSize) {
        current = addSegment(segmentSize)
        used = 0
      }
      used += capacity
      return { segment: current, offset: used - capacity, capacity }
    },
    free: (block) => {
      const list = free.get(block.capacity)
      if (list) list.push(block)
      else free.set(block.capacity, [block])
    },
    segment: (block) => segments[block.segment]!,
    get bytes() {
      return total
    },
  }
}
