import type { Clock } from '../model/clock.js'
import { createGuardedFetch, type GuardedFetch } from '../sources/guarded-fetch.js'
import { post, signatureOf } from './signed-post.js'

/** One message as it goes out. */
export interface Letter {
  readonly url: string
  readonly secret: string
  readonly timeoutMs: number
  readonly body: string
  /** Besides content type and signature. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** What became of a message: `sent` was taken, `failed` was given up, `dropped` found no room. */
export type DeliveryOutcome = 'sent' | 'failed' | 'dropped'

export interface DeliveriesParts<Item> {
  /** What is sent about it, asked for at each try; undefined where nobody is to be told of it any more. */
  readonly write: (item: Item) => Promise<Letter | undefined>
  /** How long after so many tries in vain it is sent again; undefined gives it up. */
  readonly pauseMs: (item: Item, tries: number, error: unknown) => number | undefined
  /** How many are on their way at once: with one, they arrive in their order. */
  readonly atOnce: number
  /** The address that the operator wrote down: it may be on this machine or in this network, but nothing it leads to may. */
  readonly trusted: () => string | undefined
  readonly clock: Clock
  /** Once, until it works again. */
  readonly troubled: (error: unknown) => void
  readonly works: () => void
  readonly ended: (item: Item, outcome: DeliveryOutcome, tries: number) => void
  /** Told of each try in vain. */
  readonly missed?: ((item: Item, tries: number, error: unknown) => void) | undefined
}

// As many requests for approval as may be open in all.
const mostWaiting = 256
// At the end, for what is on its way.
const patienceMs = 2000
// Longer than any that can be set: each message has its own.
const longestMs = 60_000

/** Signed messages on their way to one address: in a bounded row, sent again after growing pauses. Nobody waits for them. */
export class Deliveries<Item> {
  readonly #parts: DeliveriesParts<Item>
  readonly #fetch: GuardedFetch
  readonly #waiting: Item[] = []
  readonly #underway = new Set<Promise<void>>()
  readonly #pauses = new Set<() => void>()
  #isTroubled = false
  #isClosed = false

  constructor(parts: DeliveriesParts<Item>) {
    this.#parts = parts
    this.#fetch = createGuardedFetch({
      isTrusted: ({ origin }) => origin === originOf(parts.trusted()),
      timeoutMs: longestMs,
    })
  }

  /** How many wait for their turn. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Sends it, as soon as there is room. */
  take(item: Item): void {
    if (this.#isClosed) return
    if (this.#waiting.length < mostWaiting) this.#waiting.push(item)
    else this.#parts.ended(item, 'dropped', 0)
    this.#next()
  }

  /** Pauses end; what is on its way has a moment. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const wake of [...this.#pauses]) wake()
    let stop = (): void => {}
    const tooLate = new Promise<void>((resolve) => {
      stop = this.#parts.clock.after(patienceMs, resolve)
    })
    await Promise.race([this.#drained(), tooLate])
    stop()
    await this.#fetch.close()
  }

  async #drained(): Promise<void> {
    while (this.#underway.size > 0) await Promise.all(this.#underway)
  }

  #next(): void {
    while (this.#underway.size < this.#parts.atOnce) {
      const item = this.#waiting.shift()
      if (item === undefined) return
      const sending = this.#send(item).finally(() => {
        this.#underway.delete(sending)
        this.#next()
      })
      this.#underway.add(sending)
    }
  }

  async #send(item: Item): Promise<void> {
    for (let tries = 1; ; tries++) {
      let why: unknown
      try {
        const letter = await this.#parts.write(item)
        if (!letter) return
        await this.#post(letter)
        return this.#sent(item, tries)
      } catch (error) {
        why = error
        this.#trouble(error)
        this.#parts.missed?.(item, tries, error)
      }
      const pauseMs = this.#isClosed ? undefined : this.#parts.pauseMs(item, tries, why)
      if (pauseMs === undefined) return this.#parts.ended(item, 'failed', tries)
      await this.#pause(pauseMs)
    }
  }

  async #post({ url, secret, timeoutMs, body, headers }: Letter): Promise<void> {
    const signature = signatureOf(secret, body, this.#parts.clock.wall())
    const signed = { 'content-type': 'application/json', 'pegboard-signature': signature, ...headers }
    await post(this.#fetch, new URL(url), { headers: signed, body, timeoutMs })
  }

  #sent(item: Item, tries: number): void {
    this.#parts.ended(item, 'sent', tries)
    if (!this.#isTroubled) return
    this.#isTroubled = false
    this.#parts.works()
  }

  #trouble(error: unknown): void {
    // At the end it is we who hang up.
    if (this.#isTroubled || this.#isClosed) return
    this.#isTroubled = true
    this.#parts.troubled(error)
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel()
        this.#pauses.delete(wake)
        resolve()
      }
      const cancel = this.#parts.clock.after(ms, wake)
      this.#pauses.add(wake)
    })
  }
}

const originOf = (url: string | undefined): string | undefined => (url === undefined ? undefined : new URL(url).origin)
