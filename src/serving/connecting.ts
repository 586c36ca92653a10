import { ConnectLinks } from '../access/connect-links.js'
import { GatewayError, isGatewayError } from '../errors.js'
import { type ConnectDesk, connectPath } from '../faces/admin/connect.js'
import type { SignInReturn } from '../faces/admin/sign-in-callback.js'
import type { SignInDoor } from '../faces/mcp/asking/sign-in-question.js'
import type { Fleet } from '../fleet/fleet.js'
import type { Caller } from '../model/caller.js'
import { type Clock, systemClock } from '../model/clock.js'
import type { SignedOut } from '../sources/oauth/caller-view.js'
import type { SignIns } from '../sources/oauth/sign-ins.js'
import type { Storage } from '../storage/storage.js'
import { type Actor, actorOf, type Note } from '../telemetry/deed.js'
import { say } from './locale.js'

/** What is asked of the sign-ins of people, each for themselves. */
export type PersonalSignIns = Pick<SignIns, 'begin' | 'finish' | 'listFor' | 'paste' | 'signOut'>

export interface ConnectingOptions {
  readonly fleet: Pick<Fleet, 'seals' | 'now'>
  readonly storage: Pick<Storage, 'commons'>
  readonly note: Note
  readonly clock?: Clock | undefined
}

/** How people are asked to sign in at sources for themselves, and do. */
export interface Connecting {
  /** For faces that ask. */
  readonly door: SignInDoor
  /** For the page behind a link, and the way back from the source; `signInAt` is where people show who they are. */
  desk(visitor: ConnectDesk['visitor'], signInAt: () => string | undefined): ConnectDesk & SignInReturn & Own
  /** Where browsers reach us, and who signs people in. */
  listenAt(base: () => string, signIns: PersonalSignIns): void
}

/** What a person does about their own sign-ins. */
export interface Own {
  listFor: PersonalSignIns['listFor']
  beginOwn(visitor: Caller, source: string): Promise<{ readonly url: string; readonly expiresAt: number }>
  pasteOwn(visitor: Caller, source: string, key: string): Promise<void>
  signOutOwn(visitor: Caller, source: string): ReturnType<PersonalSignIns['signOut']>
}

// Where another replica may have finished it, the store is looked at; here it is told at once.
const lookAgainMs = 1000
const mostWaiting = 10_000

