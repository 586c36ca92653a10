import type { LoadedConfig } from '../config/load.js'
import type { Config } from '../config/schema.js'
import { secretValues } from '../config/secret-values.js'
import type { LogRing } from '../faces/admin/log-ring.js'
import { signInCallback } from '../faces/admin/sign-in-callback.js'
import { createMcpEndpoint } from '../faces/mcp/http/endpoint.js'
import type { Route } from '../http/route.js'
import { systemClock } from '../model/clock.js'
import { toRoute } from '../operations/to-route.js'
import type { Redactor } from '../telemetry/redact.js'
import type { Access } from './access.js'
import { openAdmin } from './admin/admin.js'
import type { Board } from './board.js'
import { type ConfigDesk, createConfigDesk } from './config-desk.js'
import { probes } from './probes.js'
import type { CommonFlags } from './read-config.js'
import type { Readiness } from './readiness.js'
import { openRest } from './rest.js'
import { callbackPath, redirectUrlAt } from './sign-ins.js'
import type { Telemetry } from './telemetry.js'
import { openXiaozhi, type XiaozhiLinks } from './xiaozhi-links.js'

export interface FaceSurroundings {
  readonly loaded: LoadedConfig
  readonly flags: CommonFlags
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly access: Access
  readonly telemetry: Telemetry
  readonly ring: LogRing
  readonly redactor: Redactor
  /** Where others reach this server; asked when an answer needs it. */
  readonly apiUrl: () => string
  readonly readiness: Readiness
  readonly consoleFolder?: string | undefined
  /** Told of a configuration that is now in force. */
  readonly onConfig?: ((config: Config) => void) | undefined
}

/** Every face of `serve` over one board: all routes there are, and what follows the configuration. */
export interface Faces {
  readonly routes: readonly Route[]
  readonly desk: ConfigDesk
  readonly xiaozhi: XiaozhiLinks
  /** Before the listener closes: streams say goodbye. */
  leave(): Promise<void>
  /** After it. */
  close(): Promise<void>
}

export const openFaces = async (board: Board, around: FaceSurroundings): Promise<Faces> => {
  const { loaded, flags, cwd, env, access, telemetry, ring, redactor, apiUrl, readiness, consoleFolder } = around
  const { logger } = ring
  const clock = systemClock
  const { path } = loaded.config.server
  const endpoint = createMcpEndpoint({ face: board.face, findProfile: board.findProfile, path, clock, logger })
  const xiaozhi = openXiaozhi(board, logger)
  const beside = [...xiaozhi.operations, ...probes(board, readiness, access.authenticate)]
  const rest = openRest(board, { logger, clock, telemetry, apiUrl, beside })
  board.signIns.listenAt(() => redirectUrlAt(apiUrl()))
  const reload = async (next: LoadedConfig): Promise<void> => {
    for (const secret of secretValues(next.config)) redactor.add(secret)
    await board.reload(next)
    around.onConfig?.(next.config)
    await xiaozhi.update()
  }
  const desk = await createConfigDesk({ loaded, flags, cwd, env, reload })
  const admin = openAdmin(board, {
    desk,
    flags,
    env,
    keys: access.keys,
    xiaozhi,
    ring,
    clean: redactor.text,
    consoleFolder,
  })
  access.onLeave((caller) => endpoint.sessions.each((each) => each.owner === caller && endpoint.sessions.end(each)))
  return {
    routes: access.watch([
      ...endpoint.routes,
      ...rest.routes,
      ...beside.map((each) => toRoute(each)),
      ...admin.routes,
      signInCallback(board.signIns, callbackPath),
    ]),
    desk,
    xiaozhi,
    leave: async () => {
      await xiaozhi.close()
      board.face.close()
      admin.close()
    },
    close: async () => {
      endpoint.close()
      await rest.close()
    },
  }
}
