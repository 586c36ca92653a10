import { basename } from 'node:path'
import { hashOf, isSignedBy, noLine } from './audit-chain.js'
import { type AuditEntry, readEntry } from './audit-entry.js'
import { linesForwards, pagesOf } from './audit-pages.js'

/** Why a line is not as it was written. */
export type AuditFault =
  /** What the line after it says of it is not so. */
  | 'changed'
  /** Lines of its chain before it are not there. */
  | 'missing'
  /** It stands behind lines that came after it, or is there twice. */
  | 'order'
  /** It is none of ours, and no crash has cut it. */
  | 'unreadable'
  /** It belongs to no chain. */
  | 'unchained'
  /** A checkpoint that was not made with this vault. */
  | 'signature'

export interface BrokenLine {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly fault: AuditFault
  readonly chain?: string | undefined
  readonly seq?: number | undefined
}

export interface VerifiedChain {
  readonly chain: string
  readonly replica?: string | undefined
  /** More than 1 where what came before is no longer kept. */
  readonly first: number
  readonly last: number
  readonly startedAt: string
  readonly endedAt: string
  /** It says that it ended; else it runs, or was killed. */
  readonly stopped: boolean
  /** The last line that a checkpoint vouches for; 0 for none. */
  readonly signedTo: number
}

export interface Verification {
  readonly ok: boolean
  readonly broken?: BrokenLine | undefined
  readonly files: number
  readonly lines: number
  /** Lines of the time before there was a chain: nothing vouches for them. */
  readonly unchained: number
  /** Lines that a crash has cut. */
  readonly torn: number
  readonly chains: readonly VerifiedChain[]
  /** Checkpoints that were checked, and those of a root that is not here. */
  readonly checkpoints: { readonly checked: number; readonly unchecked: number }
  /** Lines that no checkpoint vouches for, directly or by what follows on them. */
  readonly unsigned: number
}

interface Known {
  readonly chain: string
  replica: string | undefined
  readonly first: number
  readonly startedAt: string
  /** The chain and the line that its first follows. */
  readonly follows: { readonly chain: string; readonly seq: number } | undefined
  last: number
  endedAt: string
  head: string
  place: Pick<BrokenLine, 'file' | 'line'>
  stopped: boolean
  signedTo: number
}

// A start names the last line it saw; others may have written so many between its look and its line.
const mostRemembered = 50_000
const mostOnEdge = 1000

/** The key of a root by its name; undefined for one that is not here. */
export type AuditKeyOf = (keyId: string) => Buffer | undefined

/** Reads a trail from its first line to its last, and stops at the first that is not as it was written. */
export const verifyTrail = async (trail: string, keyOf: AuditKeyOf = () => undefined): Promise<Verification> => {
  const pages = [...(await pagesOf(trail))].reverse()
  const check = new Check(keyOf)
  for (const [index, { path }] of pages.entries()) {
    const file = basename(path)
    let line = 0
    for await (const lines of linesForwards(path))
      for (const { text, isWhole } of lines) {
        line += 1
        check.take(text, { file, line }, isWhole || index < pages.length - 1)
        if (check.broken) return check.result(pages.length)
      }
  }
  check.end()
  return check.result(pages.length)
}

class Check {
  readonly #keyOf: AuditKeyOf
  readonly #chains = new Map<string, Known>()
  readonly #seen = new Map<string, { readonly chain: string; readonly seq: number } | undefined>()
  /** A line that cannot be read: a crash has cut it if the next one says so. */
  #cut: Pick<BrokenLine, 'file' | 'line'> | undefined
  /** What is kept begins where all began. */
  #isWhole: boolean | undefined
  #lines = 0
  #unchained = 0
  #torn = 0
  #checked = 0
  #unchecked = 0
  broken: BrokenLine | undefined

  constructor(keyOf: AuditKeyOf) {
    this.#keyOf = keyOf
  }

