import { createRestFace } from '../faces/rest/face.js'
import type { ClientPeers } from '../http/auth-loopback.js'
import type { Route } from '../http/route.js'
import type { Clock } from '../model/clock.js'
import type { CallDesk } from '../operations/call-approvals.js'
import type { Operation } from '../operations/operation.js'
import { toRoute } from '../operations/to-route.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'
import type { OtherReplicas } from './other-replicas.js'
import { openRecall } from './recall.js'
import type { Telemetry } from './telemetry.js'
import { version } from './version.js'

export interface RestSurroundings {
  readonly logger: Logger
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Where this process is one of several: what all of them counted. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined
  readonly peers: ClientPeers
  readonly others: OtherReplicas | undefined
  readonly callDesk: CallDesk
  /** What else this port answers, for the OpenAPI document. */
  readonly beside: readonly Operation[]
  /** Where others reach this server; asked when an answer needs it. */
  readonly apiUrl: () => string
}

/** What `serve` offers to programs that speak plain HTTP. */
export const openRest = (
  board: Board,
  { logger, clock, apiUrl, telemetry, peers, beside, others, metricsOfAll, callDesk }: RestSurroundings,
): { readonly routes: readonly Route[]; close(): Promise<void> } => {
  const { gateway, findProfile, firstList } = board
  const { metrics, audit, history } = telemetry
  const meter = telemetry.gatewayMetrics.recall
  const recall = openRecall(board, { logger: logger.child('recall'), clock, apiUrl, meter, peers })
  const face = createRestFace({
    gateway,
    findProfile,
    firstList,
    version,
    clock,
    metrics: metricsOfAll ? { text: metricsOfAll } : metrics,
    beside: [...recall.operations, ...beside],
    audit,
    history,
    lookAtScript: (run, caller) => board.scripts()?.look(run, caller),
    callDesk,
    ...others?.told(),
  })
  return {
    routes: [...face.routes, ...recall.operations.map((each) => toRoute(each))],
    close: async () => {
      face.close()
      await recall.close()
    },
  }
}
