import type { IncomingMessage } from 'node:http'
import type { LoadedConfig } from '../../config/load.js'
import { isGatewayError } from '../../errors.js'
import type { UpgradeRoute } from '../../http/route.js'
import { systemClock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { openStdioVisitor } from '../access.js'
import type { Board } from '../board.js'
import type { OpenedEvents } from '../events/open-events.js'
import type { FileInForce } from '../file-in-force.js'
import type { OpenedPlugins } from '../plugins.js'
import type { Part } from '../workers/part.js'
import { createAnnouncement } from './announce.js'
import { answerCommands } from './answers.js'
import { assertServed } from './claims.js'
import type { Claim } from './dial.js'
import { createLocalDoor, hello } from './door.js'
import type { GuestIntroduction } from './far-side.js'
import { createGuests } from './guests.js'
import { whenIdle } from './idle.js'
import { checkCallerProof, proofHeader } from './proof.js'

export interface LocalOptions {
  readonly loaded: LoadedConfig
  readonly inForce: FileInForce
  readonly folder: string
  /** Started for clients over stdio, and over when the last of them has left. */
  readonly shared: boolean
  /** One of several behind a port: all are entered by one key, and only their parent tells where they are. */
  readonly part?: Part | undefined
  readonly events?: OpenedEvents | undefined
  readonly plugins: OpenedPlugins
  readonly logger: Logger
}

/** What a running gateway is for other programs of this user: found by them, asked by commands, used by bridges. */
export interface Local {
  readonly key: string
  readonly route: UpgradeRoute
  /** Once it listens, and whenever it shows another certificate. */
  publish(url: string, pin: string | undefined): Promise<void>
  /** Whether a request proves that its sender may read the run record. */
  isProved(request: IncomingMessage): boolean
  /** Resolves when nobody uses a shared gateway any more; never for another. */
  readonly unused: Promise<string>
  /** Before anything else ends: nobody shall find what is about to go. */
  leave(): Promise<void>
}

export const openLocal = (
  board: Board,
  { loaded, inForce, events, plugins, folder, shared, part, logger }: LocalOptions,
): Local => {
  const { dataFolder, file, config } = loaded
  const announcement = createAnnouncement({
    dataFolder: config.storage.backend === 'memory' || part?.role === 'worker' ? undefined : dataFolder,
    key: part?.localKey,
    config: file ?? folder,
    shared,
    logger,
  })
  const idleMs = board.current.reading(['stdio.idleExitMs'], ({ stdio }) => stdio.idleExitMs)
  const admit = (claim: Claim) => assertServed(claim, { inForce, config: board.current.atStart, folder })
  const guests = createGuests({
    face: board.face,
    findProfile: board.findProfile,
    admit: (claim) => admit(claim).catch(tolerateEdit),
    firstList: board.firstList,
    visitor: (introduction) => visitorOf(board, introduction, logger),
    logger,
  })
  const door = createLocalDoor(announcement.key, {
    hello,
    ask: answerCommands(board, admit, { webhooks: events?.webhooks, plugins: plugins.rows }),
    mcp: guests.room,
  })
  return {
    key: announcement.key,
    route: door.route,
    publish: announcement.publish,
    isProved: ({ headers }) => checkCallerProof(announcement.key, headers[proofHeader]) !== undefined,
    unused: shared ? whenIdle({ door, gateway: board.gateway, idleMs, clock: systemClock }) : new Promise(() => {}),
    leave: async () => {
      await announcement.withdraw()
      guests.close()
    },
  }
}

/** A client is served with what is in force, though its file has just been broken; a command says what is wrong with it. */
const tolerateEdit = (error: unknown): void => {
  if (!isGatewayError(error) || error.details?.isOther === true) throw error
}

/** As in a process of its own: the client's key is what its own environment says, else what the file says. */
const visitorOf = (board: Board, { profile, apiKey }: GuestIntroduction, logger: Logger) => {
  const { auth } = board.current.atStart
  const own = typeof apiKey === 'string' ? { ...auth, apiKey } : auth
  return openStdioVisitor(
    { ...board.current.atStart, auth: own },
    board.storage,
    typeof profile === 'string' ? profile : 'default',
    logger,
  )
}
