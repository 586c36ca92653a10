import { GatewayError } from '../../errors.js'
import { createKernel, type GrowingMemory, type Kernel } from './simd-kernel.js'

/** Vectors by slot, each byte a coordinate, compared exactly: no approximate index is needed up to 100,000. */
export interface VectorTable {
  set(slot: number, vector: Float32Array): void
  delete(slot: number): void
  has(slot: number): boolean
  /** The cosine of the query with every slot below `slots`; 0 where there is no vector. */
  cosines(query: Float32Array, slots: number): Float32Array
  /** The same for a few slots only, in their order. */
  cosinesAt(query: Float32Array, slots: readonly number[]): Float32Array
  readonly count: number
  readonly bytes: number
}

const mostDimensions = 4_096
const pageBytes = 65_536
// The query, then results of one block of rows, then the rows.
const outOffset = mostDimensions
const blockRows = 8_192
const rowsOffset = outOffset + 4 * blockRows

export interface VectorTableOptions {
  /** `plain` never uses SIMD; for machines without it, and to compare. Default `simd` where there is. */
  readonly kernel?: 'simd' | 'plain' | undefined
}

/** A table for vectors of this length. */
export const createVectorTable = (dimensions: number, options: VectorTableOptions = {}): VectorTable => {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > mostDimensions) throw badLength(dimensions)
  const kernel = options.kernel === 'plain' ? undefined : createKernel()
  const stride = Math.ceil(dimensions / 16) * 16
  const memory = kernel?.memory ?? createPlainMemory()
  let bytes = new Int8Array(memory.buffer)
  let scales = new Float32Array(64)
  let count = 0

  const reserve = (slot: number): void => {
    const needed = rowsOffset + (slot + 1) * stride
    if (needed > bytes.length) {
      memory.grow(Math.ceil((Math.max(needed, bytes.length * 1.25) - bytes.length) / pageBytes))
      bytes = new Int8Array(memory.buffer)
    }
    if (slot < scales.length) return
    const grown = new Float32Array(Math.max(slot + 1, scales.length * 2))
    grown.set(scales)
    scales = grown
  }

  const check = (vector: Float32Array): void => {
    if (vector.length !== dimensions) throw badLength(vector.length)
  }

  const clear = (slot: number): void => {
    if (scales[slot] === 0 || slot >= scales.length) return
    scales[slot] = 0
    count -= 1
  }

  return {
    set: (slot, vector) => {
      check(vector)
      reserve(slot)
      clear(slot)
      scales[slot] = quantise(vector, bytes.subarray(rowsOffset + slot * stride, rowsOffset + (slot + 1) * stride))
      if (scales[slot] !== 0) count += 1
    },
    delete: clear,
    has: (slot) => slot < scales.length && scales[slot] !== 0,
    cosines: (query, slots) => {
      check(query)
      reserve(Math.max(0, slots - 1))
      const scale = quantise(query, bytes.subarray(0, stride))
      const cosines = new Float32Array(slots)
      for (let from = 0; from < slots; from += blockRows) {
        const rows = Math.min(blockRows, slots - from)
        const dots = kernel
          ? scanSimd(kernel, rowsOffset + from * stride, rows, stride)
          : scanPlain(bytes, rowsOffset + from * stride, rows, stride)
        for (let i = 0; i < rows; i++) cosines[from + i] = dots[i]! * scale * scales[from + i]!
      }
      return cosines
    },
    cosinesAt: (query, slots) => {
      check(query)
      const scale = quantise(query, bytes.subarray(0, stride))
      return Float32Array.from(slots, (slot) =>
        slot < scales.length ? dotAt(bytes, rowsOffset + slot * stride, stride) * scale * scales[slot]! : 0,
      )
    },
    get count() {
      return count
    },
    get bytes() {
      return bytes.length
    },
  }
}

const scanSimd = (kernel: Kernel, at: number, rows: number, stride: number) => {
  kernel.scan(0, at, rows, stride, outOffset)
  return new Int32Array(kernel.memory.buffer, outOffset, rows)
}

const createPlainMemory = (): GrowingMemory => {
  let buffer = new ArrayBuffer(pageBytes)
  return {
    get buffer() {
      return buffer
    },
    grow: (pages) => {
      const grown = new Uint8Array(buffer.byteLength + pages * pageBytes)
      grown.set(new Uint8Array(buffer))
      buffer = grown.buffer
      return pages
    },
  }
}

const scanPlain = (bytes: Int8Array, at: number, rows: number, stride: number): Int32Array => {
  const dots = new Int32Array(rows)
  for (let row = 0; row < rows; row++) dots[row] = dotAt(bytes, at + row * stride, stride)
  return dots
}

/** The query at the beginning times the row at a place. */
const dotAt = (bytes: Int8Array, from: number, stride: number): number => {
  let sum = 0
  for (let i = 0; i < stride; i++) sum += bytes[i]! * bytes[from + i]!
  return sum
}

/** Writes the vector's direction as bytes; returns what one step is worth, 0 for a vector without direction. */
const quantise = (vector: Float32Array, into: Int8Array): number => {
  let squares = 0
  let largest = 0
  for (const value of vector) {
    squares += value * value
    largest = Math.max(largest, Math.abs(value))
  }
  into.fill(0)
  if (!(largest > 0) || !Number.isFinite(squares)) return 0
  const step = largest / 127
  for (let i = 0; i < vector.length; i++) into[i] = Math.round(vector[i]! / step)
  return step / Math.sqrt(squares)
}

const badLength = (length: number): GatewayError =>
  new GatewayError(
    'RESULT_INVALID',
    `The embedding model gave a vector of length ${length}, which does not fit; use one model with 1 to ${mostDimensions} dimensions.`,
  )
