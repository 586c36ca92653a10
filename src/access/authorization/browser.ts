import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** How long a sign-in may be on its way. */
export const roundMs = 10 * 60_000

/** Ties what is on its way to the browser in which it began: a link that is sent to somebody else opens nothing there. */
export interface BrowserBond {
  /** The digest of the browser's secret, and the cookie that gives it one. */
  tie(request: IncomingMessage): { readonly digest: string; readonly cookie: string }
  isTied(request: IncomingMessage, digest: unknown): boolean
}

const secretShape = /^[A-Za-z0-9_-]{43}$/

/** `__Host-` keeps neighbours under the same domain from setting it; browsers take that over https alone. */
export const bondOf = (isSecure: boolean): BrowserBond => {
  const name = isSecure ? '__Host-pegboard-sign-in' : 'pegboard-sign-in'
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${roundMs / 1000}${isSecure ? '; Secure' : ''}`
  return {
    tie: (request) => {
      // The same for all tabs of a browser, or the second would break the first.
      const secret = secretIn(request, name) ?? randomBytes(32).toString('base64url')
      return { digest: digestOf(secret), cookie: `${name}=${secret}; ${attributes}` }
    },
    isTied: (request, digest) => {
      const secret = secretIn(request, name)
      if (secret === undefined || typeof digest !== 'string') return false
      const [ours, theirs] = [Buffer.from(digestOf(secret)), Buffer.from(digest)]
      return ours.length === theirs.length && timingSafeEqual(ours, theirs)
    },
  }
}

const digestOf = (secret: string): string => hash('sha256', `pegboard browser ${secret}`, 'base64url')

/** One that is there twice is nobody's: somebody may have put theirs beside it. */
const secretIn = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  return found.length === 1 && secretShape.test(found[0]!) ? found[0] : undefined
}

/** Whether our own page sent this form. Browsers say so in one of these two; what says neither was sent by no browser of today. */
export const isOwnForm = ({ headers }: IncomingMessage, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  if (headers.origin !== undefined) return headers.origin === origin
  return site === 'same-origin'
}
