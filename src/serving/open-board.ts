import type { Readable, Writable } from 'node:stream'
import type { FetchDocument } from '../access/authorization/documents.js'
import type { Keys } from '../access/keys.js'
import type { LoadedConfig } from '../config/load.js'
import { secretsOf } from '../config/secret-values.js'
import { createLogRing } from '../faces/admin/log-ring.js'
import { systemClock } from '../model/clock.js'
import type { Storage } from '../storage/storage.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { createRedactor } from '../telemetry/redact.js'
import { openAccess, openStdioVisitor } from './access.js'
import { noteReload } from './audit-deeds.js'
import { type Board, createBoard } from './board.js'
import { CurrentConfig } from './current.js'
import { openEvents } from './events/open-events.js'
import { type FileInForce, type FileOptions, openFileInForce } from './file-in-force.js'
import { addressForPeers, openFleet, secretOf } from './fleet.js'
import type { Listener } from './listener.js'
import { startOver } from './load-again.js'
import { followLock } from './lock-file.js'
import { openLogger } from './logger.js'
import { openOverlay } from './overlay.js'
import { openPlugins } from './plugins.js'
import type { CommonFlags } from './read-config.js'
import { storageOf } from './storage.js'
import { followStore } from './store-metrics.js'
import type { Persist } from './stored.js'
import { openTelemetry } from './telemetry.js'
import { tellConfig, tellStart, tellWaiting } from './tell-config.js'
import { assertOwnFolder } from './trust/stranger-words.js'
import { openVault } from './vault.js'
import type { Part } from './workers/part.js'

export interface HttpOptions {
  /** Default: `server.port`. */
  readonly port?: number | undefined
  /** Started for clients over stdio, and over when the last of them has left. Default: false. */
  readonly shared?: boolean | undefined
  /** Told that we wait for a database that is away, and that we no longer do. */
  readonly onWait?: ((isWaiting: boolean) => void) | undefined
  /** Where the console's files are. Default: those of this package. */
  readonly consoleFolder?: string | undefined
  /** How the documents of OAuth clients are fetched; for tests. Default: from public addresses alone. */
  readonly fetchDocument?: FetchDocument | undefined
  /** As one of several processes behind one port. Default: by itself. */
  readonly part?: Part | undefined
}

export interface StdioOptions {
  readonly input: Readable
  readonly output: Writable
  /** Default `default`. */
  readonly profile?: string | undefined
}

