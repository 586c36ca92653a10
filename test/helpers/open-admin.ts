import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Permission, permissions, roleOfPermission } from '../../src/access/key-record.js'
import { loadConfig } from '../../src/config/load.js'
import type { RouteInfo } from '../../src/http/route.js'
import type { HeldRole } from '../../src/model/role.js'
import { openBoard } from '../../src/serving/open-board.js'
import { silentLogger } from '../../src/telemetry/logger.js'

/** The whole server of `serve`, in this process, over a configuration of its own. */
export interface OpenedAdmin extends AsyncDisposable {
  readonly url: string
  readonly file: string
  readonly gateway: Awaited<ReturnType<typeof openBoard>>['gateway']
  readonly signIns: Awaited<ReturnType<typeof openBoard>>['signIns']
  routes(): readonly RouteInfo[]
  /** By its role, or by document 002's word for one. */
  key(role: HeldRole | Permission): Promise<string>
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
  const board = await openBoard(loaded, {
    http: { port: 0, consoleFolder: writeConsole(folder) },
    logger: silentLogger,
    flags,
    cwd: folder,
    env: {},
  })
  const { listensAt: url, keys, routes } = board.listener!
  return {
    url,
    file,
    gateway: board.gateway,
    signIns: board.signIns,
    // What processes of one user meet at asks for a key of its own: test/cli/running.test.ts.
    routes: () => routes().filter(({ method }) => method !== 'UPGRADE'),
    key: async (role) => (await keys.create({ name: role, role: roleNamed(role) })).key,
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
      await board.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const roleNamed = (word: HeldRole | Permission): HeldRole => {
  const old = permissions.find((each) => each === word)
  return old ? roleOfPermission(old) : (word as HeldRole)
}

/** Two files in the place of the built console, so that its routes are there. */
const writeConsole = (folder: string): string => {
  const console = join(folder, 'console')
  mkdirSync(join(console, 'assets'), { recursive: true })
  writeFileSync(join(console, 'index.html'), '<!doctype html><title>Console</title>')
  writeFileSync(join(console, 'assets', 'page.js'), '')
  return console
}
