import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.js'
import { type OpenedBoard, openBoard } from '../../src/serving/open-board.js'
import type { Logger } from '../../src/telemetry/logger.js'
import type { Answered } from './open-admin.js'

/** One replica in this process, with a copy of the file that it cannot write, and a folder of its own. */
export interface OpenedReplica extends AsyncDisposable {
  readonly board: OpenedBoard
  readonly url: string
  readonly file: string
  readonly folder: string
  /** What it wrote into its log, from `warn` on. */
  readonly log: string[]
  ask(method: string, path: string, body?: unknown): Promise<Answered>
  /** Resolves when a configuration that fits is in force. */
  until(fits: (config: OpenedBoard['config']) => boolean): Promise<void>
}

export interface ReplicaOptions {
  /** The database; its schema may be shared with others. */
  readonly database: string
  readonly name: string
  readonly config?: Readonly<Record<string, unknown>> | undefined
  readonly flags?: Readonly<Record<string, unknown>> | undefined
  /** A key for administration, made by whoever is first. */
  readonly key?: string | undefined
}

export const openReplica = async ({ database, name, config = {}, ...more }: ReplicaOptions): Promise<OpenedReplica> => {
  const folder = mkdtempSync(join(tmpdir(), `pegboard-replica-${name}-`))
  const file = join(folder, 'pegboard.json')
  const written = {
    storage: { backend: 'postgres', url: database },
    ...config,
    fleet: { replica: name, ...(config.fleet as object | undefined) },
  }
  writeFileSync(file, JSON.stringify(written, null, 2))
  chmodSync(file, 0o444)
  const flags = { dataPath: join(folder, 'data'), config: file, ...more.flags }
  const log: string[] = []
  const loaded = await loadConfig({ file, cwd: folder, env: {}, flags })
  const board = await openBoard(loaded, { http: { port: 0 }, logger: collecting(log), flags, cwd: folder, env: {} })
  const { listensAt: url, keys } = board.listener!
  const key = more.key ?? (await keys.create({ name: `admin-${name}`, permission: 'admin' })).key
  return {
    ...{ board, url, file, folder, log },
    ask: async (method, path, body) => {
      const response = await fetch(`${url}/api/admin/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    },
    until: (fits) =>
      new Promise((resolve) => {
        const look = (): void => void (fits(board.config) && resolve())
        board.current.followAll(look)
        look()
      }),
    [Symbol.asyncDispose]: async () => {
      await board.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const collecting = (lines: string[]): Logger => ({
  log: (level, message) => void ((level === 'warn' || level === 'error') && lines.push(message)),
  child: () => collecting(lines),
})
