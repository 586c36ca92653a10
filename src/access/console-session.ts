import type { IncomingMessage, ServerResponse } from 'node:http'
import { messageOf } from '../errors.js'
import type { AuthResult } from '../http/auth.js'
import { cookieOf, setCookie } from '../http/cookies.js'
import type { Route } from '../http/route.js'
import type { BrowserDoor } from '../http/same-origin.js'
import type { Caller, Identity, Right } from '../model/caller.js'
import type { Clock } from '../model/clock.js'
import type { Seal } from '../model/seal.js'
import { actorOf, type Note } from '../telemetry/deed.js'
import type { Logger } from '../telemetry/logger.js'
import type { SignedIn } from './identity-provider.js'
import type { SessionEnd, SessionSecrets, SignInSession, SignInSessions } from './sessions.js'

export interface ConsoleSessionsOptions {
  /** Opened when the first browser signs in or comes back: most gateways never show their console. */
  readonly sessions: () => SignInSessions | Promise<SignInSessions>
  /** Who holds the key of this id, while it is good. */
  readonly holderOf: (keyId: string) => Caller | undefined
  /** Who this person is by what was granted; undefined where they get nothing. */
  readonly personOf: (identity: Identity) => Caller | undefined
  /** Whether people sign in at an identity provider here: then a key for administration is for emergencies. */
  readonly peopleSignIn: () => boolean
  readonly door: BrowserDoor
  /** Closes what the cookie holds: an operator who sees the id of a session must not be able to use it. */
  readonly seal: Seal
  readonly clock: Clock
  readonly note: Note
  readonly logger: Logger
}

/** Whoever has just shown who they are. */
export type SigningIn =
  | { readonly keyId: string }
  | (Pick<SignedIn, 'identity' | 'providerSession'> & { readonly secrets?: SessionSecrets | undefined })

/** Browsers that are signed in at the console, each known by a cookie. */
export interface ConsoleSessions {
  /** Who comes by the cookie; undefined where there is none, or the path is not one it counts for. */
  callerOf(request: IncomingMessage): AuthResult | Promise<AuthResult> | undefined
  /**
   * Who this browser is signed in as, at whichever of our pages it is and whichever site sent it there: for pages that do
   * nothing but by a link or a state of their own, which is bound to one person.
   */
  visitorOf(request: IncomingMessage): Promise<Caller | undefined>
  /** Signs a browser in: always a new session, and the one it had is over. Undefined where they may do nothing here. */
  begin(request: IncomingMessage, response: ServerResponse, visitor: SigningIn): Promise<Caller | undefined>
  /** Signs the browser out. Undefined where it was not signed in, a refusal where another page asked for it. */
  end(request: IncomingMessage, response: ServerResponse): Promise<AuthResult | undefined>
  /** Whether this caller comes by a key that is for emergencies. */
  isBreakGlass(caller: Caller): boolean
  /** The same routes, whose streams end with the session that opened them. */
  watch(routes: readonly Route[]): readonly Route[]
}

const cookieName = 'pegboard'
export const idleMs = 8 * 60 * 60_000
export const endMs = 24 * 60 * 60_000
const recheckMs = 60_000
const useNotedMs = 10 * 60_000
const mostNoted = 1000

/** The cookie counts for these and for what is below them; never for MCP or REST, whose callers are programs. */
const places = ['/api/admin/v1', '/me', '/connect'] as const

