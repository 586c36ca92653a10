import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { createOpenApiSource, createStdioSource } from '../../src/exports/sources.js'
import { createGateway, defineTool, type Gateway, serve } from '../../src/index.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../helpers/servers/${name}.mjs`, import.meta.url))
const add = { command: process.execPath, args: [fixture('stdio-modern')] }

const hello = defineTool({ name: 'hello', handler: () => 'hi' })

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const opened = <T extends Gateway>(gateway: T): T => {
  ends.push(() => gateway.close())
  return gateway
}
const started = async (name: string): Promise<string> => {
  const child: ChildProcess = fork(fixture(name))
  ends.push(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return url
}
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'pegboard-library-'))
  ends.push(() => rmSync(path, { recursive: true }))
  return path
}

const shopIn = (path: string): string => {
  const spec = join(path, 'shop.json')
  const paths = { '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'ok' } } } } }
  const servers = [{ url: 'http://127.0.0.1:9' }]
  writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 'Shop', version: '1' }, servers, paths }))
  return spec
}

describe('a gateway of a program', () => {
  it('mounts the servers of `mcpServers` at once, beside its functions', async () => {
    const gateway = opened(createGateway({ tools: [hello], mcpServers: { sums: add } }))
    await gateway.ready
    expect(await gateway.run('sums.add', { a: 1, b: 2 })).toBe(3)
    expect(await gateway.run('hello')).toBe('hi')
  })

  it('mounts a server over stdio, Streamable HTTP, SSE and WebSocket', async () => {
    const [http, sse, socket] = await Promise.all(['http-modern', 'sse', 'websocket'].map(started))
    const gateway = opened(createGateway())
    await gateway.addServer('pipe', add)
    await gateway.addServer('web', { url: new URL(http!), headers: { 'x-one': '$two' } })
    await gateway.addServer('events', { url: sse!, transport: 'sse' })
    await gateway.addServer('socket', { url: socket!.replace('http', 'ws') })
    const kinds = gateway.sources().map(({ name, kind }) => `${name} ${kind}`)
    expect(kinds.slice(1)).toEqual(['pipe stdio', 'web http', 'events sse', 'socket websocket'])
    for (const name of ['pipe', 'web', 'events', 'socket'])
      expect(await gateway.run(`${name}.add`, { a: 2, b: 2 })).toBe(4)
  })

  it('mounts OpenAPI documents, catalogs and modules by the same words', async () => {
    const at = folder()
    const spec = shopIn(at)
    writeFileSync(join(at, 'tools.json'), JSON.stringify([{ name: 'fly', inputSchema: { type: 'object' } }]))
    writeFileSync(
      join(at, 'clock.mjs'),
      `export default ({ now }) => ({ listTools: () => [{ name: 'now', inputSchema: { type: 'object' } }], callTool: () => now })`,
    )
    const gateway = opened(createGateway())
    expect(await gateway.addServer({ spec })).toMatchObject({ name: 'shop', kind: 'openapi', tools: 1 })
    expect(await gateway.addServer({ path: join(at, 'tools.json') })).toMatchObject({ name: 'tools', kind: 'catalog' })
    await gateway.addServer('clock', { module: join(at, 'clock.mjs'), config: { now: 'noon' } })
    expect(gateway.list().map(({ id }) => id)).toEqual(['clock.now', 'shop.listOrders', 'tools.fly'])
    expect(await gateway.run('clock.now')).toBe('noon')
  })

  it('names a server that was given no name, and never two alike', async () => {
    const gateway = opened(createGateway())
    expect((await gateway.addServer(add)).name).toBe('stdio-modern')
    expect((await gateway.addServer({ ...add, namespace: 'again' })).name).toBe('stdio-modern-2')
    expect(await gateway.run('again.add', { a: 1, b: 1 })).toBe(2)
  })

  it('says what is wrong with an entry, and where', async () => {
    const gateway = opened(createGateway())
    const refused = (name: string, entry: never) =>
      gateway.addServer(name, entry).catch((error: Error) => error.message)
    expect(await refused('sums', { args: [] } as never)).toContain(
      'mcpServers.sums: says neither "command" nor "url"; add one of them, or a "type"',
    )
    expect(await refused('sums', { command: 'node', args: 'x' } as never)).toContain('mcpServers.sums.args')
    expect(await refused('sums', { url: 'http://x', transport: 'smoke' } as never)).toContain(
      'is not a known type "smoke"',
    )
    expect(await refused('sums', 'node server.js' as never)).toContain('Give { command, args } or { url }')
    expect(gateway.sources()).toHaveLength(1)
  })

  it('does not mount a server that does not start, and tells why', async () => {
    const gateway = opened(createGateway())
    await expect(gateway.addServer('gone', { command: '/no/such/program' })).rejects.toMatchObject({
      code: 'SOURCE_START_FAILED',
      message: expect.stringContaining('/no/such/program'),
    })
    expect(gateway.sources().map(({ name }) => name)).toEqual(['local'])
  })

  it('goes on without those of `mcpServers` that did not start, which are tried again', async () => {
    const gateway = opened(createGateway({ mcpServers: { sums: add, gone: { command: '/no/such/program' } } }))
    await expect(gateway.ready).rejects.toThrow(/Not every server started. 'gone': .*\/no\/such\/program/)
    expect(await gateway.run('sums.add', { a: 1, b: 2 })).toBe(3)
    expect(gateway.sources().find(({ name }) => name === 'gone')?.status.state).toBe('backing-off')
  })

  it('takes texts as they are: what looks like a placeholder is none', async () => {
    const token = 'a$' + '{HOME}$$b'
    const guarded = await serve(opened(createGateway({ tools: [hello] })), { http: { token } })
    ends.push(() => guarded.close())
    const gateway = opened(createGateway())
    await gateway.addServer('far', { url: guarded.url!, headers: { Authorization: `Bearer ${token}` } })
    expect(await gateway.run('far.hello')).toBe('hi')
  })

  it('takes sources from pegboard/sources, whose processes end with them', async () => {
    const gateway = opened(createGateway())
    await gateway.addSource('sums', createStdioSource(add))
    await gateway.supervised('sums')?.start()
    const pid = Number(await gateway.run('sums.pid'))
    expect(process.kill(pid, 0)).toBe(true)
    await gateway.removeSource('sums')
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    await gateway.addSource('shop', createOpenApiSource({ spec: 'shop.json', folder: dirname(shopIn(folder())) }))
    expect(gateway.supervised('shop')?.status.state).toBe('ready')
  })

  it('is served like any other, and ends its processes when it is closed', async () => {
    const gateway = opened(createGateway({ mcpServers: { sums: add } }))
    await gateway.ready
    const served = await serve(gateway)
    ends.push(() => served.close())
    const other = opened(createGateway({ mcpServers: { far: { url: served.url! } } }))
    await other.ready
    const pid = Number(await other.run(other.list().find(({ name }) => name.endsWith('pid'))!.id))
    await gateway.close()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})
