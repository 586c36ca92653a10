import type { LoadedConfig } from '../../config/load.js'
import { secretValues } from '../../config/secret-values.js'
import { watchConfig } from '../../config/watch.js'
import { messageOf } from '../../errors.js'
import { createLogRing } from '../../faces/admin/log-ring.js'
import { createHttpHost } from '../../http/host.js'
import { systemClock } from '../../model/clock.js'
import { tellRefusal } from '../../operations/told-error.js'
import { openAccess } from '../../serving/access.js'
import { type Board, openBoard } from '../../serving/board.js'
import { toldHere } from '../../serving/error-words.js'
import { openFaces } from '../../serving/faces.js'
import { localeOf, say } from '../../serving/locale.js'
import { openLogger } from '../../serving/logger.js'
import { keyVariableOf } from '../../serving/our-launch.js'
import { publicBase, publicDoor } from '../../serving/public-address.js'
import { type CommonFlags, readConfig } from '../../serving/read-config.js'
import { createReadiness } from '../../serving/readiness.js'
import { openLocal } from '../../serving/running/local.js'
import { openTelemetry } from '../../serving/telemetry.js'
import { version } from '../../serving/version.js'
import type { Logger } from '../../telemetry/logger.js'
import { createRedactor } from '../../telemetry/redact.js'
import { type GreetingFacts, greeting } from '../terminal/greeting.js'
import { hearStop, untilStopped } from '../terminal/signals.js'
import { refuseSecond, tellWhoHasIt } from './already.js'

export interface ServeFlags extends CommonFlags {
  /** For clients over stdio, by one of them; not for people. */
  readonly shared?: boolean | undefined
}

/** `pegboard serve`: the gateway over HTTP until it is told to stop. `onSettled` hears that the sources have reported. */
export const serve = async (flags: ServeFlags, onSettled: () => void): Promise<void> => {
  const told = hearStop()
  const loaded = await readConfig(flags)
  const { config } = loaded
  await refuseSecond(loaded)
  // How much is logged can be changed while we run; the board is there before the second line.
  let opened: Board | undefined
  const levelNow = () => (opened?.config ?? config).logging.level
  // One redactor for what is logged and what is shown, so that neither tells what the other hides.
  const redactor = createRedactor(secretValues(config))
  const ring = createLogRing({ logger: openLogger(loaded, levelNow), clean: redactor.text, clock: systemClock })
  const { logger } = ring
  const { host, port, path } = config.server
  // Nobody is let in before we listen, and by then there is a board.
  const access = await openAccess(config, () => board.config, logger)
  tellStart(loaded, logger)
  const http = createHttpHost({
    authenticate: access.authenticate,
    allowedHosts: [...config.server.trustedHosts, ...publicDoor(config.server).hosts],
    allowedOrigins: [...config.server.allowedOrigins, ...publicDoor(config.server).origins],
    ...config.server.limits,
    tellRefusal,
    clock: systemClock,
    logger: logger.child('http'),
  })
  const telemetry = await openTelemetry(config, logger)
  const board: Board = await openBoard(loaded, {
    logger,
    env: process.env,
    persist: 'always',
    startLater: true,
    watch: telemetry.watch,
    onSecret: redactor.add,
  }).catch((error: unknown) => tellWhoHasIt(error, loaded))
  opened = board
  // Known only once we listen: the port may be any free one.
  let listensAt = ''
  const apiUrl = () => publicBase(board.config.server, listensAt)
  const readiness = createReadiness(systemClock, logger)
  const faces = await openFaces(board, {
    ...{ loaded, flags, cwd: process.cwd(), env: process.env, access, telemetry, ring, redactor, apiUrl, readiness },
    onConfig: ({ server }) => http.limit(server.limits),
  })
  http.addRoutes(faces.routes)
  const shared = flags.shared === true
  const local = openLocal(board, { loaded, desk: faces.desk, folder: process.cwd(), shared, logger })
  redactor.add(local.key)
  http.onUpgrade(local.route)
  // Before anybody can come in: whoever finds the port open finds the key as well.
  const introduction = await access.introduceAdmin()
  // The port is open before any source is started: twenty servers must not delay the first client, and none may run
  // for a gateway that cannot listen (F30).
  const listening = await http.listen({ host, port }).catch(async (error) => {
    await introduction?.takeBack()
    await board.close()
    throw error
  })
  listensAt = listening.url
  await local.publish(listening.url)
  logger
    .child(loaded.isAgentFormat ? 'manager' : 'pegboard')
    .log('info', `Listening: ${listening.url}${path}`, { pid: process.pid })
  board.start(listening.url)
  void board.settled().then(onSettled)
  if (introduction) process.stderr.write(`${introduction.tell(apiUrl())}\n`)
  if (process.stderr.isTTY || flags.json !== true)
    process.stderr.write(greeting(factsOf(apiUrl(), listening.url, board, loaded, flags)))
  const watching = new AbortController()
  faces.desk.follow(logger, watching.signal)
  followLock(board, logger, watching.signal)
  // A device is not served by what comes and goes with other clients.
  if (!shared) faces.xiaozhi.start()
  await untilStopped(
    Promise.race([told, local.unused]),
    async () => {
      watching.abort()
      await local.leave()
      await faces.leave()
      await http.close({ graceMs: 6000 })
      await faces.close()
      await access.close()
      await board.close()
    },
    logger,
    () => {
      http.drain()
      return readiness.drain(board.config.server.drainMs)
    },
  )
}

/** The first line. Whoever runs us on the other program's file reads what that program said (001-17). */
const tellStart = ({ isAgentFormat }: LoadedConfig, logger: Logger): void =>
  isAgentFormat
    ? logger.child('manager').log('info', 'Starting MCP Agent Manager')
    : logger.child('pegboard').log('info', say(`Starting Pegboard ${version}`, `正在启动 Pegboard ${version}`))

/** An approval in the lock file counts at once. Where one was taken back, the source reports anew, and is held to it. */
const followLock = ({ lock, gateway }: Board, logger: Logger, signal: AbortSignal): void => {
  if (!lock.isPresent) return
  const refresh = async (): Promise<void> => {
    await lock.refresh()
    for (const { id } of gateway.catalog.held()) gateway.catalog.reconsider(id)
    const stale = gateway.catalog.snapshot().tools.filter((tool) => !lock.review(tool))
    // What became of it is its state.
    for (const source of new Set(stale.map((tool) => tool.source)))
      void gateway
        .supervised(source)
        ?.restart()
        .catch(() => {})
  }
  watchConfig(lock.file, refresh, {
    clock: systemClock,
    signal,
    onProblem: (problem) =>
      logger.log(
        'error',
        say(`The changed lock file is not used: ${messageOf(problem)}`, `修改后的锁文件未被采用：${toldHere(problem)}`),
      ),
  }).catch((error: unknown) =>
    logger.log('warn', say(`The lock file is not watched: ${messageOf(error)}`, `无法监视锁文件：${toldHere(error)}`)),
  )
}

const factsOf = (
  base: string,
  listensAt: string,
  board: Board,
  loaded: LoadedConfig,
  flags: CommonFlags,
): GreetingFacts => ({
  url: `${base}${loaded.config.server.path}`,
  console: `${base}/`,
  port: new URL(listensAt).port,
  tools: board.gateway.list(),
  sources: Object.entries(board.config.sources).flatMap(([name, { enabled }]) => (enabled ? [name] : [])),
  keyVariable: keyVariableOf(loaded.config),
  options: flags.config === undefined ? '' : ` --config ${flags.config}`,
  locale: localeOf(process.env),
})
