import type { Word } from './dictionary.js'
import type { SplitBy, StatsAsked } from './query.js'
import { narrow, wide } from './record.js'
import type { ReadSegment, SegmentPiece } from './segment.js'
import { type PackedTally, Tally } from './tally.js'

/** Calls counted by time, and by what they are split by. Two of the same question can be put together. */
export interface CallCounts {
  /** By where each begins. */
  readonly series: ReadonlyMap<number, Tally>
  readonly split?: ReadonlyMap<string, Tally> | undefined
}

export interface PackedCounts {
  readonly series: readonly (readonly [number, PackedTally])[]
  readonly split?: readonly (readonly [string, PackedTally])[] | undefined
}

// Each takes eight kilobytes while it is counted. What comes after is counted under no name.
const mostNames = 2000

/** Counts for one question, segment by segment. */
export class Counting {
  readonly #asked: StatsAsked
  readonly #series = new Map<number, Tally>()
  readonly #split = new Map<string, Tally>()
  /** By the number of the word in this segment. */
  #byWord: (Tally | undefined)[] = []
  #words: readonly Word[] = []
  /** The one that the last call was in: the next one mostly is too. */
  #bucket = Number.NaN
  #current = new Tally()

  constructor(asked: StatsAsked) {
    this.#asked = asked
  }

  turnTo({ words }: ReadSegment): void {
    this.#words = words
    this.#byWord = []
  }

  add(piece: SegmentPiece, index: number): void {
    const { bucketMs, by } = this.#asked
    const at = piece.wides[index * wide.perRecord + wide.at]!
    const bucket = Math.floor(at / bucketMs)
    if (bucket !== this.#bucket) {
      this.#bucket = bucket
      this.#current = tallyAt(this.#series, bucket * bucketMs)
    }
    this.#current.add(piece, index)
    if (by === undefined) return
    const number = piece.wholes[index * narrow.perRecord + placeOf[by]]!
    const known = (this.#byWord[number] ??= this.#named(nameOf[by](this.#words[number] ?? {})))
    known.add(piece, index)
  }

  counts(): CallCounts {
    return { series: this.#series, split: this.#asked.by === undefined ? undefined : this.#split }
  }

  #named(name: string): Tally {
    return tallyAt(this.#split, this.#split.size >= mostNames && !this.#split.has(name) ? '' : name)
  }
}

const tallyAt = <Key>(tallies: Map<Key, Tally>, key: Key): Tally => {
  const known = tallies.get(key)
  if (known) return known
  const made = new Tally()
  tallies.set(key, made)
  return made
}

/** In which word of a call its name stands. */
const placeOf: Readonly<Record<SplitBy, number>> = {
  tool: narrow.target,
  source: narrow.target,
  client: narrow.from,
  caller: narrow.from,
  profile: narrow.from,
  code: narrow.end,
}

/** Empty where it has none: a call without a source, a client that does not say who it is. */
const nameOf: Readonly<Record<SplitBy, (word: Word) => string>> = {
  tool: ({ tool }) => tool ?? '',
  source: ({ source }) => source ?? '',
  client: ({ client }) => client ?? '',
  caller: ({ caller, name }) => name ?? caller ?? '',
  profile: ({ profile }) => profile ?? '',
  code: ({ code }) => code ?? '',
}

export const packCounts = ({ series, split }: CallCounts): PackedCounts => ({
  series: [...series].map(([at, tally]) => [at, tally.packed()]),
  split: split && [...split].map(([name, tally]) => [name, tally.packed()]),
})

/** What several have counted of one question. */
export const joinCounts = (all: readonly PackedCounts[]): CallCounts => {
  const series = new Map<number, Tally>()
  const split = new Map<string, Tally>()
  for (const counts of all) {
    for (const [at, packed] of counts.series) tallyAt(series, at).joinPacked(packed)
    for (const [name, packed] of counts.split ?? []) tallyAt(split, name).joinPacked(packed)
  }
  return { series, split: all.some((counts) => counts.split) ? split : undefined }
}
