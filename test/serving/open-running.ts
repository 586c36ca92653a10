import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.js'
import { type OpenedBoard, openBoard } from '../../src/serving/open-board.js'

/** A whole gateway of this process over a file of its own, which a test edits while it runs. */
export interface Running extends AsyncDisposable {
  readonly board: OpenedBoard
  /** Ends it and starts another one on the same file and data. */
  restart(): Promise<void>
  /** Writes the file anew, as somebody with an editor does. */
  edit(config: object): void
  /** What it has logged so far. */
  log(): string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<{ status: number; headers: any; text: string }>
  post(path: string, body: unknown): Promise<{ status: number; text: string }>
}

export const openRunning = async (config: object): Promise<Running> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-running-'))
  const file = join(folder, 'pegboard.json')
  const logFile = join(folder, 'log')
  // Nothing on the terminal: what is logged is read from the file.
  const edit = (next: object) =>
    writeFileSync(file, JSON.stringify({ ...next, logging: { level: 'info', ...Object(next).logging, file: logFile } }))
  edit(config)
  const flags = { dataPath: join(folder, 'data') }
  const open = async (): Promise<OpenedBoard> =>
    openBoard(await loadConfig({ file, cwd: folder, env: {}, flags }), {
      http: { port: 0 },
      ...{ flags, cwd: folder, env: {} },
    })
  let board = await open()
  const ask = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string) =>
    new Promise<{ status: number; headers: any; text: string }>((resolve, reject) => {
      const url = new URL(board.listener!.listensAt)
      const asked = request({ host: url.hostname, port: url.port, method, path, headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
      })
      asked.once('error', reject)
      asked.end(body)
    })
  return {
    get board() {
      return board
    },
    restart: async () => {
      await board.close()
      board = await open()
    },
    edit,
    log: () => readFileSync(logFile, 'utf8'),
    get: (path, headers = {}) => ask('GET', path, headers),
    post: (path, body) => ask('POST', path, { 'content-type': 'application/json' }, JSON.stringify(body)),
    [Symbol.asyncDispose]: async () => {
      await board.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
