import { type Applicant, grantOf } from '../access/grants.js'
import type { IdentityProvider } from '../access/identity-provider.js'
import { createIdentityProvider } from '../access/identity-provider-client.js'
import type { Keys } from '../access/keys.js'
import { endBelongings } from '../access/leaving.js'
import type { People } from '../access/people.js'
import { createPeople } from '../access/person-store.js'
import { withRecheck } from '../access/recheck.js'
import { createSessions } from '../access/session-store.js'
import type { SignInSessions } from '../access/sessions.js'
import type { Config } from '../config/schema.js'
import { messageOf } from '../errors.js'
import type { Caller, Identity } from '../model/caller.js'
import { systemClock } from '../model/clock.js'
import { fetchRulesFor, withOAuthFetch } from '../sources/oauth/oauth-fetch.js'
import type { Storage } from '../storage/storage.js'
import type { Vault } from '../storage/vault.js'
import type { Actor, Note } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import { say } from './locale.js'
import { createLookAround } from './look-around.js'

export interface PeopleSurroundings {
  readonly storage: Storage
  /** Where the provider's tokens lie. */
  readonly vault: Pick<Vault, 'sealed'>
  readonly keys: Keys
  /** Machines that an answer is open to now. */
  readonly machines: () => readonly Caller[]
  readonly logger: Logger
  readonly note: Note
}

/** Who signs in here, and who may no longer. */
export interface OpenedPeople extends AsyncDisposable {
  readonly sessions: SignInSessions
  readonly people: People
  /** Undefined where people sign in with a key. */
  readonly provider: IdentityProvider | undefined
  /** Since when the identity provider cannot be asked about those who are signed in. */
  awaySince(): number | undefined
  /** Ends all that they have here, everywhere, within a second. False where nobody is known by this. */
  end(id: string, actor: Actor): Promise<boolean>
  /** Told whose rights are over or others: a person by id, here or elsewhere. */
  onLeave(listener: (callerId: string) => void): void
  /** Told who was ended, so that what they have elsewhere goes too: credentials upstream. */
  onEnd(listener: (id: string) => void): void
}

export const openPeople = async (current: CurrentConfig, around: PeopleSurroundings): Promise<OpenedPeople> => {
  const { storage, vault, keys, note } = around
  const logger = around.logger.child('access')
  const clock = systemClock
  const grants = current.reading(['auth.grants'], ({ auth }) => auth.grants)
  const people = await createPeople({ documents: storage.shared('people'), clock, logger })
  const secrets = vault.sealed(storage.shared('session-secrets'), 'session-secrets')
  const kept = await createSessions({
    documents: storage.shared('sessions'),
    ...{ secrets, clock, logger },
    lookAround: storage.commons && createLookAround(storage.commons),
  })
  const provider = providerOf(current, logger)
  const leavers: ((callerId: string) => void)[] = []
  const leave = (id: string): void => {
    for (const listener of leavers) listener(id)
  }
  const whenChanged = (now: Identity, before: Identity): void => {
    if (isSame(grantTo(grants(), before), grantTo(grants(), now))) return
    leave(now.id)
  }
  const rechecked =
    provider &&
    withRecheck({
      ...{ sessions: kept, people, provider, clock, logger, note, onNews: whenChanged },
      everyMs: () => (current.atStart.auth.people?.session.recheckMinutes ?? 15) * 60_000,
    })
  const sessions = rechecked ?? kept

  const endAll = (id: string) => endBelongings(id, { people, sessions, keys })
  const endBehind = (id: string): void =>
    void endAll(id).catch((error: unknown) =>
      logger.log('error', `Not all that a person had is over yet: ${messageOf(error)}`, { person: id }),
    )
  people.onEnd((id) => {
    leave(id)
    endBehind(id)
  })
  // Keys that were revoked take the sessions along that were begun with them.
  keys.onRevoke((keyId) => {
    for (const each of sessions.list()) if (each.keyId === keyId) void sessions.end(each.id, 'key').catch(() => {})
  })
  // A row that says something else of somebody counts at once, in what is open as well.
  current.follow(['auth.grants'], ({ auth }, before) => {
    const known = [
      ...people.list(),
      ...sessions.list().flatMap(({ identity, keyId }) => (keyId ? [] : (identity ?? []))),
    ]
    const others = known.filter((each) => !isSame(grantTo(auth.grants, each), grantTo(before.auth.grants, each)))
    // Machines are written down nowhere: those who listen are all there is to cut off.
    const machines = around
      .machines()
      .filter((each) => !isSame(grantToMachine(auth.grants, each), grantToMachine(before.auth.grants, each)))
    for (const id of new Set([...others, ...machines].map((each) => each.id))) leave(id)
  })
  return {
    sessions,
    people,
    provider,
    awaySince: () => rechecked?.awaySince(),
    end: async (id, actor) => {
      const found = await people.end(id)
      if (!found) return false
      note({ kind: 'person', action: 'end', actor, on: { type: 'person', id }, outcome: 'ok' })
      await endAll(id)
      return true
    },
    onLeave: (listener) => void leavers.push(listener),
    onEnd: (listener) => void people.onEnd(listener),
    [Symbol.asyncDispose]: async () => {
      await sessions[Symbol.asyncDispose]()
      await people[Symbol.asyncDispose]()
    },
  }
}

/** What counts of it for them; which row says so does not. */
const grantTo = (
  rows: Config['auth']['grants'],
  identity: Identity,
  kind: Applicant['kind'] = 'person',
  client?: string,
) => {
  const { rights, profiles, limits } = grantOf(rows, { identity, kind, client }) ?? {}
  return { rights, profiles, limits }
}

const grantToMachine = (rows: Config['auth']['grants'], { identity, client }: Caller) =>
  grantTo(rows, identity!, 'machine', client)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const providerOf = (current: CurrentConfig, logger: Logger): IdentityProvider | undefined => {
  const { issuer, clientId, clientSecret, scopes, claims, prompt } = current.atStart.auth.people ?? {}
  if (issuer === undefined || clientId === undefined || !scopes || !claims) return undefined
  const rules = {
    ...fetchRulesFor(new URL(issuer), undefined),
    hint: say(
      'The identity provider leads there; only its own host may be at a private address.',
      '身份提供方指向了该地址；只有它自己的主机可以位于私有地址。',
    ),
  }
  return createIdentityProvider({
    ...{ issuer, clientId, clientSecret, scopes, claims, prompt, logger, clock: systemClock },
    fetch: (input, init) => withOAuthFetch(rules, (fetch) => fetch(String(input), init as RequestInit)),
    groupsNeeded: current.reading(['auth.grants'], ({ auth }) =>
      auth.grants.some(({ groups }) => groups !== undefined),
    ),
  })
}
