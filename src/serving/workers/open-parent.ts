import type { LoadedConfig } from '../../config/load.js'
import type { Config } from '../../config/schema.js'
import { systemClock } from '../../model/clock.js'
import type { Commons } from '../../storage/commons.js'
import { keptSecret } from '../../storage/kept-secret.js'
import { createMemoryCommons } from '../../storage/memory/memory-commons.js'
import { type KeptStorage, keepStorage } from '../../storage/parent/kept-storage.js'
import type { Storage } from '../../storage/storage.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { replicaOf } from '../fleet.js'
import { openLogger } from '../logger.js'
import { type HttpOptions, type OpenBoardOptions, type OpenedBoard, openBoard } from '../open-board.js'
import { storageOf } from '../storage.js'
import type { Doorkeeper } from '../store-away.js'
import { Workers, workerCountOf } from './parent.js'

/**
 * A gateway of several processes behind one port: this one keeps the data and runs what runs once, the others serve. On a
 * database each of them opens it by itself, once it answers. Rejects as `openBoard` does; then nothing was started.
 */
export const openWithWorkers = async (
  loaded: LoadedConfig,
  options: Omit<OpenBoardOptions, 'http'> & { readonly http: HttpOptions },
): Promise<OpenedBoard> => {
  const { config } = loaded
  const count = workerCountOf(config)
  if (count === 1) return openBoard(loaded, options)
  let board: OpenedBoard | undefined
  const logger = openLogger(loaded)
  const storage = await storageOf(config, logger)
  // Before there is a worker: one that cannot serve yet is of no use, and whoever waits has nothing to end.
  const door = await untilThere(storage, loaded, options, logger)
  const kept = storage.commons ? undefined : keep(storage, config, logger)
  const workers = new Workers({
    count,
    replica: replicaOf(config),
    server: { host: config.server.host, port: options.http.port ?? config.server.port },
    makeWay: door?.makeWay,
    logger: () => board?.logger ?? silentLogger,
    serveStorage: kept?.serve,
    metrics: () => board?.metricsPage() ?? '',
  })
  const close = async (): Promise<void> => {
    await door?.makeWay()
    await workers.close()
    await (kept ?? storage)[Symbol.asyncDispose]()
  }
  try {
    board = await openBoard(loaded, {
      ...options,
      storage: kept ? await kept.own : storage,
      http: { ...options.http, part: workers },
    })
  } catch (error) {
    await close()
    throw error
  }
  const closeAll = async (): Promise<void> => {
    await board?.close()
    await close()
  }
  return { ...board, close: closeAll, [Symbol.asyncDispose]: closeAll }
}

const untilThere = async (
  storage: Storage,
  loaded: LoadedConfig,
  { http }: { readonly http: HttpOptions },
  logger: Logger,
): Promise<Doorkeeper | undefined> => {
  if (!storage.commons) return undefined
  const { untilStored } = await import('../store-away.js')
  try {
    return await untilStored(storage.commons, { loaded, logger, port: http.port, onWait: http.onWait })
  } catch (error) {
    await storage[Symbol.asyncDispose]()
    throw error
  }
}

/** What the processes share beside the data lives as long as this process; their secret is the one that is kept. */
const keep = (storage: Storage, config: Config, logger: Logger): KeptStorage => {
  const { backend, path } = config.storage
  const rows = createMemoryCommons(systemClock)
  const commons = (): Commons => {
    const own = rows.of()
    return backend === 'memory' ? own : { ...own, secret: async () => keptSecret(path, logger) }
  }
  return keepStorage({ storage, commons, clock: systemClock })
}
