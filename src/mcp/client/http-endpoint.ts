import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici'
import { GatewayError } from '../../errors.js'

export interface HttpEndpointOptions {
  /** The server's endpoint, http or https, without user information. */
  readonly url: string
  /** Sent with every request; a function is asked each time, so that a refreshed token is used at once. It gives the same object while nothing changed. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined
  /** `env` reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; a URL names one; undefined connects directly. */
  readonly proxy?: string | undefined
  /** Default: 10 s. */
  readonly connectTimeoutMs?: number | undefined
  /** Until the first byte of an answer. Default: 300 s; a call's own deadline is usually shorter. */
  readonly headersTimeoutMs?: number | undefined
  /** Default: 256. Open streams count, so it bounds calls in flight too. */
  readonly connections?: number | undefined
  /** A connection pool of the caller's, which then is not closed here. */
  readonly dispatcher?: Dispatcher | undefined
}

export interface HttpEndpoint {
  readonly url: URL
  readonly dispatcher: Dispatcher
  /** The operator's headers, without those that belong to the protocol or the connection. */
  customHeaders(): Readonly<Record<string, string>>
  close(): Promise<void>
}

/** Where an HTTP source is and how to get there. Redirects are never followed: headers would go to whoever is named. */
export const createHttpEndpoint = (options: HttpEndpointOptions): HttpEndpoint => {
  const url = parseUrl(options.url)
  const dispatcher = options.dispatcher ?? createDispatcher(options)
  const { headers = {} } = options
  const fixed = typeof headers === 'function' ? undefined : withoutOurs(headers)
  let given: Readonly<Record<string, string>> | undefined
  let ready: Readonly<Record<string, string>> = {}
  // A token is the same for thousands of calls, so what it makes of the headers is kept until they change.
  const current = (): Readonly<Record<string, string>> => {
    const now = (headers as () => Readonly<Record<string, string>>)()
    if (now !== given) {
      given = now
      ready = withoutOurs(now)
    }
    return ready
  }
  return {
    url,
    dispatcher,
    customHeaders: () => fixed ?? current(),
    close: async () => {
      if (!options.dispatcher) await dispatcher.destroy().catch(() => {})
    },
  }
}

const withoutOurs = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !ours.has(name)),
  )

// accept-encoding is here because a compressed answer would be refused, and the rest because they are ours to set.
const ours: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
])

const parseUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new GatewayError('SOURCE_INVALID', 'The url of an HTTP source must begin with http:// or https://.')
  }
  if (url.username || url.password) {
    throw new GatewayError('SOURCE_INVALID', 'The url must not hold a user or password: use an Authorization header.')
  }
  return url
}

const createDispatcher = (options: HttpEndpointOptions): Dispatcher => {
  const settings = {
    connect: { timeout: options.connectTimeoutMs ?? 10_000 },
    connections: options.connections ?? 256,
    headersTimeout: options.headersTimeoutMs ?? 300_000,
    // A stream of notifications may be silent for hours; every request has a deadline of its own.
    bodyTimeout: 0,
    pipelining: 1,
  }
  if (options.proxy === undefined) return new Agent(settings)
  return options.proxy === 'env' ? new EnvHttpProxyAgent(settings) : new ProxyAgent({ ...settings, uri: options.proxy })
}
