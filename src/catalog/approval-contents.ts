import type { DocumentReader } from '../storage/store.js'
import { type ApprovalPlace, type Approved, placeIn, readRecord, recordId } from './approval-record.js'

/** What one reading of the store found. */
export interface Contents {
  readonly records: Map<string, Approved>
  /** By tool id, from versions that knew no configurations. */
  readonly earlier: Map<string, Approved>
  /** Those of `records` that hold a definition which no tool has. */
  readonly apart: Set<Approved>
  /** Sources of which tools are known, whether or not a mark says that they reported. */
  readonly sources: ReadonlySet<string>
  readonly earlierIds: readonly string[]
  /** How much is kept of each source. */
  readonly counts: Map<string, number>
  /** Those of `records` that were kept under the former name of this configuration. */
  readonly moved: ReadonlyMap<string, ApprovalPlace>
  /** It is there and cannot be read: then nobody knows what was approved, and nothing passes. */
  readonly isBlind: boolean
}

export const unreadable = (): Contents => ({
  records: new Map(),
  earlier: new Map(),
  apart: new Set(),
  sources: new Set(),
  earlierIds: [],
  counts: new Map(),
  moved: new Map(),
  isBlind: true,
})

/** Rejects where it cannot be read. */
export const readContents = async (
  documents: DocumentReader,
  config: string,
  formerly: string | undefined,
): Promise<Contents> => {
  const { records, earlier, apart, counts } = unreadable()
  const sources = new Set<string>()
  const moved = new Map<string, ApprovalPlace>()
  const all = (await documents.all()).flatMap(({ id, value }) => {
    const found = readRecord(value)
    return found ? [{ id, value, ...found }] : []
  })
  for (const found of all) {
    if (found.config === undefined) earlier.set(found.id, found.record)
    if (found.config !== config) continue
    records.set(found.id, found.record)
    apart.add(found.record)
    if (found.source !== undefined) counts.set(found.source, (counts.get(found.source) ?? 0) + 1)
    if (found.source !== undefined && found.isTool) sources.add(found.source)
  }
  for (const { config: of, value, record, source, isTool } of all) {
    const place = formerly !== undefined && of === formerly ? placeIn(value, config) : undefined
    if (!place || records.has(recordId(place))) continue
    records.set(recordId(place), record)
    moved.set(recordId(place), place)
    if (source !== undefined && isTool) sources.add(source)
  }
  return { records, earlier, apart, sources, earlierIds: [...earlier.keys()], counts, moved, isBlind: false }
}
