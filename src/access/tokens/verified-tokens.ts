import { hash } from 'node:crypto'
import type { AuthResult } from '../../http/auth.js'

/** What is known of a token at one endpoint. */
export interface VerifiedToken {
  readonly result: AuthResult
  /** Milliseconds since the epoch. */
  readonly until: number
  /** Who shows it, and since when it is theirs: for whether they were ended since. */
  readonly person: string
  readonly issuedAt: number
}

const most = 10_000

/** Tokens that were verified, by hash and endpoint: a token itself is kept nowhere. */
export class VerifiedTokens {
  readonly #byKey = new Map<string, VerifiedToken>()

  // As hexadecimal text, which Node makes faster than any other.
  keyOf(token: string, endpoint: string): string {
    return `${hash('sha256', token)} ${endpoint}`
  }

  get(key: string, now: number): VerifiedToken | undefined {
    const known = this.#byKey.get(key)
    if (known === undefined || known.until > now) return known
    this.#byKey.delete(key)
    return undefined
  }

  set(key: string, verified: VerifiedToken): void {
    this.#byKey.delete(key)
    this.#byKey.set(key, verified)
    // The first of a Map is the one that has been there longest.
    if (this.#byKey.size > most) this.#byKey.delete(this.#byKey.keys().next().value!)
  }

  clear(): void {
    this.#byKey.clear()
  }

  get size(): number {
    return this.#byKey.size
  }
}
