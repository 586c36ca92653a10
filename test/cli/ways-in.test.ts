import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { localCaller } from '../../src/model/caller.js'
import { openBoard } from '../../src/serving/open-board.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { runCli } from '../helpers/run-cli.js'
import { startLineClient } from './line-client.js'
import { serveCli } from './serve-cli.js'

const module = (...names: readonly string[]) => `
const tools = ${JSON.stringify(names)}.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
export default {
  listTools: () => tools,
  callTool: (name) => (name === 'slow' ? new Promise(() => {}) : { content: [{ type: 'text', text: 'done' }] }),
}
`
const config = {
  sources: { home: { type: 'embedded', module: './home.mjs' } },
  toolManager: { blacklist: ['home.denied'] },
  calls: { timeoutMs: 300 },
  profiles: { default: { expose: 'flat', names: 'exact' } },
}
const tools = ['home.free', 'home.denied', 'home.added', 'home.slow']

type Ask = (tool: string) => Promise<string>
interface WayIn {
  open(home: string): Promise<{ readonly ask: Ask; close(): Promise<unknown> }>
}

/** Every process that carries calls, each as it is really started. */
const ways: Readonly<Record<string, WayIn>> = {
  'pegboard serve, asked over HTTP': {
    open: async (home) => {
      const served = await serveCli(home)
      const ask: Ask = async (tool) => {
        const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
        return (await fetch(`${served.url}/api/v1/tools/${tool}/call`, options)).text()
      }
      return { ask, close: served.stop }
    },
  },
  'pegboard stdio, serving by itself': {
    open: async (home) => {
      const client = startLineClient(home, ['--alone'])
      await client.greet()
      return {
        ask: async (name) => JSON.stringify(await client.ask('tools/call', { name, arguments: {} })),
        close: client.close,
      }
    },
  },
  'pegboard call --alone': {
    open: async (home) => ({
      ask: async (tool) => {
        const { stdout, stderr } = await runCli(['call', tool, '--alone', '--json'], { cwd: home, home })
        return `${stdout}${stderr}`
      },
      close: async () => {},
    }),
  },
  'a program that embeds us': {
    open: async (home) => {
      const loaded = await loadConfig({ cwd: home, env: { HOME: home } })
      const board = await openBoard(loaded, { logger: silentLogger, env: { HOME: home }, cwd: home })
      await board.settled()
      const ask: Ask = async (tool) => {
        const outcome = await board.gateway.call({ tool, caller: localCaller })
        return outcome.ok ? 'done' : outcome.error.code
      }
      return { ask, close: board.close }
    },
  },
}

describe('the rules of a configuration', () => {
  let home: string
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-ways-'))
    const data = join(home, 'data')
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ ...config, storage: { path: data } }))
    writeFileSync(join(home, 'home.mjs'), module('free', 'denied', 'slow'))
    await runCli(['lock', 'write'], { cwd: home, home })
    // Not in the lock file.
    writeFileSync(join(home, 'home.mjs'), module('free', 'denied', 'slow', 'added'))
  }, 60_000)
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  it.each(Object.entries(ways))('hold in %s', { timeout: 60_000 }, async (_, way) => {
    const trail = join(home, 'data', 'audit', 'audit.jsonl')
    rmSync(trail, { force: true })
    const { ask, close } = await way.open(home)
    const refused: string[] = []
    for (const tool of tools) if (!(await ask(tool)).includes('done')) refused.push(tool)
    await close()
    const audited = readFileSync(trail, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; on: { id: string }; code?: string })
      .filter(({ kind }) => kind === 'call')
    expect(refused).toEqual(['home.denied', 'home.added', 'home.slow'])
    // The audit trail itself is the fourth of them.
    expect(audited.map(({ on, code = 'ok' }) => [on.id, code])).toEqual([
      ['home.free', 'ok'],
      // Policy: as if it were not there.
      ['home.denied', 'TOOL_NOT_FOUND'],
      // The lock file (S2): held back until somebody has looked at it.
      ['home.added', 'TOOL_HELD'],
      // Limits: the time that the file gives.
      ['home.slow', 'DEADLINE_EXCEEDED'],
    ])
  })
})
