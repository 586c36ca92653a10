import type { OAuthTokens } from '@modelcontextprotocol/client'
import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'

/** Tokens as we keep them: with the time at which they end instead of how long they last. */
export interface KeptTokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  /** Milliseconds since the epoch; absent where the server did not say. */
  readonly expiresAt?: number | undefined
  readonly obtainedAt: number
  /** What was granted, where that was said. */
  readonly scope?: string | undefined
}

const longestLifeSeconds = 10 * 365 * 24 * 3600
const tokenPattern = /^[\x21-\x7e]{1,16384}$/

/** A token answer in our form, or the refusal of one that no header can carry or that is bound to a key we do not have. */
export const toKeptTokens = (tokens: OAuthTokens, clock: Clock): KeptTokens => {
  if (tokens.token_type.toLowerCase() !== 'bearer')
    throw new GatewayError('SOURCE_INVALID', 'The authorization server issued a token of a type other than Bearer.')
  if (!tokenPattern.test(tokens.access_token))
    throw new GatewayError('RESULT_INVALID', 'The authorization server issued a token that no header can carry.')
  const { expires_in: seconds, refresh_token: refreshToken, scope } = tokens
  const obtainedAt = clock.wall()
  const lifeMs = seconds === undefined ? undefined : Math.min(Math.max(0, seconds), longestLifeSeconds) * 1000
  return {
    accessToken: tokens.access_token,
    obtainedAt,
    refreshToken,
    expiresAt: lifeMs === undefined ? undefined : obtainedAt + lifeMs,
    scope,
  }
}

// Renewed a little before the end: a token that ends on its way is refused.
const marginMs = 60_000
const laterMs = 10_000

type Headers = Readonly<Record<string, string>>
const noHeaders: Headers = Object.freeze({})

/** The token in use, as the header that goes out. */
export class HeldToken {
  headers: Headers = noHeaders
  token: string | undefined
  #freshUntil = Number.POSITIVE_INFINITY
  #expiresAt = Number.POSITIVE_INFINITY
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get isFresh(): boolean {
    return this.#freshUntil === Number.POSITIVE_INFINITY || this.#clock.wall() < this.#freshUntil
  }

  get isOver(): boolean {
    return this.#clock.wall() >= this.#expiresAt
  }

  adopt({ accessToken, expiresAt, obtainedAt }: KeptTokens): void {
    this.token = accessToken
    this.headers = Object.freeze({ authorization: `Bearer ${accessToken}` })
    this.#expiresAt = expiresAt ?? Number.POSITIVE_INFINITY
    this.#freshUntil = this.#expiresAt - Math.min(marginMs, (this.#expiresAt - obtainedAt) / 10)
    if (Number.isNaN(this.#freshUntil)) this.#freshUntil = Number.POSITIVE_INFINITY
  }

  /** It cannot be renewed now: it is used for as long as the server takes it, and renewing is tried later. */
  postpone(): void {
    this.#freshUntil = this.#clock.wall() + laterMs
  }

  /** It cannot be renewed at all. */
  useUp(): void {
    this.#freshUntil = Number.POSITIVE_INFINITY
  }

  clear(): void {
    this.token = undefined
    this.#expiresAt = Number.POSITIVE_INFINITY
    this.headers = noHeaders
    this.useUp()
  }
}
