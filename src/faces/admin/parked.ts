import { HttpError } from '../../http/http-error.js'
import type { Route } from '../../http/route.js'
import { adminRoute } from './admin-route.js'
import type { AdminBoard } from './board.js'

/** Calls that wait for their callers: who, which tool, what kind of question, until when; and the end of one. */
export const parkedRoutes = ({ parked }: AdminBoard): readonly Route[] => [
  adminRoute({ method: 'GET', path: '/parked', right: 'admin', run: () => ({ calls: parked.list() }) }),
  adminRoute({
    method: 'DELETE',
    path: '/parked/:id',
    right: 'admin',
    run: ({ params }) => {
      if (!parked.cancel(params.id!))
        throw new HttpError(404, 'ROUTE_NOT_FOUND', 'This call no longer waits for an answer; look at the list again.')
    },
  }),
]
