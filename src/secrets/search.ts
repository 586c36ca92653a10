import { entropyOf } from './checks.js'
import type { SecretRule } from './rule.js'
import { secretRules } from './rules.js'

/** A credential in a text, by where it stands. What it is stays there. */
export interface FoundSecret {
  readonly rule: string
  readonly start: number
  readonly end: number
}

export interface Searched {
  /** In order, none over another. */
  readonly found: readonly FoundSecret[]
  /** False where a text was made to keep us busy: what lies behind the point of giving up was not looked at. */
  readonly isWhole: boolean
}

const nothing: Searched = Object.freeze({ found: Object.freeze([]), isWhole: true })

interface Compiled {
  readonly rule: SecretRule
  /** Its place in the table: where two fit, the first wins. */
  readonly rank: number
  readonly pattern: RegExp
}

interface Anchor {
  readonly compiled: Compiled
  readonly text: string
  /** How many characters of it stand before those it is known by. */
  readonly offset: number
}

/**
 * The anchors of all rules, each known by three neighbours of its characters, folded to five bits: capitals fall together with
 * small letters, and whatever else does costs a comparison. One byte per triple. Decided against an automaton over
 * whole anchors, in which each step waits for the one before (twice the time), and against one expression for all.
 */
interface FirstLook {
  /** By triple: 0, or which of the lists. */
  readonly marks: Uint8Array
  readonly lists: readonly (readonly Anchor[])[]
}

const compile = (rules: readonly SecretRule[]): readonly Compiled[] =>
  rules.map((rule, rank) => ({
    rule,
    rank,
    pattern: new RegExp(rule.pattern, `dy${rule.ignoreCase === true ? 'i' : ''}`),
  }))

const buildFirstLook = (compiled: readonly Compiled[]): FirstLook => {
  const marks = new Uint8Array(0x8000)
  const lists: Anchor[][] = [[]]
  for (const each of compiled)
    for (const text of each.rule.anchors) {
      const offset = rarestAt(text)
      let key = 0
      for (let at = offset; at < offset + 3; at++) key = (key << 5) | (text.charCodeAt(at) & 31)
      if (marks[key] === 0) marks[key] = lists.push([]) - 1
      lists[marks[key]!]!.push({ compiled: each, text, offset })
    }
  // A byte holds no more.
  if (lists.length > 256) throw new Error('There are too many anchors for one byte.')
  return { marks, lists }
}

// The commonest first, by what a character falls together with: a space is `@`, `-` is `m`, `.` is `n`, a digit is one of `p` to `y`.
const common = '@etaoinsrhldcumfpgwybvkxjqz'
// Rare in letters, but not in what gateways carry.
const familiar = new Set(['key', 'ken', 'tok', '---', 'pas', 'ass'])

/** Where in a text the three characters begin that other texts are least likely to have. */
const rarestAt = (text: string): number => {
  const rarity = (at: number): number => {
    const index = common.indexOf(String.fromCharCode((text.charCodeAt(at) & 31) | 96).replace('`', '@'))
    return index < 0 ? common.length : index
  }
  const score = (at: number): number =>
    rarity(at) + rarity(at + 1) + rarity(at + 2) - (familiar.has(text.slice(at, at + 3)) ? 40 : 0)
  let best = 0
  for (let at = 1; at + 3 <= text.length; at++) if (score(at) > score(best)) best = at
  return best
}

let firstLook: FirstLook | undefined

/**
 * Finds credentials in a text. `json` says that it is JSON as it was sent, in which a character may be written as an escape:
 * then the places are not those of the text, and only what was found counts.
 */
export const searchSecrets = (text: string, json = false, allowed?: ReadonlySet<string>): Searched => {
  firstLook ??= buildFirstLook(compile(secretRules))
  return search(firstLook, json ? withoutEscapes(text) : text, allowed)
}

