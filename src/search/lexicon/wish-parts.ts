import { termsOf } from '../analyse/terms.js'
import { deedsAsked } from './verbs.js'

// A full stop within a number or an address ends nothing; `合并` is to merge.
const between =
  /[,;!?\n，。；！？、]|\.(?=\s|$)|\b(?:and|then|also|afterwards|plus)\b|然后|并且|以及|同时|接着|之后|(?<!合)并|再|和/giu
// What follows is material, not a wish.
const longestWish = 600
const mostPieces = 16
const most = 5

/**
 * The parts of a wish that each ask for something to be done, in their own words; none where only one thing is asked for. What asks
 * for nothing by itself (`and London`) belongs to the part before it, or after it where it comes first.
 */
export const partsOf = (query: string): readonly string[] => {
  // Parts are shown as they are, and strict readers of JSON refuse half a character, sent or cut.
  const text = query.slice(0, longestWish).replace(/\p{Surrogate}/gu, '')
  const pieces = cut(text)
  if (pieces.length < 2) return []
  const parts: { start: number; end: number; asks: boolean }[] = []
  for (const [start, end] of pieces) {
    const last = parts.at(-1)
    const isWish = (last === undefined || parts.length < most) && asks(text.slice(start, end))
    if (!last || (isWish && last.asks)) parts.push({ start, end, asks: isWish })
    else {
      last.end = end
      last.asks ||= isWish
    }
  }
  return parts.length < 2 ? [] : parts.map(({ start, end }) => text.slice(start, end).trim())
}

/** Where the pieces begin and end; what is behind the last of many belongs to it. */
const cut = (text: string): readonly (readonly [start: number, end: number])[] => {
  const pieces: [number, number][] = []
  let start = 0
  for (const { index, 0: mark } of text.matchAll(between)) {
    if (pieces.length === mostPieces) break
    if (text.slice(start, index).trim() !== '') pieces.push([start, index])
    start = index + mark.length
  }
  if (text.slice(start).trim() !== '') pieces.push([start, text.length])
  return pieces
}

const asks = (text: string): boolean => termsOf(text).length > 0 && deedsAsked(text.trim()).size > 0
