/** The newest of what happened, numbered from 1 as it came. A busy day costs no more memory than a quiet one. */
export interface Newest<Item> {
  /** The number of the newest; 0 while there is none. */
  readonly last: number
  /** Keeps one more, and forgets the oldest. Gives its number. */
  push(item: Item): number
  /** Newest first, at most `limit`. */
  list(limit: number, isWanted?: (item: Item) => boolean): readonly Item[]
  /** What came after a number, oldest first, at most the newest `limit`, and how many more there were. */
  after(number: number, limit: number): { readonly items: readonly Item[]; readonly missed: number }
}

/** A ring: nothing is moved when the oldest goes. */
export const createNewest = <Item>(most: number): Newest<Item> => {
  const ring: Item[] = []
  let last = 0
  const at = (number: number): Item => ring[(number - 1) % most]!
  const list: Newest<Item>['list'] = (limit, isWanted = () => true) => {
    const found: Item[] = []
    for (let number = last; number > last - ring.length && found.length < limit; number--)
      if (isWanted(at(number))) found.push(at(number))
    return found
  }
  return {
    get last() {
      return last
    },
    push: (item) => {
      ring[last % most] = item
      last += 1
      return last
    },
    list,
    after: (number, limit) => {
      const fresh = Math.max(0, last - number)
      const items = [...list(Math.min(fresh, limit))].reverse()
      return { items, missed: fresh - items.length }
    },
  }
}
