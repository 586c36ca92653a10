import type { Route } from '../../http/route.js'
import { adminRoute } from './admin-route.js'
import type { AdminBoard } from './board.js'

/** What is in force, secrets left out, and the links to voice devices. */
export const settingRoutes = (board: AdminBoard): readonly Route[] => [
  adminRoute({ method: 'GET', path: '/settings', right: 'admin', run: () => board.settings() }),
  adminRoute({ method: 'GET', path: '/xiaozhi', right: 'admin', run: () => ({ endpoints: board.xiaozhi() }) }),
]
