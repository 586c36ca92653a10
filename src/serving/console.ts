import { type ConsoleSessions, createConsoleSessions } from '../access/console-session.js'
import { createConsoleSignIn } from '../access/console-sign-in.js'
import { callerBy, grantOf } from '../access/grants.js'
import { keyIdOf } from '../access/key-record.js'
import { createSessions } from '../access/session-store.js'
import type { SignInSessions } from '../access/sessions.js'
import { consoleSignInRoutes, signedInPath, signInPath } from '../faces/admin/console-sign-in.js'
import type { PeopleDesk } from '../faces/admin/people.js'
import type { SessionDesk } from '../faces/admin/session.js'
import { createBrowserDoor } from '../http/same-origin.js'
import { systemClock } from '../model/clock.js'
import type { Note } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import type { Access } from './access.js'
import { createPeopleDesk } from './admin/people.js'
import type { Board } from './board.js'
import { createLookAround } from './look-around.js'

export interface ConsoleSurroundings {
  readonly access: Access
  readonly note: Note
  readonly logger: Logger
  /** Where others reach us. */
  readonly base: () => string
}

/** How browsers sign in at the console. */
export interface OpenedConsole {
  readonly sessions: ConsoleSessions
  readonly desk: SessionDesk
  readonly people: PeopleDesk
  /** Who is signed in: all of them, or at the console alone where nobody else is. */
  readonly signedIn: () => SignInSessions | Promise<SignInSessions>
  close(): Promise<void>
}

/** Nothing is read, made or loaded before a browser signs in or comes back. */
export const openConsole = (board: Board, around: ConsoleSurroundings): OpenedConsole => {
  const { current, fleet } = board
  const { note, base } = around
  const { keys, peers, authenticate, people, takeCookies } = around.access
  const logger = around.logger.child('access')
  const clock = systemClock
  const publicUrl = current.reading(['server.publicUrl'], ({ server }) => server.publicUrl)
  const grants = current.reading(['auth.grants'], ({ auth }) => auth.grants ?? [])
  const issuer = current.atStart.auth.people?.issuer
  const door = createBrowserDoor({ publicUrl, peers })
  const kept = keptSessions(board, logger)
  const opened = people ? () => people.sessions : kept.open
  const sessions = createConsoleSessions({
    ...{ door, clock, note, logger, holderOf: keys.holderOf },
    sessions: opened,
    personOf: (identity) => {
      const applicant = { identity, kind: 'person' } as const
      const granted = grantOf(grants(), applicant)
      return granted && callerBy(applicant, granted, {})
    },
    peopleSignIn: () => issuer !== undefined,
    seal: fleet.seals.of('console'),
  })
  takeCookies(sessions.callerOf)
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
            const { identity, next, providerSession, ...secrets } = await signIn.finish(request, response, query)
            const caller = await sessions.begin(request, response, { identity, providerSession, secrets })
            if (caller) people?.people.seen(identity)
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
  return {
    sessions,
    desk,
    people: createPeopleDesk({ people, sessions: opened, keys, current }),
    signedIn: opened,
    close: kept.close,
  }
}

/** Where nobody signs in but at the console, its sessions are all there are; opened when the first is. */
const keptSessions = ({ storage }: Pick<Board, 'storage'>, logger: Logger) => {
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
