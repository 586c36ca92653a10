import { afterEach, describe, expect, it } from 'vitest'
import { ErrorCode, MCPAgentError } from '../../src/compat/agent/agent-error.js'
import { ToolAggregator, type ToolAggregatorOptions } from '../../src/compat/agent/aggregator.js'
import { Logger } from '../../src/compat/agent/log.js'
import type { CallToolRequest, CallToolResult, Tool } from '../../src/compat/agent/protocol.js'
import { ServiceRegistry } from '../../src/compat/agent/registry.js'
import type { ServiceStatus, ServiceType, ToolManagerConfig } from '../../src/compat/agent/settings.js'
import { StdioServiceAdapter } from '../../src/compat/agent/stdio-adapter.js'
import { runProgram } from '../helpers/library-process.js'
import { settle, VirtualClock } from '../helpers/virtual-clock.js'
import { PlainAdapter, text } from './fixtures/plain-adapter.js'
import { recordedLog } from './fixtures/recorded-log.js'

const defaults: ToolManagerConfig = {
  maxToolListSize: 10_240,
  maxResultSize: 1024,
  namespaceEnabled: true,
  namespaceSeparator: '.',
  whitelist: [],
  blacklist: [],
}

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()))
})

const agent = (
  adapters: readonly PlainAdapter[],
  config: Partial<ToolManagerConfig> = {},
  options: ToolAggregatorOptions = {},
) => {
  const log = recordedLog()
  const clock = new VirtualClock()
  const registry = new ServiceRegistry(log, { clock })
  for (const adapter of adapters) registry.register(adapter)
  const aggregator = new ToolAggregator(registry, { ...defaults, ...config }, log, { clock, ...options })
  closing.push(aggregator)
  const names = async () => (await aggregator.listAllTools()).map(({ name }) => name)
  return { log, clock, registry, aggregator, names }
}
const echo = (said: string) => () => text(said)

describe('001-01 and 001-02 types', () => {
  it('are those of the document: what is listed, asked and answered, and what a service is', async () => {
    const adapter = new PlainAdapter('a', 'a', { one: echo('1') })
    const { registry, aggregator } = agent([adapter])
    const types: readonly ServiceType[] = ['stdio', 'sse', 'http', 'embedded']
    const states: readonly ServiceStatus[] = ['stopped', 'starting', 'running', 'error']
    expect([types.includes(adapter.type), adapter.status]).toEqual([true, states[0]])
    await registry.startAll()
    expect(adapter.status).toBe(states[2])
    const [tool]: readonly Tool[] = await aggregator.listAllTools()
    const request: CallToolRequest = { method: 'tools/call', params: { name: tool!.name, arguments: {} } }
    const result: CallToolResult = await aggregator.callTool(request.params.name, request.params.arguments ?? {})
    expect(result).toEqual({ content: [{ type: 'text', text: '1' }] })
  })
})

describe('001-13 and 001-14 errors', () => {
  it('001-13 has the sixteen codes both ways, as an enum has them', () => {
    expect(ErrorCode[2004]).toBe('SERVICE_NOT_FOUND')
    expect(Object.keys(ErrorCode)).toHaveLength(32)
    for (const [name, code] of Object.entries(ErrorCode))
      if (typeof code === 'number') expect(ErrorCode[code]).toBe(name)
    expect(ErrorCode).toMatchObject({
      CONFIG_LOAD_ERROR: 1001,
      CONFIG_VALIDATION_ERROR: 1002,
      CONFIG_ENV_VAR_MISSING: 1003,
      SERVICE_START_ERROR: 2001,
      SERVICE_STOP_ERROR: 2002,
      SERVICE_TIMEOUT_ERROR: 2003,
      SERVICE_NOT_FOUND: 2004,
      SERVICE_UNHEALTHY: 2005,
      TOOL_NOT_FOUND: 3001,
      TOOL_CALL_ERROR: 3002,
      TOOL_RESULT_TOO_LARGE: 3003,
      TOOL_LIST_TOO_LARGE: 3004,
      WEBSOCKET_CONNECTION_ERROR: 4001,
      WEBSOCKET_AUTH_ERROR: 4002,
      WEBSOCKET_TIMEOUT: 4003,
      UNKNOWN_ERROR: 5000,
    })
  })

  it('001-14 is an Error with code, message and details', () => {
    const error = new MCPAgentError(ErrorCode.SERVICE_NOT_FOUND, 'gone', { service: 'x' })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'MCPAgentError', code: 2004, message: 'gone', details: { service: 'x' } })
  })
})

