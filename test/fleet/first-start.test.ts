import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { baseConfig, startFleet, startReplica } from './replicas.mjs'

const server = fileURLToPath(new URL('./servers/late.mjs', import.meta.url))

/** A request of the modern era; of many at once each has a connection of its own. */
const ask = async (url: string, method: string, params: { readonly name?: string } = {}): Promise<any> => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name === undefined ? {} : { 'mcp-name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  return answer.json()
}

const listed = async (url: string): Promise<readonly string[]> =>
  (await ask(url, 'tools/list')).result.tools.map(({ name }: { name: string }) => name)

const prompted = async (url: string): Promise<readonly string[]> =>
  (await ask(url, 'prompts/list')).result.prompts.map(({ name }: { name: string }) => name)

const called = async (url: string): Promise<unknown> => {
  const answer = await ask(url, 'tools/call', { name: 'late.pid' })
  return answer.result?.content[0].text ?? answer.error
}

describe('a gateway that has only just started', () => {
  let folder: string
  let open: { dispose(): Promise<unknown> }[] = []
  const baseOf = (gateway: GatewayProcess): string => {
    open.push(gateway)
    return new URL(gateway.url).origin
  }
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pegboard-late-'))
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.dispose()))
    open = []
    rmSync(folder, { recursive: true, force: true })
  })

  const config = () =>
    baseConfig({
      // The bound of every wait here; a busy machine takes its time.
      server: { firstListMs: 60_000 },
      sources: { late: { type: 'stdio', command: process.execPath, args: [server, join(folder, 'gate')] } },
    })

  /** All of these ask at once, while the child says nothing; then it comes. */
  const expectWhole = async (urls: readonly string[]): Promise<void> => {
    const lists = urls.map(listed)
    const prompts = urls.map(prompted)
    const calls = urls.map(called)
    const none = ask(urls[0]!, 'tools/call', { name: 'late.unheard-of' })
    // Behind the others, so that those have come in.
    await Promise.all(urls.map((url) => fetch(`${url}/readyz`)))
    writeFileSync(join(folder, 'gate'), '')
    expect(await Promise.all(lists)).toEqual(urls.map(() => ['late.pid']))
    expect(await Promise.all(prompts)).toEqual(urls.map(() => ['late.hello']))
    const pids = await Promise.all(calls)
    expect(pids).toEqual(urls.map(() => expect.stringMatching(/^\d+$/)))
    expect(new Set(pids).size).toBe(1)
    expect(JSON.stringify(await none)).toContain('TOOL_NOT_FOUND')
  }

  it('lets calls of tools that it does not know yet wait for the first report, as lists do', async () => {
    await expectWhole([baseOf(await startGateway(config()))])
  })

  it('does so in each of its workers', async () => {
    const base = baseOf(await startGateway({ ...config(), server: { firstListMs: 60_000, workers: 2 } }))
    await expectWhole([base, base, base, base, base, base])
  })

  it('refuses them at once where lists do not wait either', async () => {
    const base = baseOf(await startGateway({ ...config(), server: { firstListMs: 0 } }))
    expect(await called(base)).toMatchObject({ data: { code: 'TOOL_NOT_FOUND' } })
  })

  describePostgres('on an empty database', () => {
    it('is three replicas of which each lists and calls the one child as soon as it is ready', async () => {
      const fleet = await startFleet({ url: await newDatabase(), config: config() })
      open.push(fleet)
      await fleet.ready()
      await expectWhole(fleet.urls)
    })

    it('beside others that run a child which starts, waits for what they wait for', async () => {
      const url = await newDatabase()
      const first = await startReplica({ url, config: config(), name: 'r1' })
      open.push(first)
      await first.logged('Held here: source:late')
      const second = await startReplica({ url, config: config(), name: 'r2' })
      open.push(second)
      await Promise.all([first.ready(), second.ready()])
      await expectWhole([second.url, first.url])
    })
  })
})
