const longestWord = 8
// Few long words beat many short ones; a character that is no entry is the worst.
const wordCost = 1
const characterCost = 1.2
const unknownCost = 1.7

/** Cuts a run of Chinese into known words at the least cost; characters of no word stand alone. */
export const createCover = (isKnown: (word: string) => boolean): ((run: string) => readonly string[]) => {
  return (run) => {
    const characters = [...run]
    const costs = new Float64Array(characters.length + 1).fill(Infinity)
    const lengths = new Uint8Array(characters.length + 1)
    costs[0] = 0
    for (let end = 1; end <= characters.length; end++) {
      for (let length = 1; length <= Math.min(longestWord, end); length++) {
        const cost = costs[end - length]! + costOf(characters.slice(end - length, end).join(''), length, isKnown)
        if (cost > costs[end]!) continue
        costs[end] = cost
        lengths[end] = length
      }
    }
    return cut(characters, lengths)
  }
}

const costOf = (word: string, length: number, isKnown: (word: string) => boolean): number => {
  if (isKnown(word)) return length === 1 ? characterCost : wordCost
  return length === 1 ? unknownCost : Infinity
}

const cut = (characters: readonly string[], lengths: Uint8Array): readonly string[] => {
  const words: string[] = []
  for (let end = characters.length; end > 0; end -= lengths[end]!) {
    words.push(characters.slice(end - lengths[end]!, end).join(''))
  }
  return words.reverse()
}
