import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import type { BoardClient } from '../helpers/clients/client.js'
import { v1OverHttp } from '../helpers/clients/sdk-v1.js'
import { v2OverHttp } from '../helpers/clients/sdk-v2.js'
import { boardCommand, startBoard } from '../helpers/fixture-servers.js'
import { freePort } from '../helpers/free-port.js'

let folder: string
let url: string
const cleanup: (() => unknown)[] = []

beforeAll(async () => {
  const [http, stateless] = await Promise.all([startBoard('dual'), startBoard('dual', 'stateless')])
  folder = mkdtempSync(join(tmpdir(), 'pegboard-dual-'))
  const port = await freePort()
  const config = {
    sources: {
      pipe: { type: 'stdio', ...boardCommand('dual') },
      http: { type: 'http', url: http.url },
      stateless: { type: 'http', url: stateless.url },
      pinned: { type: 'http', url: http.url, era: 'modern' },
    },
    profiles: { default: { expose: 'flat', names: 'exact' } },
    server: { port },
  }
  writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))
  const args = [builtCli(), 'serve', '--config', join(folder, 'pegboard.json'), '--data-path', folder]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' })
  cleanup.push(http.stop, stateless.stop, async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  url = `http://127.0.0.1:${port}/mcp`
  await vi.waitFor(
    async () => {
      const answer = (await (await fetch(`http://127.0.0.1:${port}/api/v1/sources`)).json()) as {
        readonly sources: readonly { readonly state: string }[]
      }
      expect(answer.sources.filter(({ state }) => state === 'ready')).toHaveLength(4)
    },
    { timeout: 60_000, interval: 50 },
  )
})

afterAll(async () => {
  for (const task of cleanup) await task()
  rmSync(folder, { recursive: true, force: true })
})

const modern = (url: string) => v2OverHttp('auto', url)

const withClient = async <T>(open: typeof v1OverHttp, use: (client: BoardClient) => Promise<T>): Promise<T> => {
  const client = await open(url)
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

describe('a server of both eras (B5)', () => {
  it.each(['pipe', 'http'])('%s: asks a legacy client in the only way it knows', (source) =>
    withClient(v1OverHttp, async (client) => {
      expect((await client.call(`${source}.push_name`)).text).toBe('accept: Ada')
      expect((await client.call(`${source}.ask_name`)).text).toBe('accept: Ada')
      expect((await client.call(`${source}.ask_model`)).text).toBe('sampled: blue')
      expect((await client.call(`${source}.ask_roots`)).text).toBe('roots: file:///home/ada')
    }),
  )

  it('over HTTP has a legacy session beside the modern link, each for its own callers', async () => {
    const said = [
      await withClient(v1OverHttp, (client) => client.call('http.pid')),
      await withClient(modern, (client) => client.call('http.pid')),
    ]
    expect(said.map(({ text }) => text.split(' ')[1])).toEqual(['legacy', 'modern'])
  })

  it('over a pipe is one process for callers of both eras, so that they share what it remembers', async () => {
    const said = await withClient(v1OverHttp, (client) => client.call('pipe.pid'))
    expect(await withClient(modern, (client) => client.call('pipe.pid'))).toEqual(said)
  })

  it('asks a modern client over a pipe even where the server knows the legacy way alone', () =>
    withClient(modern, async (client) => expect((await client.call('pipe.push_name')).text).toBe('accept: Ada')))

  it('that keeps no legacy sessions is asked in the modern way for a legacy client', () =>
    withClient(v1OverHttp, async (client) =>
      expect((await client.call('stateless.ask_name')).text).toBe('accept: Ada'),
    ))

  it('serves a legacy client its modern-only tools all the same', () =>
    withClient(v1OverHttp, async (client) => expect((await client.call('http.modern_only')).text).toBe('accept: Ada')))

  it('whose era is pinned has no other link', () =>
    withClient(v1OverHttp, async (client) => {
      expect((await client.call('pinned.pid')).text.split(' ')[1]).toBe('modern')
      expect((await client.call('pinned.ask_name')).text).toBe('accept: Ada')
    }))
})
