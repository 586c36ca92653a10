import type { Challenge, Discovered } from './discover.js'
import type { KeptSignIn } from './shelf.js'

/** Every scope once, in the order in which they first come. Undefined when there is none. */
export const unionOf = (...scopes: readonly (string | undefined)[]): string | undefined => {
  const words = scopes.flatMap((scope) => scope?.split(/\s+/).filter(Boolean) ?? [])
  return words.length === 0 ? undefined : [...new Set(words)].join(' ')
}

/** Whether `wanted` has a scope that `had` has not. */
export const isWider = (wanted: string | undefined, had: string | undefined): boolean => {
  const known = new Set(had?.split(/\s+/))
  return (wanted?.split(/\s+/) ?? []).some((word) => word !== '' && !known.has(word))
}

/**
 * What to ask for: the operator's choice, else the challenge, else all that the server knows (the spec's order). After a
 * lack of scope, what was asked for before and what the server now wants besides, or the first would be lost.
 */
export const scopeToAsk = (
  configured: readonly string[] | undefined,
  challenge: Challenge,
  found: Discovered,
  before: Pick<KeptSignIn, 'scope'> | undefined,
): string | undefined => {
  const wanted = unionOf(configured?.join(' ') || challenge.scope || found.scopes)
  const all = before ? unionOf(before.scope, wanted, challenge.scope) : wanted
  const offline = found.metadata.scopes_supported?.includes('offline_access') === true
  // Without it some servers give no refresh token, and somebody had to sign in every hour (SEP-2207).
  return all !== undefined && offline ? unionOf(all, 'offline_access') : all
}
