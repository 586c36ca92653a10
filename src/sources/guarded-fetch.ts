import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { GatewayError, messageOf } from '../errors.js'
import { isPrivateAddress } from './private-addresses.js'

export interface FetchRules {
  /** Whether this address is one that the operator wrote down or vouched for; it may be private. Any other must be public. */
  readonly isTrusted: (url: URL) => boolean
  readonly timeoutMs: number
  /** What an operator can do about a refusal. Default: words about an OpenAPI document. */
  readonly hint?: string | undefined
}

export interface FetchedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface FetchOptions {
  readonly method?: Dispatcher.HttpMethod | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Buffer | FormBody | undefined
  readonly signal: AbortSignal
  readonly maxBytes: number
}

/** A form of several parts; those with a `Blob` are files. */
export interface FormBody {
  readonly fields: readonly (readonly [name: string, value: string | Blob])[]
}

/** HTTP to where we may go and nowhere else. */
export interface GuardedFetch {
  (url: URL, options: FetchOptions): Promise<FetchedAnswer>
  close(): Promise<void>
}

/**
 * Names are looked up by us and the connection goes to the very address that was checked, so that a name cannot be
 * public when it is checked and private when it is used. Redirects are never followed: they would pass the check once.
 */
export const createGuardedFetch = (rules: FetchRules): GuardedFetch => {
  // Two, since a lookup sees the name alone: a name that is trusted at one port is like any other at the next.
  const agents: { trusted?: Agent | undefined; strict?: Agent | undefined } = {}
  const fetch = async (url: URL, { method = 'GET', headers = {}, body, signal, maxBytes }: FetchOptions) => {
    const kind = rules.isTrusted(url) ? 'trusted' : 'strict'
    assertAllowed(url, kind, rules)
    try {
      // Imported when first wanted: a gateway listens before, and this takes a while to load.
      const undici = await import('undici')
      agents[kind] ??= new undici.Agent(agentOptions(kind, rules))
      const answer = await agents[kind].request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { 'accept-encoding': 'identity', ...headers },
        signal,
        body: body === undefined ? null : toBody(body, undici),
      })
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: await readBounded(answer.body, maxBytes),
      }
    } catch (error) {
      throw toFetchError(error, url)
    }
  }
  return Object.assign(fetch, {
    close: async () => {
      await Promise.all([agents.trusted, agents.strict].map((agent) => agent?.destroy().catch(() => {})))
    },
  })
}

type Kind = 'trusted' | 'strict'

const agentOptions = (kind: Kind, rules: FetchRules): Agent.Options => ({
  connect: { timeout: 10_000, lookup: guardedLookup(kind, rules) },
  headersTimeout: rules.timeoutMs,
  bodyTimeout: rules.timeoutMs,
  connections: 64,
})

const toBody = (body: string | Buffer | FormBody, { FormData }: typeof import('undici')) => {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  const form = new FormData()
  for (const [name, value] of body.fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, name)
  }
  return form
}

/** An address in the URL never reaches the lookup, so it is looked at here. The URL parser has spelled it plainly. */
const assertAllowed = (url: URL, kind: Kind, rules: FetchRules): void => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(url.hostname, 'only http and https are spoken', rules)
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) === 0 || kind === 'trusted' || !isPrivateAddress(bare)) return
  throw refused(url.hostname, 'it is a private address', rules)
}

const guardedLookup =
  (kind: Kind, rules: FetchRules): LookupFunction =>
  (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const allowed = kind === 'trusted' ? addresses : addresses.filter(({ address }) => !isPrivateAddress(address))
      const [first] = allowed
      if (!first) return callback(refused(host, 'it leads to a private address', rules) as NodeJS.ErrnoException, '', 0)
      if (options.all) callback(null, allowed as never, 0)
      else callback(null, first.address, first.family)
    })
  }

const readBounded = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes)
      throw new GatewayError('RESULT_TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`, {
        details: { maxBytes },
      })
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const refused = (
  host: string,
  why: string,
  { hint = 'Set baseUrl or allowPrivate if it is yours.' }: FetchRules,
): GatewayError =>
  new GatewayError('ACCESS_DENIED', `'${host}' is not called: ${why}. ${hint}`, {
    details: { host },
    notSent: true,
  })

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const toFetchError = (error: unknown, { host }: URL): GatewayError => {
  if (error instanceof GatewayError) return error
  const { code, cause } = (error ?? {}) as { readonly code?: string | undefined; readonly cause?: unknown }
  if (cause instanceof GatewayError) return cause
  return new GatewayError('SOURCE_UNAVAILABLE', `'${host}' could not be asked: ${messageOf(error)}`, {
    details: { host },
    cause: error,
    notSent: code !== undefined && neverConnected.has(code),
  })
}
