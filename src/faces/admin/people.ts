import { notFound } from '../../http/http-error.js'
import type { Caller } from '../../model/caller.js'
import type { Operation } from '../../operations/operation.js'
import { choice, flag, integer, list, shape, text, type ValueOf, words } from '../../operations/shape.js'
import { adminOperation } from './admin-operation.js'

const personRow = shape(
  {
    id: text(),
    issuer: text(),
    subject: text(),
    firstSeen: integer(),
    lastSeen: integer(),
    sessions: integer(),
  },
  {
    name: text(),
    email: text(),
    groups: list(text()),
    /** What was issued before is over. They may sign in anew. */
    endedAt: integer(),
    /** What is granted to them now; not there where nothing is. */
    role: text(),
    profiles: list(text()),
  },
)

export const sessionRow = shape(
  {
    id: text(),
    /** Of an MCP client that was let in, or of a browser at the console. */
    kind: choice(['client', 'console']),
    createdAt: integer(),
    lastUsedAt: integer(),
    endsAt: integer(),
    /** The one that asks. */
    own: flag(),
  },
  {
    person: text(),
    /** The person, or the name of the key. */
    name: text(),
    keyId: text(),
    client: shape({ id: text(), name: text() }),
    resource: text(),
    scope: text(),
  },
)

const peopleAnswer = shape(
  { people: list(personRow), sessions: list(sessionRow) },
  {
    /** Since when the identity provider cannot be asked whether they are still who they were. */
    awaySince: integer(),
  },
)

export type PersonRow = ValueOf<typeof personRow>
export type SessionRow = ValueOf<typeof sessionRow>
export type PeopleAnswer = ValueOf<typeof peopleAnswer>

/** Who was here, and who is signed in. */
export interface PeopleDesk {
  list(caller: Caller): Promise<PeopleAnswer>
  /** Ends all that somebody has here; false where nobody is known by this. */
  end(id: string, by: Caller): Promise<boolean>
  /** False where there is no such session. */
  endSession(id: string): Promise<boolean>
}

/** People are told apart by their issuer; nothing about them is decided here but that they go. */
export const peopleOperations = ({ people }: { readonly people: PeopleDesk }): readonly Operation[] => [
  adminOperation({
    id: 'listPeople',
    method: 'GET',
    path: '/people',
    right: 'admin',
    summary: words('Who was here, and who is signed in', '来访过的人员与当前登录'),
    answer: peopleAnswer,
    run: ({ caller }) => people.list(caller),
  }),
  adminOperation({
    id: 'endPerson',
    method: 'POST',
    path: '/people/:id/end',
    right: 'admin',
    // Written down where it is done, by whichever way.
    deed: false,
    tellsOfEnd: true,
    summary: words(
      'End all that somebody has here: sessions, keys they own, credentials upstream',
      '结束某人在此拥有的一切：会话、其名下的密钥、上游凭据',
    ),
    params: { id: words('The id of the person, or their verified address', '人员编号，或已验证的邮箱') },
    run: async ({ params, caller }) => {
      if (!(await people.end(params.id!, caller))) throw notFound('Nobody is known by this; look at the list.')
    },
  }),
  adminOperation({
    id: 'endSessionOf',
    method: 'DELETE',
    path: '/sessions/:id',
    right: 'admin',
    deed: { kind: 'sign-out', action: 'end', on: ({ params }) => ({ type: 'session', id: params.id! }) },
    tellsOfEnd: true,
    summary: words('End one session', '结束一个会话'),
    params: { id: words('The id of the session', '会话编号') },
    run: async ({ params }) => {
      if (!(await people.endSession(params.id!)))
        throw notFound('There is no such session, or it is over already; look at the list.')
    },
  }),
]
