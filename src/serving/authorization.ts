import type { FetchDocument } from '../access/authorization/documents.js'
import { type AuthorizationServer, createAuthorizationServer } from '../access/authorization/server.js'
import type { Keys } from '../access/keys.js'
import { IssuerKeys } from '../access/tokens/issuer-keys.js'
import type { Fleet } from '../fleet/fleet.js'
import type { ClientPeers } from '../http/auth-loopback.js'
import type { WrongKeys } from '../http/wrong-keys.js'
import { systemClock } from '../model/clock.js'
import { createGuardedFetch } from '../sources/guarded-fetch.js'
import type { Storage } from '../storage/storage.js'
import type { Note } from '../telemetry/deed.js'
import type { CurrentConfig } from './current.js'
import { openIssuerFetch } from './issuer-fetch.js'
import { say } from './locale.js'
import type { OpenedPeople } from './people.js'
import { publicBase } from './public-address.js'

export interface AuthorizationSurroundings {
  readonly signIn: Pick<OpenedPeople, 'sessions' | 'people' | 'provider'>
  readonly storage: Storage
  readonly fleet: Pick<Fleet, 'seals' | 'now'>
  readonly keys: Keys
  readonly peers: ClientPeers
  readonly wrongKeys: WrongKeys
  readonly note: Note
  /** How the documents of clients are fetched. Default: from public addresses alone. */
  readonly fetchDocument?: FetchDocument | undefined
}

export interface OpenedAuthorization extends AuthorizationServer {
  close(): Promise<void>
}

/** Our own authorization server as the configuration says. Loaded only where `auth.people` is set. */
export const openAuthorization = (current: CurrentConfig, around: AuthorizationSurroundings): OpenedAuthorization => {
  const { signIn, fleet, keys, peers, wrongKeys, note, storage } = around
  const { people } = current.atStart.auth
  const clients = people?.clients ?? { documents: [], register: false }
  const session = people?.session ?? { accessMinutes: 60, days: 30 }
  const settings = current.reading(['server.publicUrl', 'auth.grants'], ({ server, auth }) => ({
    ...{ clients, session, grants: auth.grants },
    publicUrl: publicBase(server, ''),
  }))
  const documents = openDocumentFetch()
  const signed = people?.issuer === undefined ? undefined : openProviderTokens(people.issuer, storage)
  const clientId = people?.clientId
  const server = createAuthorizationServer({
    ...{ settings, keys, peers, wrongKeys, note, clock: systemClock },
    ...{ sessions: signIn.sessions, people: signIn.people, provider: signIn.provider },
    path: current.atStart.server.path,
    seals: fleet.seals,
    now: () => fleet.now(),
    fetch: around.fetchDocument ?? documents.fetch,
    assertions: signed && {
      ...signed.parts,
      claims: { names: people!.claims, setting: 'auth.people.claims', groupsNeeded: false },
    },
    logout: signed && clientId !== undefined ? { ...signed.parts, clientId } : undefined,
  })
  return {
    ...server,
    close: async () => {
      await documents.close()
      await signed?.close()
    },
  }
}

/** What the identity provider signs for us: who its clients stand for (ID-JAG), who signed out. Its keys are read when the first of these comes. */
const openProviderTokens = (issuer: string, storage: Storage) => {
  const { fetch, close } = openIssuerFetch([issuer])
  const used = storage.shared('used-assertions')
  return {
    parts: { issuer, used, keys: new IssuerKeys({ issuer, fetch, clock: systemClock }) },
    close: async () => {
      await close()
      await used[Symbol.asyncDispose]()
    },
  }
}

/** No address inside, whatever a stranger's name leads to, and no redirect; `isTrusted` names exceptions. Default: none. */
export const openDocumentFetch = (isTrusted: (url: URL) => boolean = () => false) => {
  const guarded = createGuardedFetch({
    isTrusted,
    timeoutMs: 5000,
    hint: say('Client documents lie at public addresses.', '客户端文档须位于公网地址。'),
  })
  const fetch: FetchDocument = (url, { timeoutMs, maxBytes }) =>
    guarded(url, { signal: AbortSignal.timeout(timeoutMs), maxBytes })
  return { fetch, close: guarded.close }
}
