import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Config, UsableSource } from '../../../config/schema.js'
import { findBrokenHop, isFound } from './hops.js'
import { checkClock, checkNode, checkProxy } from './machine.js'
import { checkPort, checkStorage } from './server.js'

const status = (reason: string, state: 'backing-off' | 'needs-auth' = 'backing-off') => ({
  state,
  reason,
  nextRetryAt: undefined,
})
const stdio = (more: object): UsableSource =>
  ({ type: 'stdio', command: 'node', args: [], env: {}, ...more }) as unknown as UsableSource
const http = (url: string): UsableSource => ({ type: 'http', url, headers: {} }) as unknown as UsableSource

describe('the hop that is broken', () => {
  it.each([
    [stdio({ command: 'no-such-program-here' }), 'is down', 'command'],
    [stdio({ command: 'uvx-but-missing', cwd: '/no/such/folder' }), 'is down', 'folder'],
    [stdio({ command: process.execPath }), 'node ended by itself with exit code 3. Its last words', 'start'],
    [stdio({ command: process.execPath }), 'did not answer in time', 'protocol'],
    [http('http://no-such-host.invalid/mcp'), 'failed', 'name'],
    [{ type: 'catalog', path: '/x' } as unknown as UsableSource, 'no file', 'file'],
  ] as const)('%# is named', async (source, reason, hop) => {
    expect(await findBrokenHop(source, status(reason))).toMatchObject({ hop, fix: expect.stringMatching(/\.$/) })
  })

  it('is the sign-in when the server asks for one', async () => {
    expect((await findBrokenHop(http('http://127.0.0.1/'), status('401', 'needs-auth'))).hop).toBe('sign-in')
  })

  it('is the network when nothing listens, and the protocol when something else does', async () => {
    const server = createServer((_request, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect((await findBrokenHop(http(`http://127.0.0.1:${port}/mcp`), status('not MCP'))).hop).toBe('protocol')
    await new Promise((resolve) => server.close(resolve))
    expect((await findBrokenHop(http(`http://127.0.0.1:${port}/mcp`), status('refused'))).hop).toBe('network')
  })

  it('knows a program by its path, a name on PATH, and neither', () => {
    expect(isFound(process.execPath, '')).toBe(true)
    expect(isFound('sh', '/bin:/usr/bin')).toBe(true)
    expect(isFound('sh', '/nowhere')).toBe(false)
    expect(isFound('/tmp', '')).toBe(false)
  })
})

describe('the machine', () => {
  it('needs Node 20.12', () => {
    expect(checkNode('20.11.9').state).toBe('fail')
    expect(checkNode('20.12.0').state).toBe('ok')
    expect(checkNode('24.0.0').state).toBe('ok')
  })

  it('needs a clock that is not behind', () => {
    expect(checkClock(0).state).toBe('fail')
    expect(checkClock(Date.parse('2100-01-01')).state).toBe('ok')
  })

  it('may have a proxy, if it is one', () => {
    const local = { sources: { a: http('http://127.0.0.1:1/mcp') } } as unknown as Config
    expect(checkProxy(local, {})[0]!.state).toBe('ok')
    expect(checkProxy(local, { HTTPS_PROXY: 'not an address' })[0]!.state).toBe('fail')
    expect(checkProxy(local, { HTTPS_PROXY: 'http://p:1' })[0]!.state).toBe('warn')
    expect(checkProxy(local, { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'localhost' })[0]!.state).toBe('ok')
  })
})

describe('the server', () => {
  it('sees a port that another program has', async () => {
    const other = createServer((_request, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const loaded = { config: { server: { host: '127.0.0.1', port } } as unknown as Config, dataFolder: '/nowhere' }
    expect(await checkPort(loaded)).toMatchObject({ state: 'fail', fix: expect.stringContaining('--port') })
    await new Promise((resolve) => other.close(resolve))
    expect((await checkPort(loaded)).state).toBe('ok')
  })

  it('says when nothing is kept, and when a folder cannot be made', async () => {
    const at = (backend: string, path: string) => checkStorage({ storage: { backend, path } } as unknown as Config)
    expect((await at('memory', ''))[0]!.state).toBe('warn')
    expect((await at('json', `${process.execPath}/data`))[0]!.state).toBe('fail')
  })
})
