import { agentVerbs, irregular } from './word-forms.js'

// Stems of a catalog repeat endlessly; bounded, since queries come from strangers.
const cache = new Map<string, string>()
const cacheSize = 20_000

/** The form under which `create`, `creates`, `created`, `creation` and `creator` meet. Takes folded words. */
export const stem = (word: string): string => {
  if (word.length <= 2 || word.length > 40) return word
  const known = cache.get(word)
  if (known !== undefined) return known
  const fresh = plainLetters.test(word) ? regular(irregular.get(word) ?? word) : word
  if (cache.size >= cacheSize) cache.clear()
  cache.set(word, fresh)
  return fresh
}

const plainLetters = /^[a-z]+$/
const vowel = /[aeiouy]/

/** A word that stands for itself in the list of forms looks inflected and is not: `news`, `string`. */
const regular = (word: string): string => (irregular.get(word) === word ? word : strip(word))

const strip = (word: string): string => {
  const single = singular(word)
  if (single.length <= 3) return single
  return ending(withoutAte(withoutSuffix(agent(single))))
}

const singular = (word: string): string => {
  if (word.length <= 3) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

/** `converter` is what converts; `weather` is nothing that weaths, hence the list. */
const agent = (word: string): string => {
  if (!/(?:er|or)$/.test(word)) return word
  const root = word.slice(0, -2)
  if (agentVerbs.has(root)) return root
  if (agentVerbs.has(`${root}e`)) return `${root}e`
  const shorter = root.slice(0, -1)
  return root.at(-1) === root.at(-2) && agentVerbs.has(shorter) ? shorter : word
}

const suffixes = ['ization', 'isation', 'ation', 'ingly', 'ing', 'edly', 'ed', 'ment', 'ly', 'ion'] as const

const withoutSuffix = (word: string): string => {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix)) continue
    const root = word.slice(0, -suffix.length)
    if (root.length < 3 || !vowel.test(root)) continue
    // `ion` alone follows t or s: `action`, `conversion`, not `champion`.
    if (suffix === 'ion' && !/[ts]$/.test(root)) return word
    if (suffix === 'ization' || suffix === 'isation') return `${root}ize`
    // `creation` comes from `create`, `updating` from `update`; whether `ate` stays is decided once, below.
    if (suffix === 'ation') return `${root}ate`
    return /[^aeo]at$/.test(root) ? `${root}e` : undouble(root)
  }
  return word
}

const undouble = (root: string): string =>
  root.length > 3 && root.at(-1) === root.at(-2) && !/[lsz]$/.test(root) ? root.slice(0, -1) : root

/** `translate` and `recommendation` lose their `ate`, to meet `recommend`; after a, e and o it belongs to the word. */
const withoutAte = (word: string): string => (word.length > 5 && /[^aeo]ate$/.test(word) ? word.slice(0, -3) : word)

const ending = (word: string): string => {
  if (word.length > 4 && word.endsWith('e')) return word.slice(0, -1)
  return word.length > 3 && word.endsWith('y') ? `${word.slice(0, -1)}i` : word
}
