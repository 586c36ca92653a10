import { keyIdOf } from '../access/key-record.js'
import type { Keys } from '../access/keys.js'
import type { SignInSession, SignInSessions } from '../access/sessions.js'
import type { MeDesk, MyClient } from '../faces/admin/me.js'
import type { Caller, Identity } from '../model/caller.js'
import { actorOf, type Note } from '../telemetry/deed.js'
import type { Own } from './connecting.js'

export interface OwnThings {
  readonly signIns: Own
  readonly keys: Keys
  /** Opened when somebody asks: where nobody signs in but at the console, most gateways have none. */
  readonly sessions: () => SignInSessions | Promise<SignInSessions>
  readonly note: Note
}

/** What belongs to whoever asks: nobody's name is taken, so nobody can give another's. */
export const createOwnDesk = ({ signIns, keys, sessions, note }: OwnThings): MeDesk => ({
  sources: async ({ identity }) => (identity ? signIns.listFor(identity.id) : []),
  begin: signIns.beginOwn,
  paste: signIns.pasteOwn,
  signOut: signIns.signOutOwn,
  clients: async (me) => {
    const mine = ownKeys(keys, me)
    return (await sessions())
      .list()
      .filter((session) => isTheirs(session, me, mine))
      .map((each) => told(each, me))
  },
  endClient: async (me, id) => {
    const opened = await sessions()
    const found = opened.find(id)
    if (!found || !isTheirs(found, me, ownKeys(keys, me))) return false
    note({
      ...{ kind: 'sign-out', action: 'end', actor: actorOf(me, 'console'), outcome: 'ok' },
      on: { type: 'session', id },
    })
    return opened.end(id, 'ended')
  },
  keys: async (me) => {
    const mine = ownKeys(keys, me)
    return (await keys.list())
      .filter(({ id }) => mine.has(id))
      .map(({ id, name, hint, createdAt, useCount, lastUsed, expiresAt }) => ({
        ...{ id, name, hint, createdAt, useCount, lastUsed, expiresAt },
      }))
  },
})

/** The one that they came by, and those that they own. */
const ownKeys = (keys: Pick<Keys, 'active'>, me: Caller): ReadonlySet<string> => {
  const { identity } = me
  const came = keyIdOf(me)
  const mine = keys.active().filter(({ id, owner }) => id === came || (identity && owns(identity, owner)))
  return new Set(mine.map(({ id }) => id))
}

/** Whether a key is this person's own: its owner is their id or their address. */
const owns = ({ id, email }: Identity, owner: string | undefined): boolean =>
  owner !== undefined && (owner === id || (email !== undefined && owner.toLowerCase() === email.toLowerCase()))

/** Of a person by who they are; of a key by the key, which is all that is known of whoever signed in with it. */
const isTheirs = ({ identity, keyId }: SignInSession, me: Caller, mine: ReadonlySet<string>): boolean =>
  (identity !== undefined && identity.id === me.identity?.id) || (keyId !== undefined && mine.has(keyId))

const told = ({ id, kind, client, resource, createdAt, lastUsedAt, endsAt }: SignInSession, me: Caller): MyClient => ({
  ...{ id, kind, resource, createdAt, lastUsedAt, endsAt },
  name: client?.name,
  current: me.session === id,
})
