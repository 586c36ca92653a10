/** An address to which a browser may be sent back, as a client wrote it. */
export interface Redirect {
  readonly text: string
  readonly url: URL
  /** A site, a program that listens on this machine, or one that the system starts for its scheme. */
  readonly kind: 'site' | 'loopback' | 'program'
}

/** Programs that have no other way to get their browser back; any other scheme could be anybody's. */
const programSchemes: ReadonlySet<string> = new Set(['cursor:', 'vscode:', 'vscode-insiders:', 'windsurf:'])
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])
/** What we answer with; an address that has one of these already could answer for us. */
const ourFields = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri'] as const
const longest = 2048

/**
 * Taken only where it is written the one way that every reader reads alike: no user info, no fragment, no backslash, no
 * step up, nothing that a URL parser would mend.
 */
export const parseRedirect = (text: unknown): Redirect | undefined => {
  if (typeof text !== 'string' || text.length > longest || !/^[a-z][a-z0-9+.-]*:\/\/[!$-;=?-Z_a-z~[\]]+$/.test(text))
    return undefined
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const kind = kindOf(url)
  if (kind === undefined || url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?]*@/.test(text))
    return undefined
  if (url.href !== text && url.href !== `${text}/`) return undefined
  if (url.hostname === '' || url.hostname.endsWith('.') || ourFields.some((name) => url.searchParams.has(name)))
    return undefined
  return { text, url, kind }
}

const kindOf = ({ protocol, hostname }: URL): Redirect['kind'] | undefined => {
  if (protocol === 'https:') return 'site'
  if (protocol === 'http:') return loopbackHosts.has(hostname) ? 'loopback' : undefined
  return programSchemes.has(protocol) ? 'program' : undefined
}

/**
 * The same letter by letter; on loopback any port will do, whatever the client wrote down, since it takes one that is free
 * (RFC 8252 §7.3).
 */
export const isSameRedirect = (known: Redirect, asked: Redirect): boolean =>
  known.text === asked.text ||
  (known.kind === 'loopback' &&
    asked.kind === 'loopback' &&
    known.url.hostname === asked.url.hostname &&
    known.url.pathname === asked.url.pathname &&
    known.url.search === asked.url.search)

/** The address with our answer behind it. What was there stays as it was. */
export const answerAt = (redirect: string, fields: Readonly<Record<string, string | undefined>>): string => {
  const answer = new URLSearchParams(
    Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined),
  )
  return `${redirect}${redirect.includes('?') ? '&' : '?'}${answer}`
}