describe('001-08 Logger', () => {
  afterEach(() => Logger.setInstance(undefined))

  it('001-08 is one for everybody, and children say who speaks and what else', () => {
    const log = recordedLog()
    Logger.setInstance(log)
    expect(Logger.getInstance()).toBe(Logger.getInstance())
    const child = Logger.getInstance().child({ service: 'calculator', room: 7 })
    expect(child).toBeInstanceOf(Logger)
    child.warn('careful', { size: 1 })
    child.child('inner').error('worse')
    expect(log.entries).toEqual([
      { service: 'calculator', message: 'careful', meta: { room: 7, size: 1 } },
      { service: 'inner', message: 'worse', meta: { room: 7 } },
    ])
  })

  it('001-08 is what an adapter writes to that nobody gave another', async () => {
    const log = recordedLog()
    Logger.setInstance(log)
    const adapter = new StdioServiceAdapter('gone', 'gone', { type: 'stdio', command: 'no-such-program', args: [] })
    await adapter.start().catch(() => {})
    await adapter.stop()
    expect(log.lines).toContainEqual(expect.stringMatching(/^\[gone\] error Service error: /))
  })

  it('001-16 writes lines on standard error from the level that LOG_LEVEL names', async () => {
    const program = `import { Logger } from 'PEGBOARD'
      const logger = Logger.getInstance().child({ service: 'calculator' })
      logger.debug('hidden')
      logger.info('Service registered: calculator', { namespace: 'calc', type: 'stdio' })`
    const line = /^\S+Z \[info\] \[calculator\] Service registered: calculator {"namespace":"calc","type":"stdio"}\n$/
    expect((await runProgram(program, { env: { LOG_LEVEL: '' } })).stderr).toMatch(line)
    expect((await runProgram(program, { env: { LOG_LEVEL: 'error' } })).stderr).toBe('')
    expect((await runProgram(program, { env: { LOG_LEVEL: 'debug' } })).stderr).toMatch(
      /\[debug\] \[calculator\] hidden/,
    )
  })
})

describe('001-08 BaseServiceAdapter', () => {
  it('001-08 is stopped at first and tells a status only when it changes', async () => {
    const adapter = new PlainAdapter('a', 'a')
    const heard: string[] = []
    const listener = (status: string) => heard.push(status)
    expect(adapter.status).toBe('stopped')
    adapter.on('status-change', listener)
    await adapter.stop()
    await adapter.restart()
    expect(heard).toEqual(['starting', 'running'])
    adapter.off('status-change', listener)
    await adapter.stop()
    expect(heard).toEqual(['starting', 'running'])
  })

  it('001-08 logs `Service error: <msg>` under its name and tells it', () => {
    const adapter = new PlainAdapter('calculator', 'calc')
    const { log } = agent([adapter])
    const heard: Error[] = []
    adapter.on('error', (error) => heard.push(error))
    adapter.fail(new Error('lost'))
    expect(heard.map(({ message }) => message)).toEqual(['lost'])
    expect(log.lines).toContain('[calculator] error Service error: lost')
  })

  it('001 open point 10: an error nobody listens to, and a listener that throws, end nothing', () => {
    const adapter = new PlainAdapter('a', 'a')
    expect(() => adapter.fail(new Error('unheard'))).not.toThrow()
    let heard = 0
    adapter.on('error', () => {
      heard += 1
      throw new Error('the listener')
    })
    expect(() => adapter.fail(new Error('heard'))).not.toThrow()
    expect(heard).toBe(1)
  })
})