export const createConnecting = ({ fleet, storage, note, clock = systemClock }: ConnectingOptions): Connecting => {
  const { commons } = storage
  const links = new ConnectLinks({
    ...{ clock, now: () => fleet.now(), rows: commons?.pending },
    seal: fleet.seals.of('connect'),
  })
  const waiting = new Map<string, Set<() => void>>()
  let reached: { readonly base: () => string; readonly signIns: PersonalSignIns } | undefined

  const signIns = (): PersonalSignIns => {
    if (!reached) throw nobodyListens()
    return reached.signIns
  }
  const wait = (key: string, tell: () => void): (() => void) => {
    const all = waiting.get(key) ?? new Set()
    if (waiting.size >= mostWaiting && all.size === 0) return () => {}
    waiting.set(key, all.add(tell))
    return () => {
      all.delete(tell)
      if (all.size === 0 && waiting.get(key) === all) waiting.delete(key)
    }
  }
  const isSignedIn = async (identity: string, source: string): Promise<boolean> =>
    (await signIns().listFor(identity)).some((each) => each.source === source && each.state === 'signed-in')
  /** Something of this person's was put there: whoever waits for it looks. */
  const came = (visitor: Caller, source: string): void => {
    const key = keyOf(visitor.identity?.id ?? '', source)
    for (const tell of [...(waiting.get(key) ?? [])]) tell()
  }
  /** Does it, and writes down who did and how it ended. */
  const noted = async <T>(by: Caller, action: string, source: string, work: () => Promise<T>): Promise<T> => {
    const told = { kind: 'credential', action, actor: actorOf(by, 'console'), source } as const
    try {
      const done = await work()
      const { signedOut, revoked } = (done ?? {}) as Partial<SignedOut>
      // Nothing was there: nothing was done.
      if (signedOut !== false) note({ ...told, outcome: 'ok', after: revoked })
      return done
    } catch (error) {
      note({ ...told, outcome: 'failed', code: isGatewayError(error) ? error.code : undefined })
      throw error
    }
  }
  const beginOwn: Own['beginOwn'] = (visitor, source) =>
    noted(visitor, 'sign-in begun', source, async () => signIns().begin(source, idOf(visitor)))
  const pasteOwn: Own['pasteOwn'] = async (visitor, source, key) => {
    await noted(visitor, 'paste', source, async () => signIns().paste(source, idOf(visitor), key))
    came(visitor, source)
  }

  return {
    listenAt: (base, personal) => {
      reached = { base, signIns: personal }
    },
    door: {
      link: async ({ identity }, source) => {
        if (!reached || !identity) return undefined
        const link = await links.make({ identity: identity.id, source })
        return `${reached.base()}${connectPath}?t=${encodeURIComponent(link)}`
      },
      page: () => reached && `${reached.base()}/me`,
      signedIn: ({ identity }, source, waitMs, signal) => {
        if (!identity) return Promise.resolve(false)
        const { id } = identity
        return new Promise((resolve) => {
          const endsAt = clock.now() + waitMs
          let cancel = (): void => {}
          const end = (is: boolean): void => {
            leave()
            cancel()
            signal.removeEventListener('abort', gone)
            resolve(is)
          }
          const gone = (): void => end(false)
          const look = (): void => {
            cancel()
            isSignedIn(id, source)
              .catch(() => false)
              .then((is) => {
                if (is || signal.aborted || clock.now() >= endsAt) return end(is)
                cancel()
                cancel = clock.after(Math.min(lookAgainMs, endsAt - clock.now()), look)
              })
          }
          const leave = wait(keyOf(id, source), look)
          signal.addEventListener('abort', gone, { once: true })
          look()
        })
      },
      whenSignedIn: ({ identity }, source, tell) => {
        if (!identity) return
        const leave = wait(keyOf(identity.id, source), () => {
          leave()
          cancel()
          tell()
        })
        const cancel = clock.after(10 * 60_000, leave, true)
      },
    },
    desk: (visitor, signInAt) => ({
      visitor,
      look: (link) => links.look(link),
      signInAt: (link) => {
        // Where no provider signs people in, the console's own page does, by a key.
        const url = signInAt() ?? `${reached?.base() ?? ''}/`
        return `${url}?next=connect&t=${encodeURIComponent(link)}`
      },
      describe: async (identity, source) => (await signIns().listFor(identity)).find((each) => each.source === source),
      begin: async (link, by) => {
        const { source } = links.look(link) ?? {}
        if (source === undefined || !(await links.use(link))) return undefined
        return (await beginOwn(by, source)).url
      },
      paste: async (link, by, key) => {
        const { source } = links.look(link) ?? {}
        if (source === undefined || !(await links.use(link))) return false
        await pasteOwn(by, source, key)
        return true
      },
      refused: (by, source) =>
        note({
          ...{ kind: 'refusal', action: 'connect', source, outcome: 'refused', code: 'ACCESS_DENIED' },
          actor: actorOf(by, 'console'),
        }),
      finish: async (state, back, by) => {
        const actor = by ? actorOf(by, 'console') : browser
        const told = { kind: 'credential', action: 'sign-in', actor } as const
        try {
          const done = await signIns().finish(state, back, by?.identity?.id)
          note({ ...told, source: done.source, outcome: 'ok' })
          if (by) came(by, done.source)
          return done
        } catch (error) {
          // Of strangers nothing is written: whoever likes could fill the trail.
          if (by) note({ ...told, outcome: 'failed', code: isGatewayError(error) ? error.code : undefined })
          throw error
        }
      },
      listFor: (identity) => signIns().listFor(identity),
      beginOwn,
      pasteOwn,
      signOutOwn: (by, source) => noted(by, 'sign-out', source, async () => signIns().signOut(source, idOf(by))),
    }),
  }
}

/** One that brought back what somebody began in the console, or by a command, and says nothing of who it is. */
const browser: Actor = { id: 'anonymous', type: 'anonymous', via: 'browser' }

const keyOf = (identity: string, source: string): string => JSON.stringify([identity, source])

/** Whoever acts for themselves must be somebody. */
const idOf = ({ identity }: Caller): string => {
  if (identity) return identity.id
  throw new GatewayError(
    'ACCESS_DENIED',
    say(
      'Nobody vouches for who you are, so nothing can be kept for you. Sign in at the identity provider, or use a key that has an owner.',
      '无法确认您的身份，因此不能为您保存凭据。请通过身份提供方登录，或使用有所有者的密钥。',
    ),
  )
}

const nobodyListens = (): GatewayError =>
  new GatewayError(
    'SOURCE_UNAVAILABLE',
    say(
      'There is no address to which a browser could be sent back. Run: pegboard serve',
      '没有可供浏览器返回的地址。请运行：pegboard serve',
    ),
  )
