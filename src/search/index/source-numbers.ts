/** A small number for each source that has tools, given again when its last tool is gone. */
export interface SourceNumbers {
  /** One more tool of this source; returns its number. */
  take(source: string): number
  /** One less. */
  leave(source: string): void
  /** Every number is below it. */
  readonly most: number
}

export const createSourceNumbers = (): SourceNumbers => {
  const known = new Map<string, { readonly number: number; tools: number }>()
  const free: number[] = []
  let most = 0
  return {
    take: (source) => {
      const entry = known.get(source) ?? { number: free.pop() ?? most++, tools: 0 }
      entry.tools += 1
      known.set(source, entry)
      return entry.number
    },
    leave: (source) => {
      const entry = known.get(source)
      if (!entry) return
      entry.tools -= 1
      if (entry.tools > 0) return
      known.delete(source)
      free.push(entry.number)
    },
    get most() {
      return most
    },
  }
}
