import { narrowed } from '../../model/role.js'
import type { Actor } from '../../telemetry/deed.js'
import { type GrantRow, grantOf } from '../grants.js'
import type { SignedIn } from '../identity-provider.js'
import type { People } from '../people.js'
import type { SignInSessions } from '../sessions.js'
import type { AskedAccess } from './asked.js'
import type { PastedKey } from './key-sign-in.js'
import type { SealedTokens } from './tokens.js'

/** Somebody who has shown who they are. */
export type Newcomer = { readonly signedIn: SignedIn } | { readonly key: PastedKey }

export interface NewSessionParts {
  readonly tokens: SealedTokens
  readonly sessions: SignInSessions
  readonly people: Pick<People, 'seen'>
  readonly grants: () => readonly GrantRow[]
  readonly now: () => number
}

/** A code for somebody who may come in, or why they may not. */
export type NewSessions = (
  asked: AskedAccess,
  who: Newcomer,
) => Promise<
  | { readonly code: string; readonly actor: Actor }
  | { readonly refused: 'notGranted' | 'noProfile'; readonly actor: Actor }
>

/** Codes are traded at once; whoever waits longer has lost them. */
const codeMs = 60_000
/** A session whose code nobody trades is forgotten soon after it. */
const untradedMs = 5 * 60_000

export const createNewSessions =
  ({ tokens, sessions, people, grants, now }: NewSessionParts): NewSessions =>
  async (asked, who) => {
    const { client, redirect, challenge, endpoint, scope } = asked
    const facts = 'key' in who ? ofKey(who.key, asked) : ofPerson(who.signedIn, asked, grants())
    if (facts.refused !== undefined) return { refused: facts.refused, actor: facts.actor }
    if ('signedIn' in who) people.seen(who.signedIn.identity)
    const session = await sessions.begin({
      ...facts.session,
      kind: 'client',
      client: { id: client.key, name: client.name },
      resource: endpoint.resource,
      scope,
      endsAt: now() + untradedMs,
    })
    const code = tokens.code({
      ...{ session: session.id, client: client.key, redirect: redirect.text, challenge, scope },
      ...{ resource: endpoint.resource, until: now() + codeMs },
    })
    return { code, actor: facts.actor }
  }

const ofPerson = (signedIn: SignedIn, { client, endpoint, scope }: AskedAccess, rows: readonly GrantRow[]) => {
  const { identity, providerSession, refreshToken, accessToken, idToken, expiresAt } = signedIn
  const { id, name, email } = identity
  const actor: Actor = { id, type: 'person', name: name ?? email, via: 'sign-in', client: client.key }
  const granted = grantOf(rows, { identity, kind: 'person' })
  const isGranted = granted !== undefined && narrowed(granted.rights, scope.split(' ')).length > 0
  const { profile } = endpoint
  const sees = profile === undefined || granted?.profiles.some((each) => each === '*' || each === profile)
  const refused = !isGranted ? ('notGranted' as const) : sees ? undefined : ('noProfile' as const)
  const secrets = { refreshToken, accessToken, idToken, expiresAt }
  return { actor, refused, session: { identity, providerSession, secrets } }
}

const ofKey = ({ id, holder }: PastedKey, { client, endpoint, scope }: AskedAccess) => {
  const actor: Actor = { id: holder.id, type: 'key', via: 'sign-in', client: client.key }
  const isGranted = narrowed(holder.rights, scope.split(' ')).length > 0
  const { profile } = endpoint
  const sees = profile === undefined || holder.profile === undefined || holder.profile === profile
  const refused = !isGranted ? ('notGranted' as const) : sees ? undefined : ('noProfile' as const)
  return { actor, refused, session: { keyId: id, identity: holder.identity } }
}
