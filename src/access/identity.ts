import { hash } from 'node:crypto'
import type { Identity } from '../model/caller.js'

const prefix = 'person:'

/** One id per issuer and subject. A hash: both are others' words, of any length, and ids stand in names of limits and rows. */
export const identityId = (issuer: string, subject: string): string =>
  `${prefix}${hash('sha256', `${issuer.length} ${issuer} ${subject}`, 'base64url').slice(0, 22)}`

/** The provider's name of one sign-in there (`sid`), in a length of ours. */
export const providerSessionId = (sid: string): string => hash('sha256', sid, 'base64url').slice(0, 22)

export const isIdentityId = (id: string): boolean => id.startsWith(prefix)

/** At most so many groups count; a token with more is refused, since leaving some out would be a guess. */
export const mostGroups = 512

export const identityOf = (facts: Omit<Identity, 'id'>): Identity => ({
  id: identityId(facts.issuer, facts.subject),
  ...facts,
})
