import { createKernel, type Kernel } from '../embedding/simd-kernel.js'
import type { ModelTable } from './table-file.js'
import { createRowReader } from './tokens.js'
import { weighRows } from './weigh.js'

/** Late interaction: for each row of a query the best cosine with any row of a tool, heavy rows counting more. */
export interface WordByWord {
  /** One likeness for each tool, 0 to 1; a tool is its distinct rows. */
  likeness(query: string, tools: readonly Uint16Array[]): Float32Array
  /** The table's rows where the comparison keeps them, so that nobody else need. */
  readonly rows: Int8Array
}

/** As many rows can be named by the numbers that are kept of each tool. */
export const mostNumberedRows = 65_536

// The first dimensions are trained to serve alone, and fewer are quicker to compare.
const mostDimensions = 192
// The heaviest rows of a long query; the others would take time and say little.
const mostQueryRows = 24
const pageBytes = 65_536

export interface WordByWordOptions {
  /** `plain` never uses SIMD; for machines without it, and to compare. Default `simd` where there is. */
  readonly kernel?: 'simd' | 'plain' | undefined
}

/** The rows of all tools are compared with each row of the query once, however many tools share them. */
export const createWordByWord = (table: ModelTable, options: WordByWordOptions = {}): WordByWord => {
  const reader = createRowReader(table)
  const rows = table.queryWeights.length
  const dots = createDots(table, options.kernel === 'plain' ? undefined : createKernel())
  const lengths = new Float32Array(rows)
  const lengthOf = (row: number): number => (lengths[row] ||= Math.sqrt(dots.square(row)) || 1)
  // Which place among the rows of this question a row has, and in which question it was given.
  const places = new Uint16Array(rows)
  const asked = new Uint32Array(rows)
  let question = 0

  const queryRows = (query: string): readonly { readonly row: number; readonly weight: number }[] => {
    const found: { row: number; weight: number }[] = []
    weighRows(reader, query, 'query', (row, share) => {
      found.push({ row, weight: share * Math.abs(table.queryWeights[row]!) * lengthOf(row) })
    })
    return found.sort((a, b) => b.weight - a.weight).slice(0, mostQueryRows)
  }

  /** The distinct rows of all tools, and each tool's as places among them. */
  const gather = (tools: readonly Uint16Array[]) => {
    question = (question + 1) >>> 0
    const distinct: number[] = []
    const placesOf = tools.map((tool) => {
      const own = new Uint16Array(tool.length)
      for (let i = 0; i < tool.length; i++) {
        const row = tool[i]!
        if (asked[row] !== question) {
          asked[row] = question
          places[row] = distinct.push(row) - 1
        }
        own[i] = places[row]!
      }
      return own
    })
    return { distinct, placesOf }
  }

  const likeness = (query: string, tools: readonly Uint16Array[]): Float32Array => {
    const sums = new Float32Array(tools.length)
    const { distinct, placesOf } = gather(tools)
    const inverse = Float32Array.from(distinct, (row) => 1 / lengthOf(row))
    dots.prepare(distinct)
    const cosines = new Float32Array(distinct.length)
    let whole = 0
    for (const { row, weight } of queryRows(query)) {
      whole += weight
      const raw = dots.with(row, distinct)
      const scale = 1 / lengthOf(row)
      for (let i = 0; i < cosines.length; i++) cosines[i] = raw[i]! * scale * inverse[i]!
      for (let tool = 0; tool < placesOf.length; tool++) sums[tool]! += weight * largestAt(cosines, placesOf[tool]!)
    }
    if (whole > 0) for (let tool = 0; tool < sums.length; tool++) sums[tool] = Math.min(1, sums[tool]! / whole)
    return sums
  }
  return { likeness, rows: dots.rows }
}

const largestAt = (values: Float32Array, places: Uint16Array): number => {
  let largest = 0
  for (let i = 0; i < places.length; i++) {
    const value = values[places[i]!]!
    if (value > largest) largest = value
  }
  return largest
}

/** Dot products of rows over their first dimensions. */
interface Dots {
  readonly rows: Int8Array
  square(row: number): number
  /** Which rows the next are about. */
  prepare(others: readonly number[]): void
  /** Of one row with each of those; valid until the next call. */
  with(row: number, others: readonly number[]): Int32Array
}

const createDots = (table: ModelTable, kernel: Kernel | undefined): Dots => {
  const length = Math.min(mostDimensions, table.dimensions)
  return kernel && length % 16 === 0 ? createQuickDots(table, length, kernel) : createPlainDots(table, length)
}

const createPlainDots = ({ dimensions, rows }: Pick<ModelTable, 'dimensions' | 'rows'>, length: number): Dots => {
  const dot = (a: number, b: number): number => {
    let sum = 0
    for (let i = 0; i < length; i++) sum += rows[a * dimensions + i]! * rows[b * dimensions + i]!
    return sum
  }
  return {
    rows,
    square: (row) => dot(row, row),
    prepare: () => {},
    with: (row, others) => Int32Array.from(others, (other) => dot(row, other)),
  }
}

const createQuickDots = ({ dimensions, rows, queryWeights }: ModelTable, length: number, kernel: Kernel): Dots => {
  // Offsets of rows, then results, then the rows themselves.
  const count = queryWeights.length
  const [outAt, rowsAt] = [4 * count, 8 * count]
  kernel.memory.grow(Math.ceil((rowsAt + rows.length) / pageBytes))
  const kept = new Int8Array(kernel.memory.buffer, rowsAt, rows.length)
  kept.set(rows)
  const offsets = new Int32Array(kernel.memory.buffer, 0, count)
  return {
    rows: kept,
    square: createPlainDots({ dimensions, rows: kept }, length).square,
    prepare: (others) => {
      for (let i = 0; i < others.length; i++) offsets[i] = rowsAt + others[i]! * dimensions
    },
    with: (row, others) => {
      kernel.gather(rowsAt + row * dimensions, 0, others.length, length, outAt)
      return new Int32Array(kernel.memory.buffer, outAt, others.length)
    },
  }
}
