import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadConfig } from '../../src/config/load.js'
import { GatewayError } from '../../src/errors.js'
import { type OpenedBoard, openBoard } from '../../src/serving/open-board.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { silentLogger } from '../../src/telemetry/logger.js'

/** A gateway of this process with scripts switched on, and a tracker of issues that they work on. */
export interface ScriptBoardFixture extends AsyncDisposable {
  readonly board: OpenedBoard
  readonly url: string
  /** Where its configuration is. */
  readonly folder: string
  /** What was done, in its order. */
  readonly done: string[]
  /** Calls of `tracker.delete` wait for a person until their number is in here. */
  readonly granted: Set<number>
  /** The first key, of its administrator. */
  adminKey(): string
}

export const issues = Array.from({ length: 60 }, (_, at) => ({
  number: at + 1,
  title: `Issue ${at + 1}`,
  labels: at % 3 === 0 ? ['bug'] : ['idea'],
  assignee: at % 4 === 0 ? null : { login: `user${at % 5}` },
  body: 'Something is wrong with it. '.repeat(12),
}))

/** `files` lie beside the configuration, by their paths. */
export const openScriptBoard = async (
  config: object = {},
  files: Readonly<Record<string, string>> = {},
): Promise<ScriptBoardFixture> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-scripts-'))
  const flags = { dataPath: join(folder, 'data') }
  const given = {
    scripts: { enabled: true },
    profiles: { default: { scripts: true }, plain: {}, narrow: { scripts: { tools: ['list'], maxCalls: 3 } } },
    ...config,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify(given))
  const loaded = await loadConfig({ file, cwd: folder, env: {}, flags })
  const board = await openBoard(loaded, { http: { port: 0 }, flags, cwd: folder, env: {}, logger: silentLogger })
  const done: string[] = []
  const granted = new Set<number>()
  const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required }) as const
  const number = { type: 'number' } as const
  board.gateway.register(
    defineTool({
      name: 'list',
      description: 'Lists the issues of the tracker, 20 on each page.',
      input: object({ page: { type: 'number', description: 'Which page', default: 1 } }) as never,
      handler: (args: unknown) => {
        const { page = 1 } = args as { page?: number }
        return issues.slice((page - 1) * 20, page * 20)
      },
    }),
  )
  board.gateway.register(
    defineTool({
      name: 'close',
      description: 'Closes an issue.',
      input: object({ number }, ['number']) as never,
      handler: (args: unknown) => {
        const { number: at } = args as { number: number }
        if (at === 13) throw new Error('13 cannot be closed')
        done.push(`close ${at}`)
        return { closed: at }
      },
    }),
  )
  board.gateway.register(
    defineTool({
      name: 'delete',
      description: 'Deletes an issue.',
      input: object({ number }, ['number']) as never,
      handler: (args: unknown) => {
        const { number: at } = args as { number: number }
        if (!granted.has(at))
          throw new GatewayError('APPROVAL_REQUIRED', 'A person has to say yes first.', {
            details: { approval: `a_${at}` },
            notSent: true,
          })
        done.push(`delete ${at}`)
        return { deleted: at }
      },
    }),
  )
  return {
    board,
    url: board.listener!.listensAt,
    folder,
    done,
    granted,
    adminKey: () => readFileSync(join(folder, 'data', 'admin.key'), 'utf8').trim(),
    [Symbol.asyncDispose]: async () => {
      await board.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
