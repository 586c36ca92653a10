/** What a browser may carry back to us, and how. Always HttpOnly and for every path: no script of a page reads it. */
export interface CookieOptions {
  /** Sent over TLS alone. Where it is false the name may not begin with `__Host-`. */
  readonly secure: boolean
  /** 0 takes it back. Default: until the browser is closed. */
  readonly maxAgeSeconds?: number | undefined
}

const longest = 4096

/**
 * The cookie of this name; undefined where there is none, or two: whoever can set a second one for a wider domain or another
 * path could choose which of them counts.
 */
export const cookieOf = (header: string | undefined, name: string): string | undefined => {
  if (header === undefined) return undefined
  let found: string | undefined
  for (const part of header.split(';')) {
    const cut = part.indexOf('=')
    if (cut < 0 || part.slice(0, cut).trim() !== name) continue
    if (found !== undefined) return undefined
    found = part.slice(cut + 1).trim()
  }
  return found === undefined || found === '' || found.length > longest ? undefined : found
}

/** A `Set-Cookie` header. The value is ours: letters, digits, `_` and `-`. */
export const setCookie = (name: string, value: string, { secure, maxAgeSeconds }: CookieOptions): string =>
  [
    `${name}=${value}`,
    'Path=/',
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    'HttpOnly',
    'SameSite=Lax',
    ...(secure ? ['Secure'] : []),
  ].join('; ')
