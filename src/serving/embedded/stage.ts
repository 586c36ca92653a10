import type { McpFace } from '../../faces/mcp/face.js'
import type { FindProfile } from '../../faces/mcp/profile.js'
import type { Gateway } from '../../gateway.js'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'

/** What the transports of one embedded server share: gateway, face, profiles, logger. */
export interface Stage {
  readonly gateway: Gateway
  readonly face: McpFace
  readonly findProfile: FindProfile
  readonly clock: Clock
  readonly logger: Logger
}

/** One way in that is open. */
export interface Opened {
  close(graceMs: number): Promise<void>
}
