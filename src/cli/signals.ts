import { messageOf } from '../errors.js'
import type { Logger } from '../telemetry/logger.js'

const patienceMs = 10_000

/**
 * Hears SIGINT and SIGTERM from now on. To be asked for first of all: a signal that comes while a gateway is being set up
 * must end it as gently as any other. A second signal ends at once.
 */
export const hearStop = (): Promise<string> =>
  new Promise((resolve) => {
    let heard = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (heard) process.exit(1)
        heard = true
        resolve(signal)
      })
  })

/** Waits until told to stop, then closes in at most ten seconds. */
export const untilStopped = async (
  told: Promise<string>,
  close: () => Promise<void>,
  logger: Logger,
): Promise<void> => {
  const why = await told
  logger.log('info', `Stopping: ${why}`)
  setTimeout(() => {
    logger.log('error', `Not everything ended within ${patienceMs} ms; leaving anyway.`)
    process.exit(1)
  }, patienceMs).unref()
  await close().catch((error: unknown) => logger.log('error', `While stopping: ${messageOf(error)}`))
}
