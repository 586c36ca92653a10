import type { Tool } from '../../model/tool.js'
import { wordsOfName } from '../analyse/terms.js'
import { opposites } from '../data/verbs.js'

/**
 * Of two tools that differ by a word and its opposite, `turn_on` and `turn_off`, the one that is asked for comes first. To
 * words and meaning they are alike: *on* and *off* are stop words, and opposites keep the same company.
 */
export const askedOfTwo = <Ranked>(
  ranked: readonly Ranked[],
  query: string,
  toolOf: (ranked: Ranked) => Tool,
): readonly Ranked[] => {
  const [best] = ranked
  if (best === undefined) return ranked
  const { name, source } = toolOf(best)
  const words = wordsOfName(name)
  const pair = pairs().find(({ word }) => words.includes(word))
  if (!pair || !asksFor(query, pair)) return ranked
  const twin = words.map((word) => (word === pair.word ? pair.opposite : word)).join(' ')
  const place = ranked.findIndex(
    (each) => toolOf(each).source === source && wordsOfName(toolOf(each).name).join(' ') === twin,
  )
  return place < 0 ? ranked : [ranked[place]!, ...ranked.slice(0, place), ...ranked.slice(place + 1)]
}

/** Whether a query says the opposite of a tool's word and not the word itself. */
const asksFor = (query: string, { said, opposed }: Pair): boolean => {
  const text = query.slice(0, longestQuery).toLowerCase()
  return opposed.test(text) && !said.test(text)
}

const longestQuery = 400

interface Pair {
  readonly word: string
  readonly opposite: string
  /** Ways to say the one and the other in a query. */
  readonly said: RegExp
  readonly opposed: RegExp
}

let read: readonly Pair[] | undefined
const pairs = (): readonly Pair[] => (read ??= readPairs())

const readPairs = (): readonly Pair[] =>
  opposites
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [one = [], other = []] = line.split('|').map((side) => side.trim().split(/\s+/))
      return [toPair(one, other), toPair(other, one)]
    })

const toPair = (words: readonly string[], opposed: readonly string[]): Pair => ({
  word: words[0]!,
  opposite: opposed[0]!,
  said: anyOf(words),
  opposed: anyOf(opposed),
})

const anyOf = (words: readonly string[]): RegExp =>
  new RegExp(words.map((word) => (/^[a-z]/.test(word) ? `\\b${word}\\b` : word)).join('|'), 'u')
