import { PassThrough, type Readable, type Writable } from 'node:stream'
import { secretValues } from '../../config/secret-values.js'
import { plainProfile } from '../../faces/mcp/profile.js'
import { serveStdio } from '../../faces/mcp/stdio/carrier.js'
import { openStdioVisitor } from '../../serving/access.js'
import { openBoard } from '../../serving/board.js'
import { createConfigDesk } from '../../serving/config-desk.js'
import { say } from '../../serving/locale.js'
import { readConfig } from '../../serving/read-config.js'
import type { FarSide } from '../../serving/running/bridge.js'
import type { Persist } from '../../serving/stored.js'
import type { Logger } from '../../telemetry/logger.js'
import { createPinoLogger } from '../../telemetry/pino-logger.js'
import { createRedactor } from '../../telemetry/redact.js'
import { untilStopped } from '../terminal/signals.js'
import type { StdioFlags } from './stdio.js'

export interface HereOptions {
  readonly input: Readable
  readonly output: Writable
  readonly persist: Persist
}

/** A board of this process for one client. */
export interface Here {
  readonly logger: Logger
  /** Resolves when the client has left. */
  readonly ended: Promise<void>
  settled(): Promise<void>
  /** See `Board.firstList`. */
  firstList(): Promise<unknown> | undefined
  close(): Promise<void>
}

/** Serves the client on our standard input until it leaves or we are told to stop. */
export const stdioHere = async (flags: StdioFlags, told: Promise<string>, onSettled: () => void): Promise<void> => {
  const here = await openHere(flags, { input: process.stdin, output: process.stdout, persist: 'if-free' })
  void here.settled().then(onSettled)
  const left = here.ended.then(() => say('the client left', '客户端已离开'))
  await untilStopped(Promise.race([told, left]), here.close, here.logger)
}

/** The same behind a bridge whose gateway is gone. It only reads the data folder, so that the next gateway finds it free. */
export const openFarSideHere = async (flags: StdioFlags): Promise<FarSide> => {
  const input = new PassThrough()
  const output = new PassThrough()
  const here = await openHere(flags, { input, output, persist: 'never' })
  await here.firstList()
  void here.ended.then(() => output.end())
  return { input, output, close: () => void here.close() }
}

const openHere = async (flags: StdioFlags, { input, output, persist }: HereOptions): Promise<Here> => {
  const loaded = await readConfig(flags)
  const redactor = createRedactor(secretValues(loaded.config))
  const logger = createPinoLogger({ ...loaded.config.logging, redactor })
  const visitor = await openStdioVisitor(loaded.config, flags.profile ?? 'default', logger)
  const board = await openBoard(loaded, { logger, env: process.env, persist, onSecret: redactor.add })
  const carrier = serveStdio({
    face: board.face,
    caller: visitor.caller,
    // Asked each time: an edit of the profile counts at once.
    get profile() {
      return board.findProfile(visitor.profile) ?? plainProfile
    },
    input,
    output,
    logger,
  })
  visitor.onLeave(() => {
    logger.log('warn', say('The key of this client is no longer good; goodbye.', '该客户端的密钥已失效，连接结束。'))
    carrier.close()
  })
  const watching = new AbortController()
  const desk = await createConfigDesk({
    loaded,
    flags,
    cwd: process.cwd(),
    env: process.env,
    reload: async (next) => {
      for (const secret of secretValues(next.config)) redactor.add(secret)
      await board.reload(next)
    },
  })
  desk.follow(logger, watching.signal)
  return {
    logger,
    ended: carrier.ended,
    settled: board.settled,
    firstList: board.firstList,
    close: async () => {
      watching.abort()
      carrier.close()
      await board.close()
      await visitor.close()
    },
  }
}
