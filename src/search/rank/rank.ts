import type { ToolId } from '../../model/tool.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import type { Scores } from './score.js'
import { topSlots } from './top.js'

// Scores are compared at this precision, so that the last bits of a sum cannot decide before usage does.
const precision = 1e9

export interface Ranked {
  readonly slot: number
  readonly score: number
}

/** Best first; usage decides between equal scores, then the id, so that the order is always the same. */
export const rankSlots = (
  index: LexicalIndex,
  { values, touched }: Scores,
  limit: number,
  usage: ((id: ToolId) => number) | undefined,
): readonly Ranked[] => {
  for (const slot of touched) values[slot] = Math.round(values[slot]! * precision) / precision
  const before = (a: number, b: number): number => {
    const difference = values[b]! - values[a]!
    if (difference !== 0) return difference
    const left = index.tool(a)!.id
    const right = index.tool(b)!.id
    const used = usage ? usage(right) - usage(left) : 0
    return used !== 0 && !Number.isNaN(used) ? used : left < right ? -1 : 1
  }
  return topSlots(touched, limit, before).map((slot) => ({ slot, score: Math.min(1, values[slot]!) }))
}
