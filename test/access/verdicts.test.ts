import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { openBoard } from '../../src/serving/open-board.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { temporaryFolders } from '../helpers/store-samples.js'

const newFolder = temporaryFolders()

// A server of the earlier era that writes down what it is asked.
const server = `
const { appendFileSync } = require('node:fs')
const answer = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
  'tools/list': { tools: [{ name: 'add', inputSchema: { type: 'object' } }] },
  ping: {},
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  appendFileSync(process.argv[2], method + '\\n')
  if (id === undefined) return
  const result = answer[method]
  const error = { code: -32601, message: 'Method not found' }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }) + '\\n')
})
`

describe('a source whose era was found by an earlier run', () => {
  it.each(['json', 'sqlite'] as const)('is not probed again (%s)', async (storageBackend) => {
    const folder = await newFolder()
    const file = join(folder, 'pegboard.json')
    const asked = join(folder, 'asked.txt')
    await writeFile(join(folder, 'server.cjs'), server)
    const old = { type: 'stdio', command: process.execPath, args: [join(folder, 'server.cjs'), asked] }
    await writeFile(file, JSON.stringify({ sources: { old } }))
    const methodsOfRun = async (): Promise<readonly string[]> => {
      await writeFile(asked, '')
      const loaded = await loadConfig({
        file,
        cwd: folder,
        env: {},
        flags: { dataPath: join(folder, 'data'), storageBackend },
      })
      const board = await openBoard(loaded, { logger: silentLogger, env: process.env, persist: 'always' })
      await board.settled()
      expect(board.gateway.list().map(({ id }) => id)).toContain('old.add')
      await board.close()
      return (await readFile(asked, 'utf8')).trim().split('\n')
    }
    expect((await methodsOfRun()).slice(0, 2)).toEqual(['server/discover', 'initialize'])
    expect((await methodsOfRun())[0]).toBe('initialize')
  })
})
