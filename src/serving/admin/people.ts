import { grantOf } from '../../access/grants.js'
import type { Keys } from '../../access/keys.js'
import type { SignInSession, SignInSessions } from '../../access/sessions.js'
import type { PeopleDesk, PersonRow, SessionRow } from '../../faces/admin/people.js'
import { actorOf } from '../../telemetry/deed.js'
import type { CurrentConfig } from '../current.js'
import type { OpenedPeople } from '../people.js'

export interface PeopleDeskOptions {
  readonly people: OpenedPeople | undefined
  /** Those of the console are there wherever somebody pasted a key. */
  readonly sessions: () => SignInSessions | Promise<SignInSessions>
  readonly keys: Keys
  readonly current: CurrentConfig
}

export const createPeopleDesk = ({ people, sessions, keys, current }: PeopleDeskOptions): PeopleDesk => {
  const grants = current.reading(['auth.grants'], ({ auth }) => auth.grants)
  return {
    list: async (caller) => {
      const open = (await sessions()).list()
      const names = new Map(keys.active().map(({ id, name }) => [id, name]))
      const countOf = (id: string): number => open.filter(({ identity }) => identity?.id === id).length
      const rows = (people?.people.list() ?? []).map((person): PersonRow => {
        const granted = grantOf(grants(), { identity: person, kind: 'person' })
        const { role, profiles } = granted ?? {}
        return { ...person, role, profiles, sessions: countOf(person.id) }
      })
      return {
        people: rows.sort((one, other) => other.lastSeen - one.lastSeen),
        sessions: open.map((each) => rowOf(each, names, caller.session)).reverse(),
        awaySince: people?.awaySince(),
      }
    },
    end: async (text, by) => {
      // Whoever came a moment ago is written down by the end itself, and found by their id alone.
      const id = people?.people.find(text)?.id ?? text
      return people !== undefined && (await people.end(id, actorOf(by, 'console')))
    },
    endSession: async (id) => (await sessions()).end(id, 'ended'),
  }
}

const rowOf = (session: SignInSession, names: ReadonlyMap<string, string>, own: string | undefined): SessionRow => {
  const { id, kind, identity, keyId, client, resource, scope, createdAt, lastUsedAt, endsAt } = session
  return {
    ...{ id, kind, keyId, client, resource, createdAt, lastUsedAt, endsAt },
    own: id === own,
    person: identity?.id,
    name: identity ? (identity.name ?? identity.email) : names.get(keyId ?? ''),
    // Of a browser, what it was begun with is nobody's token.
    scope: kind === 'client' ? scope : undefined,
  }
}
