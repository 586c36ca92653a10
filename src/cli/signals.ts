import { messageOf } from '../errors.js'
import type { Logger } from '../telemetry/logger.js'

const patienceMs = 10_000

/** Waits for SIGINT or SIGTERM, then closes in at most ten seconds. A second signal ends at once. */
export const untilStopped = (
  close: () => Promise<void>,
  logger: Logger,
  alsoWhen: Promise<void> = new Promise(() => {}),
): Promise<void> =>
  new Promise((resolve) => {
    let stopping = false
    const stop = (why: string): void => {
      if (stopping) process.exit(1)
      stopping = true
      logger.log('info', `Stopping: ${why}`)
      setTimeout(() => {
        logger.log('error', `Not everything ended within ${patienceMs} ms; leaving anyway.`)
        process.exit(1)
      }, patienceMs).unref()
      close()
        .catch((error: unknown) => logger.log('error', `While stopping: ${messageOf(error)}`))
        .finally(resolve)
    }
    process.on('SIGINT', () => stop('SIGINT'))
    process.on('SIGTERM', () => stop('SIGTERM'))
    void alsoWhen.then(() => stop('the client left'))
  })
