import type { Caller, Right } from '../model/caller.js'

/** Document 002's four errors; `invalid` covers what is no key, an unknown one and a revoked one, each in its own words. */
export type KeyProblem = 'missing' | 'invalid' | 'expired' | 'insufficient'

export type KeyCheck =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly problem: KeyProblem; readonly message: string }

const refused = (problem: KeyProblem, message: string): KeyCheck => Object.freeze({ ok: false, problem, message })

export const keyMissing = refused(
  'missing',
  'API Key is required: send it as "X-API-Key: <key>" or "Authorization: Bearer <key>", never in the URL.',
)
export const keyMalformed = refused(
  'invalid',
  'Invalid API Key: a key is rtk_ and 64 hexadecimal digits; check it for missing characters.',
)
export const keyUnknown = refused('invalid', 'Invalid API Key: there is no such key here.')
export const keyRevoked = refused('invalid', 'Invalid API Key: it has been revoked.')

export const keyExpired = (expiresAt: number): KeyCheck =>
  refused('expired', `API Key has expired: it was valid until ${new Date(expiresAt).toISOString()}; ask for a new one.`)

export const rightMissing = (right: Right): KeyCheck =>
  refused('insufficient', `Insufficient permissions: the right '${right}' is required`)
