import type { ToolId } from '../../model/tool.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { harmlessFirst, type IsReadonly, mostLookedAt } from './harmless.js'
import { askedOfTwo } from './opposites.js'
import type { Scores } from './score.js'
import { topSlots } from './top.js'

// Scores are compared at this precision, so that the last bits of a sum cannot decide before usage does.
const precision = 1e9

export interface Ranked {
  readonly slot: number
  readonly score: number
}

/** What the order depends on besides scores. */
interface Order {
  readonly asked: string
  readonly limit: number
  readonly given: {
    readonly usage?: ((id: ToolId) => number) | undefined
    readonly isReadonly?: IsReadonly | undefined
  }
}

/** Best first; usage decides between equal scores, then the id, so that the order is always the same. What harms unasked is not first. */
export const rankSlots = (
  index: LexicalIndex,
  { values, touched }: Scores,
  { asked, limit, given: { usage, isReadonly } }: Order,
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
  const best = topSlots(touched, Math.max(limit, mostLookedAt), before)
  const ranked = best.map((slot) => ({ slot, score: Math.min(1, values[slot]!) }))
  const toolOf = ({ slot }: Ranked) => index.tool(slot)!
  return askedOfTwo(harmlessFirst(ranked, asked, toolOf, isReadonly), asked, toolOf).slice(0, limit)
}
