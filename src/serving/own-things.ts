import type { Keys } from '../access/keys.js'
import type { SignInSession, SignInSessions } from '../access/sessions.js'
import type { MeDesk, MyClient } from '../faces/admin/me.js'
import type { Caller, Identity } from '../model/caller.js'
import { actorOf, type Note } from '../telemetry/deed.js'
import type { Own } from './connecting.js'

export interface OwnThings {
  readonly signIns: Own
  readonly keys: Keys
  /** Undefined where nobody signs in but with keys. */
  readonly sessions: SignInSessions | undefined
  readonly note: Note
}

/** What belongs to whoever asks: nobody's name is taken, so nobody can give another's. */
export const createOwnDesk = ({ signIns, keys, sessions, note }: OwnThings): MeDesk => ({
  sources: async ({ identity }) => (identity ? signIns.listFor(identity.id) : []),
  begin: signIns.beginOwn,
  paste: signIns.pasteOwn,
  signOut: signIns.signOutOwn,
  clients: (me) => (sessions?.list() ?? []).filter((session) => isTheirs(session, me)).map((each) => told(each, me)),
  endClient: async (me, id) => {
    const found = sessions?.find(id)
    if (!sessions || !found || !isTheirs(found, me)) return false
    note({
      ...{ kind: 'sign-out', action: 'end', actor: actorOf(me, 'console'), outcome: 'ok' },
      on: { type: 'session', id },
    })
    return sessions.end(id, 'ended')
  },
  keys: async ({ identity }) => {
    if (!identity) return []
    const now = Date.now()
    return (await keys.list())
      .filter(
        ({ owner, revokedAt, expiresAt = Number.POSITIVE_INFINITY }) =>
          owns(identity, owner) && revokedAt === undefined && expiresAt > now,
      )
      .map(({ id, name, hint, createdAt, useCount, lastUsed, expiresAt }) => ({
        ...{ id, name, hint, createdAt, useCount, lastUsed, expiresAt },
      }))
  },
})

/** Whether a key is this person's own: its owner is their id or their address. */
const owns = ({ id, email }: Identity, owner: string | undefined): boolean =>
  owner !== undefined && (owner === id || (email !== undefined && owner.toLowerCase() === email.toLowerCase()))

const isTheirs = ({ identity }: SignInSession, me: Caller): boolean =>
  identity !== undefined && identity.id === me.identity?.id

const told = ({ id, kind, client, resource, createdAt, lastUsedAt, endsAt }: SignInSession, me: Caller): MyClient => ({
  ...{ id, kind, resource, createdAt, lastUsedAt, endsAt },
  name: client?.name,
  current: me.session === id,
})
