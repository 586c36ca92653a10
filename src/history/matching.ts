import { isOfRun } from '../model/run-id.js'
import type { Word } from './dictionary.js'
import type { CallFilter } from './query.js'
import { flagged, narrow } from './record.js'
import { atOf, type ReadSegment, type SegmentPiece } from './segment.js'

/**
 * Which calls of a segment are meant. What is said of words is decided once per word, so that of each call four numbers are
 * looked up and no text is read.
 */
export const matching = (
  filter: CallFilter,
  { words }: ReadSegment,
): ((piece: SegmentPiece, index: number) => boolean) => {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, outcome } = filter
  const isTarget = tableOf(words, targetTest(filter))
  const isFrom = tableOf(words, fromTest(filter))
  const isEnd = tableOf(words, filter.code === undefined ? undefined : ({ code }) => code === filter.code)
  const { run, text } = filter
  const isExtra = tableOf(words, run === undefined ? undefined : (word) => isOfRun(word.run, run))
  const hasText = tableOf(words, text === undefined ? undefined : textTest(text))
  return (piece, index) => {
    const at = atOf(piece, index)
    if (at < from || at >= to) return false
    const { wholes } = piece
    const n = index * narrow.perRecord
    const end = wholes[n + narrow.end]!
    if (outcome !== undefined) {
      const isFailed = end > 0 || (wholes[n + narrow.flags]! & flagged.saysError) !== 0
      if (isFailed !== (outcome === 'failed')) return false
    }
    const target = wholes[n + narrow.target]!
    const asked = wholes[n + narrow.from]!
    if (isTarget && !isTarget[target]) return false
    if (isFrom && !isFrom[asked]) return false
    if (isEnd && !isEnd[end]) return false
    if (isExtra && !isExtra[wholes[n + narrow.extra]!]) return false
    return !hasText || hasText[target] === 1 || hasText[asked] === 1 || hasText[end] === 1
  }
}

type Test = (word: Word) => boolean

/** For each word whether it fits; undefined where all do. */
const tableOf = (words: readonly Word[], test: Test | undefined): Uint8Array | undefined =>
  test && Uint8Array.from(words, (word, number) => (number > 0 && test(word) ? 1 : 0))

const targetTest = ({ tool, source, kind }: CallFilter): Test | undefined =>
  tool === undefined && source === undefined && kind === undefined
    ? undefined
    : (word) =>
        (tool === undefined || word.tool === tool) &&
        (source === undefined || word.source === source) &&
        (kind === undefined || word.kind === kind)

const fromTest = ({ client, caller, profile }: CallFilter): Test | undefined =>
  client === undefined && caller === undefined && profile === undefined
    ? undefined
    : (word) =>
        (client === undefined || word.client === client) &&
        (caller === undefined || word.caller === caller || word.name === caller) &&
        (profile === undefined || word.profile === profile)

const textTest = (text: string): Test => {
  const wanted = text.toLowerCase()
  return ({ tool, source, client, caller, name, message, code }) =>
    [tool, source, client, caller, name, message, code].some((each) => each?.toLowerCase().includes(wanted))
}