describe('001-09 ServiceRegistry', () => {
  it('001-17 logs `Service registered: <name>` with namespace and type', () => {
    const { log } = agent([new PlainAdapter('calculator', 'calc')])
    expect(log.entries).toContainEqual({
      service: 'registry',
      message: 'Service registered: calculator',
      meta: { namespace: 'calc', type: 'embedded' },
    })
  })

  it('takes a logger with levels, as document 001 has', () => {
    const lines: unknown[] = []
    const write = (message: string, meta?: unknown) => lines.push([message, meta])
    new ServiceRegistry({ debug: write, info: write, warn: write, error: write }).register(new PlainAdapter('a', 'b'))
    expect(lines).toEqual([['Service registered: a', { service: 'registry', namespace: 'b', type: 'embedded' }]])
  })

  it('001 compat 5: refuses a second service of a name, and of a namespace (C8)', () => {
    const { registry } = agent([new PlainAdapter('a', 'x')])
    expect(() => registry.register(new PlainAdapter('a', 'y'))).toThrow('Service a already registered')
    expect(() => registry.register(new PlainAdapter('b', 'x'))).toThrow(/Namespace x .* belongs to service a/)
    expect(registry.getAll()).toHaveLength(1)
  })

  it('001 compat 5: answers an unknown `unregister` with SERVICE_NOT_FOUND, and stops what it forgets', async () => {
    const adapter = new PlainAdapter('a', 'x')
    const { registry } = agent([adapter])
    await expect(registry.unregister('b')).rejects.toMatchObject({ code: ErrorCode.SERVICE_NOT_FOUND })
    await registry.startAll()
    await registry.unregister('a')
    expect(adapter.status).toBe('stopped')
    expect([registry.get('a'), registry.getByNamespace('x'), registry.getAll()]).toEqual([undefined, undefined, []])
  })

  it('001 compat 5: does not start a disabled service', async () => {
    const off = new PlainAdapter('off', 'off', {}, { enabled: false })
    const on = new PlainAdapter('on', 'on')
    const { registry } = agent([off, on])
    await registry.startAll()
    expect([off.status, on.status]).toEqual(['stopped', 'running'])
  })

  it('001 compat 5: keeps a service whose start fails, with status `error`, and starts the others', async () => {
    const bad = new PlainAdapter('bad', 'bad')
    bad.startFails = new Error('no such module')
    const good = new PlainAdapter('good', 'good')
    const { registry, log } = agent([bad, good])
    await registry.startAll()
    expect([bad.status, good.status]).toEqual(['error', 'running'])
    expect(registry.get('bad')).toBe(bad)
    expect(log.lines).toContain('[registry] error Service start failed: bad')
  })

  it('001 compat 5: stops all, twice if asked', async () => {
    const adapters = [new PlainAdapter('a', 'a'), new PlainAdapter('b', 'b')]
    const { registry, clock } = agent(adapters)
    await registry.startAll()
    await registry.stopAll()
    await registry.stopAll()
    expect(adapters.map(({ status }) => status)).toEqual(['stopped', 'stopped'])
    expect(clock.pendingTimers).toBe(0)
  })

  it('finds two misses unhealthy and one answer healthy, and takes the unhealthy out of the list', async () => {
    const adapter = new PlainAdapter('a', 'a', { one: echo('1') }, { healthCheck: { interval: 1000, timeout: 1000 } })
    const { registry, clock, log, names } = agent([adapter])
    await registry.startAll()
    adapter.healthy = false
    await clock.advance(1000)
    expect([registry.isHealthy('a'), await names()]).toEqual([true, ['a.one']])
    await clock.advance(1000)
    expect([registry.isHealthy('a'), await names()]).toEqual([false, []])
    expect(log.lines).toContain('[registry] warn Service unhealthy: a')
    adapter.healthy = true
    await clock.advance(1000)
    expect([registry.isHealthy('a'), await names()]).toEqual([true, ['a.one']])
  })

  it('counts a health check that hangs as a miss after its timeout', async () => {
    const adapter = new PlainAdapter('a', 'a', {}, { healthCheck: { interval: 1000, timeout: 2000 } })
    const { registry, clock } = agent([adapter])
    await registry.startAll()
    adapter.healthy = new Promise(() => {})
    await clock.advance(5999)
    expect(registry.isHealthy('a')).toBe(true)
    await clock.advance(1)
    expect(registry.isHealthy('a')).toBe(false)
  })
})

