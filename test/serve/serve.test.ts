import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import {
  createServer,
  createServerWithSqlite,
  getDefaultStorageBackend,
  StorageBackend,
} from '../../src/exports/compat.js'
import {
  convertTools,
  createGateway,
  defineTool,
  type Gateway,
  loadConfig,
  serve,
  toFunctionParameters,
} from '../../src/index.js'
import { v1OverHttp, v1OverStdio } from '../helpers/clients/sdk-v1.js'
import { v2OverHttp, v2OverStdio } from '../helpers/clients/sdk-v2.js'
import { startFarSide } from '../helpers/far-side.js'

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const board = (): Gateway => {
  const gateway = createGateway({
    rules: { profiles: { quiet: { deny: ['shout'] } } },
    tools: [
      defineTool({ name: 'add', handler: ({ a, b }) => a + b }),
      defineTool({ name: 'shout', handler: ({ word }) => `${word}!` }),
    ],
  })
  ending.push(() => gateway.close())
  return gateway
}
const served = async (...options: Parameters<typeof serve>) => {
  const made = await serve(...options)
  ending.push(() => made.close({ graceMs: 0 }))
  return made
}

describe('serve over HTTP (D13)', () => {
  it.each([
    ['the first SDK', (url: string) => v1OverHttp(url)],
    ['the second SDK in the old era', (url: string) => v2OverHttp('legacy', url)],
    ['the second SDK in the new era', (url: string) => v2OverHttp('auto', url)],
  ])('answers %s, and follows changes', async (_who, connect) => {
    const gateway = board()
    const { url } = await served(gateway)
    const client = await connect(url!)
    ending.push(() => client.close())
    expect(await client.list()).toEqual(['add', 'shout'])
    expect((await client.call('add', { a: 20, b: 22 })).text).toBe('42')
    const changed = client.changed()
    gateway.register(defineTool({ name: 'late', handler: () => 'here' }))
    await changed
    expect(await client.list()).toContain('late')
  })

  it('is on loopback, and turns away foreign pages, foreign names and strangers', async () => {
    const { url } = await served(board())
    expect(new URL(url!).hostname).toBe('127.0.0.1')
    const post = (headers: Record<string, string>) => fetch(url!, { method: 'POST', headers }).then((r) => r.status)
    expect(await post({ origin: 'https://elsewhere.example' })).toBe(403)
    expect(await post({ 'x-forwarded-for': '10.0.0.1' })).toBe(401)
    await expect(serve(board(), { http: { host: '0.0.0.0' } })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('asks for a token where one is set, and asks you who comes where you say so', async () => {
    const { url } = await served(board(), { http: { token: 'a-long-enough-token', rest: true } })
    const list = (authorization?: string) =>
      fetch(new URL('/api/v1/tools', url), { headers: authorization ? { authorization } : {} })
    expect((await list()).status).toBe(401)
    expect((await list('Bearer a-long-enough-token')).status).toBe(200)
    const own = await served(board(), {
      http: { rest: true, authenticate: () => ({ caller: { id: 'me', rights: ['discover'], profile: 'quiet' } }) },
      profiles: { quiet: {} },
    })
    const tools = (await (await fetch(new URL('/api/v1/tools', own.url))).json()) as { tools: { id: string }[] }
    expect(tools.tools.map(({ id }) => id)).toEqual(['add'])
  })

  it('shows each profile its own tools, and lets clients search long lists', async () => {
    const gateway = board()
    for (let n = 0; n < 50; n++) gateway.register(defineTool({ name: `tool_${n}`, handler: () => n }))
    const { url } = await served(gateway, { profiles: { quiet: { expose: 'flat' } } })
    const quiet = await v1OverHttp(`${url}/quiet`)
    const plain = await v1OverHttp(url!)
    ending.push(() => Promise.all([quiet.close(), plain.close()]))
    expect(await quiet.list()).toHaveLength(51)
    expect(await quiet.list()).not.toContain('shout')
    expect(await plain.list()).toContain('search_tools')
    expect((await plain.call('call_tool', { tool_name: 'tool_7' })).text).toContain('7')
  })

  it('says which address cannot be had, leaves nothing open, and leaves the gateway as it is', async () => {
    const gateway = board()
    const first = await served(gateway)
    const { port } = new URL(first.url!)
    await expect(serve(gateway, { http: { port: Number(port) } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      details: { reason: 'EADDRINUSE' },
    })
    await first.close()
    await first.ended
    await expect(fetch(first.url!)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    expect(await gateway.run('add', { a: 1, b: 2 })).toBe(3)
  })
})

describe('serve over stdio (D13)', () => {
  const example = fileURLToPath(new URL('../../examples/serve-your-tools.mjs', import.meta.url))
  it.each([
    ['the first SDK', () => v1OverStdio(process.execPath, [example, '--stdio'])],
    ['the second SDK in the new era', () => v2OverStdio('auto', process.execPath, [example, '--stdio'])],
  ])('is a child process of %s', async (_who, connect) => {
    const client = await connect()
    ending.push(() => client.close())
    expect(await client.list()).toEqual(['greet'])
    expect((await client.call('greet', { name: 'Ada' })).text).toBe('Hello, Ada!')
  })

  it('tells when the client has left', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const { ended, url } = await served(board(), { stdio: { input, output } })
    expect(url).toBeUndefined()
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const [answer] = (await output.take(1).toArray()) as [Buffer]
    expect(JSON.parse(String(answer))).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    input.end()
    await ended
  })
})

describe('serve to a xiaozhi device (D13)', () => {
  it('dials out and serves there', async () => {
    const far = await startFarSide()
    ending.push(() => far.close())
    const made = await served(board(), { xiaozhi: far.url() })
    const visit = await far.visit()
    await visit.ask('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    })
    expect(await visit.call('add', { a: 1, b: 2 })).toMatchObject({ content: [{ text: '3' }] })
    expect(made.xiaozhi()).toMatchObject([{ state: 'connected' }])
    expect(made.url).toBeUndefined()
  })
})

describe('createServer (D13, 002-09)', () => {
  it('chooses the backend as document 002 does', () => {
    expect(getDefaultStorageBackend({})).toBe(StorageBackend.JSON)
    expect(getDefaultStorageBackend({ REGISTRYTOOLS_STORAGE_BACKEND: 'SQLite' })).toBe('sqlite')
    expect(getDefaultStorageBackend({ REGISTRYTOOLS_STORAGE_BACKEND: 'floppy' })).toBe('json')
  })

  it.each([
    ['json', createServer],
    ['sqlite', createServerWithSqlite],
  ])('serves six tools, and what was registered is there after a restart: %s', async (_backend, create) => {
    const dataPath = mkdtempSync(join(tmpdir(), 'pegboard-server-'))
    ending.push(() => rmSync(dataPath, { recursive: true }))
    const first = await create({ dataPath })
    const ask = await stdioOf(first)
    expect(await ask('tools/list')).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'search_tools' })]),
    })
    const tool = { name: 'github.create_pr', description: 'Create a pull request' }
    expect(await ask('tools/call', { name: 'register_tool', arguments: tool })).not.toMatchObject({ isError: true })
    await first.close()

    const second = await create({ dataPath })
    ending.push(() => second.close())
    const { url } = await second.run({ transport: 'http' })
    const client = await v1OverHttp(url!)
    ending.push(() => client.close())
    expect((await client.call('search_tools', { query: 'open a pull request' })).text).toContain('github.create_pr')
  })
})

