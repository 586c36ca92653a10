import { hash, randomBytes } from 'node:crypto'
import type { Clock } from '../model/clock.js'
import type { Seal } from '../model/seal.js'

/** Long enough to find a password, short enough that a forgotten link is no standing invitation. */
export const linkMs = 10 * 60_000
/** Of one person at one source, open at the same time. */
export const mostLinks = 3
const mostOpen = 10_000
// One that is about to end is not handed out again.
const leastLeftMs = 2 * 60_000

/** Whom a link is for, and what they sign in at. */
export interface ConnectLink {
  /** The id of the identity, and of nobody else. */
  readonly identity: string
  readonly source: string
}

export interface ConnectLinksOptions {
  readonly seal: Seal
  readonly clock: Clock
  /** What time it is for all who open our links. Default: by our own wall clock. */
  readonly now?: (() => number) | undefined
  /** Where links are kept that another replica may be shown. Default: in memory. */
  readonly rows?: ConnectRows | undefined
}

export interface ConnectRows {
  put(id: string, sealed: string, until: number): Promise<void>
  /** Once: of two who take it, one gets it. */
  take(id: string): Promise<string | undefined>
}

interface Open extends ConnectLink {
  readonly text: string
  readonly nonce: string
  readonly until: number
}

/**
 * Links by which people sign in at a source: sealed, for one person and one source, for ten minutes and one use. Whoever
 * holds one has nothing yet: the page behind it asks who they are.
 */
export class ConnectLinks {
  readonly #options: ConnectLinksOptions
  /** By nonce, the oldest first. */
  readonly #open = new Map<string, Open>()

  constructor(options: ConnectLinksOptions) {
    this.#options = options
  }

  /** A link of this person at this source; one that they have already, where it is still good for a while or there are many. */
  async make({ identity, source }: ConnectLink): Promise<string> {
    const { seal, rows } = this.#options
    this.#sweep()
    const theirs = [...this.#open.values()].filter((each) => each.identity === identity && each.source === source)
    const last = theirs.at(-1)
    if (last && (theirs.length >= mostLinks || last.until - this.#now() >= leastLeftMs)) return last.text
    const nonce = randomBytes(16).toString('base64url')
    const until = this.#now() + linkMs
    const text = seal.close({ identity, source, nonce, until })
    for (const oldest of this.#open.keys()) if (this.#open.size >= mostOpen) this.#open.delete(oldest)
    this.#open.set(nonce, { identity, source, text, nonce, until })
    await rows?.put(idOf(nonce), 'open', until)
    return text
  }

  /** Whose it is; undefined for what is not ours, too old or, as far as is known here, used. They look the same from outside. */
  look(text: unknown): ConnectLink | undefined {
    const link = this.#parse(text)
    return link && (this.#options.rows !== undefined || this.#open.has(link.nonce)) ? link : undefined
  }

  /** Uses it up: true for the first who does. */
  async use(text: unknown): Promise<boolean> {
    const link = this.#parse(text)
    if (!link) return false
    const wasHere = this.#open.delete(link.nonce)
    const { rows } = this.#options
    return rows ? (await rows.take(idOf(link.nonce))) !== undefined : wasHere
  }

  #parse(text: unknown): Open | undefined {
    const { identity, source, nonce, until } = this.#options.seal.open(text) ?? {}
    if (typeof identity !== 'string' || typeof source !== 'string' || typeof nonce !== 'string') return undefined
    if (typeof until !== 'number' || until <= this.#now()) return undefined
    return { identity, source, nonce, until, text: String(text) }
  }

  #sweep(): void {
    for (const [nonce, { until }] of this.#open) {
      if (until > this.#now()) return
      this.#open.delete(nonce)
    }
  }

  #now(): number {
    return this.#options.now?.() ?? this.#options.clock.wall()
  }
}

const idOf = (nonce: string): string => `connect ${hash('sha256', nonce)}`