describe('001-10 ToolAggregator.listAllTools', () => {
  it('001 compat 6: lists the same tool of two services under their namespaces, in the order of services', async () => {
    const { names } = agent([
      new PlainAdapter('math', 'math', { add: echo('m'), abs: echo('m') }),
      new PlainAdapter('calc', 'calc', { add: echo('c') }),
    ])
    expect(await names()).toEqual(['math.add', 'math.abs', 'calc.add'])
  })

  it('001 compat 7: lists the others when one service rejects', async () => {
    const bad = new PlainAdapter('bad', 'bad', { x: echo('x') })
    bad.listFails = new Error('down')
    const { names, log } = agent([
      new PlainAdapter('a', 'a', { one: echo('1') }),
      bad,
      new PlainAdapter('c', 'c', { two: echo('2') }),
    ])
    await bad.start()
    expect(await names()).toEqual(['a.one', 'c.two'])
    expect(log.lines).toContain('[tool-aggregator] warn Service bad did not list its tools: down')
  })

  it('001-18 001-19 asks all at once and does not wait for a service that hangs', async () => {
    const slow = new PlainAdapter('slow', 'slow')
    slow.listTools = () => new Promise(() => {})
    const { aggregator, clock } = agent([slow, new PlainAdapter('a', 'a', { one: echo('1') })])
    const listing = aggregator.listAllTools()
    await clock.advance(1000)
    expect((await listing).map(({ name }) => name)).toEqual(['a.one'])
  })

  it('001-10 filters namespaced names: the blacklist wins, globs work, an empty whitelist allows all', async () => {
    const adapters = () => [
      new PlainAdapter('a', 'a', { read: echo('r'), delete_all: echo('d') }),
      new PlainAdapter('b', 'b', { read: echo('r') }),
    ]
    expect(await agent(adapters(), { blacklist: ['*.delete_*'] }).names()).toEqual(['a.read', 'b.read'])
    expect(await agent(adapters(), { whitelist: ['a.*'], blacklist: ['a.delete_all'] }).names()).toEqual(['a.read'])
  })

  it('001-10 C6 says when the list is too large and shortens nothing', async () => {
    const tools = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`tool_${n}`, echo('')]))
    const { names, log } = agent([new PlainAdapter('a', 'a', tools)], { maxToolListSize: 1024 })
    expect(await names()).toHaveLength(40)
    expect(log.entries).toContainEqual({
      service: 'tool-aggregator',
      message: expect.stringMatching(/^Tool list size \d+ bytes exceeds limit 1024$/),
      meta: expect.objectContaining({ code: 3004, tools: 40 }),
    })
  })

  it('C8 lists bare names with namespaces off, and refuses those of several services', async () => {
    const { names, aggregator, log } = agent(
      [
        new PlainAdapter('a', 'a', { add: echo('a'), one: echo('1') }),
        new PlainAdapter('b', 'b', { add: echo('b'), two: echo('2'), hidden: echo('') }),
      ],
      { namespaceEnabled: false, blacklist: ['hidden'] },
    )
    expect(await names()).toEqual(['one', 'two'])
    expect(log.lines.some((line) => line.includes("'add' is the name of several tools (a.add, b.add)"))).toBe(true)
    expect(await aggregator.callTool('two', {})).toEqual(text('2'))
    await expect(aggregator.callTool('add', {})).rejects.toMatchObject({ code: 1002 })
    await expect(aggregator.callTool('hidden', {})).rejects.toMatchObject({ code: 3001 })
  })

  it('follows services that come and go', async () => {
    const { registry, names } = agent([new PlainAdapter('a', 'a', { one: echo('1') })])
    expect(await names()).toEqual(['a.one'])
    registry.register(new PlainAdapter('local', 'b', { two: echo('2') }))
    await registry.unregister('a')
    expect(await names()).toEqual(['b.two'])
    registry.register(new PlainAdapter('a', 'a', { three: echo('3') }))
    expect(await names()).toEqual(['b.two', 'a.three'])
  })
})

