import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type LoadedConfig, loadConfig } from '../../src/config/load.js'
import { type OpenedBoard, openBoard } from '../../src/serving/open-board.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'
import { childrenOf, isAlive, toConfig, untilGone } from '../helpers/gateway-process.js'

const raw = (mark: string) => ({ type: 'stdio', ...fixtureCommand('stdio-raw'), env: { MARK: mark } })

let folder: string
let board: OpenedBoard

const load = (sources: object): Promise<LoadedConfig> => {
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, toConfig({ sources }))
  return loadConfig({ file, cwd: folder, env: process.env, flags: {} })
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-reloads-'))
})
afterEach(async () => {
  await board?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** What a process holds open, by kind. */
const resources = (): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const listeners = (): number => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)

const namesOf = ({ gateway }: OpenedBoard): string[] =>
  gateway
    .sources()
    .map(({ name }) => name)
    .sort()

describe('a hundred reloads', () => {
  it('F27 leave no process, timer or listener, and fail no call of a source that did not change', {
    timeout: 180_000,
  }, async () => {
    board = await openBoard(await load({ kept: raw('kept'), changing: raw('0') }), {
      logger: silentLogger,
      env: process.env,
      persist: 'never',
    })
    await board.settled()
    const pid = Number(await board.gateway.run('kept.pid'))
    const heldBefore = resources()
    const namesBefore = namesOf(board)
    const listenersBefore = listeners()
    const childrenBefore = childrenOf(process.pid).length
    const ended: number[] = []
    for (let reload = 1; reload <= 100; reload++) {
      ended.push(Number(await board.gateway.run('changing.pid')))
      // Every fourth time it is gone instead, and back the next time.
      const sources = { kept: raw('kept'), ...(reload % 4 === 2 ? {} : { changing: raw(String(reload)) }) }
      const reloaded = board.reload(await load(sources))
      expect(await board.gateway.run('kept.pid')).toBe(pid)
      await reloaded
      await board.settled()
      if (reload % 4 === 2) await board.reload(await load({ kept: raw('kept'), changing: raw(`again ${reload}`) }))
      await board.settled()
    }
    await untilGone(ended)
    expect(isAlive(pid)).toBe(true)
    expect(childrenOf(process.pid)).toHaveLength(childrenBefore)
    const { ProcessWrap, PipeWrap } = resources()
    expect({ ProcessWrap, PipeWrap }).toEqual({ ProcessWrap: heldBefore.ProcessWrap, PipeWrap: heldBefore.PipeWrap })
    // Timers of the test runner come and go; a timer leaked per reload would be a hundred.
    expect(resources().Timeout ?? 0).toBeLessThan((heldBefore.Timeout ?? 0) + 20)
    expect(namesOf(board)).toEqual(namesBefore)
    expect(listeners()).toBe(listenersBefore)
  })
})
