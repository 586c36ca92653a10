import type { GatewayError } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import type { Caller } from '../../model/caller.js'
import { signInRequired } from '../sign-in-required.js'
import type { ExchangeAuth, SignInSurroundings } from './options.js'
import { HeldToken } from './tokens.js'

/** What vouches for a caller at the identity provider; it goes there and nowhere else. */
export interface ExchangeSubject {
  readonly token: string
  readonly type: 'access_token' | 'id_token' | 'jwt'
}

export type SubjectOf = (caller: Caller) => Promise<ExchangeSubject | undefined>

export interface ExchangeOptions extends SignInSurroundings {
  readonly source: string
  readonly server: URL
  readonly auth: ExchangeAuth
  readonly subjectOf?: SubjectOf | undefined
}

/** A token of the server for one person, which the identity provider gives for their sign-in. */
export class ExchangeCredentials implements Credentials {
  readonly #options: ExchangeOptions
  readonly #held: HeldToken
  #caller: Caller | undefined

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#held = new HeldToken(options.clock)
  }

  /** The one who calls now: by any of their sign-ins a token can be had. */
  seen(caller: Caller): void {
    this.#caller = caller
  }

  headers(): Readonly<Record<string, string>> {
    return this.#held.headers
  }

  isFresh(): boolean {
    return this.#held.token !== undefined && this.#held.isFresh
  }

  async renew(_refusal: GatewayError | undefined): Promise<void> {
    const subject = this.#caller && (await this.#options.subjectOf?.(this.#caller))
    if (!subject) throw notVouched(this.#options.source)
    throw notVouched(this.#options.source)
  }

  reset(): void {
    this.#held.clear()
  }
}

const notVouched = (source: string): GatewayError =>
  signInRequired(
    source,
    'identity',
    `'${source}' is used with your sign-in at the gateway, and there is none that the identity provider knows. Sign in again.`,
  )
