import { notFound } from '../../http/http-error.js'
import type { Caller } from '../../model/caller.js'
import type { Operation } from '../../operations/operation.js'
import {
  choice,
  closed,
  flag,
  integer,
  list,
  orNull,
  shape,
  text,
  type ValueOf,
  words,
} from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'
import type { CallLog } from './call-log.js'
import { loggedCall } from './calls.js'

const ownSource = shape(
  {
    source: text(),
    /** How: in a browser (`oauth`), by a pasted key, or by itself (`exchange`). */
    type: text(),
    state: choice(['signed-in', 'not-signed-in', 'by-itself']),
    server: text(),
  },
  { scope: text(), since: integer(), expiresAt: integer(), help: text() },
)

const ownClient = shape(
  {
    id: text(),
    /** An MCP client that was let in, or a browser at the console. */
    kind: choice(['client', 'console']),
    createdAt: integer(),
    lastUsedAt: integer(),
    endsAt: integer(),
    /** The one that asks. */
    current: flag(),
  },
  { name: text(), resource: text() },
)

const ownKey = shape(
  { id: text(), name: text(), hint: text(), createdAt: integer(), useCount: integer(), lastUsed: orNull(integer()) },
  { expiresAt: integer() },
)

const mySources = shape({ sources: list(ownSource) })
const myClients = shape({ clients: list(ownClient) })
const myKeys = shape({ keys: list(ownKey) })
const myCalls = shape({ calls: list(loggedCall) })
const signInLink = shape({ url: text(), expiresAt: integer() })
/** `revoked` says what became of it at the far side: ended there, not offered there, or not to be reached. */
const signedOut = shape({ signedOut: flag() }, { revoked: text() })

export type MySource = ValueOf<typeof ownSource>
export type MyClient = ValueOf<typeof ownClient>
export type MyKey = ValueOf<typeof ownKey>
export type MySources = ValueOf<typeof mySources>
export type MyClients = ValueOf<typeof myClients>
export type MyKeys = ValueOf<typeof myKeys>
export type MyCalls = ValueOf<typeof myCalls>
export type MySignInLink = ValueOf<typeof signInLink>
export type MySignedOut = ValueOf<typeof signedOut>

/** What belongs to whoever asks, and to nobody else. */
export interface MeDesk {
  sources(me: Caller): Promise<readonly MySource[]>
  begin(me: Caller, source: string): Promise<ValueOf<typeof signInLink>>
  paste(me: Caller, source: string, key: string): Promise<void>
  signOut(me: Caller, source: string): Promise<ValueOf<typeof signedOut>>
  clients(me: Caller): Promise<readonly MyClient[]>
  /** False where they have no such client. */
  endClient(me: Caller, id: string): Promise<boolean>
  keys(me: Caller): Promise<readonly MyKey[]>
}

const params = { name: words('The name of the source', '来源名称') }
const mostCalls = 50
const mostLooked = 2000

/** What anybody who is signed in may see and do of their own: every answer is by who asks, none takes somebody's name. */
export const meOperations = (
  { own }: { readonly own: MeDesk },
  { log }: { readonly log: CallLog },
): readonly Operation[] => [
  adminOperation({
    id: 'listMySources',
    method: 'GET',
    path: '/me/sources',
    right: 'known',
    summary: words('The sources at which I sign in for myself', '需要我本人登录的来源'),
    answer: mySources,
    run: async ({ caller }) => ({ sources: await own.sources(caller) }),
  }),
  adminOperation({
    id: 'beginMySignIn',
    method: 'POST',
    path: '/me/sources/:name/sign-in',
    right: 'known',
    // Whoever does it writes it down, also where it is done by another way.
    deed: false,
    summary: words('Begin my sign-in at a source; the answer has its link', '开始我在该来源的登录；应答中有登录链接'),
    params,
    answer: signInLink,
    run: ({ caller, params }) => own.begin(caller, params.name!),
  }),
  adminOperation({
    id: 'pasteMyKey',
    method: 'PUT',
    path: '/me/sources/:name/key',
    right: 'known',
    deed: false,
    summary: words('Keep my key for a source', '保存我用于该来源的密钥'),
    params,
    body: closed({ key: text({ minLength: 1, maxLength: 8192 }) }, ['key']),
    run: async ({ caller, params, body }) => {
      await own.paste(caller, params.name!, body.key)
      return { ok: true }
    },
  }),
  adminOperation({
    id: 'signMeOut',
    method: 'POST',
    path: '/me/sources/:name/sign-out',
    right: 'known',
    deed: false,
    summary: words('Forget my sign-in at a source', '退出我在该来源的登录'),
    params,
    answer: signedOut,
    run: ({ caller, params }) => own.signOut(caller, params.name!),
  }),
  adminOperation({
    id: 'listMyClients',
    method: 'GET',
    path: '/me/clients',
    right: 'known',
    summary: words('The clients that are signed in as me', '以我的身份登录的客户端'),
    answer: myClients,
    run: async ({ caller }) => ({ clients: await own.clients(caller) }),
  }),
  adminOperation({
    id: 'endMyClient',
    method: 'DELETE',
    path: '/me/clients/:id',
    right: 'known',
    deed: false,
    tellsOfEnd: true,
    summary: words('Sign one of my clients out', '让我的一个客户端退出登录'),
    params: { id: words('The id of the client', '客户端 id') },
    run: async ({ caller, params }) => {
      if (!(await own.endClient(caller, params.id!))) throw notFound('You have no such client.')
      return { ok: true }
    },
  }),
  adminOperation({
    id: 'listMyKeys',
    method: 'GET',
    path: '/me/keys',
    right: 'known',
    summary: words('The keys that I own', '归我所有的密钥'),
    answer: myKeys,
    run: async ({ caller }) => ({ keys: await own.keys(caller) }),
  }),
  adminOperation({
    id: 'listMyCalls',
    method: 'GET',
    path: '/me/calls',
    right: 'known',
    summary: words('My last calls', '我最近的调用'),
    answer: myCalls,
    run: ({ caller }) => ({
      calls: log
        .recent({ limit: mostLooked })
        .filter((call) => call.caller === caller.id)
        .slice(-mostCalls),
    }),
  }),
]
