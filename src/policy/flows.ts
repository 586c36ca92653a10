import type { Caller } from '../model/caller.js'
import { matchesGlob } from '../model/glob.js'

/**
 * Which requests together carry private things out at a stranger's word (T22): words of strangers come in, something private
 * is read, something goes out. Patterns are globs over canonical ids.
 */
export interface FlowRules {
  /** What brings in words that anybody could have written: pages, mail, issues. */
  readonly untrusted: readonly string[]
  /** What gives away something private. With none, words of strangers alone are enough. */
  readonly private?: readonly string[] | undefined
  /** What can carry something out, and is refused after the others. */
  readonly outward: readonly string[]
  /** How long a caller remembers what it read. Default 30 minutes. */
  readonly forMs?: number | undefined
}

/** What one caller has read, and when. */
interface Read {
  untrusted: Mark | undefined
  private: Mark | undefined
}

interface Mark {
  readonly id: string
  readonly at: number
}

export const longestFlowMs = 30 * 60_000
/** Callers remembered; past it the one that was seen first is forgotten, which a caller cannot bring about without as many keys. */
const mostCallers = 10_000

/** Remembers what callers have read, and says what they may not do after it. */
export class Flows {
  readonly #rulesOf: (profile: string | undefined) => FlowRules | undefined
  readonly #now: () => number
  readonly #read = new Map<string, Read>()

  constructor(rulesOf: (profile: string | undefined) => FlowRules | undefined, now: () => number) {
    this.#rulesOf = rulesOf
    this.#now = now
  }

  /** Why this caller may not ask for this now; what is let through is remembered. */
  refusal({ id: caller, profile }: Caller, { id }: { readonly id: string }): string | undefined {
    const rules = this.#rulesOf(profile)
    if (!rules) return undefined
    const key = `${profile ?? ''}\0${caller}`
    const before = this.#read.get(key)
    if (before && matchesAny(rules.outward, id)) {
      const reason = this.#reason(rules, before)
      if (reason) return reason
    }
    this.#note(rules, key, id, before)
    return undefined
  }

  #reason(rules: FlowRules, before: Read): string | undefined {
    const since = this.#now() - (rules.forMs ?? longestFlowMs)
    const untrusted = before.untrusted && before.untrusted.at > since ? before.untrusted.id : undefined
    const own = before.private && before.private.at > since ? before.private.id : undefined
    if (untrusted === undefined || (rules.private?.length && own === undefined)) return undefined
    return `it can carry things out, and this caller has just read ${own === undefined ? '' : `what is private ('${own}') and `}strangers' words ('${untrusted}')`
  }

  // From the moment it is asked for: what a source answers late was asked for early.
  #note(rules: FlowRules, key: string, id: string, before: Read | undefined): void {
    const isUntrusted = matchesAny(rules.untrusted, id)
    const isPrivate = matchesAny(rules.private ?? [], id)
    if (!isUntrusted && !isPrivate) return
    const mark = { id, at: this.#now() }
    const read = before ?? { untrusted: undefined, private: undefined }
    if (isUntrusted) read.untrusted = mark
    if (isPrivate) read.private = mark
    if (before) return
    if (this.#read.size >= mostCallers) this.#read.delete(this.#read.keys().next().value!)
    this.#read.set(key, read)
  }
}

const matchesAny = (patterns: readonly string[], id: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, id))
