import { createDeclaredActions, type DeclaredAction, executePath } from '../faces/recall/embedded/knowledge.js'
import { createBoardOperators, toolBoxPath } from '../faces/recall/embedded/operators.js'
import { createEmbeddedRoutes } from '../faces/recall/embedded/routes.js'
import { createRecallRoutes, pathOf } from '../faces/recall/face.js'
import { createRestFace } from '../faces/rest/face.js'
import type { Route } from '../http/route.js'
import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'
import type { Telemetry } from './telemetry.js'
import { version } from './version.js'

export interface RestSurroundings {
  readonly logger: Logger
  readonly clock: Clock
  readonly telemetry: Telemetry
  /** Where others reach this server; asked when an answer needs it. */
  readonly apiUrl: () => string
}

/** What `serve` offers to programs that speak plain HTTP. */
export const openRest = (
  board: Board,
  { logger, clock, apiUrl, telemetry }: RestSurroundings,
): { readonly routes: readonly Route[]; close(): Promise<void> } => {
  const { gateway, findProfile } = board
  const { metrics, audit } = telemetry
  telemetry.attach(gateway)
  const face = createRestFace({
    gateway,
    findProfile,
    version,
    clock,
    logger: logger.child('rest'),
    metrics,
    ...(audit ? { audit } : {}),
  })
  const recall = recallRoutes(board, { logger: logger.child('recall'), clock, apiUrl, telemetry })
  return {
    routes: [...face.routes, ...recall],
    close: async () => {
      face.close()
      telemetry.close()
    },
  }
}

/** Document 004 over our own board: the actions are declared in the configuration, the tools are ours. */
const recallRoutes = (board: Board, { logger, clock, apiUrl, telemetry }: RestSurroundings): readonly Route[] => {
  const at = (path: string, values: readonly string[]): string => `${apiUrl()}${pathOf(path, values)}`
  const knowledge = createDeclaredActions(
    // Read each time, so that an edit of the file counts at once.
    () => board.config.recall.actions as readonly DeclaredAction[],
    (knId, atId) => at(executePath, [knId, atId]),
  )
  const operators = createBoardOperators(board.gateway, (boxId, toolId) => at(toolBoxPath, [boxId, toolId]))
  const more = createEmbeddedRoutes({ knowledge, operators, clock })
  return createRecallRoutes({
    knowledge,
    operators,
    apiUrl,
    more,
    meter: telemetry.gatewayMetrics.recall,
    clock,
    logger,
  })
}
