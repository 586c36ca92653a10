import type { ClientPeers } from '../../http/auth-loopback.js'
import type { Route } from '../../http/route.js'
import { createWrongKeys, type WrongKeys } from '../../http/wrong-keys.js'
import type { Clock } from '../../model/clock.js'
import type { Seals } from '../../model/seal.js'
import type { Note } from '../../telemetry/deed.js'
import type { GrantRow } from '../grants.js'
import type { IdentityProvider } from '../identity-provider.js'
import type { Keys } from '../keys.js'
import type { People } from '../people.js'
import type { SignInSessions } from '../sessions.js'
import type { FindClient } from './asked.js'
import { type AssertionParts, createAssertions } from './assertion.js'
import { createAuthorize } from './authorize.js'
import { createOwnBearers, type OwnBearers } from './bearers.js'
import { createCeiling } from './ceiling.js'
import { registrationPrefix } from './client.js'
import { createDocuments, type FetchDocument } from './documents.js'
import { addressesOf } from './endpoints.js'
import { createKeySignIn } from './key-sign-in.js'
import { createProviderLogout, type ProviderLogoutParts } from './logout.js'
import { createNewSessions } from './new-session.js'
import { OAuthRefusal } from './refusal.js'
import { createRegistrations } from './registrations.js'
import { createRounds } from './rounds.js'
import { authorizationRoutes } from './routes.js'
import { createTrade } from './token.js'
import { createSealedTokens } from './tokens.js'

/** What of the configuration counts, read at each use. */
export interface AuthorizationSettings {
  readonly publicUrl: string
  readonly grants: readonly GrantRow[]
  readonly clients: { readonly documents: readonly string[]; readonly register: boolean }
  readonly session: { readonly accessMinutes: number; readonly days: number }
}

export interface AuthorizationOptions {
  readonly settings: () => AuthorizationSettings
  /** Where MCP is served, below our address. */
  readonly path: string
  readonly seals: Seals
  readonly sessions: SignInSessions
  readonly people: Pick<People, 'isEnded' | 'seen'>
  /** Undefined: people show a key. */
  readonly provider: IdentityProvider | undefined
  readonly keys: Pick<Keys, 'verifyFresh' | 'holderOf'>
  readonly peers: ClientPeers
  /** Where wrong keys are counted, those of the door among them. Default: the page counts by itself. */
  readonly wrongKeys?: WrongKeys | undefined
  readonly fetch: FetchDocument
  /** How assertions of the provider are verified, and where those are kept that were used. Default: none is taken. */
  readonly assertions?: Pick<AssertionParts, 'issuer' | 'keys' | 'claims' | 'used'> | undefined
  /** How the provider's word is taken that somebody signed out there. Default: it is not. */
  readonly logout?: Pick<ProviderLogoutParts, 'issuer' | 'clientId' | 'keys' | 'used'> | undefined
  readonly note: Note
  readonly clock: Clock
  /** Milliseconds since the epoch, the same for all replicas. */
  readonly now: () => number
}

export interface AuthorizationServer {
  readonly routes: readonly Route[]
  readonly bearers: OwnBearers
}

const beginsPerMinute = 1200

/** The small authorization server that lets MCP clients in for people: code with PKCE and refresh, for our own endpoints alone. */
export const createAuthorizationServer = (options: AuthorizationOptions): AuthorizationServer => {
  const { settings, path, seals, sessions, people, provider, keys, peers, note, clock, now } = options
  const addresses = remembered(
    () => settings().publicUrl,
    (publicUrl) => addressesOf(publicUrl, path),
  )
  const grants = () => settings().grants
  const tokens = createSealedTokens(seals)
  const registrations = createRegistrations(seals.of('client'))
  const documents = createDocuments({
    ...{ fetch: options.fetch, clock },
    hosts: () => settings().clients.documents,
  })
  const find: FindClient = async (id, redirect) => {
    if (documents.recognises(id)) return documents.find(id, redirect)
    const client =
      settings().clients.register || !id.startsWith(registrationPrefix) ? registrations.find(id) : undefined
    if (client) return client
    throw new OAuthRefusal(
      'invalid_client',
      'This client is not known here. It must register again, or name its document.',
    )
  }
  const bearers = createOwnBearers({ tokens, sessions, people, grants, keyHolder: keys.holderOf, now })
  const lasts = () => settings().session
  const assertions =
    options.assertions &&
    createAssertions({
      ...options.assertions,
      ...{ addresses, grants, sessions, people, tokens, note, clock, now },
      find: (id) => find(id, undefined),
      accessMinutes: () => lasts().accessMinutes,
    })
  const logout = options.logout && createProviderLogout({ ...options.logout, sessions, note, clock, now })
  const trade = createTrade({ tokens, sessions, addresses, lasts, assertions, note, now })
  const authorize = createAuthorize({
    ...{ addresses, find, provider, note },
    rounds: createRounds(seals.of('sign-in'), now),
    keys: createKeySignIn(keys, { peers, wrongKeys: options.wrongKeys ?? createWrongKeys({ clock }) }),
    begin: createNewSessions({ tokens, sessions, people, grants, now }),
    mayBegin: createCeiling(beginsPerMinute, clock),
  })
  const facts = () => ({
    registers: settings().clients.register,
    takesDocuments: settings().clients.documents.length > 0,
    takesAssertions: assertions !== undefined,
  })
  return {
    bearers,
    routes: authorizationRoutes({
      ...{ addresses, path, facts, authorize, registrations, trade, logout, tokens, sessions, bearers, note, clock },
    }),
  }
}

/** Made anew only where what it is made of is another. */
const remembered = <From, To>(read: () => From, make: (from: From) => To): (() => To) => {
  let last: { readonly from: From; readonly to: To } | undefined
  return () => {
    const from = read()
    if (last === undefined || last.from !== from) last = { from, to: make(from) }
    return last.to
  }
}
