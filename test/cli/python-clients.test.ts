import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { cliPath } from '../helpers/run-cli.js'
import { type RosterBoard, rosterBoard, toolsOf } from './roster-board.js'

const home = new URL('../../.python-clients/', import.meta.url)
const python = fileURLToPath(new URL('bin/python', home))
const program = fileURLToPath(new URL('clients/list_once.py', import.meta.url))
const isThere = existsSync(new URL('installed.txt', home))
if (!isThere) console.info('Python clients are not tested: there are none here; run: node scripts/python-clients.mjs')

// Built before anything is timed.
beforeAll(() => void (isThere && cliPath()))

const listOnce = async (way: string, board: RosterBoard): Promise<readonly string[]> => {
  const [command, args] = board.command()
  const { stdout } = await promisify(execFile)(python, [program, way, command, ...args])
  return (JSON.parse(stdout) as string[]).sort()
}

describe.runIf(isThere).each([
  ['mcp, by its session', 'session'],
  ['mcp, by its client', 'client'],
  ['fastmcp', 'fastmcp'],
])('Python’s %s, which lists once over stdio (U1)', (_name, way) => {
  it('sees all tools on a first start, and on a second one though a source now hangs', {
    timeout: 240_000,
  }, async () => {
    const board = rosterBoard({ alpha: {}, beta: { tools: 3 } })
    const all = [...toolsOf('alpha'), ...toolsOf('beta', 3)]
    board.write()
    expect(await listOnce(way, board)).toEqual(all)
    board.hold('beta')
    expect(await listOnce(way, board)).toEqual(all)
  })
})
