import type { IncomingMessage } from 'node:http'
import type { ClientPeers } from './auth-loopback.js'

/** What a page of ours sends with everything it asks by cookie: no form and no page of elsewhere can add it unasked. */
export const consoleHeader = 'x-pegboard-console'

export interface BrowserDoorOptions {
  /** Where others reach us, as the operator says; asked each time. */
  readonly publicUrl: () => string | undefined
  readonly peers: Pick<ClientPeers, 'isLocal' | 'isFromProxy'>
}

/** How browsers come that carry a cookie of ours. */
export interface BrowserDoor {
  /** Whether the browser's way to us is encrypted, as far as we or the operator know. */
  isSecure(request: IncomingMessage): boolean
  /** The cookie's name on this way. */
  cookieName(request: IncomingMessage, name: string): string
  /** Why a cookie does not count for this request: a page of another site may have sent it. Undefined where it counts. */
  refusal(request: IncomingMessage): string | undefined
  /** Whether one of our own pages sent this form: browsers say so in one of two headers, and what says neither is no browser. */
  isOwnForm(request: IncomingMessage): boolean
}

/** By our own page, or by a person: an address typed, a bookmark. */
const ownSites: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none'])

/** Asked of requests whose Host was found to be ours. */
export const createBrowserDoor = ({ publicUrl, peers }: BrowserDoorOptions): BrowserDoor => {
  const publicOrigin = (): string | undefined => {
    const url = publicUrl()
    return url === undefined ? undefined : new URL(url).origin
  }
  const isSecure = (request: IncomingMessage): boolean => {
    const { headers, socket } = request
    if ('encrypted' in socket && socket.encrypted === true) return true
    if (peers.isFromProxy(request) && /(?:^|,)\s*https\s*$/i.test(String(headers['x-forwarded-proto'] ?? '')))
      return true
    const known = publicOrigin()
    if (!known?.startsWith('https:')) return false
    // A proxy may name us by the address it knows; only a program on this machine that speaks for itself comes another way.
    return headers.origin === known || headers.host === new URL(known).host || !peers.isLocal(request)
  }
  const isOwn = (request: IncomingMessage): boolean => {
    const { origin, host } = request.headers
    return origin === publicOrigin() || origin === `${isSecure(request) ? 'https' : 'http'}://${host?.toLowerCase()}`
  }
  return {
    isSecure,
    // Ports of one machine share their cookies: two gateways there must not sign each other's people out.
    cookieName: (request, name) => (isSecure(request) ? `__Host-${name}` : `${name}-${portOf(request.headers.host)}`),
    refusal: (request) => {
      const { method = 'GET', headers } = request
      if (!ownSites.has(headers['sec-fetch-site'])) return 'a page of another site asked for it'
      if (headers.origin !== undefined && !isOwn(request)) return 'a page of another origin asked for it'
      if (method === 'GET' || method === 'HEAD') return undefined
      if (headers.origin === undefined) return 'the request does not say which page it comes from (Origin)'
      return headers[consoleHeader] === undefined ? `the header ${consoleHeader} is missing` : undefined
    },
    isOwnForm: (request) => {
      const { origin, 'sec-fetch-site': site } = request.headers
      if (site !== undefined && site !== 'same-origin') return false
      return origin === undefined ? site === 'same-origin' : isOwn(request)
    },
  }
}

const portOf = (host = ''): string => /:(\d{1,5})$/.exec(host)?.[1] ?? '80'
