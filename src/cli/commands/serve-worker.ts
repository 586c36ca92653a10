import { openTrust, readConfig } from '../../serving/read-config.js'
import { openWorker } from '../../serving/workers/open-worker.js'
import { untilStopped } from '../terminal/signals.js'
import type { ServeFlags } from './serve.js'

/** One of the processes behind the port of `pegboard serve`, which started it and says when it ends. */
export const serveAsWorker = async (flags: ServeFlags, onSettled: () => void): Promise<void> => {
  // A terminal's Ctrl+C reaches every process; the parent says when it is our turn.
  process.on('SIGINT', () => {})
  const toldBySystem = new Promise<string>((resolve) => void process.once('SIGTERM', () => resolve('SIGTERM')))
  const worker = await openWorker(async () => ({
    loaded: await readConfig(flags),
    flags,
    trust: await openTrust(flags),
  }))
  if (worker === undefined) {
    process.exitCode = 1
    return process.disconnect?.()
  }
  const { board, stopped } = worker
  void board.settled().then(onSettled)
  // The parent has drained by then; a worker that was ended by itself does so alone.
  await untilStopped(Promise.race([stopped, toldBySystem]), board.close, board.logger, board.listener!.drain)
  // The channel would keep the process.
  process.disconnect?.()
}
