import { type CallCounts, Counting } from './counting.js'
import { callId, placeOfCall, type Segment, segmentsIn, setAside, valuesPath } from './folder.js'
import type { KeptCall } from './kept-call.js'
import { matching } from './matching.js'
import { cursorBehind, newerFirst, parseCursor, placeInOrder } from './newest-first.js'
import type { CallFilter, CallsAsked, CallsFound, StatsAsked } from './query.js'
import type { OneCall } from './reader.js'
import { atOf, decode, type ReadSegment, readSegment, type SegmentPiece, valuesAt } from './segment.js'
import { readValues } from './values.js'

/** What is remembered of a segment that was read: as long as it has so many bytes, it need not be read for other times. */
interface Known {
  /** Of all its files. */
  readonly bytes: number
  readonly good: number
  readonly firstAt: number
  readonly lastAt: number
}

// So many records at a time; then others have their turn. About a millisecond.
const slice = 16_384

/**
 * The calls of a folder, whoever wrote them: files are read as they lie, and nobody is asked. Read by slices, so that whoever
 * serves calls meanwhile never waits for more than a few milliseconds.
 */
export class CallFiles {
  readonly #folder: string
  readonly #onDamage: (file: string) => void
  readonly #known = new Map<string, Known>()

  /** `onDamage` is told once of each file that is not as it was written. */
  constructor(folder: string, onDamage: (file: string) => void = () => {}) {
    this.#folder = folder
    this.#onDamage = onDamage
  }

  /** Newest first. */
  async find({ limit, cursor, ...filter }: CallsAsked): Promise<CallsFound> {
    const before = cursor === undefined ? undefined : parseCursor(cursor)
    const bound = before ? { ...filter, to: Math.min(filter.to ?? Number.POSITIVE_INFINITY, before.at + 1) } : filter
    // One more than wanted: it tells whether there are more.
    let found: readonly KeptCall[] = []
    for (const each of (await segmentsIn(this.#folder)).toReversed()) {
      // What is older than all that were found need not be read.
      const oldest = found.length > limit ? found[limit]!.at : undefined
      const segment = await this.#read(each, oldest === undefined ? bound : { ...bound, from: oldest })
      if (!segment) continue
      const more = await newestOf(segment, bound, limit + 1, before?.id)
      found = [...found, ...more].sort(newerFirst).slice(0, limit + 1)
    }
    const calls = found.slice(0, limit)
    const last = calls.at(-1)
    return { calls, next: found.length > limit && last ? cursorBehind(last) : undefined }
  }

  async count(asked: StatsAsked): Promise<CallCounts> {
    const counting = new Counting(asked)
    for (const each of await segmentsIn(this.#folder)) {
      const segment = await this.#read(each, asked)
      if (!segment) continue
      counting.turnTo(segment)
      const isMeant = matching(asked, segment)
      for await (const [piece, start, end] of slicesOf(segment, asked))
        for (let index = start; index < end; index++) if (isMeant(piece, index)) counting.add(piece, index)
    }
    return counting.counts()
  }

  /** Undefined where there is no such call, or it was let go. */
  async one(id: string): Promise<OneCall | undefined> {
    const place = placeOfCall(id)
    const segment = place && (await this.#read({ name: place.segment, bytes: 0 }, {}))
    const piece = segment?.pieces.find(({ first, records }) => place!.index >= first && place!.index < first + records)
    if (!place || !segment || !piece) return undefined
    const at = valuesAt(piece, place.index - piece.first)
    const values = at === undefined ? undefined : await readValues(valuesPath(this.#folder, segment.name), at)
    return { call: decode(segment, piece, place.index - piece.first), values }
  }

  /** When the oldest call ended that is kept. */
  async oldest(): Promise<number | undefined> {
    const [first] = await segmentsIn(this.#folder)
    if (!first) return undefined
    return this.#known.get(first.name)?.firstAt ?? first.beganAt
  }

  /** Undefined where it has nothing of that time, or is gone. */
  async #read(
    { name, bytes }: Pick<Segment, 'name' | 'bytes'>,
    { from, to }: CallFilter,
  ): Promise<ReadSegment | undefined> {
    const known = this.#known.get(name)
    // One that is still written may have more since.
    if (known?.bytes === bytes && from !== undefined && known.lastAt < from) return undefined
    if (known && to !== undefined && known.firstAt >= to) return undefined
    const segment = await readSegment(this.#folder, name, known?.good)
    if (segment?.state === 'damaged' && known?.good !== segment.good) await this.#damaged(segment)
    const [first, last] = [segment?.pieces[0], segment?.pieces.at(-1)]
    if (!segment || !first || !last) return undefined
    const lastAt = atOf(last, last.records - 1)
    this.#remember(name, { bytes, good: segment.good, firstAt: atOf(first, 0), lastAt })
    return segment
  }

  #remember(name: string, known: Known): void {
    this.#known.delete(name)
    this.#known.set(name, known)
    if (this.#known.size > mostKnown) this.#known.delete(this.#known.keys().next().value as string)
  }

  /** One of which nothing can be read is put out of the way. */
  async #damaged({ name, records }: ReadSegment): Promise<void> {
    this.#onDamage(`${name}.calls`)
    if (records === 0) await setAside(this.#folder, name)
  }
}

const mostKnown = 8192

/** From the end backwards, until there are enough: within a segment nothing is newer than what follows it. */
const newestOf = async (
  segment: ReadSegment,
  filter: CallFilter,
  most: number,
  before: string | undefined,
): Promise<readonly KeptCall[]> => {
  const isMeant = matching(filter, segment)
  const edge = before === undefined ? undefined : { id: placeInOrder(before), at: filter.to! - 1 }
  const found: KeptCall[] = []
  let looked = 0
  for (const piece of segment.pieces.toReversed()) {
    if (filter.from !== undefined && atOf(piece, piece.records - 1) < filter.from) break
    if (filter.to !== undefined && atOf(piece, 0) >= filter.to) continue
    for (let index = piece.records - 1; index >= 0; index--) {
      if (++looked % slice === 0) await turn()
      if (!isMeant(piece, index)) continue
      const isBehind =
        edge === undefined ||
        atOf(piece, index) < edge.at ||
        placeInOrder(callId(segment.name, piece.first + index)) < edge.id
      if (!isBehind) continue
      found.push(decode(segment, piece, index))
      if (found.length >= most) return found
    }
  }
  return found
}

/** The records of this time, a slice at a time. */
async function* slicesOf(
  segment: ReadSegment,
  { from, to }: CallFilter,
): AsyncGenerator<[SegmentPiece, number, number]> {
  let looked = 0
  for (const piece of segment.pieces) {
    if (from !== undefined && atOf(piece, piece.records - 1) < from) continue
    if (to !== undefined && atOf(piece, 0) >= to) return
    for (let start = 0; start < piece.records; start += slice) {
      const end = Math.min(piece.records, start + slice)
      yield [piece, start, end]
      looked += end - start
      if (looked < slice) continue
      looked = 0
      await turn()
    }
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