export const createConsoleSessions = (options: ConsoleSessionsOptions): ConsoleSessions => {
  const { door, seal, clock, note, logger } = options
  const streams = new Map<string, Set<ServerResponse>>()
  /** When the use of each key for emergencies was last written down. */
  const usedAt = new Map<string, number>()
  let followed: SignInSessions | undefined

  const opened = (): SignInSessions | Promise<SignInSessions> => {
    if (followed) return followed
    const sessions = options.sessions()
    return 'then' in sessions ? sessions.then(follow) : follow(sessions)
  }
  const follow = (sessions: SignInSessions): SignInSessions => {
    if (!followed) sessions.onEnd(({ id }) => cut(id))
    followed = sessions
    return sessions
  }
  const cut = (id: string): void => {
    for (const response of [...(streams.get(id) ?? [])]) response.destroy()
  }
  const sidOf = (request: IncomingMessage): string | undefined => {
    const content = seal.open(cookieOf(request.headers.cookie, door.cookieName(request, cookieName)))
    return typeof content?.sid === 'string' ? content.sid : undefined
  }
  /** The caller of a session that is still one; ends it where it should no longer be. */
  const judge = (sessions: SignInSessions, session: SignInSession | undefined): Caller | undefined => {
    if (session?.kind !== 'console') return undefined
    const over = (why: SessionEnd): undefined => {
      sessions.end(session.id, why).catch((error: unknown) => logger.log('warn', notEnded(error)))
    }
    if (clock.wall() - session.lastUsedAt >= idleMs || clock.wall() >= session.endsAt) return over('expired')
    const caller = callerIn(options, session)
    if (!caller) return over(session.keyId === undefined ? 'role' : 'key')
    if (session.scope !== scopeOf(caller.rights)) return over('role')
    return { ...caller, session: session.id, client: 'console' }
  }
  const admitted = (sessions: SignInSessions, session: SignInSession | undefined): AuthResult => {
    const caller = judge(sessions, session)
    if (!caller) return { refused: sessionOver }
    sessions.touch(caller.session!)
    return { caller }
  }
  const find = (sid: string): AuthResult | Promise<AuthResult> => {
    const look = (sessions: SignInSessions): AuthResult | Promise<AuthResult> => {
      const found = sessions.findFresh(sid)
      return found && 'then' in found ? found.then((late) => admitted(sessions, late)) : admitted(sessions, found)
    }
    const sessions = opened()
    return 'then' in sessions ? sessions.then(look) : look(sessions)
  }
  const put = (request: IncomingMessage, response: ServerResponse, value: string, maxAgeSeconds: number): void => {
    const secure = door.isSecure(request)
    response.appendHeader(
      'Set-Cookie',
      setCookie(door.cookieName(request, cookieName), value, { secure, maxAgeSeconds }),
    )
  }

  /** A stream is told nothing more once its session is over: at once where we hear of it, else at the next look. */
  const hold = (id: string, response: ServerResponse): void => {
    const open = streams.get(id) ?? new Set()
    streams.set(id, open.add(response))
    const look = (): void => {
      if (followed && !judge(followed, followed.find(id))) return void response.destroy()
      cancel = clock.after(recheckMs, look)
    }
    let cancel = clock.after(recheckMs, look)
    response.once('close', () => {
      cancel()
      open.delete(response)
      if (open.size === 0 && streams.get(id) === open) streams.delete(id)
    })
  }
  const isBreakGlass = ({ kind, rights }: Caller): boolean =>
    kind === 'key' && rights.includes('admin') && options.peopleSignIn()
  const noteBreakGlass = (caller: Caller, action: string): void =>
    note({ kind: 'break-glass', action, actor: actorOf(caller, 'key'), outcome: 'ok', severity: 'high' })
  /** A script that asks a hundred times says it once. */
  const noteUse = (caller: Caller): void => {
    if (!isBreakGlass(caller) || clock.now() - (usedAt.get(caller.id) ?? Number.NEGATIVE_INFINITY) < useNotedMs) return
    if (usedAt.size >= mostNoted) usedAt.clear()
    usedAt.set(caller.id, clock.now())
    noteBreakGlass(caller, 'use')
  }
  const callerOf: ConsoleSessions['callerOf'] = (request) => {
    if (!counts(request.url)) return undefined
    const sid = sidOf(request)
    if (sid === undefined) return undefined
    const refusal = door.refusal(request)
    return refusal === undefined ? find(sid) : { refused: crossSite(refusal) }
  }
  return {
    callerOf,
    visitorOf: async (request) => {
      const sid = sidOf(request)
      const result = sid === undefined ? undefined : await find(sid)
      return result && 'caller' in result ? result.caller : undefined
    },
    begin: async (request, response, visitor) => {
      const caller = callerIn(options, visitor)
      if (!caller) return undefined
      const sessions = await opened()
      const before = sidOf(request)
      const { id } = await sessions.begin({
        kind: 'console',
        ...visitor,
        scope: scopeOf(caller.rights),
        endsAt: clock.wall() + endMs,
      })
      // Only now: who could not be signed in stays who they were.
      if (before !== undefined) await sessions.end(before, 'signed-out')
      put(request, response, seal.close({ sid: id }), endMs / 1000)
      note({ kind: 'sign-in', action: 'console', actor: actorOf(caller, 'console'), outcome: 'ok' })
      if (isBreakGlass(caller)) noteBreakGlass(caller, 'sign-in')
      return { ...caller, session: id, client: 'console' }
    },
    end: async (request, response) => {
      const result = await callerOf(request)
      if (result && 'refused' in result && result.refused.status === 403) return result
      put(request, response, '', 0)
      if (!result || 'refused' in result) return undefined
      await (await opened()).end(result.caller.session!, 'signed-out')
      note({ kind: 'sign-out', action: 'console', actor: actorOf(result.caller, 'console'), outcome: 'ok' })
      return result
    },
    isBreakGlass,
    watch: (routes) =>
      routes.map((route) => {
        if (!route.path.startsWith(places[0])) return route
        return {
          ...route,
          handle: (exchange) => {
            const { caller, response } = exchange
            if (caller.session === undefined) noteUse(caller)
            else if (route.stream && caller.client === 'console') hold(caller.session, response)
            return route.handle(exchange)
          },
        }
      }),
  }
}

const callerIn = (
  { holderOf, personOf }: ConsoleSessionsOptions,
  { keyId, identity }: { readonly keyId?: string | undefined; readonly identity?: Identity | undefined },
): Caller | undefined => {
  if (keyId !== undefined) return holderOf(keyId)
  return identity && personOf(identity)
}

/** What a session was begun with: whoever may do more or less today signs in again. */
const scopeOf = (rights: readonly Right[]): string => [...rights].sort().join(' ')

const counts = (url = ''): boolean => {
  const path = url.split('?', 1)[0]!
  return places.some((place) => path === place || path.startsWith(`${place}/`))
}

const sessionOver = {
  status: 401,
  code: 'SESSION_OVER',
  message: 'You are no longer signed in: sign in again.',
} as const

const crossSite = (why: string) => ({
  status: 403 as const,
  message: `The cookie of the console does not count here: ${why}.`,
})

const notEnded = (error: unknown): string => `A session that is over could not be taken away: ${messageOf(error)}`
