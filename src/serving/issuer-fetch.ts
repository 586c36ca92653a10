import { createGuardedFetch } from '../sources/guarded-fetch.js'
import { say } from './locale.js'

/** More than the largest provider's keys with their certificates. */
const maxBytes = 256 * 1024
const timeoutMs = 5000

export interface OpenedIssuerFetch {
  readonly fetch: typeof fetch
  close(): Promise<void>
}

/**
 * How issuers are asked that the operator wrote down: they may be anywhere; whatever else their documents lead to must be
 * public. Bounded in bytes and time; redirects are answers like others, and are not followed.
 */
export const openIssuerFetch = (issuers: readonly string[]): OpenedIssuerFetch => {
  const trusted = new Set(issuers.map((issuer) => new URL(issuer).hostname))
  const guarded = createGuardedFetch({
    isTrusted: ({ hostname }) => trusted.has(hostname),
    timeoutMs,
    hint: say(
      'An issuer on a private network must keep its documents under its own name.',
      '位于内网的签发者，其文档必须放在它自己的主机名下。',
    ),
  })
  return {
    fetch: async (input, init = {}) => {
      const url = new URL(input instanceof Request ? input.url : input)
      const { status, headers, body } = await guarded(url, {
        method: (init.method ?? 'GET') as 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        body: init.body === undefined || init.body === null ? undefined : String(init.body),
        signal: AbortSignal.timeout(timeoutMs),
        maxBytes,
      })
      const lines = Object.entries(headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((each): [string, string] => [name, each]),
      )
      return new Response(bodiless.has(status) ? null : new Uint8Array(body), { status, headers: lines })
    },
    close: guarded.close,
  }
}

const bodiless = new Set([101, 204, 205, 304])
