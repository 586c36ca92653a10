import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../../../src/config/load.js'
import { defineTool } from '../../../src/index.js'
import { type OpenedBoard, openBoard } from '../../../src/serving/open-board.js'
import { openXiaozhi } from '../../../src/serving/xiaozhi-links.js'
import { silentLogger } from '../../../src/telemetry/logger.js'
import { startFarSide } from '../../helpers/far-side.js'

const words = Array.from({ length: 200 }, (_, at) => `第${at}行："引号" 🎉`).join('\n')
const wayIn = /Read on: read_result (\{.*?\})/

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const openWith = async (config: object): Promise<OpenedBoard> => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-results-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify(config))
  const board = await openBoard(await loadConfig({ file, cwd: folder, env: {} }), {
    logger: silentLogger,
    env: {},
    persist: 'never',
  })
  closing.push(() => board.close())
  board.gateway.register(defineTool({ name: 'words', handler: () => words }))
  return board
}

describe('a link of one kilobyte to a voice device (N11)', () => {
  it('is read on in small pieces, to the end', async () => {
    const far = await startFarSide()
    closing.push(() => far.close())
    const board = await openWith({ xiaozhi: { endpoint: far.url('a-token-of-a-device') } })
    const links = await openXiaozhi(board, silentLogger)
    closing.push(() => links!.close())
    links!.start()
    const visit = await far.visit()
    const text = (await visit.call('words')).content[0].text as string
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1024)
    const { id, offset } = JSON.parse(wayIn.exec(text)![1]!)
    let whole = text.slice(0, text.lastIndexOf('… [cut:'))
    for (let next: number | undefined = offset; next !== undefined; ) {
      const piece = (await visit.call('read_result', { id, offset: next })).content[0].text as string
      expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(1024)
      const note = piece.lastIndexOf('\n[bytes ')
      whole += piece.slice(0, note)
      const found = /next offset: (\d+)\]$/.exec(piece)
      next = found ? Number(found[1]) : undefined
    }
    expect(whole).toBe(words)
  })
})

describe('a script (N11)', () => {
  it('reads on what an override has cut in its calls', async () => {
    const board = await openWith({
      scripts: { enabled: true },
      overrides: { words: { result: { maxBytes: 1000 } } },
      profiles: { default: { scripts: true } },
    })
    const script = `
      const cut = await tools.words({})
      const { id, offset } = JSON.parse(/read_result (\\{.*?\\})/.exec(cut)[1])
      let whole = cut.slice(0, cut.lastIndexOf('… [cut:'))
      let next = offset
      for (let at = 0; next !== undefined && at < 100; at++) {
        const piece = await call('read_result', { id, offset: next, bytes: 3000 })
        whole += piece
        next += 3000
        if (piece.length < 500) break
      }
      return whole.length > 1500`
    const outcome = await board.gateway.run('run_script', { script }).catch((error: Error) => error.message)
    expect(JSON.stringify(outcome)).toContain('"result":true')
  })
})

describe('two callers (N11)', () => {
  it('never read each other’s results', async () => {
    const { gateway } = await openWith({ profiles: { default: { limits: { maxResultBytes: 1000 } } } })
    const ask = async (who: string, tool: string, args = {}) => {
      const caller = { id: who, rights: ['discover', 'call'] as const }
      const outcome = await gateway.call({ tool, args, caller, maxResultBytes: 1000 })
      if (!outcome.ok) throw outcome.error
      return JSON.stringify(outcome.answer)
    }
    const { id } = JSON.parse(JSON.parse(await ask('ann', 'words')).value.match(wayIn)[1])
    expect(await ask('ann', 'read_result', { id })).toContain('第0行')
    expect(await ask('bob', 'read_result', { id })).toContain('Call the tool again')
    // And for the same words as for what never was.
    expect(await ask('bob', 'read_result', { id })).toBe(await ask('bob', 'read_result', { id: 'AAAAAAAAAAAA' }))
  })
})
