import { messageOf } from '../../errors.js'
import { say } from '../../serving/locale.js'
import type { Logger } from '../../telemetry/logger.js'

const patienceMs = 10_000
// A start that has not come to its end by then hangs; nothing runs yet that would have to be ended gently.
const startPatienceMs = 2000

let cancelHurry = (): void => {}

/**
 * Hears SIGINT and SIGTERM from now on. To be asked for first of all: a signal that comes while a gateway is being set up
 * must end it as gently as any other, and also if setting it up never ends. A second signal ends at once.
 */
export const hearStop = (): Promise<string> =>
  new Promise((resolve) => {
    let heard = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (heard) process.exit(1)
        heard = true
        const hurry = setTimeout(() => process.exit(1), startPatienceMs)
        cancelHurry = () => clearTimeout(hurry)
        resolve(signal)
      })
  })

/**
 * Waits until told to stop, then closes in at most ten seconds. `drain` comes before, where a service was told to end: the
 * time for a balancer to notice. A person who types Ctrl+C does not wait for that.
 */
export const untilStopped = async (
  told: Promise<string>,
  close: () => Promise<void>,
  logger: Logger,
  drain: () => Promise<void> = async () => {},
): Promise<void> => {
  const why = await told
  cancelHurry()
  if (why === 'SIGTERM') await drain()
  logger.log('info', say(`Stopping: ${why}`, `正在停止：${why}`))
  setTimeout(() => {
    logger.log(
      'error',
      say(
        `Not everything ended within ${patienceMs} ms; leaving anyway.`,
        `${patienceMs} 毫秒内未能全部结束；强制退出。`,
      ),
    )
    process.exit(1)
  }, patienceMs).unref()
  await close().catch((error: unknown) =>
    logger.log('error', say(`While stopping: ${messageOf(error)}`, `停止时出错：${messageOf(error)}`)),
  )
}
