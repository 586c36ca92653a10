import { type GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { RpcError } from '../rpc-error.js'
import type { Credentials } from './credentials.js'
import { unavailable } from './failure.js'
import type { ClientTransport, SendHooks, Sending, SendOptions, TransportEvents } from './transport.js'

type Headers = Readonly<Record<string, string>>

/** A transport with fixed headers, or one whose credentials are renewed. Without credentials nothing is added to the way. */
export const createSigned = (
  headers: Headers,
  credentials: Credentials | undefined,
  create: (headers: Headers | (() => Headers)) => ClientTransport,
): ClientTransport =>
  credentials ? withCredentials(create(joinedHeaders(headers, credentials)), credentials) : create(headers)

const joinedHeaders = (fixed: Headers, credentials: Credentials): (() => Headers) => {
  let own: Headers | undefined
  let joined = fixed
  return () => {
    const now = credentials.headers()
    if (now !== own) {
      own = now
      joined = { ...fixed, ...now }
    }
    return joined
  }
}

/**
 * Sends again what was refused for its credentials, once these were renewed. A 401 or a lack of scope says that the
 * request was not looked at, so it cannot happen twice; each of the two is tried once per request (no endless loops).
 */
const withCredentials = (transport: ClientTransport, credentials: Credentials): ClientTransport => ({
  ...transport,
  open: (events, signal) => openSigned(transport, credentials, events, signal),
  send: (text, options) => {
    const sending = new SignedSending(transport, credentials, text, options)
    sending.start()
    return sending
  },
})

const openSigned = async (
  transport: ClientTransport,
  credentials: Credentials,
  events: TransportEvents,
  signal: AbortSignal | undefined,
): Promise<void> => {
  if (!credentials.isFresh()) await credentials.renew(undefined)
  const used = credentials.headers()
  try {
    await transport.open(events, signal)
  } catch (error) {
    if (refusalOf(error) === undefined) throw error
    if (credentials.headers() === used) await credentials.renew(error as GatewayError)
    await transport.open(events, signal)
  }
}

/** One message with its credentials. */
class SignedSending implements Sending {
  #inner: Sending | undefined
  #over = false
  #refused = ''
  readonly #transport: ClientTransport
  readonly #credentials: Credentials
  readonly #text: string
  readonly #options: SendOptions

  constructor(transport: ClientTransport, credentials: Credentials, text: string, options: SendOptions) {
    this.#transport = transport
    this.#credentials = credentials
    this.#text = text
    this.#options = options
  }

  get sent(): boolean {
    return this.#inner?.sent ?? false
  }

  start(): void {
    if (this.#credentials.isFresh()) this.#go()
    else this.#goRenewed(undefined)
  }

  cancel(): void {
    this.#over = true
    this.#inner?.cancel()
  }

  #failed(error: GatewayError | RpcError, used: Headers): void {
    const refusal = refusalOf(error)
    if (refusal === undefined || this.#refused.includes(refusal)) return this.#options.hooks.onFail(error)
    this.#refused += refusal
    // Whoever was refused at the same time has renewed them already.
    if (this.#credentials.headers() !== used) this.#go()
    else this.#goRenewed(error as GatewayError)
  }

  #go(): void {
    if (this.#over) return
    const { hooks } = this.#options
    const used = this.#credentials.headers()
    const own: SendHooks = {
      onMessage: hooks.onMessage,
      onRefused: hooks.onRefused,
      onNoise: hooks.onNoise,
      onEnd: hooks.onEnd,
      onFail: (error) => this.#failed(error, used),
    }
    this.#inner = this.#transport.send(this.#text, { ...this.#options, hooks: own })
  }

  #goRenewed(refusal: GatewayError | undefined): void {
    this.#credentials.renew(refusal).then(
      () => this.#go(),
      (error: unknown) => {
        if (this.#over) return
        const failure = isGatewayError(error) ? error : unavailable(messageOf(error), { notSent: true, cause: error })
        this.#options.hooks.onFail(failure)
      },
    )
  }
}

/** What the server said no to, if new credentials can help: none or wrong ones, or too few rights (RFC 6750 §3.1). */
const refusalOf = (error: unknown): 'credentials' | 'scope' | undefined => {
  if (!isGatewayError(error)) return undefined
  const { status, wwwAuthenticate } = error.details ?? {}
  if (status === 401) return 'credentials'
  return status === 403 && /\berror\s*=\s*"?insufficient_scope\b/.test(String(wwwAuthenticate)) ? 'scope' : undefined
}
