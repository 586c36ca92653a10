import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.js'
import { localCaller } from '../../src/model/caller.js'
import type { Outcome } from '../../src/model/outcome.js'
import { type OpenedBoard, openBoard } from '../../src/serving/open-board.js'
import { type Logger, silentLogger } from '../../src/telemetry/logger.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { newDatabase } from '../helpers/postgres.js'

/** Whole gateways of this process on one database, each with a folder, a file and a port of its own. */
export interface Replicas extends AsyncDisposable {
  readonly boards: readonly OpenedBoard[]
  readonly url: string
  readonly folder: string
  /** One more on the same database. */
  open(config?: object, options?: ReplicaOptions): Promise<OpenedBoard>
}

export interface ReplicaOptions {
  readonly logger?: Logger | undefined
}

export interface ReplicasOptions extends ReplicaOptions {
  /** Default: a database of its own, with nothing in it. */
  readonly url?: string | undefined
}

export const openReplicas = async (
  count: number,
  config: object = {},
  options: ReplicasOptions = {},
): Promise<Replicas> => {
  const url = options.url ?? (await newDatabase())
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-replicas-'))
  const boards: OpenedBoard[] = []
  let opened = 0
  const open = async (own: object = config, { logger = options.logger ?? silentLogger }: ReplicaOptions = {}) => {
    const name = `r${++opened}`
    const file = join(folder, `${name}.json`)
    const flags = { dataPath: join(folder, name) }
    writeFileSync(
      file,
      JSON.stringify({ ...own, storage: { backend: 'postgres', url, connections: 3 }, fleet: { replica: name } }),
    )
    const loaded = await loadConfig({ file, cwd: folder, env: {}, flags })
    const board = await openBoard(loaded, { http: { port: 0 }, flags, cwd: folder, env: {}, logger })
    boards.push(board)
    return board
  }
  const close = async (): Promise<void> => {
    await Promise.all(boards.map((board) => board.close()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await Promise.all(Array.from({ length: count }, () => open()))
  } catch (error) {
    await close()
    throw error
  }
  return { boards, url, folder, open, [Symbol.asyncDispose]: close }
}

/** What the owner of the gateway asks of it. */
export const ask = (board: OpenedBoard, tool: string, args: object = {}): Promise<Outcome> =>
  board.gateway.call({ tool, args, caller: localCaller })

export const register = (board: OpenedBoard, name: string, more: object = {}): Promise<Outcome> =>
  ask(board, 'register_tool', { name, description: `Registers ${name}`, ...more })

/** The text that a model would read. */
export const textOf = (outcome: Outcome): string => {
  if (!outcome.ok) return outcome.error.code
  const { answer } = outcome
  return JSON.stringify(answer)
}

/** A client of this replica by HTTP, with a stream on which changes are announced. */
export const clientOf = (board: OpenedBoard, era: 'legacy' | 'modern' = 'modern') =>
  rawOverHttp(era, `${board.listener!.listensAt}/mcp`)

/** Resolves when the catalog of this replica says so. */
export const until = (board: OpenedBoard, isSo: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (isSo()) return resolve()
    const stop = board.gateway.catalog.onChange(() => {
      if (!isSo()) return
      stop()
      resolve()
    })
  })
