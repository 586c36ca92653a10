import type { Call, CallOrigin, FaceName, RequestKind } from '../model/call.js'
import type { Caller } from '../model/caller.js'
import type { CallRecord } from '../telemetry/calls.js'
import type { KeptCall } from './kept-call.js'

/** What a call was for. */
export interface TargetWord {
  readonly kind: RequestKind
  readonly tool: string
  readonly source?: string | undefined
}

/** Who asked, by what. */
export interface FromWord {
  readonly caller: string
  readonly name?: string | undefined
  readonly client?: string | undefined
  readonly version?: string | undefined
  readonly profile: string
  readonly protocol?: string | undefined
  readonly face: FaceName
}

/** What went wrong. */
export type EndWord = Pick<KeptCall, 'code' | 'message'>

/** What few calls have. */
export type ExtraWord = Pick<KeptCall, 'run' | 'script' | 'rule' | 'grant'>

/** A line of the dictionary is one of these as JSON; its number is its place, from 1 on. */
export type Word = Partial<TargetWord & FromWord & EndWord & ExtraWord>

const longestName = 512
const longestClient = 128
const longestMessage = 500
// Then a new segment begins, with an empty one.
const mostWords = 8192
const mostBytes = 1024 * 1024

interface KnownTarget extends TargetWord {
  readonly number: number
  readonly next: KnownTarget | undefined
}

interface KnownFrom {
  readonly number: number
  readonly caller: Caller
  readonly origin: CallOrigin
  readonly face: FaceName
  readonly next: KnownFrom | undefined
}

/** The words of one segment while it is written. Looking one up compares what the call has; nothing is put together first. */
export class Dictionary {
  readonly #clean: (text: string) => string
  readonly #lines: string[] = []
  #bytes = 0
  readonly #targets = new Map<string, KnownTarget>()
  readonly #from = new Map<string, KnownFrom>()
  readonly #ends = new Map<string, number>()
  readonly #extras = new Map<string, number>()

  /** `clean` takes secrets out of messages. */
  constructor(clean: (text: string) => string) {
    this.#clean = clean
  }

  get size(): number {
    return this.#lines.length
  }

  get isFull(): boolean {
    return this.#lines.length >= mostWords || this.#bytes >= mostBytes
  }

  /** Those from this number of words on, as lines. */
  linesFrom(count: number): string {
    return count === this.#lines.length ? '' : `${this.#lines.slice(count).join('\n')}\n`
  }

  targetOf({ kind, tool, source }: CallRecord): number {
    const first = this.#targets.get(tool)
    for (let known = first; known; known = known.next)
      if (known.source === source && known.kind === kind) return known.number
    const number = this.#add({ kind, tool: short(tool, longestName), source })
    this.#targets.set(tool, { kind, tool, source, number, next: first })
    return number
  }

  fromOf(caller: Caller, { from = local, step }: Call): number {
    const face = step === undefined ? from.face : 'script'
    const first = this.#from.get(caller.id)
    for (let known = first; known; known = known.next)
      if (known.face === face && isSame(known.origin, from) && isSameCaller(known.caller, caller)) return known.number
    const number = this.#add({
      caller: short(caller.id, longestName),
      name: maybeShort(caller.name ?? caller.identity?.name),
      client: maybeShort(from.client ?? caller.client),
      version: maybeShort(from.version),
      profile: caller.profile ?? 'default',
      protocol: maybeShort(from.protocol),
      face,
    })
    this.#from.set(caller.id, { number, caller, origin: from, face, next: first })
    return number
  }

  /** A message is made clean when it is new: most that fail do so in the same words. */
  endOf(code: CallRecord['code'], message: string): number {
    const key = `${code} ${short(message, 2 * longestMessage)}`
    const known = this.#ends.get(key)
    if (known !== undefined) return known
    const cleaned = short(this.#clean(short(message, 4 * longestMessage)), longestMessage)
    const number = this.#add({ code, message: cleaned })
    this.#ends.set(key, number)
    return number
  }

  /** 0 where there is nothing of it, as of most calls. */
  extraOf({ run, script, rule, grant }: CallRecord): number {
    if (run === undefined && rule === undefined && grant === undefined) return 0
    const word: ExtraWord = { run, script, rule: maybeShort(rule), grant: maybeShort(grant) }
    const key = JSON.stringify(word)
    const known = this.#extras.get(key)
    if (known !== undefined) return known
    const number = this.#add(word)
    this.#extras.set(key, number)
    return number
  }

  #add(word: Word): number {
    const line = JSON.stringify(word)
    this.#lines.push(line)
    this.#bytes += line.length
    return this.#lines.length
  }
}

const local: CallOrigin = { face: 'local' }

const isSame = (one: CallOrigin, other: CallOrigin): boolean =>
  one === other || (one.client === other.client && one.version === other.version && one.protocol === other.protocol)

const isSameCaller = (one: Caller, other: Caller): boolean =>
  one === other ||
  (one.profile === other.profile &&
    one.name === other.name &&
    one.client === other.client &&
    one.identity?.name === other.identity?.name)

const short = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text)
const maybeShort = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : short(text, longestClient)

/** The words of a file, their numbers counted from 1. What cannot be read is a word that says nothing. */
export const parseWords = (lines: string): readonly Word[] => {
  const words: Word[] = [{}]
  for (const line of lines.split('\n')) if (line.trim() !== '') words.push(parseWord(line))
  return words
}

const parseWord = (line: string): Word => {
  try {
    return JSON.parse(line) as Word
  } catch {
    return {}
  }
}