  take(text: string, place: Pick<BrokenLine, 'file' | 'line'>, isWhole: boolean): void {
    if (text === '') return
    const entry = readEntry(text)
    if (!entry) {
      if (this.#cut) return this.#fail('unreadable', this.#cut)
      this.#cut = place
      if (!isWhole) this.end()
      return
    }
    if (this.#cut && !(entry.action === 'start' && entry.torn)) return this.#fail('unreadable', this.#cut)
    if (this.#cut) this.#torn += 1
    this.#cut = undefined
    this.#lines += 1
    const hash = hashOf(text)
    const { chain, seq, prev } = entry
    if (entry.v !== 1 || chain === undefined || seq === undefined || prev === undefined) {
      if (this.#chains.size > 0) return this.#fail('unchained', place)
      this.#unchained += 1
      return this.#remember(hash, undefined)
    }
    const known = this.#chains.get(chain)
    if (known) this.#goOn(known, entry, place)
    else this.#begin({ ...entry, chain, seq, prev }, place)
    if (this.broken) return
    const now = this.#chains.get(chain)!
    Object.assign(now, { last: seq, head: hash, endedAt: entry.at, place, replica: entry.replica ?? now.replica })
    now.stopped = entry.kind === 'system' && entry.action === 'stop'
    if (entry.mac !== undefined) this.#checkpoint(text, entry, now, place)
    this.#remember(hash, { chain, seq })
  }

  /** A last line that has no end was cut just now, or is being written. */
  end(): void {
    if (this.#cut) this.#torn += 1
    this.#cut = undefined
  }

  result(files: number): Verification {
    const chains = [...this.#chains.values()]
    return {
      ...{ ok: this.broken === undefined, broken: this.broken, files, lines: this.#lines },
      ...{ unchained: this.#unchained, torn: this.#torn },
      chains: chains.map(({ head: _head, place: _place, follows: _follows, ...told }) => told),
      checkpoints: { checked: this.#checked, unchecked: this.#unchecked },
      unsigned: chains.reduce((sum, { first, last, signedTo }) => sum + last - Math.max(signedTo, first - 1), 0),
    }
  }

  #goOn(known: Known, { seq, prev, chain }: AuditEntry, place: Pick<BrokenLine, 'file' | 'line'>): void {
    if (seq! > known.last + 1) this.#fail('missing', place, chain, seq)
    else if (seq! <= known.last) this.#fail('order', place, chain, seq)
    // Whichever of the two it was: the line before, of which the next one says that it was another.
    else if (prev !== known.head) this.#fail('changed', known.place, chain, known.last)
  }

  #begin(
    entry: AuditEntry & { readonly chain: string; readonly seq: number; readonly prev: string },
    place: Pick<BrokenLine, 'file' | 'line'>,
  ): void {
    const { chain, seq, prev, at, replica } = entry
    const isStart = seq === 1 && entry.kind === 'system' && entry.action === 'start'
    this.#isWhole ??= isStart && (prev === noLine || this.#unchained > 0)
    // Several that began at once in an empty folder follow nothing, each of them.
    const isKnown = prev === noLine || this.#seen.has(prev)
    // What is older than what is kept may have held the beginning of a chain, or what it follows.
    const isOnEdge = !this.#isWhole && (!isStart || this.#seen.size < mostOnEdge)
    if (!(isStart && isKnown) && !isOnEdge) return this.#fail('missing', place, chain, seq)
    this.#chains.set(chain, {
      ...{ chain, replica, first: seq, startedAt: at, follows: this.#seen.get(prev) },
      ...{ last: seq, endedAt: at, head: '', place, stopped: false, signedTo: 0 },
    })
  }

  #checkpoint(text: string, { key, seq, chain }: AuditEntry, known: Known, place: Pick<BrokenLine, 'file' | 'line'>) {
    const own = key === undefined ? undefined : this.#keyOf(key)
    if (!own) {
      this.#unchecked += 1
      return
    }
    if (!isSignedBy(text, own)) return this.#fail('signature', place, chain, seq)
    this.#checked += 1
    // What is signed vouches for what it follows, and that for what it followed.
    for (let each: Known | undefined = known, to = seq!; each && to > each.signedTo; ) {
      each.signedTo = to
      to = each.follows?.seq ?? 0
      each = each.follows && this.#chains.get(each.follows.chain)
    }
  }

  #remember(hash: string, place: { readonly chain: string; readonly seq: number } | undefined): void {
    this.#seen.set(hash, place)
    if (this.#seen.size > mostRemembered) this.#seen.delete(this.#seen.keys().next().value!)
  }

  #fail(fault: AuditFault, place: Pick<BrokenLine, 'file' | 'line'>, chain?: string, seq?: number): void {
    this.broken = { ...place, fault, chain, seq }
  }
}
