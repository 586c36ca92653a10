import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Permission } from '../../src/access/key-record.js'
import { loadConfig } from '../../src/config/load.js'
import { createLogRing } from '../../src/faces/admin/log-ring.js'
import { createHttpHost } from '../../src/http/host.js'
import type { RouteInfo } from '../../src/http/route.js'
import { systemClock } from '../../src/model/clock.js'
import { openAccess } from '../../src/serving/access.js'
import { openBoard } from '../../src/serving/board.js'
import { openFaces } from '../../src/serving/faces.js'
import { createReadiness } from '../../src/serving/readiness.js'
import { openTelemetry } from '../../src/serving/telemetry.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { createRedactor } from '../../src/telemetry/redact.js'

/** The whole server of `serve`, in this process, over a configuration of its own. */
export interface OpenedAdmin extends AsyncDisposable {
  readonly url: string
  readonly file: string
  readonly gateway: Awaited<ReturnType<typeof openBoard>>['gateway']
  routes(): readonly RouteInfo[]
  key(permission: Permission): Promise<string>
  /** Asks the admin API; without a key as whoever is on this machine. */
  ask(method: string, path: string, options?: { readonly key?: string; readonly body?: unknown }): Promise<Answered>
}

export interface Answered {
  readonly status: number
  readonly body: any
}

/** An empty text is no file at all. */
export const openAdminServer = async (text = '{}'): Promise<OpenedAdmin> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-admin-'))
  const file = join(folder, 'pegboard.json')
  const flags = { dataPath: join(folder, 'data') }
  if (text !== '') writeFileSync(file, text)
  const loaded = await loadConfig({ cwd: folder, env: {}, flags })
  const redactor = createRedactor()
  const ring = createLogRing({ logger: silentLogger, clean: redactor.text, clock: systemClock })
  const { logger } = ring
  const access = await openAccess(loaded.config, () => loaded.config, logger)
  const telemetry = await openTelemetry(loaded.config, logger)
  const board = await openBoard(loaded, {
    logger,
    env: process.env,
    persist: 'always',
    watch: telemetry.watch,
    onSecret: redactor.add,
  })
  let apiUrl = ''
  const readiness = createReadiness(systemClock, logger)
  const around = {
    loaded,
    flags,
    cwd: folder,
    env: {},
    access,
    telemetry,
    ring,
    redactor,
    apiUrl: () => apiUrl,
    readiness,
  }
  const host = createHttpHost({ authenticate: access.authenticate, ...loaded.config.server.limits })
  const faces = await openFaces(board, {
    ...around,
    consoleFolder: writeConsole(folder),
    onConfig: ({ server }) => host.limit(server.limits),
  })
  host.addRoutes(faces.routes)
  const { url } = await host.listen({ port: 0 })
  apiUrl = url
  const leaving = new AbortController()
  faces.desk.follow(logger, leaving.signal)
  return {
    url,
    file,
    gateway: board.gateway,
    routes: host.routes,
    key: async (permission) => (await access.keys.create({ name: permission, permission })).key,
    ask: async (method, path, { key, body } = {}) => {
      const response = await fetch(`${url}/api/admin/v1${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
    [Symbol.asyncDispose]: async () => {
      leaving.abort()
      await faces.leave()
      await host.close({ graceMs: 0 })
      await faces.close()
      await access.close()
      await board.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Two files in the place of the built console, so that its routes are there. */
const writeConsole = (folder: string): string => {
  const console = join(folder, 'console')
  mkdirSync(join(console, 'assets'), { recursive: true })
  writeFileSync(join(console, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(console, 'assets', 'page.js'), '')
  return console
}
