import type { Route } from '../../http/route.js'
import { adminRoute } from './admin-route.js'
import type { AdminBoard } from './board.js'
import type { CallLog } from './call-log.js'

/** What happened lately; the stream beside it has what happens. */
export const callRoutes = (board: AdminBoard, log: CallLog): readonly Route[] => [
  adminRoute({
    method: 'GET',
    path: '/calls',
    right: 'admin',
    run: () => ({ calls: log.recent({ limit: 1000 }), last: log.last, minutes: log.minutes() }),
  }),
  adminRoute({
    method: 'GET',
    path: '/logs',
    right: 'admin',
    run: () => ({ lines: board.logs().slice(-500) }),
  }),
]
