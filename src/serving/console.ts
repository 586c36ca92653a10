import { type ConsoleSessions, createConsoleSessions } from '../access/console-session.js'
import { createConsoleSignIn } from '../access/console-sign-in.js'
import { callerBy, grantOf } from '../access/grants.js'
import type { IdentityProvider } from '../access/identity-provider.js'
import { keyIdOf } from '../access/key-record.js'
import type { Keys } from '../access/keys.js'
import { createSessions } from '../access/session-store.js'
import type { SignInSessions } from '../access/sessions.js'
import { consoleSignInRoutes, signedInPath, signInPath } from '../faces/admin/console-sign-in.js'
import type { SessionDesk } from '../faces/admin/session.js'
import type { Fleet } from '../fleet/fleet.js'
import type { Authenticate } from '../http/auth.js'
import type { ClientPeers } from '../http/auth-loopback.js'
import { createBrowserDoor } from '../http/same-origin.js'
import { systemClock } from '../model/clock.js'
import type { Storage } from '../storage/storage.js'
import type { Note } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import type { CurrentConfig } from './current.js'
import { createLookAround } from './look-around.js'

export interface ConsoleSurroundings {
  readonly current: CurrentConfig
  readonly storage: Storage
  readonly fleet: Pick<Fleet, 'seals'>
  readonly keys: Keys
  readonly peers: ClientPeers
  readonly authenticate: Authenticate
  readonly note: Note
  readonly logger: Logger
  /** Where others reach us. */
  readonly base: () => string
  /** Where people sign in, where they do. */
  readonly people?: PeopleSignIn | undefined
}

export interface PeopleSignIn {
  readonly sessions: SignInSessions
  /** Undefined where people sign in with keys. */
  readonly provider?: (() => Promise<IdentityProvider>) | undefined
}

/** How browsers sign in at the console. */
export interface OpenedConsole {
  readonly sessions: ConsoleSessions
  readonly desk: SessionDesk
  close(): Promise<void>
}

/** Nothing is read, made or loaded before a browser signs in or comes back. */
export const openConsole = (around: ConsoleSurroundings): OpenedConsole => {
  const { current, fleet, keys, peers, authenticate, note, base, people } = around
  const logger = around.logger.child('access')
  const clock = systemClock
  const publicUrl = current.reading(['server.publicUrl'], ({ server }) => server.publicUrl)
  const grants = current.reading(['auth.grants'], ({ auth }) => auth.grants ?? [])
  const issuer = current.atStart.auth.people?.issuer
  const door = createBrowserDoor({ publicUrl, peers })
  const kept = keptSessions(around, logger)
  const sessions = createConsoleSessions({
    ...{ door, clock, note, logger, holderOf: keys.holderOf },
    sessions: people ? () => people.sessions : kept.open,
    personOf: (identity) => {
      const applicant = { identity, kind: 'person' } as const
      const granted = grantOf(grants(), applicant)
      return granted && callerBy(applicant, granted, {})
    },
    peopleSignIn: () => issuer !== undefined,
    seal: fleet.seals.of('console'),
  })
  const provider = people?.provider
  const signIn =
    provider &&
    createConsoleSignIn({
      ...{ provider, door, clock, seal: fleet.seals.of('console-sign-in') },
      redirectUri: () => `${base()}${signedInPath}`,
    })
  const desk: SessionDesk = {
    provider: () =>
      signIn && issuer !== undefined ? { host: new URL(issuer).host, url: `${base()}${signInPath}` } : undefined,
    look: async ({ request }) => {
      const result = await authenticate(request)
      return 'caller' in result && !result.anonymous ? result.caller : undefined
    },
    begin: async ({ request, response, caller }) => {
      const keyId = caller.session === undefined ? keyIdOf(caller) : undefined
      return keyId === undefined ? undefined : sessions.begin(request, response, { keyId })
    },
    end: async ({ request, response }) => {
      const result = await sessions.end(request, response)
      return result && 'refused' in result ? result.refused.message : undefined
    },
    isBreakGlass: sessions.isBreakGlass,
    routes: signIn
      ? consoleSignInRoutes({
          base,
          begin: ({ request, response }, next) => signIn.begin(request, response, next),
          finish: async ({ request, response, query }) => {
            const { identity, next, ...secrets } = await signIn.finish(request, response, query)
            const caller = await sessions.begin(request, response, { identity, secrets })
            if (caller) return { next }
            note({
              ...{ kind: 'sign-in', action: 'console', outcome: 'refused', code: 'ACCESS_DENIED' },
              actor: { id: identity.id, type: 'person', name: identity.name ?? identity.email, via: 'console' },
            })
            return undefined
          },
        })
      : [],
  }
  return { sessions, desk, close: kept.close }
}

/** Where nobody signs in but at the console, its sessions are all there are; opened when the first is. */
const keptSessions = ({ storage }: ConsoleSurroundings, logger: Logger) => {
  let opening: Promise<SignInSessions> | undefined
  return {
    open: (): Promise<SignInSessions> => {
      opening ??= createSessions({
        documents: storage.shared('sessions'),
        // A pasted key leaves nothing to keep here.
        secrets: storage.shared('session-secrets'),
        ...{ clock: systemClock, logger },
        lookAround: storage.commons && createLookAround(storage.commons),
      }).catch((error: unknown) => {
        opening = undefined
        throw error
      })
      return opening
    },
    close: async (): Promise<void> => {
      const opened = await opening?.catch(() => undefined)
      await opened?.[Symbol.asyncDispose]()
    },
  }
}
