import { type Block, createArena } from '../index/arena.js'

/** Which rows of a model stand for each tool: 16-bit numbers by slot, two to a word. */
export interface RowLists {
  set(slot: number, rows: readonly number[]): void
  delete(slot: number): void
  /** Valid until the next change; empty where nothing was set. */
  at(slot: number): Uint16Array
  readonly bytes: number
}

interface Entry {
  readonly block: Block
  readonly count: number
}

const none = new Uint16Array(0)

export const createRowLists = (): RowLists => {
  const arena = createArena()
  const entries: (Entry | undefined)[] = []
  const at = (slot: number): Uint16Array => {
    const entry = entries[slot]
    if (!entry) return none
    const { block, count } = entry
    return new Uint16Array(arena.segment(block).buffer, 4 * block.offset, count)
  }
  const remove = (slot: number): void => {
    const entry = entries[slot]
    if (!entry) return
    arena.free(entry.block)
    entries[slot] = undefined
  }
  return {
    set: (slot, rows) => {
      remove(slot)
      entries[slot] = { block: arena.allocate(Math.max(2, rows.length / 2)), count: rows.length }
      at(slot).set(rows)
    },
    delete: remove,
    at,
    get bytes() {
      return arena.bytes
    },
  }
}
