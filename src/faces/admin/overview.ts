import type { Route } from '../../http/route.js'
import type { Clock } from '../../model/clock.js'
import { adminRoute } from './admin-route.js'
import { waitingOf } from './approvals.js'
import type { AdminBoard } from './board.js'
import type { CallLog } from './call-log.js'
import { costOf } from './profiles.js'
import { listSources } from './sources.js'

/** The figures of the console's first page. */
export const overviewRoutes = (board: AdminBoard, log: CallLog, clock: Clock): readonly Route[] => {
  const startedAt = clock.wall()
  return [
    adminRoute({
      method: 'GET',
      path: '/me',
      right: 'admin',
      run: ({ exchange }) => ({ id: exchange.caller.id, rights: exchange.caller.rights, version: board.version }),
    }),
    adminRoute({
      method: 'GET',
      path: '/overview',
      right: 'admin',
      run: () => {
        const report = board.profile('default')
        return {
          version: board.version,
          startedAt,
          now: clock.wall(),
          sources: listSources(board),
          tools: board.gateway.list().length,
          held: waitingOf(board),
          parked: board.parked.list(),
          stats: board.gateway.stats(),
          minutes: log.minutes(),
          profile: report && costOf(report),
          failures: log
            .recent()
            .filter(({ ok }) => !ok)
            .slice(-8)
            .reverse(),
        }
      },
    }),
  ]
}
