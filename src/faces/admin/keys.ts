import { HttpError } from '../../http/http-error.js'
import type { Route } from '../../http/route.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard, KeyRequest } from './board.js'

const text = { type: 'string', minLength: 1, maxLength: 128 }

/** Keys: who may come in. A key's text is in one answer only, that of its making. */
export const keyRoutes = ({ keys }: AdminBoard): readonly Route[] => [
  adminRoute({ method: 'GET', path: '/keys', right: 'admin', run: async () => ({ keys: await keys.list() }) }),
  adminRoute<KeyRequest>({
    method: 'POST',
    path: '/keys',
    right: 'admin',
    body: closed(
      {
        name: text,
        permission: { type: 'string', enum: ['read', 'write', 'admin'] },
        expiresInSeconds: { type: 'integer', minimum: 1 },
        owner: text,
        profile: text,
      },
      ['name'],
    ),
    run: ({ body, exchange }) => {
      // Whoever makes a key that may spawn must be allowed to themselves.
      if (body.permission === 'admin' && !exchange.caller.rights.includes('spawn'))
        throw new HttpError(403, 'ACCESS_DENIED', "The right 'spawn' is needed to make a key for administration.")
      return keys.create(body)
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/keys/:id',
    right: 'admin',
    run: async ({ params }) => {
      if (!(await keys.revoke(params.id!)))
        throw new HttpError(404, 'ROUTE_NOT_FOUND', 'There is no such key, or it was revoked before; look at the list.')
    },
  }),
]
