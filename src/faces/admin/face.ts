import type { Route } from '../../http/route.js'
import type { Clock } from '../../model/clock.js'
import { approvalRoutes } from './approvals.js'
import type { AdminBoard } from './board.js'
import { createCallLog } from './call-log.js'
import { callRoutes } from './calls.js'
import { createEvents } from './events.js'
import { importRoutes } from './imports.js'
import { keyRoutes } from './keys.js'
import { overviewRoutes } from './overview.js'
import { parkedRoutes } from './parked.js'
import { profileRoutes } from './profiles.js'
import { searchRoutes } from './search.js'
import { settingRoutes } from './settings.js'
import { signInRoutes } from './sign-ins.js'
import { sourceRoutes } from './sources.js'
import { textRoutes } from './texts.js'
import { toolRoutes } from './tools.js'

export interface AdminFaceOptions {
  readonly board: AdminBoard
  readonly clock: Clock
  /** Takes secrets out of messages that are shown. */
  readonly clean: (text: string) => string
}

/** The board for its operator. Every route declares `admin` or `spawn`, loopback included (T2). */
export interface AdminFace {
  readonly routes: readonly Route[]
  close(): void
}

export const createAdminFace = ({ board, clock, clean }: AdminFaceOptions): AdminFace => {
  const log = createCallLog({ gateway: board.gateway, clock, clean })
  const events = createEvents({ board, log, clock })
  return {
    routes: [
      ...overviewRoutes(board, log, clock),
      ...sourceRoutes(board),
      ...toolRoutes(board, log, clock),
      ...searchRoutes(board),
      ...profileRoutes(board),
      ...callRoutes(board, log),
      ...parkedRoutes(board),
      ...signInRoutes(board),
      ...approvalRoutes(board),
      ...keyRoutes(board),
      ...settingRoutes(board),
      ...importRoutes(board),
      ...textRoutes(),
      events.route,
    ],
    close: () => {
      events.close()
      log.close()
    },
  }
}
