import type { Dispatcher } from 'undici'
import { GatewayError } from '../../errors.js'
import type { HttpWire } from './http-dispatch.js'
import { createUndiciWire } from './http-undici.js'
import { createOwnWire } from './http-wire.js'

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
  readonly wire: HttpWire
  /** The lines of what goes with every request: the host, and the operator's headers but for those that are ours to set. */
  headerLines(): string
}

/** Where an HTTP source is and how to get there. Redirects are never followed: headers would go to whoever is named. */
export const createHttpEndpoint = (options: HttpEndpointOptions): HttpEndpoint => {
  const url = parseUrl(options.url)
  const { headers = {} } = options
  let given: Readonly<Record<string, string>> | undefined
  let lines = ''
  return {
    url,
    wire: createWire(url, options),
    // A token is the same for thousands of calls, so the lines are kept until they change.
    headerLines: () => {
      const now = typeof headers === 'function' ? headers() : headers
      if (now !== given) {
        lines = toHeaderLines({ host: url.host, ...withoutOurs(now) })
        given = now
      }
      return lines
    },
  }
}

/** Headers as they are written. Throws for what would end its line, and so become a header or a request of its own. */
export const toHeaderLines = (headers: Readonly<Record<string, string>> | undefined): string => {
  let lines = ''
  for (const name in headers) {
    const value = headers[name]!
    if (!isToken.test(name) || notInValues.test(value))
      throw new GatewayError('SOURCE_INVALID', `The header ${JSON.stringify(name.slice(0, 64))} cannot be sent.`, {
        notSent: true,
      })
    lines += `${name}: ${value}\r\n`
  }
  return lines
}

const isToken = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const notInValues = /[^\t\x20-\x7e\x80-\xff]/

const withoutOurs = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !ours.has(name)),
  )

// The protocol's and the connection's. accept-encoding is not among them: who wants compressed answers may ask for them.
const ours: ReadonlySet<string> = new Set([
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
  'upgrade',
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

const createWire = (url: URL, options: HttpEndpointOptions): HttpWire => {
  const { connections = 256, connectTimeoutMs = 10_000, headersTimeoutMs = 300_000, dispatcher, proxy } = options
  if (dispatcher) return createUndiciWire(url.origin, dispatcher)
  if (proxy === undefined) return createOwnWire({ url, connections, connectTimeoutMs, headersTimeoutMs })
  return createUndiciWire(url.origin, { proxy, connections, connectTimeoutMs, headersTimeoutMs })
}
