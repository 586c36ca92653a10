import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { IMCPServiceAdapter } from '../../src/compat/agent/adapter.js'
import { ErrorCode } from '../../src/compat/agent/agent-error.js'
import { ToolAggregator } from '../../src/compat/agent/aggregator.js'
import { createServiceAdapter } from '../../src/compat/agent/create-adapter.js'
import { EmbeddedServiceAdapter, HTTPServiceAdapter, SSEServiceAdapter } from '../../src/compat/agent/mcp-adapters.js'
import { ServiceRegistry } from '../../src/compat/agent/registry.js'
import type { SourceServiceAdapter } from '../../src/compat/agent/source-adapter.js'
import { StdioServiceAdapter } from '../../src/compat/agent/stdio-adapter.js'
import { startFixture } from '../helpers/fixture-servers.js'
import { serveFixture } from '../helpers/serve-fixture.js'
import { text } from './fixtures/plain-adapter.js'
import { recordedLog } from './fixtures/recorded-log.js'

const mathsServer = fileURLToPath(new URL('./fixtures/maths-server.mjs', import.meta.url))
const maths = { type: 'stdio', command: process.execPath, args: [mathsServer] } as const

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})
const stopLater = <A extends IMCPServiceAdapter>(adapter: A): A => {
  ending.push(() => adapter.stop())
  return adapter
}
const statusOf = (adapter: IMCPServiceAdapter, wanted: string) =>
  new Promise<void>((resolve) => adapter.on('status-change', (status) => status === wanted && resolve()))

const calculator = {
  createService: () => ({
    listTools: () => [{ name: 'add', inputSchema: { type: 'object' } }],
    callTool: (_name: string, { a, b }: { a: number; b: number }) => text(String(a + b)),
  }),
}

const reached: Record<string, () => Promise<SourceServiceAdapter>> = {
  http: async () => {
    const served = await serveFixture()
    ending.push(served.close)
    return new HTTPServiceAdapter('web', 'web', { type: 'http', url: served.url })
  },
  sse: async () => {
    const server = await startFixture('sse')
    ending.push(server.stop)
    return new SSEServiceAdapter('old', 'old', { type: 'sse', url: server.url })
  },
  embedded: async () => new EmbeddedServiceAdapter('in', 'in', { type: 'embedded', module: calculator }),
}

describe('001 StdioServiceAdapter over a real process', () => {
  it('001-23 starts, is running, and lists its tools', async () => {
    const adapter = stopLater(new StdioServiceAdapter('test', 'test', maths))
    await adapter.start()
    expect(adapter.status).toBe('running')
    const tools = await adapter.listTools()
    expect(tools).toBeInstanceOf(Array)
    expect(tools.find(({ name }) => name === 'add')).toMatchObject({
      description: 'Adds two numbers',
      inputSchema: { type: 'object', required: ['first_number', 'second_number'] },
    })
    expect(await adapter.isHealthy()).toBe(true)
  })

  it('001-07 calls, validates arguments and returns a failed tool as a result', async () => {
    const adapter = stopLater(new StdioServiceAdapter('test', 'test', maths))
    await adapter.start()
    expect(await adapter.callTool('add', { first_number: 1, second_number: 2 })).toMatchObject({
      content: [{ type: 'text', text: '3' }],
      structuredContent: { result: 3 },
    })
    await expect(adapter.callTool('add', { first_number: 'x' })).rejects.toMatchObject({ code: 3002 })
    await expect(adapter.callTool('absent', {})).rejects.toMatchObject({ code: ErrorCode.TOOL_NOT_FOUND })
    expect(await adapter.callTool('fail', {})).toMatchObject({ isError: true })
  })

  it('001 compat 5: refuses a second start; stop is idempotent; list and call while stopped are errors', async () => {
    const adapter = stopLater(new StdioServiceAdapter('test', 'test', maths))
    await adapter.stop()
    await expect(adapter.listTools()).rejects.toMatchObject({ code: ErrorCode.SERVICE_UNHEALTHY })
    await expect(adapter.callTool('add', {})).rejects.toMatchObject({ code: ErrorCode.SERVICE_UNHEALTHY })
    expect(await adapter.isHealthy()).toBe(false)
    const starting = adapter.start()
    await expect(adapter.start()).rejects.toMatchObject({ code: 2001, message: 'Service test is already starting' })
    await starting
    await expect(adapter.start()).rejects.toMatchObject({ code: 2001, message: 'Service test is already running' })
    await adapter.stop()
    await adapter.stop()
    expect(adapter.status).toBe('stopped')
  })

  it('001 compat 5: a start that fails leaves status `error`, says so once, and keeps the registration', async () => {
    const log = recordedLog()
    const registry = new ServiceRegistry(log)
    const adapter = stopLater(
      new StdioServiceAdapter('gone', 'gone', { type: 'stdio', command: 'no-such-program-anywhere', args: [] }),
    )
    const errors: Error[] = []
    adapter.on('error', (error) => errors.push(error))
    registry.register(adapter)
    await expect(adapter.start()).rejects.toMatchObject({
      name: 'MCPAgentError',
      code: ErrorCode.SERVICE_START_ERROR,
      message: expect.stringContaining('no such command'),
    })
    expect(adapter.status).toBe('error')
    expect(errors).toHaveLength(1)
    expect(registry.get('gone')).toBe(adapter)
    expect(log.lines.some((line) => line.startsWith('[gone] error Service error: '))).toBe(true)
  })

  it('001-17 logs `Process crashed` with service and exit code, tells `error`, and comes back', async () => {
    const log = recordedLog()
    const registry = new ServiceRegistry(log)
    const adapter = stopLater(
      new StdioServiceAdapter('calculator', 'calc', maths, { restart: { firstDelayMs: 1, jitter: 0 } }),
    )
    registry.register(adapter)
    ending.push(() => registry.stopAll())
    await registry.startAll()
    const pid = (await adapter.callTool('pid', {})).content[0]!.text
    const failed = new Promise<Error>((resolve) => adapter.on('error', resolve))
    const back = statusOf(adapter, 'running')
    await expect(adapter.callTool('crash', {})).rejects.toMatchObject({ code: ErrorCode.SERVICE_UNHEALTHY })
    expect(await failed).toMatchObject({ name: 'MCPAgentError', code: ErrorCode.SERVICE_UNHEALTHY })
    const crash = log.entries.find(
      ({ message, meta }) => message === 'Process crashed' && (meta as { service?: string }).service === 'calculator',
    )
    expect(crash?.service).toBe('stdio-adapter')
    expect(Object.keys(crash!.meta as object)).toEqual(['service', 'exitCode'])
    // A slow machine may see its output end before its exit; then the code is not known yet.
    expect([3, null]).toContain((crash!.meta as { exitCode?: unknown }).exitCode)
    await back
    expect((await adapter.callTool('pid', {})).content[0]!.text).not.toBe(pid)
  })

  it('restart gives a new process', async () => {
    const adapter = stopLater(new StdioServiceAdapter('test', 'test', maths))
    await adapter.start()
    const before = await adapter.callTool('pid', {})
    await adapter.restart()
    expect(adapter.status).toBe('running')
    expect(await adapter.callTool('pid', {})).not.toEqual(before)
  })
})

