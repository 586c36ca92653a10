import { GatewayError } from '../../errors.js'
import type { Credentials } from '../../mcp/client/signed-transport.js'
import type { OwnCredentials } from '../caller-signing.js'
import { MachineCredentials, type MachineOptions } from './machine.js'
import type { ListAs } from './options.js'
import { keyHeaders } from './pasted-key.js'

type Headers = Readonly<Record<string, string>>
const noHeaders: Headers = Object.freeze({})

/**
 * Signs our own requests where everybody signs in for themselves: as `listAs` says, else as nobody, for many servers show
 * their list to anybody, else as the first person who signed in and called.
 */
export class LentCredentials implements OwnCredentials {
  /** What the server said when it wanted somebody: where to sign in. */
  challenge: unknown
  readonly #source: string
  readonly #configured: Credentials | undefined
  #lent: { readonly by: string; readonly credentials: Credentials } | undefined

  constructor(source: string, configured: Credentials | undefined) {
    this.#source = source
    this.#configured = configured
  }

  lend(identity: string, credentials: Credentials): void {
    if (!this.#configured) this.#lent ??= { by: identity, credentials }
  }

  takeBack(identity: string): boolean {
    if (this.#lent?.by !== identity) return false
    this.#lent = undefined
    return true
  }

  headers(): Headers {
    return this.#used?.headers() ?? noHeaders
  }

  isFresh(): boolean {
    return this.#used?.isFresh() ?? true
  }

  async renew(refusal: GatewayError | undefined): Promise<void> {
    if (refusal) this.challenge = refusal.details?.wwwAuthenticate ?? this.challenge
    const lent = this.#lent
    if (this.#configured) return this.#configured.renew(refusal)
    if (!lent) {
      if (refusal) throw waits(this.#source)
      return
    }
    try {
      await lent.credentials.renew(refusal)
    } catch {
      // Theirs to mend, and told to them at their next call. Meanwhile somebody else may read the list.
      if (this.#lent === lent) this.#lent = undefined
      throw waits(this.#source)
    }
  }

  get #used(): Credentials | undefined {
    return this.#configured ?? this.#lent?.credentials
  }
}

/** Nothing is wrong: there is nobody yet in whose name to ask. */
const waits = (source: string): GatewayError =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    `Waits for a sign-in: the first person who signs in at '${source}' and calls shows what it offers.`,
    { details: { status: 401, source, waits: true }, notSent: true },
  )

/** What reads the lists in the gateway's own name; undefined where somebody who signed in does. */
export const listingBy = (listAs: ListAs | undefined, at: Omit<MachineOptions, 'auth'>): Credentials | undefined => {
  if (!listAs) return undefined
  if (listAs.type !== 'key') return new MachineCredentials({ ...at, auth: listAs })
  const headers = keyHeaders(listAs, listAs.key)
  const renew = async (refusal: GatewayError | undefined): Promise<void> => {
    if (refusal) throw refusal
  }
  return { headers: () => headers, isFresh: () => true, renew }
}
