import type { Keys } from './keys.js'
import type { People, Person } from './people.js'
import type { SignInSessions } from './sessions.js'

/** Where somebody has something. */
export interface Belongings {
  readonly people: People
  readonly sessions: Pick<SignInSessions, 'list' | 'end'>
  readonly keys: Pick<Keys, 'active' | 'revoke'>
}

export interface Ended {
  readonly sessions: number
  readonly keys: number
}

/** Whether a key is this person's own: its owner is their id or their verified address. */
export const owns = ({ id, email }: Pick<Person, 'id' | 'email'>, owner: string | undefined): boolean =>
  owner !== undefined && (owner === id || (email !== undefined && owner.toLowerCase() === email.toLowerCase()))

/**
 * Ends what somebody had when they were ended; what they began since stays. Whoever hears of it may do the same again: a
 * process that stopped half-way leaves nothing that another would not finish.
 */
export const endBelongings = async (id: string, { people, sessions, keys }: Belongings): Promise<Ended> => {
  const own = sessions.list().filter(({ identity, createdAt }) => identity?.id === id && people.isEnded(id, createdAt))
  const ended = await Promise.all(own.map((each) => sessions.end(each.id, 'person')))
  const person = people.find(id)
  const owned = keys
    .active()
    .filter(({ owner, createdAt }) => person && owns(person, owner) && people.isEnded(id, createdAt))
  const revoked = await Promise.all(owned.map((key) => keys.revoke(key.id)))
  return { sessions: ended.filter(Boolean).length, keys: revoked.filter(Boolean).length }
}
