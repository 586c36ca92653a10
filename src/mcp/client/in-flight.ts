/** Entries by a number of their own that only grows. */
export interface InFlight<T extends { readonly id: number }> {
  readonly size: number
  readonly lastId: number
  /** Makes an entry under the next free id. */
  add(make: (id: number) => T): T
  /** Anything may be asked for: ids come from the other side. */
  get(id: unknown): T | undefined
  delete(id: number): void
  values(): readonly T[]
}

/**
 * A ring instead of a Map: V8 keeps each outgrown table of a Map alive by the one before it, so a Map whose entries
 * come and go promotes every request to V8's old generation (measured: twice the CPU per call at 64 in flight).
 */
export const createInFlight = <T extends { readonly id: number }>(): InFlight<T> => {
  let slots: (T | undefined)[] = emptySlots(64)
  let size = 0
  let lastId = 0

  const slotOf = (id: number): number => id % slots.length

  const grow = (): void => {
    const entries = slots.filter((entry) => entry !== undefined)
    slots = emptySlots(slots.length * 2)
    // Two entries apart in the smaller ring are apart in the doubled one.
    for (const entry of entries) slots[slotOf(entry.id)] = entry
  }

  return {
    get size() {
      return size
    },
    get lastId() {
      return lastId
    },
    add: (make) => {
      if (size >= slots.length / 2) grow()
      // A long-lived entry may still sit where its successor would go; at least every second slot is free.
      do lastId++
      while (slots[slotOf(lastId)] !== undefined)
      const entry = make(lastId)
      slots[slotOf(lastId)] = entry
      size++
      return entry
    },
    get: (id) => {
      if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 1) return undefined
      const entry = slots[slotOf(id)]
      return entry?.id === id ? entry : undefined
    },
    delete: (id) => {
      if (slots[slotOf(id)]?.id !== id) return
      slots[slotOf(id)] = undefined
      size--
    },
    values: () => slots.filter((entry) => entry !== undefined),
  }
}

const emptySlots = (length: number): undefined[] => new Array(length).fill(undefined)
