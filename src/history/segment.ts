import { open } from 'node:fs/promises'
import type { ErrorCode } from '../errors.js'
import { defined } from '../model/json.js'
import { tokensOf } from '../model/tokens.js'
import { type Blocks, blocksIn, type CallBlock } from './block.js'
import { parseWords, type Word } from './dictionary.js'
import { callId, callsPath } from './folder.js'
import type { KeptCall } from './kept-call.js'
import { flagged, narrow, type RecordViews, recordBytes, unknownBytes, viewsOf, wide } from './record.js'

/** A segment as it was read: its words, and its records where they lie. */
export interface ReadSegment {
  readonly name: string
  readonly words: readonly Word[]
  /** In the order in which they ended. */
  readonly pieces: readonly SegmentPiece[]
  readonly records: number
  readonly state: Blocks['state']
  readonly good: number
}

/** Records that lie together; the first of them is the `first` of its segment. */
export interface SegmentPiece extends RecordViews {
  readonly first: number
  readonly records: number
}

/** Undefined where it is not there any more. `checked`: so many bytes of it are known to be good. */
export const readSegment = async (folder: string, name: string, checked = 0): Promise<ReadSegment | undefined> => {
  const read = await readFile(callsPath(folder, name))
  if (!read) return undefined
  const { blocks, words, state, good } = blocksIn(read.memory, read.size, checked)
  const pieces: SegmentPiece[] = []
  let records = 0
  for (const block of blocks) {
    if (block.records > 0) pieces.push(pieceOf(read.memory, block, records))
    records += block.records
  }
  return { name, words: parseWords(words), pieces, records, state, good }
}

const pieceOf = (memory: ArrayBuffer, { at, records }: CallBlock, first: number): SegmentPiece => ({
  ...viewsOf(memory, at, records),
  first,
  records,
})

const readFile = async (path: string): Promise<{ readonly memory: ArrayBuffer; readonly size: number } | undefined> => {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return undefined
  try {
    const { size } = await file.stat()
    const memory = new ArrayBuffer(Math.ceil(size / recordBytes) * recordBytes)
    const bytes = new Uint8Array(memory)
    let read = 0
    while (read < size) {
      const { bytesRead } = await file.read(bytes, read, size - read, read)
      if (bytesRead === 0) break
      read += bytesRead
    }
    return { memory, size: read }
  } finally {
    await file.close()
  }
}

export const atOf = ({ wides }: SegmentPiece, index: number): number => wides[index * wide.perRecord + wide.at]!

/** The call at this place of a piece. */
export const decode = ({ name, words }: ReadSegment, piece: SegmentPiece, index: number): KeptCall => {
  const { wides, fractions, wholes, first } = piece
  const n = index * narrow.perRecord
  const word = (place: number): Word => words[wholes[n + place]!] ?? {}
  const target = word(narrow.target)
  const from = word(narrow.from)
  const end = word(narrow.end)
  const cost = wides[index * wide.perRecord + wide.cost]!
  const flags = wholes[n + narrow.flags]!
  const latencyMs = toMs(fractions[n + narrow.latencyMs]!)
  const waitingMs = Math.min(latencyMs, toMs(fractions[n + narrow.waitingMs]!))
  const sourceMs = Math.min(latencyMs - waitingMs, toMs(fractions[n + narrow.sourceMs]!))
  const argumentBytes = sizeIn(wholes[n + narrow.argumentBytes]!)
  const resultBytes = sizeIn(wholes[n + narrow.resultBytes]!)
  const extra = word(narrow.extra)
  return {
    id: callId(name, first + index),
    at: wides[index * wide.perRecord + wide.at]!,
    kind: target.kind ?? 'tool',
    tool: target.tool ?? '',
    caller: from.caller ?? '',
    profile: from.profile ?? 'default',
    face: from.face ?? 'local',
    ok: wholes[n + narrow.end] === 0,
    latencyMs,
    spent: { waitingMs, sourceMs, ownMs: toMs(latencyMs - waitingMs - sourceMs) },
    attempts: flags & 0xffff,
    cached: (flags & flagged.cached) !== 0,
    hasValues: wholes[n + narrow.values]! > 0,
    ...defined({
      source: target.source,
      callerName: from.name,
      client: from.client,
      clientVersion: from.version,
      protocol: from.protocol,
      code: end.code as ErrorCode | undefined,
      message: end.message,
      isError: (flags & flagged.saysError) === 0 ? undefined : (true as const),
      argumentBytes,
      resultBytes,
      argumentTokens: argumentBytes === undefined ? undefined : tokensOf(argumentBytes),
      resultTokens: resultBytes === undefined ? undefined : tokensOf(resultBytes),
      cost: Number.isNaN(cost) ? undefined : cost,
      run: extra.run,
      step: wholes[n + narrow.step] || undefined,
      script: extra.script,
      rule: extra.rule,
      grant: extra.grant,
    }),
  }
}

/** Where its values lie; undefined where it has none. */
export const valuesAt = ({ wholes }: SegmentPiece, index: number): number | undefined => {
  const place = wholes[index * narrow.perRecord + narrow.values]!
  return place === 0 ? undefined : place - 1
}

const sizeIn = (bytes: number): number | undefined => (bytes === unknownBytes ? undefined : bytes)

// What a fraction of 32 bits adds is no time.
const toMs = (ms: number): number => Math.round(ms * 1000) / 1000
