import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { localCaller } from '../../src/model/caller.js'
import { openBoard } from '../../src/serving/open-board.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { temporaryFolders } from '../helpers/store-samples.js'

const newFolder = temporaryFolders()

it('shows nothing registered inside the namespace of a source that came later, and keeps it for when it is gone (S7, D7)', async () => {
  const folder = await newFolder()
  const file = join(folder, 'pegboard.json')
  writeFileSync(
    join(folder, 'late.mjs'),
    'export default { listTools: () => [{ name: "pub" }], callTool: () => ({}) }\n',
  )
  const load = (config: object) => {
    writeFileSync(file, JSON.stringify(config))
    return loadConfig({ file, cwd: folder, env: {}, flags: { dataPath: join(folder, 'data') } })
  }
  const board = await openBoard(await load({}), { logger: silentLogger, env: {}, persist: 'always' })
  try {
    const names = () => board.gateway.list().map(({ id }) => id)
    for (const name of ['late.pub', 'late.backup', 'other.thing']) {
      const outcome = await board.gateway.call({
        tool: 'register_tool',
        args: { name, description: 'Registered' },
        caller: localCaller,
      })
      expect(outcome.ok).toBe(true)
    }
    await board.reload(await load({ sources: { late: { type: 'embedded', module: './late.mjs' } } }))
    await board.settled()
    expect(names()).toEqual(['late.pub', 'other.thing'])
    expect(board.gateway.find('late.pub')?.source).toBe('late')
    await board.reload(await load({}))
    expect(board.gateway.find('late.pub')?.source).toBe('registered')
    expect(names()).toContain('late.backup')
  } finally {
    await board.close()
  }
})