/** A client of a server that runs over this process's own pipes, which the test runner needs itself. */
const stdioOf = async (server: Awaited<ReturnType<typeof createServer>>) => {
  const { url } = await server.run({
    transport: 'http',
    authenticate: () => ({ caller: { id: 'me', rights: ['discover', 'call', 'register'] } }),
  })
  let id = 0
  return async (method: string, params: object = {}) => {
    const version = '2026-07-28'
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } })
    const answer = (await (await fetch(url!, { method: 'POST', headers, body })).json()) as { result: unknown }
    return answer.result
  }
}

describe('what else a library user needs (D13)', () => {
  it('reads a configuration as the program does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-load-'))
    ending.push(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'pegboard.json'), '{"mcpServers":{"files":{"command":"npx","args":["x"]}}}')
    const { config } = await loadConfig({ cwd: folder, env: {} })
    expect(config.sources.files).toMatchObject({ type: 'stdio', command: 'npx', args: ['x'] })
    await expect(loadConfig({ cwd: folder, env: {}, file: 'none.json' })).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
    })
  })

  it('converts definitions that are on no board', () => {
    const definition = { name: 'my tool', inputSchema: { type: 'object', properties: { a: { type: 'array' } } } }
    const { tools, losses } = convertTools([definition], 'openai')
    expect(tools).toMatchObject([{ type: 'function', function: { parameters: { properties: { a: { items: {} } } } } }])
    expect(losses).toEqual([])
    expect(
      toFunctionParameters({ $defs: { A: { type: 'string' } }, properties: { a: { $ref: '#/$defs/A' } } }).schema,
    ).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    })
  })
})
