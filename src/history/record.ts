/**
 * A call on the disk: 64 bytes, the same for all, so that a million can be looked through without reading one. What is text
 * stands in the dictionary of its segment and is a number here. Two 64-bit numbers, three of 32 bits, then whole ones.
 */
export const recordBytes = 64

/** Of the 64-bit numbers of a record. */
export const wide = { perRecord: 8, at: 0, cost: 1 } as const

/** Of the 32-bit ones: the first three are fractions. */
export const narrow = {
  perRecord: 16,
  latencyMs: 4,
  waitingMs: 5,
  sourceMs: 6,
  target: 7,
  from: 8,
  end: 9,
  extra: 10,
  step: 11,
  argumentBytes: 12,
  resultBytes: 13,
  /** Where its values lie, and one more; 0 where none were kept. */
  values: 14,
  /** Attempts in the lower half, flags in the upper. */
  flags: 15,
} as const

export const flagged = { cached: 1 << 16, saysError: 1 << 17 } as const
export const mostAttempts = 0xffff
/** Sizes that nobody knows. */
export const unknownBytes = 0xffffffff

/** A piece of memory as records, seen as each kind of number. */
export interface RecordViews {
  readonly wides: Float64Array
  readonly fractions: Float32Array
  readonly wholes: Uint32Array
}

export const viewsOf = (memory: ArrayBuffer, byteOffset: number, records: number): RecordViews => ({
  wides: new Float64Array(memory, byteOffset, records * wide.perRecord),
  fractions: new Float32Array(memory, byteOffset, records * narrow.perRecord),
  wholes: new Uint32Array(memory, byteOffset, records * narrow.perRecord),
})
