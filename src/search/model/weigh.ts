import type { EmbeddingKind } from '../embedding/provider.js'
import { modelParts, splitModelText } from './model-text.js'
import type { RowReader } from './tokens.js'

/** One row of the table in a text: how much it counts before learned weights, and in which part of a tool it stands. */
export type WeighedRowSink = (row: number, weight: number, part: number) => void

/** The part number of a query, which has no parts. */
export const queryPart = modelParts.length

// Distinct rows read per part, so that one long text costs no more than any other.
const mostRows: readonly number[] = [24, 12, 64, 32, 48, 96]

/**
 * The rows of a text. A row that repeats counts as the root of its number, and each part is scaled by the root of its
 * length: a long description says more than a short one, but not as much more as it is longer.
 */
export const weighRows = (reader: RowReader, text: string, kind: EmbeddingKind, sink: WeighedRowSink): void => {
  if (kind === 'query') {
    weighPart(reader, text, kind, queryPart, sink)
    return
  }
  for (const [part, content] of splitModelText(text).entries()) weighPart(reader, content, kind, part, sink)
}

const weighPart = (reader: RowReader, text: string, kind: EmbeddingKind, part: number, sink: WeighedRowSink): void => {
  if (text === '') return
  const tally = new Map<number, number>()
  let length = 0
  reader.read(text, kind, (row, share) => {
    const known = tally.get(row)
    if (known === undefined && tally.size >= mostRows[part]!) return
    tally.set(row, (known ?? 0) + share)
    length += share
  })
  const norm = Math.sqrt(Math.max(1, length))
  for (const [row, sum] of tally) sink(row, Math.sqrt(sum) / norm, part)
}
