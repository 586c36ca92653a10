import type { Operation } from '../../operations/operation.js'
import { choice, flag, integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const signInRow = shape(
  {
    source: text(),
    /** How: by a person, or by the gateway itself. */
    type: text(),
    state: choice(['signed-in', 'needs-sign-in', 'waiting', 'not-signed-in', 'per-caller']),
  },
  {
    issuer: text(),
    scope: text(),
    expiresAt: integer(),
    /** Why the last sign-in did not work, until another is begun. */
    problem: text(),
    /** Where everybody signs in for themselves: how many people have. */
    people: integer(),
  },
)

const signInsAnswer = shape({ signIns: list(signInRow) })

const begunSignIn = shape({ url: text(), expiresAt: integer() })

const signOutAnswer = shape(
  { signedOut: flag() },
  {
    /** What became of it at the server: ended, not to be ended there, or unknown. */
    revoked: choice(['revoked', 'not-offered', 'failed']),
  },
)

export type SignOutAnswer = ValueOf<typeof signOutAnswer>

/** How sources are signed in at their servers. */
export type SignInsAnswer = ValueOf<typeof signInsAnswer>
export type SignInLink = ValueOf<typeof begunSignIn>

/** What signs sources in at their servers. */
export interface SignInDesk {
  list(): Promise<SignInsAnswer['signIns']>
  /** A link at which somebody can sign in, good for ten minutes and one use. */
  begin(name: string): Promise<SignInLink>
  /** Ends it at its server where that can be, and forgets all that is kept of a source. */
  signOut(name: string): Promise<SignOutAnswer>
}

const params = { name: words('The name of the source', '来源名称') }

/** Sign-ins at remote servers. To begin or end one changes with whose rights calls go out, so it takes `spawn`. */
export const signInOperations = ({ signIns }: { readonly signIns: SignInDesk }): readonly Operation[] => [
  adminOperation({
    id: 'listSignIns',
    method: 'GET',
    path: '/sign-ins',
    right: 'look',
    summary: words('How sources are signed in at their servers', '各来源在其服务器上的登录状态'),
    answer: signInsAnswer,
    run: async () => ({ signIns: await signIns.list() }),
  }),
  adminOperation({
    id: 'beginSignIn',
    method: 'POST',
    path: '/sources/:name/sign-in',
    right: 'operate',
    deed: { kind: 'credential', action: 'sign-in begun' },
    summary: words('Begin a sign-in; the answer has its link', '开始登录；应答中有登录链接'),
    params,
    answer: begunSignIn,
    run: ({ params }) => signIns.begin(params.name!),
  }),
  adminOperation({
    id: 'signOut',
    method: 'POST',
    path: '/sources/:name/sign-out',
    right: 'operate',
    deed: { kind: 'credential', action: 'sign-out' },
    summary: words('Forget a sign-in', '退出登录'),
    params,
    answer: signOutAnswer,
    run: ({ params }) => signIns.signOut(params.name!),
  }),
]
