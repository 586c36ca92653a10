import { createHash } from 'node:crypto'
import { GatewayError } from '../../errors.js'
import { queryPart } from './weigh.js'

/**
 * The trained table. Each row is a direction in bytes and two weights, as it counts in a query and in a tool; a text's
 * vector is the weighted sum of its rows.
 */
export interface ModelTable {
  /** Short name of these very contents: vectors made from another table are never mixed with these. */
  readonly fingerprint: string
  readonly dimensions: number
  /** Row by row, `dimensions` bytes each. */
  readonly rows: Int8Array
  readonly queryWeights: Float32Array
  readonly toolWeights: Float32Array
  /** What each part of a tool counts, and a query after them. */
  readonly partWeights: Float32Array
  /** The row of each term. */
  readonly rowOf: ReadonlyMap<string, number>
  readonly firstPiece: number
  readonly pieces: number
}

// Layout, little-endian: "PEGT", version u32, SHA-256 of the rest; dimensions, terms, pieces, bytes of the terms, u32 each;
// part weights f32; query weights f32 and tool weights f32 per row; rows i8; the terms, one a line.
const magic = 'PEGT'
const version = 1
const hashAt = 8
const bodyAt = hashAt + 32
const countsBytes = 16
const parts = queryPart + 1
const mostDimensions = 1_024
const mostRows = 1_000_000

/** Reads a table; one that is cut, changed or of another version is refused as a whole. */
export const readTable = (file: Uint8Array): ModelTable => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length < bodyAt + countsBytes || bytes.toString('latin1', 0, 4) !== magic) throw damaged('is no model')
  if (bytes.readUInt32LE(4) !== version) throw damaged('has another version')
  const hash = createHash('sha256').update(bytes.subarray(bodyAt)).digest()
  if (!hash.equals(bytes.subarray(hashAt, bodyAt))) throw damaged('is damaged')
  const [dimensions, terms, pieces, termBytes] = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(bodyAt + at)) as Counts
  const count = terms + pieces
  const valuesAt = bodyAt + countsBytes + 4 * parts + 8 * count
  const termsAt = valuesAt + count * dimensions
  const fits = dimensions > 0 && dimensions <= mostDimensions && count > 0 && count <= mostRows
  if (!fits || bytes.length !== termsAt + termBytes) throw damaged('does not have the length it states')
  return {
    fingerprint: hash.toString('hex', 0, 8),
    dimensions,
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + valuesAt, count * dimensions),
    partWeights: floatsAt(bytes, bodyAt + countsBytes, parts),
    queryWeights: floatsAt(bytes, bodyAt + countsBytes + 4 * parts, count),
    toolWeights: floatsAt(bytes, bodyAt + countsBytes + 4 * parts + 4 * count, count),
    rowOf: new Map(
      bytes
        .toString('utf8', termsAt)
        .split('\n')
        .map((term, row) => [term, row]),
    ),
    firstPiece: terms,
    pieces,
  }
}

type Counts = [number, number, number, number]

// Copied: a file's bytes need not lie where floats may be read in place.
const floatsAt = (bytes: Buffer, at: number, count: number): Float32Array => {
  const floats = new Float32Array(count)
  for (let i = 0; i < count; i++) floats[i] = bytes.readFloatLE(at + 4 * i)
  return floats
}

const damaged = (how: string): GatewayError =>
  new GatewayError('RESULT_INVALID', `The file of the built-in search model ${how}; install the package again.`)
