/** The first `count` slots in the given order, without sorting all of them. */
export const topSlots = (
  slots: readonly number[],
  count: number,
  before: (a: number, b: number) => number,
): readonly number[] => {
  if (count <= 0) return []
  if (slots.length <= count * 2) return [...slots].sort(before).slice(0, count)
  const heap: number[] = []
  for (const slot of slots) {
    if (heap.length < count) push(heap, slot, before)
    else if (before(slot, heap[0]!) < 0) replaceRoot(heap, slot, before)
  }
  return heap.sort(before)
}

// The root is the worst of the kept: the first to go.
const push = (heap: number[], slot: number, before: (a: number, b: number) => number): void => {
  let at = heap.push(slot) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (before(heap[at]!, heap[parent]!) <= 0) return
    swap(heap, at, parent)
    at = parent
  }
}

const replaceRoot = (heap: number[], slot: number, before: (a: number, b: number) => number): void => {
  heap[0] = slot
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const right = left + 1
    let worst = at
    if (left < heap.length && before(heap[left]!, heap[worst]!) > 0) worst = left
    if (right < heap.length && before(heap[right]!, heap[worst]!) > 0) worst = right
    if (worst === at) return
    swap(heap, at, worst)
    at = worst
  }
}

const swap = (heap: number[], a: number, b: number): void => {
  const kept = heap[a]!
  heap[a] = heap[b]!
  heap[b] = kept
}
