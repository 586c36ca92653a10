import { HttpError, notFound } from '../../http/http-error.js'
import { heldRoles, mayGive, rightsOfRole } from '../../model/role.js'
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

const role = choice(heldRoles)
/** Document 002's words: `read` is the role `caller`, `write` is `publisher`. */
const permission = choice(['read', 'write', 'admin'])

const keyRow = shape(
  {
    id: text(),
    name: text(),
    role,
    /** How the key begins, to tell it from others. */
    hint: text(),
    createdAt: integer(),
    useCount: integer(),
    lastUsed: orNull(integer()),
  },
  { permission, expiresAt: integer(), revokedAt: integer(), owner: text(), profile: text(), actsForAccounts: flag() },
)

const name = text({ minLength: 1, maxLength: 128 })

const keyRequest = closed(
  {
    name,
    role,
    permission,
    expiresInSeconds: integer({ minimum: 1 }),
    owner: name,
    profile: name,
    /** Its holder may say for which account it asks. */
    actsForAccounts: flag(),
  },
  ['name'],
)

const keysAnswer = shape({ keys: list(keyRow) })

const madeKey = shape({ key: text(), record: keyRow })

export type KeyRow = ValueOf<typeof keyRow>
export type KeyRequest = ValueOf<typeof keyRequest>
export type KeysAnswer = ValueOf<typeof keysAnswer>
export type MadeKey = ValueOf<typeof madeKey>

export interface KeyDesk {
  list(): Promise<readonly KeyRow[]>
  create(request: KeyRequest): Promise<MadeKey>
  /** False when there is no such key, or it was revoked before. */
  revoke(id: string): Promise<boolean>
}

const meaning = { read: 'caller', write: 'publisher', admin: 'admin' } as const

/** Keys: who may come in. A key's text is in one answer only, that of its making. */
export const keyOperations = ({ keys }: { readonly keys: KeyDesk }): readonly Operation[] => [
  adminOperation({
    id: 'listKeys',
    method: 'GET',
    path: '/keys',
    right: 'admin',
    summary: words('The keys, without what they are made of', '密钥列表，不含密钥本身'),
    answer: keysAnswer,
    run: async () => ({ keys: await keys.list() }),
  }),
  adminOperation({
    id: 'createKey',
    method: 'POST',
    path: '/keys',
    right: 'admin',
    deed: {
      action: 'create',
      on: ({ body }) => ({ type: 'key', id: body.name }),
      after: ({ body }) => body.role ?? body.permission,
    },
    summary: words('Make a key; its text is in this answer only', '创建密钥；密钥内容只在此应答中出现'),
    body: keyRequest,
    answer: madeKey,
    run: ({ body, caller }) => {
      const wanted = body.role ?? (body.permission && meaning[body.permission]) ?? 'caller'
      if (!mayGive(caller.rights, rightsOfRole(wanted)))
        throw new HttpError(403, 'ACCESS_DENIED', `A key of the role '${wanted}' may do more than you may yourself.`)
      return keys.create(body)
    },
  }),
  adminOperation({
    id: 'revokeKey',
    method: 'DELETE',
    path: '/keys/:id',
    right: 'admin',
    summary: words('Revoke a key', '吊销密钥'),
    params: { id: words('The id of the key', '密钥编号') },
    run: async ({ params }) => {
      if (!(await keys.revoke(params.id!)))
        throw notFound('There is no such key, or it was revoked before; look at the list.')
    },
  }),
]
