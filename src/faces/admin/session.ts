import { HttpError } from '../../http/http-error.js'
import type { HttpExchange, Route } from '../../http/route.js'
import type { Caller } from '../../model/caller.js'
import type { Operation } from '../../operations/operation.js'
import { choice, flag, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const me = shape(
  {
    id: text(),
    kind: choice(['person', 'machine', 'key', 'local', 'anonymous']),
    rights: list(text()),
    version: text(),
    /** They came by a key for administration where people sign in: it is for emergencies, and its use is written down. */
    breakGlass: flag(),
  },
  { name: text(), email: text() },
)

const sessionAnswer = shape(
  { ways: shape({ key: flag() }, { provider: shape({ host: text(), url: text() }) }) },
  { me },
)

/** Who asks, and of what. */
export type Me = ValueOf<typeof me>
/** How one can sign in and, of somebody who has, who they are. */
export type SessionAnswer = ValueOf<typeof sessionAnswer>

export interface SessionDesk {
  /** The identity provider at which people sign in, and where a browser begins; undefined where there is none. */
  provider(): { readonly host: string; readonly url: string } | undefined
  /** Who asks, by cookie or key; undefined for nobody. */
  look(exchange: HttpExchange): Promise<Caller | undefined>
  /** Signs the browser in as whoever has shown a key; undefined where it was none. */
  begin(exchange: HttpExchange): Promise<Caller | undefined>
  /** Signs the browser out. The answer is why not, where a page of elsewhere asked for it. */
  end(exchange: HttpExchange): Promise<string | undefined>
  isBreakGlass(caller: Caller): boolean
  /** The way to the identity provider and back. */
  readonly routes: readonly Route[]
}

export interface SessionBoard {
  readonly session: SessionDesk
  readonly version: string
}

/** The sign-in of browsers. Open where it must be: whoever is not signed in yet is asked how they want to. */
export const sessionOperations = ({ session, version }: SessionBoard): readonly Operation[] => {
  const tell = (caller: Caller): Me => ({
    id: caller.id,
    kind: caller.kind ?? 'key',
    rights: caller.rights,
    version,
    breakGlass: session.isBreakGlass(caller),
    name: caller.identity?.name,
    email: caller.identity?.email,
  })
  const answer = (caller: Caller | undefined): SessionAnswer => ({
    ways: { key: true, provider: session.provider() },
    me: caller && tell(caller),
  })
  return [
    adminOperation({
      id: 'readSession',
      method: 'GET',
      path: '/session',
      right: 'open',
      summary: words('Who is signed in, or how one can sign in', '当前登录者，或可用的登录方式'),
      answer: sessionAnswer,
      run: async ({ exchange }) => answer(await session.look(exchange)),
    }),
    adminOperation({
      id: 'beginSession',
      method: 'POST',
      path: '/session',
      right: 'known',
      // A sign-in is written down where it is made, whichever way somebody came.
      deed: false,
      summary: words(
        'Sign a browser in by the key in the header: it gets a cookie',
        '用请求头中的密钥登录浏览器：得到 cookie',
      ),
      answer: sessionAnswer,
      run: async ({ exchange }) => {
        const caller = await session.begin(exchange)
        if (caller) return answer(caller)
        throw new HttpError(403, 'ACCESS_DENIED', 'Only a key signs a browser in here.', {
          hint: 'Send a key that begins with rtk_ as "Authorization: Bearer <key>".',
        })
      },
    }),
    adminOperation({
      id: 'endSession',
      method: 'DELETE',
      path: '/session',
      right: 'open',
      deed: false,
      summary: words('Sign the browser out', '退出浏览器登录'),
      run: async ({ exchange }) => {
        const refused = await session.end(exchange)
        if (refused !== undefined) throw new HttpError(403, 'ACCESS_DENIED', refused)
      },
    }),
    adminOperation({
      id: 'me',
      method: 'GET',
      path: '/me',
      right: 'known',
      summary: words('Who asks, and which version answers', '当前身份与网关版本'),
      answer: me,
      run: ({ caller }) => tell(caller),
    }),
  ]
}
