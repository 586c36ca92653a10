/** Finds any of many texts in one pass, however many there are. */
export interface KnownValues {
  add(value: string): void
  /** Everything covered by one of them replaced; what overlaps is hidden as a whole. */
  hide(text: string, label: string): string
  readonly longest: number
}

/** Looks at four characters at a time; `minLength` of what is added must be at least four. */
export const createKnownValues = (): KnownValues => {
  const byStart = new Map<number, string[]>()
  let longest = 0

  const lengthAt = (text: string, at: number): number => {
    const candidates = byStart.get(startKey(text, at))
    return candidates?.find((value) => text.startsWith(value, at))?.length ?? 0
  }

  return {
    get longest() {
      return longest
    },
    add: (value) => {
      const key = startKey(value, 0)
      const peers = byStart.get(key) ?? []
      if (peers.includes(value)) return
      // Longest first, so that the first that fits covers the most.
      byStart.set(
        key,
        [...peers, value].sort((a, b) => b.length - a.length),
      )
      longest = Math.max(longest, value.length)
    },
    hide: (text, label) => {
      if (byStart.size === 0) return text
      let hidden = ''
      let kept = 0
      for (let at = 0; at + 4 <= text.length; at++) {
        let end = at + lengthAt(text, at)
        if (end === at) continue
        for (let inside = at + 1; inside < end; inside++) end = Math.max(end, inside + lengthAt(text, inside))
        hidden += text.slice(kept, at) + label
        kept = end
        at = end - 1
      }
      return kept === 0 ? text : hidden + text.slice(kept)
    },
  }
}

// Collisions only cost a comparison.
const startKey = (text: string, at: number): number =>
  text.charCodeAt(at) ^
  (text.charCodeAt(at + 1) << 8) ^
  (text.charCodeAt(at + 2) << 16) ^
  (text.charCodeAt(at + 3) << 24)
