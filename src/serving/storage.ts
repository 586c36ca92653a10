import type { Config } from '../config/schema.js'
import { systemClock } from '../model/clock.js'
import { openStorage } from '../storage/open.js'
import type { Storage } from '../storage/storage.js'
import type { Logger } from '../telemetry/logger.js'

/** What the configuration says about where data is kept, opened once for a process. */
export const storageOf = (
  { storage: { backend, path, onCorrupt } }: Pick<Config, 'storage'>,
  logger: Logger,
): Storage => openStorage({ backend, path, onCorrupt, logger, clock: systemClock })
