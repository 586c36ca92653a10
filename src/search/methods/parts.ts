import { impactUnit } from '../index/impact.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { findPosting } from '../index/postings.js'
import type { LexicalScorer, LexicalScores } from '../rank/lexical-search.js'
import type { Ranked } from '../rank/rank.js'
import type { FoundConcept } from '../rank/score.js'
import { isWeak } from '../rank/trust.js'
import type { Request } from '../request.js'

/** A tool of an answer, and which part of the wish it serves. */
export interface Serving extends Ranked {
  readonly part: string
  /** Whether it is to be trusted for that part, the rest of the wish left out. */
  readonly fits: boolean
}

/** A part of a wish, and what speaks for each candidate in it. */
export interface WishPart {
  readonly text: string
  readonly words: readonly number[]
  readonly likeness: readonly number[] | undefined
}

/** The share of a part's words that each candidate has. What the scorer said of the whole wish before is overwritten, save its needs. */
export const wordsIn = (
  text: string,
  slots: readonly number[],
  score: LexicalScorer,
  { view }: Pick<Request, 'view'>,
): readonly number[] => {
  const { values } = score({ text, reach: 'related', view })
  return slots.map((slot) => values[slot] ?? 0)
}

/** How many of the best are looked at for each part. */
export const mostForParts = 64

/**
 * The best first, and for every part something: once a tool is placed, the words it meets count less for the next, so that the rest of
 * the wish is heard; what serves a part that would go without takes the last place. The first place is as it was. `ranked` has
 * more than are asked for. Scores never rise along the answer.
 */
export const serveParts = (
  ranked: readonly Ranked[],
  parts: readonly WishPart[],
  limit: number,
  index: LexicalIndex,
  words: Pick<LexicalScores, 'found' | 'ceiling'>,
): readonly Serving[] => {
  const order = greedily(ranked, limit, index, words)
  const serving = withEveryPart(order, ranked.length, parts, limit)
  let least = 1
  return serving.map((at) => {
    least = Math.min(least, ranked[at]!.score)
    return { ...toServing(ranked[at]!, at, parts), score: least }
  })
}

// How much of a need is left once a tool that meets it well is placed, and how much of its score a tool may lose by that. Chosen on the
// four sets that need several tools, where 0 to 0.2 are the same but for noise and 0.4 loses some (docs/search-quality.md).
const again = 0.5
const well = 0.5
const cost = 0.1

/** The order by words not yet met, as places in `ranked`. */
const greedily = (
  ranked: readonly Ranked[],
  limit: number,
  index: LexicalIndex,
  { found, ceiling }: Pick<LexicalScores, 'found' | 'ceiling'>,
): number[] => {
  const met = ranked.map(({ slot }) => Float64Array.from(found, (need) => metBy(index, need, slot) / ceiling))
  const best = found.map((_, need) => met.reduce((most, row) => Math.max(most, row[need]!), 0))
  const left = new Float64Array(found.length).fill(1)
  const rest = ranked.map((_, at) => at)
  const order: number[] = []
  const worth = (at: number): number => {
    const row = met[at]!
    let lost = 0
    for (let need = 0; need < row.length; need++) lost += (1 - left[need]!) * row[need]!
    return ranked[at]!.score - cost * lost
  }
  while (order.length < limit && rest.length > 0) {
    const next = order.length === 0 ? 0 : indexOfBest(rest.map(worth))
    const [at] = rest.splice(next, 1)
    order.push(at!)
    const row = met[at!]!
    for (let need = 0; need < row.length; need++)
      if (row[need]! > 0 && row[need]! >= well * best[need]!) left[need]! *= again
  }
  return order
}

/** What a tool meets of a need, as part of the ceiling. */
const metBy = (index: LexicalIndex, { terms, most }: FoundConcept, slot: number): number => {
  let factor = 0
  let best = 0
  for (const term of terms) {
    factor = Math.max(factor, term.factor)
    const impact = findPosting(index.arena, term.postings, slot) & impactUnit
    best = Math.max(best, (term.factor * impact) / impactUnit)
  }
  return factor === 0 ? 0 : (most * best) / factor
}

const fitOf = ({ words, likeness }: WishPart, at: number): number =>
  likeness ? (words[at]! + likeness[at]!) / 2 : words[at]!

// Less than this is chance: a part nothing serves goes without.
const leastFit = 0.25

const withEveryPart = (
  order: readonly number[],
  count: number,
  parts: readonly WishPart[],
  limit: number,
): number[] => {
  const listed = [...order]
  const served = (at: number): number => indexOfBest(parts.map((part) => fitOf(part, at)))
  for (const [place, part] of parts.entries()) {
    if (listed.some((at) => served(at) === place && fitOf(part, at) >= leastFit)) continue
    const fits = Array.from({ length: count }, (_, at) => (listed.includes(at) ? 0 : fitOf(part, at)))
    const best = indexOfBest(fits)
    if (!(fits[best]! >= leastFit) || served(best) !== place) continue
    if (listed.length >= limit) {
      const spare = lastSpare(listed.map(served))
      if (spare <= 0) continue
      listed.splice(spare, 1)
    }
    listed.push(best)
  }
  return listed
}

/** The last place whose part is served by another one too. */
const lastSpare = (served: readonly number[]): number =>
  served.findLastIndex((part, place) => served.indexOf(part) !== place || served.lastIndexOf(part) !== place)

const toServing = (ranked: Ranked, at: number, parts: readonly WishPart[]): Serving => {
  const part = parts[indexOfBest(parts.map((each) => fitOf(each, at)))]!
  return { ...ranked, part: part.text, fits: !isWeak(part.words[at]!, part.likeness?.[at]) }
}

const indexOfBest = (values: readonly number[]): number =>
  values.reduce((best, value, at) => (value > values[best]! ? at : best), 0)
