import { createRequire } from 'node:module'
import vm from 'node:vm'
import type { Clock } from '../../model/clock.js'
import { costOf } from '../../schema/pattern/cost.js'
import { parsePattern } from '../../schema/pattern/parse.js'
import { unify } from '../analyse/fold.js'

export interface Matches {
  /** One answer per text: 2 a match of the whole text, 1 one within it, 0 none. */
  readonly found: Uint8Array
  /** False when time ran out; the texts after that count as not matching. */
  readonly complete: boolean
}

/** Finds a stranger's pattern in texts, in a time that has an end. */
export interface Matcher {
  match(texts: readonly string[]): Matches
  /** The pattern was no regular expression and is looked for as it stands. */
  readonly literal: boolean
}

// Longer patterns are nothing a person or a model wrote.
const longestPattern = 1_000
const budgetMs = 60
// Texts are at most a few thousand characters: 64 of them take the slowest engine a few milliseconds.
const textsPerLook = 64
const nativeBudgetMs = 25
const plainText = /^[^\\^$.*+?()[\]{}|]*$/

/**
 * The cheapest engine that surely ends (T27): none for plain text; the native one where backtracking cannot multiply;
 * RE2, linear in the text, otherwise; and for what RE2 lacks (look-around, back-references) the native one under a
 * timeout. Case is ignored, as in document 002.
 */
export const compileMatcher = (source: string, clock: Clock): Matcher => {
  if (plainText.test(source)) return literalMatcher(source, false, clock)
  const native = source.length <= longestPattern ? compileNative(source) : undefined
  if (!native) return literalMatcher(source, true, clock)
  if (isTame(source)) {
    const matchOne = (text: string): number => (native.part.test(text) ? (native.full.test(text) ? 2 : 1) : 0)
    return { literal: false, match: (texts) => matchInTime(texts, matchOne, clock) }
  }
  return linearMatcher(source, clock) ?? timedMatcher(native)
}

interface Native {
  readonly part: RegExp
  readonly full: RegExp
}

const compileNative = (source: string): Native | undefined => {
  // `\_` and the like are errors in Unicode mode only.
  for (const flags of ['iu', 'i']) {
    try {
      return { part: new RegExp(source, flags), full: new RegExp(`^(?:${source})$`, flags) }
    } catch {}
  }
  return undefined
}

/** At most one pass over the text for each place to begin at. */
const isTame = (source: string): boolean => {
  const tree = parsePattern(source)
  if (tree === undefined) return false
  const { degree, log2Factor, exponential } = costOf(tree)
  return !exponential && degree <= 1 && log2Factor <= 10
}

const literalMatcher = (source: string, literal: boolean, clock: Clock): Matcher => {
  const wanted = unify(source).toLowerCase()
  const matchOne = (text: string): number => {
    const lower = unify(text).toLowerCase()
    return lower === wanted ? 2 : lower.includes(wanted) ? 1 : 0
  }
  return { literal, match: (texts) => matchInTime(texts, matchOne, clock) }
}

/** One text after the other until time runs out. */
const matchInTime = (texts: readonly string[], matchOne: (text: string) => number, clock: Clock): Matches => {
  const until = clock.now() + budgetMs
  const found = new Uint8Array(texts.length)
  for (const [i, text] of texts.entries()) {
    if (i % textsPerLook === 0 && clock.now() > until) return { found, complete: false }
    found[i] = matchOne(text)
  }
  return { found, complete: true }
}

/** Loaded when first needed: it takes a while, and few searches are for such patterns. */
const linearMatcher = (source: string, clock: Clock): Matcher | undefined => {
  try {
    const { RE2JS } = createRequire(import.meta.url)('re2js') as typeof import('re2js')
    const pattern = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE)
    const matchOne = (text: string): number => (pattern.matcher(text).find() ? (pattern.matches(text) ? 2 : 1) : 0)
    return { literal: false, match: (texts) => matchInTime(texts, matchOne, clock) }
  } catch {
    return undefined
  }
}

let timed: { readonly context: vm.Context; readonly script: vm.Script } | undefined

/** The script is ours; pattern and texts enter as values, so nothing of a stranger is evaluated. */
const timedMatcher = ({ part, full }: Native): Matcher => ({
  literal: false,
  match: (texts) => {
    timed ??= {
      context: vm.createContext(Object.create(null)),
      script: new vm.Script(
        'for (let i = 0; i < texts.length; i++) if (part.test(texts[i])) found[i] = full.test(texts[i]) ? 2 : 1',
      ),
    }
    const found = new Uint8Array(texts.length)
    try {
      Object.assign(timed.context, { part, full, texts, found })
      timed.script.runInContext(timed.context, { timeout: nativeBudgetMs })
      return { found, complete: true }
    } catch {
      return { found, complete: false }
    } finally {
      Object.assign(timed.context, { part: undefined, full: undefined, texts: undefined, found: undefined })
    }
  },
})
