import { isRecord } from '../model/json.js'
import { type FoundSecret, searchSecrets } from './search.js'

/** What is done about credentials: nothing, told in records, taken out, or the request refused. */
export const secretModes = ['off', 'flag', 'mask', 'block'] as const
export type SecretMode = (typeof secretModes)[number]

/** What holds for the callers of a profile. */
export interface SecretsRule {
  /** Of what goes to a source: arguments, params, answers to its questions. */
  readonly arguments: SecretMode
  /** Of what comes back: results, errors, questions, progress and log messages. */
  readonly results: SecretMode
  /** Rules that do not count here, by id. */
  readonly allow?: ReadonlySet<string> | undefined
}

/** How many of which rule. */
export type SecretCounts = Readonly<Record<string, number>>

/** What stands in the place of a secret: the same in every face, and legal inside any JSON string. */
export const secretLabel = (rule: string): string => `‹secret: ${rule}›`

/** The text with every credential taken out. */
export const maskText = (text: string, allowed?: ReadonlySet<string>): string => {
  const { found } = searchSecrets(text, false, allowed)
  return found.length === 0 ? text : replaced(text, found, 0)
}

const replaced = (text: string, found: readonly FoundSecret[], shift: number): string => {
  let masked = ''
  let kept = 0
  for (const { rule, start, end } of found) {
    masked += text.slice(kept, Math.max(kept, start - shift)) + secretLabel(rule)
    kept = end - shift
  }
  return masked + text.slice(kept)
}

export const countOf = (found: readonly FoundSecret[]): SecretCounts | undefined => {
  if (found.length === 0) return undefined
  const counts: Record<string, number> = {}
  for (const { rule } of found) counts[rule] = (counts[rule] ?? 0) + 1
  return counts
}

/** One walk through a value: what was found in its texts, where first, and what is left of it. */
export class ValueSearch {
  readonly #allowed: ReadonlySet<string> | undefined
  readonly #isMasking: boolean
  #left: number
  #found: FoundSecret[] | undefined
  #place: string | undefined
  isWhole = true

  /** `most`: how many characters are looked at. */
  constructor(allowed: ReadonlySet<string> | undefined, isMasking: boolean, most = Number.POSITIVE_INFINITY) {
    this.#allowed = allowed
    this.#isMasking = isMasking
    this.#left = most
  }

  get counts(): SecretCounts | undefined {
    return this.#found && countOf(this.#found)
  }

  /** Where the first one stands: `body.headers[0]`. */
  get place(): string | undefined {
    return this.#place
  }

  /** The value itself where nothing was found in it, else a copy without. Nothing that is given is changed. */
  walk(value: unknown, key = '', depth = 0): unknown {
    if (typeof value === 'string') return this.#text(value, key)
    if (typeof value !== 'object' || value === null || depth > deepest || this.#left <= 0) return value
    if (Array.isArray(value)) return this.#list(value, key, depth)
    return isRecord(value) ? this.#record(value, key, depth) : value
  }

  #list(items: readonly unknown[], key: string, depth: number): unknown {
    let copy: unknown[] | undefined
    for (let index = 0; index < items.length && this.#left > 0; index++) {
      const had = this.#place
      const next = this.walk(items[index], key, depth + 1)
      if (had === undefined && this.#place !== undefined) this.#place = `[${index}]${joined(this.#place)}`
      if (next === items[index]) continue
      copy ??= [...items]
      copy[index] = next
    }
    return copy ?? items
  }

  #record(record: Readonly<Record<string, unknown>>, _key: string, depth: number): unknown {
    let changed: Map<string, readonly [string, unknown]> | undefined
    for (const key in record) {
      if (!Object.hasOwn(record, key)) continue
      const had = this.#place
      const next = this.walk(record[key], key, depth + 1)
      const name = key.length < shortestSecret ? key : (this.#text(key, '') as string)
      if (had === undefined && this.#place !== undefined) this.#place = `${name.slice(0, 64)}${joined(this.#place)}`
      if (next !== record[key] || name !== key) (changed ??= new Map()).set(key, [name, next])
    }
    if (!changed) return record
    // Defines instead of assigning: a key `__proto__` stays data.
    return Object.fromEntries(Object.entries(record).map(([key, value]) => changed.get(key) ?? [key, value]))
  }

  #text(text: string, key: string): unknown {
    if (text.length < shortestSecret || this.#left <= 0) return text
    // A value is known by the name it has, as it would be in the JSON that it came in.
    const lead = isLabel(key) ? `${key}="` : ''
    const seen = text.length > this.#left ? text.slice(0, this.#left) : text
    this.#left -= seen.length
    const { found, isWhole } = searchSecrets(lead === '' ? seen : `${lead}${seen}"`, false, this.#allowed)
    this.isWhole &&= isWhole
    if (found.length === 0) return text
    this.#place ??= ''
    this.#found = [...(this.#found ?? []), ...found]
    return this.#isMasking ? replaced(text, found, lead.length) : text
  }
}

// Nothing that a rule knows is shorter.
const shortestSecret = 8
// What is nested deeper was refused where it came in; this is for values of this process, which may go in circles.
const deepest = 200

const joined = (place: string): string => (place === '' || place.startsWith('[') ? place : `.${place}`)

const labels = /passw|passphrase|pwd|secret|token|key|authorization/i
const known = new Map<string, boolean>()

const isLabel = (key: string): boolean => {
  if (key === '') return false
  let is = known.get(key)
  if (is === undefined) {
    is = key.length <= 64 && labels.test(key)
    if (known.size >= 2000) known.clear()
    known.set(key, is)
  }
  return is
}