describe('001-11 ToolAggregator.callTool', () => {
  it('001 compat 6: reaches the service of the namespace only, without a list before', async () => {
    const calc = new PlainAdapter('calc', 'calc', { add: ({ a, b }) => text(String(a + b)) })
    const math = new PlainAdapter('math', 'math', { add: echo('wrong') })
    const { aggregator } = agent([math, calc])
    expect(await aggregator.callTool('calc.add', { a: 19, b: 23 })).toEqual(text('42'))
    expect([calc.calls, math.calls]).toEqual([['add'], []])
  })

  it('001 compat 6: splits at the first separator', async () => {
    const gh = new PlainAdapter('gh', 'gh', { 'aws.s3.upload': echo('up') })
    const { aggregator } = agent([gh])
    expect(await aggregator.callTool('gh.aws.s3.upload', {})).toEqual(text('up'))
    expect(gh.calls).toEqual(['aws.s3.upload'])
  })

  it('001-11 throws `Service not found for namespace: <ns>` and 3001 for a tool that is not there', async () => {
    const { aggregator } = agent([new PlainAdapter('a', 'a', { one: echo('1') })], { blacklist: ['a.hidden'] })
    await expect(aggregator.callTool('nowhere.tool', {})).rejects.toMatchObject({
      name: 'MCPAgentError',
      code: ErrorCode.SERVICE_NOT_FOUND,
      message: 'Service not found for namespace: nowhere',
    })
    for (const name of ['a.absent', 'a.hidden', 'bare'])
      await expect(aggregator.callTool(name, {})).rejects.toMatchObject({ code: ErrorCode.TOOL_NOT_FOUND })
  })

  it('001-15 returns a failed tool as a result with isError, and asks once', async () => {
    const bad = new PlainAdapter('bad', 'bad', {
      boom: () => {
        throw new Error('boom')
      },
    })
    const { aggregator } = agent([bad])
    expect(await aggregator.callTool('bad.boom', {})).toEqual({ ...text('boom'), isError: true })
    expect(bad.calls).toEqual(['boom'])
  })

  it('001-22 refuses arguments that are no object, and times out what hangs', async () => {
    const { aggregator, clock } = agent([new PlainAdapter('a', 'a', { hang: () => new Promise(() => {}) })])
    await expect(aggregator.callTool('a.hang', [] as never)).rejects.toMatchObject({ code: 3002 })
    const hanging = expect(aggregator.callTool('a.hang', {})).rejects.toMatchObject({ code: 2003 })
    await settle()
    await clock.advance(30_000)
    await hanging
  })

  it('hands on what an adapter throws in the words of document 001', async () => {
    const down = new MCPAgentError(ErrorCode.SERVICE_UNHEALTHY, 'the service sleeps')
    const { aggregator } = agent([
      new PlainAdapter('a', 'a', {
        down: () => {
          throw down
        },
      }),
    ])
    await expect(aggregator.callTool('a.down', {})).rejects.toBe(down)
  })

  it('001-17 logs `Tool called: <name>`, with types of arguments, or with the arguments if asked', async () => {
    const tools = { calculator: echo('2') }
    const plain = agent([new PlainAdapter('calc', 'calc', tools)])
    await plain.aggregator.callTool('calc.calculator', { python_expression: '1+1' })
    expect(plain.log.entries).toContainEqual({
      service: 'tool-aggregator',
      message: 'Tool called: calc.calculator',
      meta: { args: { python_expression: 'string' } },
    })
    const told = agent([new PlainAdapter('calc', 'calc', tools)], {}, { logArguments: true })
    await told.aggregator.callTool('calc.calculator', { python_expression: '1+1' })
    expect(told.log.entries).toContainEqual(expect.objectContaining({ meta: { args: { python_expression: '1+1' } } }))
  })
})
