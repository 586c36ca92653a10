export interface Measures {
  readonly recallAt1: number
  readonly recallAt5: number
  readonly ndcgAt10: number
}

/** Of one query: any of the wanted tools serves, so one hit is a full hit. */
export const measure = (ranked: readonly string[], wanted: readonly string[]): Measures => {
  const place = ranked.findIndex((id) => wanted.includes(id))
  return {
    recallAt1: place === 0 ? 1 : 0,
    recallAt5: place >= 0 && place < 5 ? 1 : 0,
    ndcgAt10: place >= 0 && place < 10 ? 1 / Math.log2(place + 2) : 0,
  }
}

export const meanOf = (all: readonly Measures[]): Measures => ({
  recallAt1: mean(all.map(({ recallAt1 }) => recallAt1)),
  recallAt5: mean(all.map(({ recallAt5 }) => recallAt5)),
  ndcgAt10: mean(all.map(({ ndcgAt10 }) => ndcgAt10)),
})

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