/** The same in bytes that are JSON; nothing is parsed, and nothing copied unless there is something to look at. */
export const searchBytes = (bytes: Buffer, allowed?: ReadonlySet<string>): Searched => {
  // Two questions to the native side cost more than a small text.
  if (bytes.length < smallBytes || bytes.includes('\\/') || bytes.includes('\\u00'))
    return searchSecrets(bytes.toString('latin1'), true, allowed)
  firstLook ??= buildFirstLook(compile(secretRules))
  const { marks, lists } = firstLook
  let look: Look | undefined
  for (let at = nextInBytes(bytes, marks, 0); at >= 0; at = nextInBytes(bytes, marks, at + 1)) {
    const list = lists[marks[keyOf(bytes[at - 2]!, bytes[at - 1]!, bytes[at]!)]!]!
    for (let index = 0; index < list.length; index++) {
      const anchor = list[index]!
      const start = at - 2 - anchor.offset
      // The first character alone tells nearly all of those apart that only fell together.
      if (start < 0 || (bytes[start]! | 32) !== (anchor.text.charCodeAt(0) | 32)) continue
      look ??= new Look(bytes.toString('latin1'), allowed)
      look.at(anchor, start)
      if (look.isTired) return look.searched()
    }
  }
  return look?.searched() ?? nothing
}

const keyOf = (first: number, second: number, third: number): number =>
  ((first & 31) << 10) | ((second & 31) << 5) | (third & 31)

// Apart from what is done about it, so that the compiler sees a loop of nothing but this.
const nextInBytes = (bytes: Buffer, marks: Uint8Array, from: number): number => {
  const first = Math.max(from, 2)
  if (bytes.length <= first) return -1
  let key = ((bytes[first - 2]! & 31) << 5) | (bytes[first - 1]! & 31)
  for (let at = first; at < bytes.length; at++) {
    key = ((key << 5) | (bytes[at]! & 31)) & 0x7fff
    if (marks[key] !== 0) return at
  }
  return -1
}

const nextInText = (text: string, marks: Uint8Array, from: number): number => {
  const first = Math.max(from, 2)
  if (text.length <= first) return -1
  let key = ((text.charCodeAt(first - 2) & 31) << 5) | (text.charCodeAt(first - 1) & 31)
  for (let at = first; at < text.length; at++) {
    key = ((key << 5) | (text.charCodeAt(at) & 31)) & 0x7fff
    if (marks[key] !== 0) return at
  }
  return -1
}

const smallBytes = 4096

/** Nearly every text has no anchor anywhere, and this loop is all that it costs. */
const search = ({ marks, lists }: FirstLook, text: string, allowed: ReadonlySet<string> | undefined): Searched => {
  let look: Look | undefined
  for (let at = nextInText(text, marks, 0); at >= 0; at = nextInText(text, marks, at + 1)) {
    const list = lists[marks[keyOf(text.charCodeAt(at - 2), text.charCodeAt(at - 1), text.charCodeAt(at))]!]!
    for (let index = 0; index < list.length; index++) {
      const anchor = list[index]!
      const start = at - 2 - anchor.offset
      if (start < 0 || (text.charCodeAt(start) | 32) !== (anchor.text.charCodeAt(0) | 32)) continue
      look ??= new Look(text, allowed)
      look.at(anchor, start)
      if (look.isTired) return look.searched()
    }
  }
  return look?.searched() ?? nothing
}

const isAt = (text: string, anchor: string, start: number): boolean => {
  if (start + anchor.length > text.length) return false
  for (let at = 0; at < anchor.length; at++) {
    const code = text.charCodeAt(start + at)
    if ((code >= 65 && code <= 90 ? code | 32 : code) !== anchor.charCodeAt(at)) return false
  }
  return true
}

