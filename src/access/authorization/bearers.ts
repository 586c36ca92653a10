import type { AuthResult } from '../../http/auth.js'
import type { Caller } from '../../model/caller.js'
import { narrowed } from '../../model/role.js'
import type { Bearers } from '../bearer.js'
import { callerBy, type GrantRow, grantOf } from '../grants.js'
import type { People } from '../people.js'
import type { SignInSession, SignInSessions } from '../sessions.js'
import { type AccessContent, accessPrefix, type SealedTokens } from './tokens.js'

export interface OwnBearersOptions {
  readonly tokens: SealedTokens
  readonly sessions: SignInSessions
  readonly people: Pick<People, 'isEnded' | 'seen'>
  /** The rows of `auth.grants` in force; a new table is another array. */
  readonly grants: () => readonly GrantRow[]
  /** Who shows this key, while it is good. */
  readonly keyHolder: (keyId: string) => Caller | undefined
  readonly now: () => number
}

export interface OwnBearers extends Bearers {
  /** Whose token it is, wherever it is shown; undefined where it is no longer good. */
  holderOf(token: string): { readonly session: SignInSession; readonly scope: string } | undefined
}

// Callers of that many sessions are remembered; past it all are made anew.
const mostRemembered = 10_000

interface Known {
  readonly session: SignInSession
  readonly rows: readonly GrantRow[]
  readonly base: Caller | undefined
  readonly caller: AuthResult
}

/**
 * Our own tokens. The seal says what a token is for, and memory whether its session lasts: nothing is asked of anybody, and
 * ending a session counts at once although its tokens would live on. What somebody may do is read from the grants at each
 * request; remembered is only what the same session and the same table gave before.
 */
export const createOwnBearers = (options: OwnBearersOptions): OwnBearers => {
  const { tokens, sessions, people, grants, keyHolder, now } = options
  const known = new Map<string, Known>()

  const callerOf = (session: SignInSession, { scope }: AccessContent): AuthResult => {
    const rows = grants()
    const base = session.keyId === undefined ? undefined : keyHolder(session.keyId)
    const place = `${session.id} ${scope}`
    const before = known.get(place)
    if (before && before.session === session && before.rows === rows && before.base === base) return before.caller
    const caller = session.keyId === undefined ? personOf(session, rows, scope) : holderOfKey(base, session, scope)
    if (known.size >= mostRemembered) known.clear()
    known.set(place, { session, rows, base, caller })
    return caller
  }
  const judge = (content: AccessContent, session: SignInSession | undefined): AuthResult => {
    if (session?.kind !== 'client' || session.endsAt <= now()) return over
    if (session.identity && people.isEnded(session.identity.id, session.createdAt)) return over
    sessions.touch(session.id)
    return callerOf(session, content)
  }
  return {
    recognises: (token) => token.startsWith(accessPrefix),
    verify: (token, endpoint) => {
      const content = tokens.openAccess(token)
      if (!content) return unknown
      if (content.resource !== endpoint) return elsewhere
      if (content.until <= now()) return expired
      const session = sessions.find(content.session)
      if (session) return judge(content, session)
      const fresh = sessions.findFresh(content.session)
      if (fresh === undefined || !('then' in fresh)) return judge(content, fresh)
      return fresh.then(
        (late) => judge(content, late),
        () => away,
      )
    },
    holderOf: (token) => {
      const content = tokens.openAccess(token)
      const session = content && content.until > now() ? sessions.find(content.session) : undefined
      return content && session && session.endsAt > now() ? { session, scope: content.scope } : undefined
    },
  }
}

const personOf = (session: SignInSession, rows: readonly GrantRow[], scope: string): AuthResult => {
  const applicant = { identity: session.identity!, kind: 'person' } as const
  const granted = session.identity && grantOf(rows, applicant)
  if (!granted) return notGranted
  const by = { scopes: scope.split(' '), client: session.client?.id, session: session.id }
  return Object.freeze({ caller: callerBy(applicant, granted, by), granted: granted.rights })
}

/** Whoever pasted a key may what the key may, as far as the token goes. */
const holderOfKey = (holder: Caller | undefined, session: SignInSession, scope: string): AuthResult => {
  if (!holder) return over
  const rights = narrowed(holder.rights, scope.split(' '))
  return Object.freeze({
    caller: Object.freeze({
      ...holder,
      rights,
      client: session.client?.id,
      session: session.id,
      actsForAccounts: false,
    }),
    granted: holder.rights,
  })
}

// Only what is no token of ours may be a guess.
const refusal = (status: 401 | 403 | 503, message: string, isExpired = true): AuthResult =>
  Object.freeze({ refused: { status, message, isExpired } })

const unknown = refusal(401, 'This token is not one of ours. Sign in again.', false)
const elsewhere = refusal(401, 'This token is for another endpoint. Sign in at this one.')
const expired = refusal(401, 'This token has expired. Renew it, or sign in again.')
const over = refusal(401, 'The sign-in behind this token is over. Sign in again.')
const notGranted = refusal(403, 'You are signed in, but no row of auth.grants lets you in. Ask who runs this server.')
const away = refusal(503, 'Whether this token is still good cannot be looked up right now. Try again.')