describe('001 adapters of other kinds', () => {
  it.each(Object.keys(reached))('001-07 %s starts, lists, calls and stops', async (kind) => {
    const adapter = stopLater(await reached[kind]!())
    const heard: string[] = []
    adapter.on('status-change', (status) => heard.push(status))
    await adapter.start()
    expect((await adapter.listTools()).map(({ name }) => name)).toContain('add')
    expect((await adapter.callTool('add', { a: 19, b: 23 })).content[0]).toMatchObject({ text: '42' })
    expect(await adapter.isHealthy()).toBe(true)
    await adapter.restart()
    await adapter.stop()
    expect(heard).toEqual(['starting', 'running', 'stopped', 'starting', 'running', 'stopped'])
  })

  it('a module that fails to start is an error that is told', async () => {
    const adapter = new EmbeddedServiceAdapter('in', 'in', { type: 'embedded', module: { nothing: true } })
    const errors: Error[] = []
    adapter.on('error', (error) => errors.push(error))
    await expect(adapter.start()).rejects.toMatchObject({ code: ErrorCode.SERVICE_START_ERROR })
    expect(adapter.status).toBe('error')
    expect(errors).toHaveLength(1)
    await expect(adapter.start()).rejects.toMatchObject({ code: ErrorCode.SERVICE_START_ERROR })
    await adapter.stop()
  })

  it('001-04 makes the adapter of a configured service', () => {
    const common = { enabled: false, namespace: 'n' }
    const types = [
      createServiceAdapter('a', { ...common, ...maths }),
      createServiceAdapter('b', { ...common, type: 'http', url: 'http://127.0.0.1:1/mcp' }),
      createServiceAdapter('c', { ...common, type: 'sse', url: 'http://127.0.0.1:1/sse' }),
      createServiceAdapter('d', { ...common, type: 'embedded', module: './x.mjs' }),
    ].map(({ type, enabled, namespace }) => [type, enabled, namespace])
    expect(types).toEqual(['stdio', 'http', 'sse', 'embedded'].map((type) => [type, false, 'n']))
    expect(() => createServiceAdapter('e', { type: 'carrier-pigeon' } as never)).toThrow(/no known type/)
  })
})

describe('001-10 services of every kind behind one aggregator', () => {
  it('lists and calls them all under their namespaces', async () => {
    const registry = new ServiceRegistry()
    registry.register(new StdioServiceAdapter('maths', 'maths', maths))
    for (const kind of ['http', 'embedded']) registry.register(await reached[kind]!())
    const aggregator = new ToolAggregator(registry, {
      maxToolListSize: 10_240,
      maxResultSize: 1024,
      namespaceEnabled: true,
      namespaceSeparator: '.',
      whitelist: ['*.add'],
      blacklist: [],
    })
    ending.push(
      () => aggregator.close(),
      () => registry.stopAll(),
    )
    await registry.startAll()
    expect((await aggregator.listAllTools()).map(({ name }) => name)).toEqual(['maths.add', 'web.add', 'in.add'])
    expect(await aggregator.callTool('maths.add', { first_number: 1, second_number: 2 })).toMatchObject({
      structuredContent: { result: 3 },
    })
    for (const name of ['web.add', 'in.add'])
      expect((await aggregator.callTool(name, { a: 1, b: 2 })).content[0]).toMatchObject({ text: '3' })
    await registry.get('in')!.stop()
    expect((await aggregator.listAllTools()).map(({ name }) => name)).toEqual(['maths.add', 'web.add'])
    await expect(aggregator.callTool('in.add', { a: 1, b: 2 })).rejects.toMatchObject({ name: 'MCPAgentError' })
  })
})