/** A token is spelt plainly by everybody but for `/`, which some escape, and by who wants to hide one. */
const withoutEscapes = (text: string): string => {
  if (!text.includes('\\')) return text
  const plain = text.includes('\\/') ? text.replaceAll('\\/', '/') : text
  let at = plain.indexOf('\\u00')
  if (at < 0) return plain
  // Joined at the end: a text put together by `+` is read through its parts, character by character.
  const parts: string[] = []
  let kept = 0
  for (; at >= 0; at = plain.indexOf('\\u00', at + 6)) {
    const code = Number.parseInt(plain.slice(at + 4, at + 6), 16)
    // Quotes and what is no ASCII part words as well as the escape does.
    if (!(code < 128) || code === 34) continue
    parts.push(plain.slice(kept, at), String.fromCharCode(code))
    kept = at + 6
  }
  return kept === 0 ? plain : [...parts, plain.slice(kept)].join('')
}

/** The second look, at the few places where there is an anchor. */
class Look {
  readonly #text: string
  readonly #allowed: ReadonlySet<string> | undefined
  readonly #found: (FoundSecret & { readonly rank: number })[] = []
  #work = 0
  readonly #mostWork: number

  constructor(text: string, allowed: ReadonlySet<string> | undefined) {
    this.#text = text
    this.#allowed = allowed
    this.#mostWork = 200_000 + text.length * 8
  }

  /** More was looked at than any honest text gives to look at. */
  get isTired(): boolean {
    return this.#work > this.#mostWork
  }

  at({ compiled: { rule, rank, pattern }, text }: Anchor, anchor: number): void {
    if (!isAt(this.#text, text, anchor)) return
    this.#work += 16
    const last = this.#found.at(-1)
    if (last !== undefined && anchor < last.end && last.rank <= rank) return
    const match = matchAt(this.#text, pattern, anchor)
    if (match === undefined) return
    const { start, secret, whole, before } = match
    this.#work += secret.length
    if (!isSecret(rule, secret, whole, before) || this.#allowed?.has(rule.id)) return
    const end = start + secret.length
    this.#add({ rule: rule.id, start, end: rule.end ? endOf(this.#text, end, rule.end) : end, rank })
  }

  #add(secret: FoundSecret & { readonly rank: number }): void {
    const last = this.#found.at(-1)
    if (last === undefined || secret.start >= last.end) {
      this.#found.push(secret)
      return
    }
    // Two names of one thing: the closer one is told, and all that either covers is taken out.
    const { rule, rank } = secret.rank < last.rank ? secret : last
    this.#found[this.#found.length - 1] = {
      rule,
      rank,
      start: Math.min(last.start, secret.start),
      end: Math.max(last.end, secret.end),
    }
  }

  searched(): Searched {
    if (this.#found.length === 0 && !this.isTired) return nothing
    return { found: this.#found.map(({ rule, start, end }) => ({ rule, start, end })), isWhole: !this.isTired }
  }
}

interface Match {
  readonly start: number
  readonly secret: string
  readonly whole: string
  readonly before: string
}

const context = 40

const matchAt = (text: string, pattern: RegExp, anchor: number): Match | undefined => {
  pattern.lastIndex = anchor
  const match = pattern.exec(text)
  if (match === null) return undefined
  const group = match.findIndex((each, index) => index > 0 && each !== undefined)
  const [start, end] = match.indices![Math.max(0, group)]!
  const before = text.slice(Math.max(0, anchor - context), anchor)
  return { start, secret: text.slice(start, end), whole: match[0], before }
}

const base64Run = /[A-Za-z0-9+/=\s\\]{0,20000}/y

const endOf = (text: string, from: number, { mark, most }: NonNullable<SecretRule['end']>): number => {
  const at = text.slice(from, from + most).indexOf(mark)
  if (at < 0) {
    base64Run.lastIndex = from
    return from + (base64Run.exec(text)?.[0].length ?? 0)
  }
  const rest = /^[^\r\n\\"]{0,80}?-----/.exec(text.slice(from + at + mark.length, from + at + mark.length + 100))
  return from + at + mark.length + (rest?.[0].length ?? 0)
}

const isSecret = (rule: SecretRule, secret: string, match: string, before: string): boolean =>
  (rule.entropy === undefined || entropyOf(secret) >= rule.entropy) &&
  (rule.holds === undefined || rule.holds(secret, match, before))
