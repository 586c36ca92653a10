import { createRestFace } from '../faces/rest/face.js'
import type { Route } from '../http/route.js'
import type { Clock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import type { Board } from './board.js'
import { version } from './version.js'

export interface RestSurroundings {
  readonly logger: Logger
  readonly clock: Clock
  /** Where others reach this server; asked when an answer needs it. */
  readonly apiUrl: () => string
}

/** What `serve` offers to programs that speak plain HTTP. */
export const openRest = (
  { gateway, findProfile }: Board,
  { logger, clock }: RestSurroundings,
): { readonly routes: readonly Route[]; close(): Promise<void> } => {
  const face = createRestFace({ gateway, findProfile, version, clock, logger: logger.child('rest') })
  return { routes: face.routes, close: async () => {} }
}
