import { isBlank, isJoining, isPlainText, isRightToLeft, isSuspect } from './characters.js'
import type { Severity } from './finding.js'

/** Something in a text that nobody sees: the rule it breaks and where. */
export interface HiddenMark {
  readonly rule: string
  readonly severity: Severity
  readonly at: number
  readonly end: number
}

/** What is hidden in a text, and what it says where it can be read. */
export interface Hidden {
  readonly marks: readonly HiddenMark[]
  /** Texts that were written in invisible characters. */
  readonly said: readonly string[]
}

const nothing: Hidden = { marks: [], said: [] }

/** What is hidden in a raw text. `isName`: a name has no use for any of it. */
export const hiddenIn = (text: string, isName: boolean): Hidden => {
  const padding = paddingIn(text)
  if (isPlainText.test(text) || !isSuspect.test(text))
    return padding === undefined ? nothing : { marks: [padding], said: [] }
  const seen = new Tally(text)
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at)!
    const size = code > 0xffff ? 2 : 1
    at = code < 0x80 && code >= 0x20 && code !== 0x7f ? at + size : seen.look(code, at, size)
  }
  const marks = [...seen.marks(isName), ...(padding === undefined ? [] : [padding])]
  return { marks, said: seen.said() }
}

/** Counts what was seen of each kind on the way through a text. */
class Tally {
  readonly #text: string
  readonly #first = new Map<string, { at: number; end: number; count: number }>()
  readonly #tagged: string[] = []
  #tags = ''
  #splits = 0
  #run = 0
  #longestRun = 0
  #lastInvisible = -2

  constructor(text: string) {
    this.#text = text
  }

  /** Looks at one character and says where to go on. */
  look(code: number, at: number, size: number): number {
    if (code === 0x1f3f4) return this.#flag(at, size)
    if (code >= 0xe0000 && code <= 0xe007f) {
      this.#add('unicode.tags', at, at + size)
      this.#tags += code >= 0xe0020 && code < 0xe007f ? String.fromCharCode(code - 0xe0000) : ' '
      return at + size
    }
    this.#endTags()
    const kind = this.#kindOf(code, at, size)
    if (kind !== undefined) this.#add(kind, at, at + size)
    return at + size
  }

  /** England's flag is a black one and the letters of the region as tags; only such is let pass. */
  #flag(at: number, size: number): number {
    const match = /^(?:\udb40[\udc30-\udc39\udc61-\udc7a]){3,6}\udb40\udc7f/.exec(this.#text.slice(at + size, at + 18))
    return at + size + (match?.[0].length ?? 0)
  }

  #kindOf(code: number, at: number, size: number): string | undefined {
    if (code === 0x1b || code === 0x9b) return 'unicode.escape'
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return isBreak(code) ? undefined : 'unicode.control'
    if (code >= 0x202a && code <= 0x202e) return code >= 0x202d ? 'unicode.bidi-override' : 'unicode.bidi'
    if (code >= 0x2066 && code <= 0x206f) return 'unicode.bidi'
    if (code === 0x200e || code === 0x200f || code === 0x061c)
      return isRightToLeft.test(this.#text) ? undefined : 'unicode.bidi-mark'
    if ((code >= 0xfe00 && code <= 0xfe0e) || (code >= 0xe0100 && code <= 0xe01ef)) return this.#variation(code, at)
    if (code === 0xfe0f) return undefined
    if ((code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000) return 'unicode.private'
    if (code >= 0xd800 && code <= 0xdfff) return 'unicode.broken'
    if (isBlank.test(String.fromCodePoint(code))) return this.#invisible(code, at, size)
    return undefined
  }

  #variation(code: number, at: number): string | undefined {
    const before = this.#text.codePointAt(at - 1) ?? 0
    const isUsual = code === 0xfe0e || (before >= 0x2e80 && before < 0xe000) || before > 0x20000
    return isUsual && at > 0 && !isSelector(before) ? undefined : 'unicode.variation'
  }

  #invisible(code: number, at: number, size: number): string | undefined {
    const before = this.#text.slice(Math.max(0, at - 2), at)
    const after = this.#text.slice(at + size, at + size + 2)
    if (code === 0xfeff && at === 0) return undefined
    if (code === 0x200d && /(?:\p{Emoji}|\ufe0f)$/u.test(before) && /^\p{Emoji}/u.test(after) && !/\w$/.test(before))
      return undefined
    if ((code === 0x200c || code === 0x200d || code === 0x34f || code >= 0x17b4) && isJoining.test(before + after))
      return undefined
    this.#run = this.#lastInvisible === at ? this.#run + 1 : 1
    this.#lastInvisible = at + size
    this.#longestRun = Math.max(this.#longestRun, this.#run)
    if (/[a-z0-9\u4e00-\u9fff]$/i.test(before) && /^[a-z0-9\u4e00-\u9fff]/i.test(after) && code !== 0xad) this.#splits++
    return code === 0xad ? 'unicode.soft-hyphen' : 'unicode.zero-width'
  }

  #add(kind: string, at: number, end: number): void {
    const seen = this.#first.get(kind)
    if (!seen) this.#first.set(kind, { at, end, count: 1 })
    else {
      seen.count++
      if (end - seen.at < 120) seen.end = end
    }
  }

  #endTags(): void {
    if (this.#tags === '') return
    this.#tagged.push(this.#tags)
    this.#tags = ''
  }

  said(): readonly string[] {
    this.#endTags()
    return this.#tagged
  }

  marks(isName: boolean): readonly HiddenMark[] {
    return [...this.#first].map(([rule, { at, end, count }]) => ({
      rule,
      at,
      end,
      severity: isName ? 'high' : this.#severity(rule, count),
    }))
  }

  #severity(rule: string, count: number): Severity {
    if (rule === 'unicode.tags' || rule === 'unicode.bidi-override' || rule === 'unicode.escape') return 'high'
    if (rule === 'unicode.variation') return count >= 4 ? 'high' : 'medium'
    if (rule === 'unicode.zero-width')
      return this.#splits >= 3 || this.#longestRun >= 4 ? 'high' : this.#splits > 0 || count >= 8 ? 'medium' : 'low'
    if (rule === 'unicode.private') return count >= 4 ? 'medium' : 'low'
    if (rule === 'unicode.bidi') return isRightToLeft.test(this.#text) ? 'low' : 'medium'
    if (rule === 'unicode.control') return count >= 4 ? 'medium' : 'low'
    return 'low'
  }
}

/** Text pushed so far down or aside that whoever looks at its beginning never sees it. */
const paddingIn = (text: string): HiddenMark | undefined => {
  const match = text.length > 80 ? /\n[\s\u2800]{40}|[ \t\u00a0\u3000]{120}/.exec(text) : null
  if (!match || text.slice(match.index).trim() === '') return undefined
  const isLines = match[0].startsWith('\n') && match[0].split('\n').length > 20
  if (!isLines && match[0].length < 120) return undefined
  return { rule: 'hidden.padding', severity: 'medium', at: match.index, end: match.index + match[0].length }
}

const isBreak = (code: number): boolean => code === 9 || code === 10 || code === 13 || code === 12 || code === 0x85
const isSelector = (code: number): boolean =>
  (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef) || (code >= 0xdd00 && code <= 0xddef)
