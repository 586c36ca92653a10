import type { Config } from '../config/schema.js'
import { systemClock } from '../model/clock.js'
import { openStorage } from '../storage/open.js'
import type { Storage } from '../storage/storage.js'
import type { Logger } from '../telemetry/logger.js'

/** What the configuration says about where data is kept, opened once for a process. */
export const storageOf = (
  { storage: { backend, path, url, schema, connections, onCorrupt } }: Pick<Config, 'storage'>,
  logger: Logger,
): Promise<Storage> => openStorage({ backend, path, url, schema, connections, onCorrupt, logger, clock: systemClock })
