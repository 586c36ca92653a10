import { type GatewayError, isGatewayError, messageOf } from '../../errors.js'
import type { RpcMessage } from '../message.js'
import type { RpcError } from '../rpc-error.js'
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
  kind: transport.kind,
  perRequest: transport.perRequest,
  get sessionful() {
    return transport.sessionful !== false
  },
  onlyEra: transport.onlyEra,
  open: (events, signal) => openSigned(transport, credentials, events, signal),
  send: (text, options) => {
    const sending = new SignedSending(transport, credentials, text, options)
    sending.start()
    return sending
  },
  sessionReady: (headers) => transport.sessionReady?.(headers),
  close: () => transport.close(),
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

/** One message with its credentials. It is its own options and hooks, so one object is all that it adds to a call. */
class SignedSending implements Sending, SendOptions, SendHooks {
  #inner: Sending | undefined
  #over = false
  #used: Headers | undefined
  #refused = ''
  readonly #transport: ClientTransport
  readonly #credentials: Credentials
  readonly #text: string
  readonly #asked: SendOptions

  constructor(transport: ClientTransport, credentials: Credentials, text: string, asked: SendOptions) {
    this.#transport = transport
    this.#credentials = credentials
    this.#text = text
    this.#asked = asked
  }

  get id() {
    return this.#asked.id
  }

  get headers() {
    return this.#asked.headers
  }

  get startsSession() {
    return this.#asked.startsSession
  }

  get hooks(): SendHooks {
    return this
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

  onMessage(message: RpcMessage): void {
    this.#asked.hooks.onMessage(message)
  }

  onRefused(error: RpcError): void {
    this.#asked.hooks.onRefused(error)
  }

  onNoise(error: RpcError): void {
    this.#asked.hooks.onNoise(error)
  }

  onEnd(): void {
    this.#asked.hooks.onEnd()
  }

  onFail(error: GatewayError | RpcError): void {
    const refusal = refusalOf(error)
    if (refusal === undefined || this.#refused.includes(refusal)) return this.#asked.hooks.onFail(error)
    this.#refused += refusal
    // Whoever was refused at the same time has renewed them already.
    if (this.#credentials.headers() !== this.#used) this.#go()
    else this.#goRenewed(error as GatewayError)
  }

  #go(): void {
    if (this.#over) return
    this.#used = this.#credentials.headers()
    this.#inner = this.#transport.send(this.#text, this)
  }

  #goRenewed(refusal: GatewayError | undefined): void {
    this.#credentials.renew(refusal).then(
      () => this.#go(),
      (error: unknown) => {
        if (this.#over) return
        const failure = isGatewayError(error) ? error : unavailable(messageOf(error), { notSent: true, cause: error })
        this.#asked.hooks.onFail(failure)
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

/** What shows a server who we are, where that changes over time: a token that runs out and is renewed. */
export interface Credentials {
  /** The headers of the next request. The same object until they change, so that they are made ready once. */
  headers(): Readonly<Record<string, string>>
  /** False where the next request would be refused for sure: then `renew` is asked before it is sent. */
  isFresh(): boolean
  /**
   * Gets new ones, after this refusal or because the old ones ran out. Calls at the same time are one. Rejects with what
   * somebody has to do where nothing more can be done here.
   */
  renew(refusal: GatewayError | undefined): Promise<void>
}
