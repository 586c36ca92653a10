/** A thing that words may say, such as "do not tell the user", and the phrases in which they say it. */
export interface Signal {
  readonly id: string
  /**
   * Steps that follow each other in one sentence, parted by spaces: a word or several with `|`, `@class` for a list of words,
   * `#mark` for what is no word (a path, an address). At most three words may lie between two steps; `~5` before a step
   * allows five. A Chinese character counts as half a word.
   */
  readonly phrases: readonly string[]
  /** Not meant where a negation stands just before it: "do not share the token". */
  readonly isPositive?: boolean | undefined
}

/** Where a signal was found: offsets of characters. */
export interface Hit {
  readonly signal: string
  readonly from: number
  readonly to: number
}

/** What is no word and yet means something: found by its own pattern, read as one step. */
export interface TextMark {
  readonly at: number
  readonly end: number
  readonly token: string
}

/** Lists of words by name. */
export type WordClasses = Readonly<Record<string, string>>

interface Node {
  readonly next: Map<number, Node>
  postings: number[] | undefined
  length: number
}

const defaultGap = 3
/** What a new sentence puts between two words: more than any gap. */
const sentence = 80
const far = -1_000_000

/**
 * Reads texts word by word and tells which phrases they hold. One pass with a few comparisons per word: whatever the text, the work grows with its length
 * alone, which a regular expression with gaps would not promise. For each step only the last place that completed it is kept;
 * a later one is never farther from what follows.
 */
export class Automaton {
  readonly #words = new Map<string, number[]>()
  readonly #han: Node = { next: new Map(), postings: undefined, length: 0 }
  readonly #gaps: number[] = []
  readonly #isFirst: boolean[] = []
  /** The signal that a step completes, where it is the last of its phrase. */
  readonly #completes: (string | undefined)[] = []
  readonly #positive: ReadonlySet<string>
  readonly #ends: Int32Array
  readonly #starts: Int32Array

  constructor(signals: readonly Signal[], classes: WordClasses) {
    this.#positive = new Set(signals.flatMap(({ id, isPositive }) => (isPositive ? [id] : [])))
    for (const { id, phrases } of signals) for (const phrase of phrases) this.#add(id, phrase, classes)
    // Later steps first, so that one word is never two steps of a phrase.
    for (const postings of this.#words.values()) postings.sort((a, b) => b - a)
    this.#ends = new Int32Array(this.#gaps.length)
    this.#starts = new Int32Array(this.#gaps.length)
  }

  #add(id: string, phrase: string, classes: WordClasses): void {
    let gap = defaultGap
    let isFirst = true
    const steps = phrase.trim().split(/\s+/)
    const last = steps.findLastIndex((step) => !step.startsWith('~'))
    for (const [at, step] of steps.entries()) {
      if (step.startsWith('~')) {
        gap = Number(step.slice(1))
        continue
      }
      const index = this.#gaps.length
      this.#gaps.push(gap * 2)
      this.#isFirst.push(isFirst)
      this.#completes.push(at === last ? id : undefined)
      for (const word of new Set(expanded(step, classes))) this.#post(word, index)
      gap = defaultGap
      isFirst = false
    }
  }

  #post(word: string, index: number): void {
    if (!isHan(word.charCodeAt(0))) {
      const postings = this.#words.get(word)
      if (postings) postings.push(index)
      else this.#words.set(word, [index])
      return
    }
    let node = this.#han
    for (let at = 0; at < word.length; at++) {
      const code = word.charCodeAt(at)
      let next = node.next.get(code)
      if (!next) {
        next = { next: new Map(), postings: undefined, length: at + 1 }
        node.next.set(code, next)
      }
      node = next
    }
    node.postings ??= []
    node.postings.unshift(index)
  }

  /** What a text in its normal form says. `marks` are in the order of their places and do not overlap. */
  read(text: string, marks: readonly TextMark[] = []): readonly Hit[] {
    const hits: Hit[] = []
    this.#ends.fill(far)
    let place = 0
    let mark = 0
    for (let at = 0; at < text.length; ) {
      const marked = marks[mark]
      if (marked !== undefined && at >= marked.at) {
        this.#step(this.#words.get(marked.token), place, place + 1, marked.at, marked.end, hits)
        mark++
        place += 2
        at = Math.max(at, marked.end)
        continue
      }
      const code = text.charCodeAt(at)
      if (isWordCode(code)) {
        let end = at + 1
        while (end < text.length && isInWord(text.charCodeAt(end))) end++
        const token = wordOf(text, at, end)
        const postings = this.#words.get(token)
        if (postings) this.#step(postings, place, place + 1, at, end, hits)
        place += 2
        at = end
        continue
      }
      if (isHan(code)) {
        let node = this.#han.next.get(code)
        for (let end = at + 1; node; end++) {
          if (node.postings) this.#step(node.postings, place, place + node.length - 1, at, end, hits)
          if (end >= text.length) break
          node = node.next.get(text.charCodeAt(end))
        }
        place++
      } else if (isSentenceEnd(code, text.charCodeAt(at + 1))) place += sentence
      at++
    }
    return hits.filter(
      ({ signal, from }) => !this.#positive.has(signal) || !negation.test(text.slice(Math.max(0, from - 24), from)),
    )
  }

  #step(
    postings: readonly number[] | undefined,
    place: number,
    end: number,
    from: number,
    to: number,
    hits: Hit[],
  ): void {
    if (!postings) return
    for (const step of postings) {
      let start = from
      if (!this.#isFirst[step]) {
        const between = place - this.#ends[step - 1]! - 1
        if (between < 0 || between > this.#gaps[step]!) continue
        start = this.#starts[step - 1]!
      }
      const signal = this.#completes[step]
      if (signal === undefined) {
        this.#ends[step] = end
        this.#starts[step] = start
      } else if (hits.length < maxHits) hits.push({ signal, from: start, to })
    }
  }
}

/** More than this many places are never needed to tell what a text says. */
const maxHits = 2_000

const expanded = (step: string, classes: WordClasses): readonly string[] =>
  step.split('|').flatMap((word) => {
    if (!word.startsWith('@')) return [word]
    const list = classes[word.slice(1)]
    if (list === undefined) throw new Error(`There is no class of words named ${word}.`)
    return list
      .trim()
      .split(/\s+/)
      .flatMap((each) => (each.startsWith('@') ? expanded(each, classes) : [each]))
  })

const negation = /(?:\b(?:not|never|cannot|without)|n't|不要?|请勿|切勿|禁止|避免|无需)[\s\w]{0,10}$/

const isHan = (code: number): boolean => code >= 0x4e00 && code <= 0x9fff
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95 || code === 36
const isInWord = (code: number): boolean => isWordCode(code) || code === 39

/** `user's` is `user`, `'quoted'` is `quoted`, `don't` stays. */
const wordOf = (text: string, from: number, to: number): string => {
  let end = to
  while (end > from && text.charCodeAt(end - 1) === 39) end--
  if (end - from > 2 && text.charCodeAt(end - 1) === 115 && text.charCodeAt(end - 2) === 39) end -= 2
  return text.slice(from, end)
}

const isSentenceEnd = (code: number, next: number): boolean =>
  code === 0x3002 ||
  code === 59 ||
  ((code === 46 || code === 33 || code === 63) && (Number.isNaN(next) || next <= 32 || next > 127 || next === 34)) ||
  (code === 10 && next === 10)
