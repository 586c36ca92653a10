import { systemClock } from '../model/clock.js'
import { createStdioHost, type StdioHost } from '../sources/stdio/sessions.js'
import type { Logger } from '../telemetry/logger.js'
import { silentLogger } from '../telemetry/logger.js'
import { createShared, type Shared } from './held.js'

/** The child processes of a face. A library has no configuration to ask, so the environment is the program's own. */
export const sharedStdioHost = (logger: Logger): Shared<StdioHost> =>
  createShared(
    () => createStdioHost({ clock: systemClock, logger, hostEnv: process.env }),
    (host) => host.close(),
  )

/** For those who belong to nobody with a logger. */
export const commonStdioHost: Shared<StdioHost> = sharedStdioHost(silentLogger)
