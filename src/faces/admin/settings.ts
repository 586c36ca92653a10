import type { Route } from '../../http/route.js'
import { adminRoute, closed } from './admin-route.js'
import type { AdminBoard } from './board.js'

/** What is in force, secrets left out, what of it can be changed here, and the links to voice devices. */
export const settingRoutes = (board: AdminBoard): readonly Route[] => [
  adminRoute({ method: 'GET', path: '/settings', right: 'admin', run: () => board.settings.report() }),
  adminRoute<{ readonly changes: Readonly<Record<string, unknown>> }>({
    method: 'PUT',
    path: '/settings',
    right: 'admin',
    body: closed({ changes: { type: 'object', minProperties: 1, maxProperties: 64 } }, ['changes']),
    run: async ({ body }) => {
      await board.settings.save(body.changes)
      return board.settings.report()
    },
  }),
  adminRoute({ method: 'GET', path: '/xiaozhi', right: 'admin', run: () => ({ endpoints: board.xiaozhi() }) }),
]
