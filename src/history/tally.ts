import { tokensOf } from '../model/tokens.js'
import { flagged, narrow, unknownBytes, wide } from './record.js'
import type { SegmentPiece } from './segment.js'

/** Calls in figures, as they are shown. */
export interface Figures {
  readonly calls: number
  readonly errors: number
  readonly cached: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly meanMs: number
  readonly waitingMs: number
  readonly sourceMs: number
  readonly ownMs: number
  readonly argumentBytes: number
  readonly resultBytes: number
  readonly argumentTokens: number
  readonly resultTokens: number
  readonly cost: number
}

/** The same while it is carried from one replica to another: sums, then places in the histogram and their counts by turns. */
export type PackedTally = { readonly sums: readonly number[]; readonly times: readonly number[] }

// A latency's place is its exponent and the first six bits behind the point: 1.6 % wide, from a microsecond to an hour.
const finest = 17
const lowest = (127 - 10) << 6
const places = 32 << 6

const sum = {
  ...{ calls: 0, errors: 1, cached: 2, latencyMs: 3, maxMs: 4, waitingMs: 5, sourceMs: 6 },
  ...{ argumentBytes: 7, resultBytes: 8, argumentTokens: 9, resultTokens: 10, cost: 11 },
} as const
const sumsKept = 12

/** Counts calls. Two of them can be added up and are then as if one had counted all: percentiles come from a histogram. */
export class Tally {
  readonly #sums = new Float64Array(sumsKept)
  readonly #times = new Uint32Array(places)

  get calls(): number {
    return this.#sums[sum.calls]!
  }

  add({ wides, fractions, wholes }: SegmentPiece, index: number): void {
    const sums = this.#sums
    const n = index * narrow.perRecord
    const latencyMs = fractions[n + narrow.latencyMs]!
    const flags = wholes[n + narrow.flags]!
    sums[sum.calls]! += 1
    if (wholes[n + narrow.end]! > 0 || (flags & flagged.saysError) !== 0) sums[sum.errors]! += 1
    if ((flags & flagged.cached) !== 0) sums[sum.cached]! += 1
    sums[sum.latencyMs]! += latencyMs
    if (latencyMs > sums[sum.maxMs]!) sums[sum.maxMs] = latencyMs
    sums[sum.waitingMs]! += fractions[n + narrow.waitingMs]!
    sums[sum.sourceMs]! += fractions[n + narrow.sourceMs]!
    const argumentBytes = wholes[n + narrow.argumentBytes]!
    if (argumentBytes !== unknownBytes) {
      sums[sum.argumentBytes]! += argumentBytes
      sums[sum.argumentTokens]! += tokensOf(argumentBytes)
    }
    const resultBytes = wholes[n + narrow.resultBytes]!
    if (resultBytes !== unknownBytes) {
      sums[sum.resultBytes]! += resultBytes
      sums[sum.resultTokens]! += tokensOf(resultBytes)
    }
    const cost = wides[index * wide.perRecord + wide.cost]!
    if (!Number.isNaN(cost)) sums[sum.cost]! += cost
    // The bits of the fraction, read as a whole number.
    const place = (wholes[n + narrow.latencyMs]! >>> finest) - lowest
    this.#times[place < 0 ? 0 : place >= places ? places - 1 : place]! += 1
  }

  /** What another has counted. */
  join(other: Tally): void {
    this.joinPacked(other.packed())
  }

  joinPacked({ sums, times }: PackedTally): void {
    const maxMs = Math.max(this.#sums[sum.maxMs]!, sums[sum.maxMs] ?? 0)
    for (let index = 0; index < sumsKept; index++) this.#sums[index]! += finite(sums[index])
    this.#sums[sum.maxMs] = maxMs
    for (let index = 0; index + 1 < times.length; index += 2) {
      const place = times[index]!
      if (place >= 0 && place < places) this.#times[place]! += finite(times[index + 1])
    }
  }

  packed(): PackedTally {
    const times: number[] = []
    this.#times.forEach((count, place) => {
      if (count > 0) times.push(place, count)
    })
    return { sums: [...this.#sums], times }
  }

  figures(): Figures {
    const sums = this.#sums
    const calls = sums[sum.calls]!
    const ms = (which: number): number => Math.round(sums[which]! * 1000) / 1000
    const own = sums[sum.latencyMs]! - sums[sum.waitingMs]! - sums[sum.sourceMs]!
    return {
      calls,
      errors: sums[sum.errors]!,
      cached: sums[sum.cached]!,
      p50Ms: this.#percentile(0.5),
      p95Ms: this.#percentile(0.95),
      p99Ms: this.#percentile(0.99),
      maxMs: ms(sum.maxMs),
      meanMs: calls === 0 ? 0 : Math.round((sums[sum.latencyMs]! / calls) * 1000) / 1000,
      waitingMs: ms(sum.waitingMs),
      sourceMs: ms(sum.sourceMs),
      ownMs: Math.max(0, Math.round(own * 1000) / 1000),
      argumentBytes: sums[sum.argumentBytes]!,
      resultBytes: sums[sum.resultBytes]!,
      argumentTokens: sums[sum.argumentTokens]!,
      resultTokens: sums[sum.resultTokens]!,
      cost: sums[sum.cost]!,
    }
  }

  /** The middle of the place in which it lies; never more than the longest. */
  #percentile(share: number): number {
    const rank = Math.ceil(share * this.calls)
    let seen = 0
    for (let place = 0; place < places; place++) {
      seen += this.#times[place]!
      if (seen >= rank && seen > 0) return Math.round(Math.min(this.#sums[sum.maxMs]!, middleOf(place)) * 1000) / 1000
    }
    return 0
  }
}

const finite = (value: number | undefined): number => (Number.isFinite(value) ? value! : 0)

const bits = new Uint32Array(1)
const fraction = new Float32Array(bits.buffer)

const middleOf = (place: number): number => {
  bits[0] = ((place + lowest) << finest) | (1 << (finest - 1))
  return fraction[0]!
}
