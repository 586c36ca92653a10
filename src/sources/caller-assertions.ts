import { type KeyObject, randomUUID, sign } from 'node:crypto'
import type { GatewayError } from '../errors.js'
import type { Credentials } from '../mcp/client/signed-transport.js'
import type { Identity } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import { defined } from '../model/json.js'

/** Says who calls, signed by the gateway, to servers that ask for it. */
export interface CallerAssertions {
  /** What the credentials send, and beside it who calls: for this audience alone, for a minute. */
  by(identity: Identity, audience: string, credentials: Credentials | undefined): Credentials
}

/** The key that signs now. */
export interface AssertionKey {
  readonly kid: string
  /** P-256. */
  readonly key: KeyObject
}

export interface AssertionOptions {
  readonly key: () => Promise<AssertionKey>
  /** Who says so: the gateway's own address, below which its keys are published. */
  readonly issuer: () => string
  readonly clock: Clock
}

export const assertionHeader = 'x-pegboard-assertion'
const lifeSeconds = 60
// Renewed at half its life: one that ends on its way says nothing.
const freshMs = 30_000

export const createCallerAssertions = (options: AssertionOptions): CallerAssertions => ({
  by: (identity, audience, credentials) => new AssertedCredentials(options, identity, audience, credentials),
})

type Headers = Readonly<Record<string, string>>

class AssertedCredentials implements Credentials {
  #made: { readonly assertion: string; readonly at: number } | undefined
  #joined: { readonly from: Headers | undefined; readonly assertion: string; readonly headers: Headers } | undefined
  readonly #options: AssertionOptions
  readonly #identity: Identity
  readonly #audience: string
  readonly #inner: Credentials | undefined

  constructor(options: AssertionOptions, identity: Identity, audience: string, inner: Credentials | undefined) {
    this.#options = options
    this.#identity = identity
    this.#audience = audience
    this.#inner = inner
  }

  headers(): Headers {
    const from = this.#inner?.headers()
    const assertion = this.#made?.assertion ?? ''
    if (this.#joined?.from !== from || this.#joined?.assertion !== assertion)
      this.#joined = { from, assertion, headers: Object.freeze({ ...from, [assertionHeader]: assertion }) }
    return this.#joined!.headers
  }

  isFresh(): boolean {
    return this.#isRecent && (this.#inner?.isFresh() ?? true)
  }

  async renew(refusal: GatewayError | undefined): Promise<void> {
    if (this.#inner && (refusal || !this.#inner.isFresh())) await this.#inner.renew(refusal)
    if (this.#isRecent && !refusal) return
    const assertion = signed(await this.#options.key(), this.#claims())
    this.#made = { assertion, at: this.#options.clock.now() }
  }

  get #isRecent(): boolean {
    return this.#made !== undefined && this.#options.clock.now() - this.#made.at < freshMs
  }

  #claims(): object {
    const { id, issuer, subject, name, email, groups } = this.#identity
    const iat = Math.floor(this.#options.clock.wall() / 1000)
    return {
      iss: this.#options.issuer(),
      aud: this.#audience,
      sub: subject,
      // A subject is one of its issuer; who takes several reads both, or the id, which is made of both.
      ...{ sub_iss: issuer, sub_id: id },
      ...defined({ name, email, groups }),
      ...{ iat, exp: iat + lifeSeconds, jti: randomUUID() },
    }
  }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** RFC 7515 with ES256, whose signature is both numbers side by side (RFC 7518 §3.4). */
const signed = ({ kid, key }: AssertionKey, claims: object): string => {
  const input = `${encoded({ alg: 'ES256', typ: 'JWT', kid })}.${encoded(claims)}`
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}
