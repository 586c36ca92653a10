import { eachTerm } from '../analyse/terms.js'
import { fieldNames } from '../index/fields.js'
import type { LexicalIndex } from '../index/lexical-index.js'
import { findPosting } from '../index/postings.js'
import type { Concept } from '../rank/query.js'

/** How a tool's name and a query's words lie on each other. */
export interface MatchFeatures {
  /** Share of the words of the tool's name that the query says. */
  readonly name: number
  /** Share of the query's words that stand in the tool's name, title or aliases. */
  readonly named: number
}

const nameFields = ['name', 'title', 'alias'] as const
const nameBits = nameFields.reduce((bits, field) => bits | (1 << fieldNames.indexOf(field)), 0)

/** Reads the features of some slots; the names are read from the tools, since an index knows terms, not their order. */
export const createMatchFeatures = (index: LexicalIndex) => {
  return (concepts: readonly Concept[], slots: readonly number[]): readonly MatchFeatures[] => {
    const lists = concepts.map(({ terms }) =>
      [...terms].flatMap(([term, share]) => {
        const postings = index.postings(term)
        return postings ? [{ term, share, postings }] : []
      }),
    )
    const said = new Map<string, number>()
    for (const list of lists) for (const { term, share } of list) said.set(term, Math.max(said.get(term) ?? 0, share))
    return slots.map((slot) => {
      let named = 0
      for (const list of lists) {
        let best = 0
        for (const { share, postings } of list) {
          if (share > best && (findPosting(index.arena, postings, slot) >>> 16) & nameBits) best = share
        }
        named += best
      }
      return { name: nameShare(index.tool(slot)?.name ?? '', said), named: lists.length > 0 ? named / lists.length : 0 }
    })
  }
}

const nameShare = (name: string, said: ReadonlyMap<string, number>): number => {
  let length = 0
  let matched = 0
  eachTerm(name, (term, extra) => {
    if (extra) return
    length += 1
    matched += said.get(term) ?? 0
  })
  return length > 0 ? matched / length : 0
}
