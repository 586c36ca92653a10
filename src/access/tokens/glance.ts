import { isRecord } from '../../model/json.js'

/** More than any issuer needs, and less than a header may hold. */
export const longestToken = 8192

/** What a token says before anybody believes it: enough to choose who verifies it. */
export interface TokenGlance {
  readonly algorithm: string
  readonly issuer: string
}

export type NotLooked = { readonly why: string }

/** By its shape alone: three parts are looked for later, so that half a token is told what is wrong with it. */
export const looksLikeJwt = (text: string): boolean => text.startsWith('ey') && text.includes('.')

/**
 * What can be refused without any cryptography: length, parts, kind, and whatever says that it must be understood. Keys that
 * a token brings along or points to (`jwk`, `jku`, `x5u`, `x5c`) are not looked at, here or later.
 */
export const glanceAt = (token: string): TokenGlance | NotLooked => {
  if (token.length > longestToken) return { why: `is longer than ${longestToken} bytes` }
  const parts = token.split('.', 6)
  if (parts.length !== 3 || !parts.every((part) => part !== '' && /^[\w-]+$/.test(part)))
    return { why: 'is no signed token of three parts' }
  const header = objectIn(parts[0]!)
  const claims = objectIn(parts[1]!)
  if (!header || !claims) return { why: 'cannot be read' }
  if (header.crit !== undefined) return { why: 'asks for extensions that are not understood here (crit)' }
  if (header.typ !== undefined && !types.has(String(header.typ).toLowerCase()))
    return { why: 'is of another type than an access token (typ)' }
  if (typeof header.alg !== 'string' || typeof claims.iss !== 'string')
    return { why: 'names no algorithm or no issuer' }
  return { algorithm: header.alg, issuer: claims.iss }
}

// Not all issuers write RFC 9068's; a logout token, a proof of possession or a grant says so here.
const types: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt'])

const objectIn = (part: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
