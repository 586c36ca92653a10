import type { LoadedConfig } from '../config/load.js'
import { GatewayError, isGatewayError } from '../errors.js'
import { nobody } from '../http/auth.js'
import { createHttpHost, type HttpHost } from '../http/host.js'
import { systemClock } from '../model/clock.js'
import { toRoute } from '../operations/to-route.js'
import { tellRefusal } from '../operations/told-error.js'
import type { Commons } from '../storage/commons.js'
import type { Logger } from '../telemetry/logger.js'
import { doorOf } from './host-settings.js'
import { openTlsOf } from './listener.js'
import { probesWhileAway } from './probes.js'

export interface AwayOptions {
  readonly loaded: LoadedConfig
  readonly logger: Logger
  /** Default: `server.port`. */
  readonly port?: number | undefined
  /** Told that we wait, and that we no longer do. */
  readonly onWait?: ((isWaiting: boolean) => void) | undefined
}

/** What listens in our place while the database is away. */
export interface Doorkeeper {
  /** Lets go of the port, and says which it was. */
  makeWay(): Promise<number>
}

const firstRetryMs = 250
const longestRetryMs = 2000
const sayAgainMs = 60_000

/**
 * Waits until the database answers, for ever: whoever starts us again every few seconds would learn nothing more. Meanwhile
 * the port is open, alive, not ready, and says why. Rejects at once where waiting would not help: a wrong password or
 * address, or tables of a newer version. Undefined where it answered the first time.
 */
export const untilStored = async (commons: Commons, options: AwayOptions): Promise<Doorkeeper | undefined> => {
  let away = await problemOf(commons)
  if (!away) return undefined
  const { onWait, logger } = options
  const door = await openDoor(options)
  onWait?.(true)
  const begun = systemClock.now()
  let saidAt = Number.NEGATIVE_INFINITY
  try {
    for (let waitMs = firstRetryMs; away; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
      if (systemClock.now() - saidAt >= sayAgainMs) {
        saidAt = systemClock.now()
        logger.log('warn', `Waiting for the database: ${away.message}`)
      }
      await new Promise<void>((resolve) => void systemClock.after(waitMs, resolve, true))
      away = await problemOf(commons)
    }
  } catch (error) {
    await door.makeWay()
    throw error
  } finally {
    onWait?.(false)
  }
  logger.log('info', `The database answers after ${Math.round(systemClock.now() - begun)} ms`)
  return door
}

/** Why it does not answer, where it may later. Anything else is thrown. */
const problemOf = async (commons: Commons): Promise<GatewayError | undefined> => {
  try {
    // Any question will do: it makes the tables where there are none, and is refused where they are not ours to read.
    await commons.sessions.get('-')
    return undefined
  } catch (error) {
    if (isGatewayError(error) && error.code === 'STORE_UNAVAILABLE') return error
    throw error
  }
}

const openDoor = async ({ loaded, logger, port }: AwayOptions): Promise<Doorkeeper> => {
  const { server } = loaded.config
  const tls = await openTlsOf({ loaded, ring: { logger } })
  const http: HttpHost = createHttpHost({
    ...server.limits,
    authenticate: () => ({ caller: nobody }),
    ...doorOf(loaded.config),
    // Whatever is asked for but the probes, on whichever path.
    guard: () => {
      throw starting()
    },
    tls,
    tellRefusal,
    clock: systemClock,
    logger: logger.child('http'),
  })
  http.addRoutes(probesWhileAway().map((each) => toRoute(each)))
  const listening = await http.listen({ host: server.host, port: port ?? server.port }).catch((error: unknown) => {
    tls?.close()
    throw error
  })
  let made: Promise<number> | undefined
  return {
    makeWay: () =>
      (made ??= (async () => {
        await http.close({ graceMs: 1000 })
        tls?.close()
        return listening.port
      })()),
  }
}

/** For anybody, so it does not say where the database is. */
const starting = (): GatewayError =>
  new GatewayError('STORE_UNAVAILABLE', 'The gateway is starting and waits for its database.', { retryAfterMs: 2000 })
