import { isDeepStrictEqual } from 'node:util'
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose'
import { messageOf } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonObject } from '../../model/json.js'
import type { DocumentSet } from '../../storage/store.js'
import { askIssuer, away, discover, type IssuerFacts, type IssuerFetch } from './discovery.js'

export interface IssuerKeysOptions {
  readonly issuer: string
  readonly fetch: IssuerFetch
  readonly clock: Clock
  /** Where keys outlast a restart. */
  readonly documents?: Pick<DocumentSet, 'get' | 'put'> | undefined
  /** Told that the issuer's keys are others than before: what they signed may no longer count. */
  readonly onChange?: (() => void) | undefined
  /** Told that the issuer could not be asked. */
  readonly onTrouble?: ((error: Error) => void) | undefined
}

/** The keys of one moment. */
export interface KeySnapshot {
  readonly find: JWTVerifyGetKey
  readonly facts: IssuerFacts
}

interface Kept {
  readonly at: number
  readonly keys: readonly JsonObject[]
  readonly facts: IssuerFacts
}

interface Held extends Kept, KeySnapshot {}

/** From then on they are read again behind the requests, and a little later in front of them. */
export const freshMs = 10 * 60_000
const patienceMs = 15 * 60_000
/** An issuer that is away does not keep anybody out for a day; what it withdrew meanwhile counts that long. */
export const longestMs = 24 * 60 * 60_000
/** Whatever strangers show, an issuer is asked no more often; without any keys, a little more often. */
export const askEveryMs = 30_000
const askEveryWithoutMs = 5_000

/**
 * The keys that an issuer signs by: read when first wanted, kept over restarts, read again as they age or when a token names
 * one that is not among them. One question at a time, however many ask.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions
  #held: Held | undefined
  #loading: Promise<void> | undefined
  #asking: Promise<void> | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #hasFailed = false

  constructor(options: IssuerKeysOptions) {
    this.#options = options
  }

  /** Rejects with ISSUER_UNAVAILABLE where there are none. */
  get(): KeySnapshot | Promise<KeySnapshot> {
    const age = this.#ageMs()
    if (this.#held && age < freshMs) return this.#held
    return this.#getAged()
  }

  /** Newer ones than these, where the issuer may be asked again and has some. */
  async newerThan(known: KeySnapshot): Promise<KeySnapshot | undefined> {
    await this.#ask()
    return this.#held === known ? undefined : this.#held
  }

  /** How long until an issuer that is away is asked again. */
  get retryInMs(): number {
    return Math.max(1000, this.#askedAt + askEveryWithoutMs - this.#options.clock.now())
  }

  async #getAged(): Promise<KeySnapshot> {
    this.#loading ??= this.#load()
    await this.#loading
    const age = this.#ageMs()
    if (age >= freshMs) {
      const asking = this.#ask()
      // Once it has not answered, nobody waits for it who can do without.
      if (age >= patienceMs && !(this.#hasFailed && age < longestMs)) await asking
    }
    if (this.#held && this.#ageMs() < longestMs) return this.#held
    throw away(this.#options.issuer, 'its keys could not be read', 'AWAY')
  }

  #ageMs(): number {
    if (!this.#held) return Number.POSITIVE_INFINITY
    const age = this.#options.clock.wall() - this.#held.at
    // From the future, by a clock that was put back: as good as old.
    return age < 0 ? patienceMs : age
  }

  /** Never rejects. */
  #ask(): Promise<void> {
    if (this.#asking) return this.#asking
    const now = this.#options.clock.now()
    const pause = this.#held ? askEveryMs : askEveryWithoutMs
    if (now - this.#askedAt < pause) return Promise.resolve()
    this.#askedAt = now
    this.#asking = this.#read().then(
      () => {
        this.#hasFailed = false
        this.#asking = undefined
      },
      (error: Error) => {
        this.#hasFailed = true
        this.#asking = undefined
        this.#options.onTrouble?.(error)
      },
    )
    return this.#asking
  }

  async #read(): Promise<void> {
    const { issuer, fetch, clock, documents } = this.#options
    const facts = await discover(issuer, fetch)
    const { status, body } = await askIssuer(issuer, new URL(facts.jwksUri), fetch)
    if (status !== 200) throw away(issuer, `its keys answer ${status}`, 'STATUS')
    const keys = keysIn(body)
    if (keys.length === 0) throw away(issuer, 'it shows no keys that could be used', 'NO_KEYS')
    await this.#hold({ at: clock.wall(), keys, facts })
    // Whoever waits has them already; one that is not written is read again after a restart.
    await documents
      ?.put(issuer, { at: clock.wall(), keys, facts: { ...facts } } as unknown as JsonObject)
      .catch(() => {})
  }

  async #hold(kept: Kept): Promise<void> {
    const { createLocalJWKSet } = await import('jose')
    const find = createLocalJWKSet({ keys: kept.keys } as unknown as JSONWebKeySet)
    const before = this.#held
    const isSame = before !== undefined && isDeepStrictEqual(before.keys, kept.keys)
    // The same ones stay the same: what was made of them need not be made again.
    this.#held = { ...kept, find: isSame ? before.find : find }
    if (before && !isSame) this.#options.onChange?.()
  }

  async #load(): Promise<void> {
    const { documents, issuer, onTrouble } = this.#options
    try {
      const kept = parseKept(await documents?.get(issuer))
      if (kept) await this.#hold(kept)
    } catch (error) {
      onTrouble?.(new Error(`The keys of '${issuer}' that were kept cannot be read: ${messageOf(error)}`))
    }
  }
}

const mostKeys = 100
const kinds: ReadonlySet<unknown> = new Set(['RSA', 'EC', 'OKP'])
// Of 8192 bits: longer ones make everybody wait.
const longestPart = 1400

/** Public keys alone, of kinds that sign. Any other is left out, since one odd key must not lock out whom the others let in. */
const keysIn = ({ keys }: Readonly<Record<string, unknown>>): readonly JsonObject[] =>
  (Array.isArray(keys) ? keys.slice(0, mostKeys) : []).filter(
    (key): key is JsonObject =>
      isRecord(key) &&
      kinds.has(key.kty) &&
      Object.values(key).every((part) => typeof part !== 'string' || part.length <= longestPart) &&
      key.d === undefined,
  )

const parseKept = (value: unknown): Kept | undefined => {
  if (!isRecord(value) || !isRecord(value.facts) || typeof value.at !== 'number') return undefined
  const { jwksUri, introspectionEndpoint } = value.facts
  const keys = keysIn(value)
  if (typeof jwksUri !== 'string' || keys.length === 0) return undefined
  const facts = {
    jwksUri,
    introspectionEndpoint: typeof introspectionEndpoint === 'string' ? introspectionEndpoint : undefined,
  }
  return { at: value.at, keys, facts }
}
