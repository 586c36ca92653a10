import type { LoadedConfig } from '../../config/load.js'
import { localeOf } from '../../serving/locale.js'
import { type OpenedBoard, openBoard } from '../../serving/open-board.js'
import { keyVariableOf, signInOf } from '../../serving/our-launch.js'
import { type CommonFlags, openTrust, readConfig } from '../../serving/read-config.js'
import type { GreetingFacts } from '../terminal/greeting.js'
import { hearStop, untilStopped } from '../terminal/signals.js'
import { refuseSecond, tellWhoHasIt } from './already.js'

export interface ServeFlags extends CommonFlags {
  /** For clients over stdio, by one of them; not for people. */
  readonly shared?: boolean | undefined
}

/** `pegboard serve`: the gateway over HTTP until it is told to stop. `onSettled` hears that the sources have reported. */
export const serve = async (asked: ServeFlags, onSettled: () => void): Promise<void> => {
  if (await isWorker()) return (await import('./serve-worker.js')).serveAsWorker(asked, onSettled)
  const told = hearStop()
  // Of one that a client's child starts, the working folder is the client's choice (S1).
  const flags = asked.shared ? { ...asked, here: false } : asked
  const loaded = await readConfig(flags)
  await refuseSecond(loaded)
  let isWaiting = false
  // Whoever waits for a database has nothing to end.
  void told.then(() => isWaiting && process.exit(0))
  const onWait = (waits: boolean): void => void (isWaiting = waits)
  const board = await open(loaded, flags, onWait).catch((error: unknown) => tellWhoHasIt(error, loaded))
  void board.settled().then(onSettled)
  const { introduction, url, unused, drain } = board.listener!
  if (introduction) process.stderr.write(`${introduction.tell(url(), process.stderr.isTTY === true)}\n`)
  if (process.stderr.isTTY || flags.json !== true) {
    // After we listen: nobody waits for it.
    const { greeting } = await import('../terminal/greeting.js')
    process.stderr.write(greeting(factsOf(board, flags)))
  }
  await untilStopped(Promise.race([told, unused]), board.close, board.logger, drain)
}

/** Only one that was started with a channel to its parent can be one. */
const isWorker = async (): Promise<boolean> =>
  process.send !== undefined && (await import('node:cluster')).default.isWorker

const open = async (
  loaded: LoadedConfig,
  flags: ServeFlags,
  onWait: (isWaiting: boolean) => void,
): Promise<OpenedBoard> => {
  const options = { http: { shared: flags.shared, onWait }, flags, trust: await openTrust(flags) }
  // What clients over stdio share is small, and over with the last of them.
  if (loaded.config.server.workers === 1 || flags.shared) return openBoard(loaded, options)
  return (await import('../../serving/workers/open-parent.js')).openWithWorkers(loaded, options)
}

const factsOf = ({ listener, gateway, config }: OpenedBoard, flags: CommonFlags): GreetingFacts => ({
  url: `${listener!.url()}${config.server.path}`,
  console: `${listener!.url()}/`,
  port: new URL(listener!.listensAt).port,
  tools: gateway.list(),
  sources: Object.entries(config.sources).flatMap(([name, { enabled }]) => (enabled ? [name] : [])),
  keyVariable: keyVariableOf(config),
  signIn: signInOf(config),
  options: flags.config === undefined ? '' : ` --config ${flags.config}`,
  locale: localeOf(process.env),
})