export interface OpenBoardOptions {
  /** Serve over HTTP: MCP, REST, recall, the admin API and the console, and dial out to devices. Default: nobody listens. */
  readonly http?: true | HttpOptions | undefined
  /** Serve MCP to the one client at the other end of these. */
  readonly stdio?: StdioOptions | undefined
  /**
   * Who keeps the data folder: `always` for a gateway, which needs it for itself; `if-free` reads where another has it;
   * `never` only reads. Default: `always`.
   */
  readonly persist?: Persist | undefined
  /** Where data is kept, opened by whoever runs us, who also closes it. Default: as the configuration says. */
  readonly storage?: Storage | undefined
  /** Which of the configured sources are started; `none` leaves all to `board.start`. Default: all. */
  readonly only?: 'none' | ((source: string) => boolean) | undefined
  /** Default: one that writes where `logging` says. */
  readonly logger?: Logger | undefined
  /** What was said on the command line: it goes before the file, also when the file is read again. */
  readonly flags?: CommonFlags | undefined
  /**
   * Who says what of the file may run, at each reload too: a program that gives us its configuration has said so itself.
   * What the command line reads has passed it already.
   */
  readonly trust?: FileOptions['trust'] | undefined
  /** False leaves out what operators changed over the file. Default: it counts where there is such. */
  readonly overlay?: false | undefined
  /** Where the configuration was looked for. Default: here. */
  readonly cwd?: string | undefined
  /** Default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** A gateway that runs as its configuration says, with every way in that was asked for. */
export interface OpenedBoard extends Board, AsyncDisposable {
  readonly logger: Logger
  /** What listens; undefined without `http`. */
  readonly listener: Listener | undefined
  /** Resolves when the client over stdio has left; never without one. */
  readonly clientLeft: Promise<void>
  /** What it counted, as Prometheus reads it. */
  metricsPage(): string
  /** Applies a new configuration as a difference: what did not change is not touched. */
  reload(next: LoadedConfig): Promise<void>
  /** Ends what is served, then the sources. Idempotent. */
  close(): Promise<void>
}

/**
 * The one composition root: whatever runs a configuration runs it through here, so that a rule which is wired here holds in
 * `serve`, in `stdio`, in a single command and in a program that embeds us. Rejects where the address cannot be had, the
 * data folder is another's or a key is no good; then nothing was started.
 */
export const openBoard = async (file: LoadedConfig, options: OpenBoardOptions = {}): Promise<OpenedBoard> => {
  const { persist = 'always', flags = {}, cwd = process.cwd(), env = process.env, stdio, only, trust } = options
  const http = options.http === true ? {} : options.http
  await assertOwnFolder(file.config.storage)
  const current = new CurrentConfig(file.config)
  // One redactor for what is logged and what is shown, so that neither tells what the other hides.
  const redactor = createRedactor(secretsOf(file))
  const level = current.reading(['logging.level'], ({ logging }) => logging.level)
  const ring = createLogRing({
    logger: options.logger ?? (http?.part?.mark ?? asItIs)(openLogger(file, level, redactor)),
    clean: redactor.text,
    clock: systemClock,
  })
  const { logger } = ring
  // What is said of all children is a part of each source by the time a configuration is read.
  current.readElsewhere(['server.transport', 'stdio.share', 'children.limits', 'children.sandbox'])
  const closers = createClosers()
  try {
    const storage = options.storage ?? (await storageOf(file.config, logger))
    if (!options.storage) closers.add(async () => storage[Symbol.asyncDispose]())
    const waits = http && !http.part ? storage.commons : undefined
    const door = http && waits && (await untilStored(waits, { loaded: file, logger, ...http }))
    if (door) closers.add(async () => void (await door.makeWay()))
    const around = { storage, logger, listens: !!http, part: http?.part, onSecret: redactor.add }
    const fleet = await openFleet(file.config, around)
    closers.add(async () => fleet[Symbol.asyncDispose]())
    const overlay = options.overlay === false ? undefined : openOverlay(file.config, storage, fleet.seals)
    if (overlay) closers.add(async () => overlay[Symbol.asyncDispose]())
    const rules = { flags, cwd, env, trust, overlay, logger }
    const { loaded, kept } = await startOver(rules, file)
    const { config } = loaded
    for (const secret of secretsOf(loaded)) redactor.add(secret)
    current.startWith(config)
    const replica = fleet.isAlone ? undefined : fleet.replica
    const telemetry = await openTelemetry(config, logger, http ? 'attached' : 'lazily', {
      ...{ env, replica, current },
      listens: !!http,
      clean: redactor.text,
    })
    closers.add(telemetry.close)
    const vault = await openVault(config, {
      ...{ storage, logger, env, onSecret: redactor.add },
      fleetSecret: () => secretOf(config, around),
      when: http || stdio ? 'at once' : 'lazily',
    })
    closers.add(async () => vault[Symbol.asyncDispose]())
    const { fetchDocument } = http ?? {}
    const beside = { storage, fleet, vault, logger, note: telemetry.note, fetchDocument }
    const access = http && (await openAccess(current, beside))
    if (access) closers.add(access.close)
    const visitor = stdio && (await openStdioVisitor(config, storage, stdio.profile ?? 'default', logger))
    if (visitor) closers.add(visitor.close)
    // Of several processes, one says what all of them read.
    const voice = http?.part?.role === 'worker' ? silentLogger : logger
    if (http) tellStart(loaded, voice)
    tellConfig(loaded, voice)
    followStore(telemetry.metrics, storage.commons)
    const board = await createBoard(loaded, {
      ...{ current, logger, env, persist, telemetry, storage, fleet, vault },
      only: typeof only === 'function' ? only : undefined,
      onSecret: redactor.add,
      clean: redactor.text,
      stillApproves: access && approverCheck(access.keys),
    })
    closers.add(board.close)
    telemetry.attach(board.gateway, board.waiting)
    const watched = { keys: access?.keys, clean: redactor.text, metrics: telemetry.metrics, logger }
    // A single command tells nobody: it comes and goes, and the gateway is elsewhere.
    const events = http || stdio ? await openEvents(board, watched) : undefined
    if (events) closers.add(events.close)
    const plugins = await openPlugins(board, { events, metrics: telemetry.metrics, logger })
    const reload = async (next: LoadedConfig): Promise<void> => {
      for (const secret of secretsOf(next)) redactor.add(secret)
      tellConfig(next, voice)
      const before = current.waiting()
      const was = current.now
      await current.change(next.config)
      noteReload(telemetry.note, was, next.config)
      tellWaiting(
        current.waiting().filter((place) => !before.includes(place)),
        voice,
      )
    }
    const inForce = access || visitor ? await openFileInForce({ ...rules, loaded, kept, reload }) : undefined
    const parts = { loaded, board, events, plugins, flags, env, cwd, telemetry, ring, redactor, makeWay: door?.makeWay }
    const listener =
      access && inForce && (await (await import('./listener.js')).openListener({ ...parts, access, inForce, ...http }))
    if (listener) closers.add(listener.close)
    if (listener) fleet.listenAt(listener.peersAt ?? addressForPeers(config, listener.listensAt))
    if (only !== 'none') board.start(listener?.listensAt)
    const client = visitor && (await import('./client.js')).openClient(board, visitor, stdio, logger)
    if (client) closers.add(async () => client.close())
    if (inForce) closers.add(follow(board, inForce, logger))
    listener?.begin()
    return {
      ...board,
      get config() {
        return current.now
      },
      logger,
      listener,
      metricsPage: telemetry.metrics.text,
      reload,
      clientLeft: client?.ended ?? new Promise(() => {}),
      close: closers.closeAll,
      [Symbol.asyncDispose]: closers.closeAll,
    }
  } catch (error) {
    await closers.closeAll()
    throw error
  }
}

/** Loaded only where there is a database to wait for. */
const untilStored: typeof import('./store-away.js').untilStored = async (...asked) =>
  (await import('./store-away.js')).untilStored(...asked)

/** A yes by a key that has been revoked meanwhile does not count. */
const approverCheck =
  (keys: Keys) =>
  (id: string): boolean =>
    !id.startsWith('key:') || keys.holderOf(id.slice('key:'.length)) !== undefined

const asItIs = (logger: Logger): Logger => logger

/** Follows the files of what runs: its configuration and its lock file. Returns how to stop. */
const follow = (board: Board, inForce: FileInForce, logger: Logger): (() => Promise<void>) => {
  const watching = new AbortController()
  inForce.follow(logger, watching.signal)
  followLock(board, logger, watching.signal)
  return async () => watching.abort()
}

/** What is open is closed once, the last first. */
const createClosers = () => {
  const closers: (() => Promise<void>)[] = []
  let closing: Promise<void> | undefined
  const all = async (): Promise<void> => {
    for (const close of closers.reverse()) await close()
  }
  return {
    add: (close: () => Promise<void>): void => void closers.push(close),
    closeAll: (): Promise<void> => (closing ??= all()),
  }
}
