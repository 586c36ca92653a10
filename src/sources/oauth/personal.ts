import { type GatewayError, isGatewayError } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import { signInRequired } from '../sign-in-required.js'
import { InteractiveCredentials, type InteractiveOptions, type WantedSignIn } from './interactive.js'
import type { KeptSignIn } from './shelf.js'

// What an authorization server that is away is spared: whoever calls meanwhile hears what the last one heard.
const againMs = 5000

/** One person's own sign-in at one source. Nothing is sent without it: who has none is told so before anybody is asked. */
export class PersonalCredentials implements Credentials {
  readonly #inner: InteractiveCredentials
  readonly #options: InteractiveOptions
  #failed: { readonly error: unknown; readonly until: number } | undefined

  constructor(options: InteractiveOptions) {
    this.#options = options
    this.#inner = new InteractiveCredentials(options)
  }

  get wanted(): WantedSignIn | undefined {
    return this.#inner.wanted
  }

  get busy(): Promise<unknown> | undefined {
    return this.#inner.busy
  }

  get isSignedIn(): boolean {
    return this.#inner.headers().authorization !== undefined
  }

  headers(): Readonly<Record<string, string>> {
    return this.#inner.headers()
  }

  isFresh(): boolean {
    return this.isSignedIn && this.#inner.isFresh()
  }

  async renew(refusal: GatewayError | undefined): Promise<void> {
    const { clock } = this.#options
    if (this.#failed && clock.now() < this.#failed.until) throw this.#failed.error
    try {
      await this.#inner.renew(refusal)
    } catch (error) {
      if (isGatewayError(error) && error.details?.signIn === true) throw this.#required(error)
      this.#failed = { error, until: clock.now() + againMs }
      throw error
    }
    this.#failed = undefined
    if (!this.isSignedIn) throw this.#required()
  }

  reset(): void {
    this.#failed = undefined
    this.#inner.reset()
  }

  catchUp(kept: KeptSignIn | undefined): boolean {
    return this.#inner.catchUp(kept)
  }

  #required(error?: GatewayError): GatewayError {
    const { source, server, page } = this.#options
    if (error?.details?.status === 403)
      return signInRequired(
        source,
        'oauth',
        `${server.origin} wants more rights than you granted. Sign in there again.`,
        page,
      )
    return signInRequired(
      source,
      'oauth',
      `'${source}' wants your own sign-in at ${server.origin}, and there is none that is good.`,
      page,
    )
  }
}
