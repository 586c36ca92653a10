import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { sourceCall } from '../../test/contracts/source.js'
import { MemoryServer } from '../../test/helpers/memory-server.js'
import { settle, VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { GatewayError } from '../errors.js'
import { toText } from '../model/answer.js'
import { silentLogger } from '../telemetry/logger.js'
import { createHttpSource } from './http/http.js'
import { createMcpSource, type McpSource } from './mcp-source.js'
import type { McpSourceOptions } from './mcp-source-options.js'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A source before a server that obeys the test, watched from the start. */
const setUp = async (options: Partial<McpSourceOptions> = {}, server = new MemoryServer()) => {
  const clock = new VirtualClock()
  const source = createMcpSource(
    { kind: 'stdio', sessionPerCaller: false, headerParams: false, connect: server.connect },
    {
      name: 'memory',
      clientInfo: { name: 'test', version: '1' },
      clock,
      logger: silentLogger,
      era: 'legacy',
      restart: { random: () => 0.5 },
      ...options,
    },
  )
  const watched = watch(source)
  await settle()
  return { clock, server, source, ...watched }
}

const watch = (source: McpSource) => {
  const reports: string[][] = []
  const stop = new AbortController()
  const watching = source.watch((update) => {
    if (update.type === 'all') reports.push(update.tools.map(({ definition }) => definition.name))
    return []
  }, stop.signal)
  open.push(async () => {
    stop.abort()
    await watching
    await source[Symbol.asyncDispose]()
  })
  return { listed: () => reports.at(-1), stop, watching }
}

const known = { definition: { name: 'add', inputSchema: { type: 'object' } } } as const
const call = async (source: McpSource) => toText(await source.call('add', { a: 1 }, sourceCall()))
const refusal = (source: McpSource): Promise<GatewayError> =>
  call(source).then(
    () => Promise.reject(new Error('it was answered')),
    (error: GatewayError) => error,
  )

describe('starting a source', () => {
  it('is ready with its tools and says who is there', async () => {
    const { source, listed } = await setUp()
    expect(source.status).toEqual({
      state: 'ready',
      reason: undefined,
      nextRetryAt: undefined,
      peer: { era: 'legacy', version: '2025-11-25', name: 'memory' },
    })
    expect(listed()).toEqual(['add'])
    expect(await call(source)).toBe('add {"a":1}')
  })

  it('001-15 is tried again after 1 and 2 s, then once a minute, with reason and next retry visible', async () => {
    const server = new MemoryServer()
    server.refusal = new Error('no such command')
    const { clock, source, listed } = await setUp({}, server)
    const tries: unknown[] = []
    for (let attempt = 0; attempt < 4; attempt++) {
      const { state, reason, nextRetryAt } = source.status
      const waitMs = nextRetryAt! - clock.wall()
      tries.push([server.starts, state, reason, waitMs])
      await clock.advance(waitMs - 1)
      expect(server.starts).toBe(attempt + 1)
      await clock.advance(1)
    }
    expect(tries).toEqual([
      [1, 'backing-off', 'no such command', 1000],
      [2, 'backing-off', 'no such command', 2000],
      [3, 'backing-off', 'no such command', 60_000],
      [4, 'backing-off', 'no such command', 60_000],
    ])
    expect(listed()).toEqual([])
    server.refusal = undefined
    await clock.advance(60_000)
    expect([source.status.state, listed()]).toEqual(['ready', ['add']])
  })

  it('refuses calls with the reason while it is known to be down, and without delay', async () => {
    const server = new MemoryServer()
    server.refusal = new Error('no such command')
    const { source } = await setUp({}, server)
    expect(await refusal(source)).toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true, retryAfterMs: 1000 })
    expect((await refusal(source)).message).toContain('no such command')
    expect(server.starts).toBe(1)
  })

  it('takes calls while it starts and answers them when it is there', async () => {
    const server = new MemoryServer()
    const { source } = await setUp({ startOnDemand: true, knownTools: [known] }, server)
    expect(await Promise.all([call(source), call(source)])).toEqual(['add {"a":1}', 'add {"a":1}'])
    expect(server.starts).toBe(1)
  })

  it('shows what an earlier run knew while it starts, and lets calls wait for it (U1)', async () => {
    const server = new MemoryServer()
    server.silent.add('initialize')
    const { clock, source, listed } = await setUp({ knownTools: [known], startTimeoutMs: 5000 }, server)
    expect([source.status.state, listed()]).toEqual(['starting', ['add']])
    const early = refusal(source)
    await clock.advance(5000)
    expect(await early).toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: expect.stringContaining('Next try in 1 s'),
    })
    expect([source.status.state, listed()]).toEqual(['backing-off', ['add']])
    server.silent.clear()
    server.tools = ['sum']
    await clock.advance(1000)
    expect(listed()).toEqual(['sum'])
  })

  it('gives up on a server that never answers, in time', async () => {
    const server = new MemoryServer()
    server.silent.add('initialize')
    const { clock, source } = await setUp({ startTimeoutMs: 5000 }, server)
    expect(source.status.state).toBe('starting')
    await clock.advance(5000)
    expect(source.status).toMatchObject({ state: 'backing-off', reason: expect.stringContaining('5000 ms') })
    expect(server.open.size).toBe(0)
  })

  it('asks a server that ends at the first question the legacy way', async () => {
    const server = new MemoryServer()
    server.endsAt.add('server/discover')
    const { source } = await setUp({ era: 'auto' }, server)
    expect([server.starts, server.count('server/discover'), server.count('initialize')]).toEqual([2, 1, 1])
    expect(source.status).toMatchObject({ state: 'ready', peer: { era: 'legacy' } })
  })

  it('remembers the era over a restart, and probes once', async () => {
    const { clock, server, source } = await setUp({ era: 'auto' })
    expect(server.count('server/discover')).toBe(1)
    server.crash()
    await clock.advance(1000)
    expect([source.status.state, server.count('server/discover'), server.count('initialize')]).toEqual(['ready', 1, 2])
  })

  it('needs-auth is a state of its own, by a 401 of a real server', async () => {
    const http = createServer((_request, response) => response.writeHead(401).end())
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const source = createHttpSource({
      name: 'locked',
      clientInfo: { name: 'test', version: '1' },
      clock: new VirtualClock(),
      logger: silentLogger,
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    })
    const seen = new Promise<void>((resolve) => {
      source.onStatus(({ state }) => state !== 'starting' && resolve())
    })
    watch(source)
    await seen
    expect(source.status).toMatchObject({ state: 'needs-auth', reason: expect.stringContaining('401') })
    await new Promise((resolve) => http.close(resolve))
  })
})

describe('a source that goes away', () => {
  it('is started again at once after a good time, and a call that comes meanwhile waits for it (B1)', async () => {
    const { server, source } = await setUp()
    const states: string[] = []
    source.onStatus(({ state }) => states.push(state))
    server.crash('exit code 3')
    while (source.status.state === 'ready') await Promise.resolve()
    expect(await call(source)).toBe('add {"a":1}')
    expect([server.starts, source.status.state]).toEqual([2, 'ready'])
    expect(states).toEqual(['backing-off', 'starting', 'ready'])
  })

  it('is started again after a second when it crashes anew, its tools listed all the while', async () => {
    const { clock, server, source, listed } = await setUp()
    server.crash('exit code 2')
    await settle()
    server.crash('exit code 3')
    await settle()
    expect(source.status).toMatchObject({ state: 'backing-off', nextRetryAt: clock.wall() + 1000 })
    expect(source.status.reason).toContain('exit code 3')
    expect(listed()).toEqual(['add'])
    await clock.advance(1000)
    expect([server.starts, source.status.state]).toEqual([3, 'ready'])
    expect(await call(source)).toBe('add {"a":1}')
  })

  it('fails the calls it was carrying with a code, as perhaps run', async () => {
    const { server, source } = await setUp()
    server.silent.add('tools/call')
    const failed = refusal(source)
    await settle()
    server.crash()
    expect(await failed).toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: false })
  })

  it('keeps its tools listed when it does not come back, and says what it is and when it is tried next (U1)', async () => {
    const { clock, server, source, listed } = await setUp()
    server.refusal = new Error('port taken')
    server.crash()
    await clock.advance(1000)
    expect(listed()).toEqual(['add'])
    expect(await refusal(source)).toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      message: "The source 'memory' is backing-off: port taken. Next try in 2 s.",
      details: { source: 'memory', state: 'backing-off' },
      retryAfterMs: 2000,
    })
  })

  it('is called a crash loop after five crashes', async () => {
    const { clock, server, source } = await setUp()
    for (let crash = 0; crash < 5; crash++) {
      server.crash()
      await settle()
      if (crash > 0 && crash < 4) await clock.advance(source.status.nextRetryAt! - clock.wall())
    }
    expect(source.status.state).toBe('crash-loop')
  })
})

describe('health of a source', () => {
  const healthCheck = { interval: 30_000, timeout: 5000 }

  it('is degraded by two misses in a row and calls are refused, until one answer (U1)', async () => {
    const { clock, server, source, listed } = await setUp({ healthCheck })
    server.silent.add('ping')
    await clock.advance(35_000)
    expect([source.status.state, listed()]).toEqual(['ready', ['add']])
    await clock.advance(35_000)
    expect([source.status.state, listed()]).toEqual(['degraded', ['add']])
    expect(source.status.reason).toContain('2 health checks')
    // It is looked at soon, and not at the next health check.
    expect(await refusal(source)).toMatchObject({ code: 'SOURCE_UNAVAILABLE', retryAfterMs: 250 })
    server.silent.clear()
    await clock.advance(250)
    expect([source.status.state, listed()]).toEqual(['ready', ['add']])
    expect(server.starts).toBe(1)
  })

  it('that is degraded is looked at once at a time, more seldom the longer it lasts, and told once', async () => {
    const { clock, server, source } = await setUp({ healthCheck })
    server.silent.add('ping')
    await clock.advance(70_000)
    const told: string[] = []
    source.onStatus(({ state }) => told.push(state))
    const asked = server.count('ping')
    await clock.advance(60_000)
    // Each look takes its whole time.
    expect(server.count('ping') - asked).toBeLessThanOrEqual(60 / 5)
    expect(told).toEqual([])
    server.silent.clear()
    await clock.advance(10_000)
    expect(told).toEqual(['ready'])
  })

  it('found out by others is looked at until it is well, also where the configuration wants no health checks', async () => {
    const { clock, server, source } = await setUp({ healthCheck: false })
    server.silent.add('ping')
    for (let times = 0; times < 2; times++) {
      // Two who ask at once are one question.
      const answers = Promise.all([source.check(), source.check()])
      await clock.advance(5000)
      expect(await answers).toEqual([false, false])
    }
    expect([source.status.state, server.count('ping')]).toEqual(['degraded', 2])
    server.silent.clear()
    await clock.advance(250)
    expect(source.status.state).toBe('ready')
    await clock.advance(600_000)
    expect(server.count('ping')).toBe(3)
  })

  it('forgives one miss', async () => {
    const { clock, server, source } = await setUp({ healthCheck })
    for (let round = 0; round < 3; round++) {
      server.silent.add('ping')
      await clock.advance(35_000)
      server.silent.clear()
      await clock.advance(30_000)
    }
    expect(source.status.state).toBe('ready')
  })

  it('is not asked where the configuration says so', async () => {
    const { clock, server } = await setUp({ healthCheck: false })
    await clock.advance(600_000)
    expect(server.count('ping')).toBe(0)
  })
})

describe('a source on demand', () => {
  const onDemand = { startOnDemand: true, knownTools: [known], idleStopMs: 60_000 }

  it('sleeps with its known tools listed until one is called', async () => {
    const { server, source, listed } = await setUp(onDemand)
    expect([server.starts, source.status.state, listed()]).toEqual([0, 'stopped', ['add']])
    expect(source.status.reason).toContain('Sleeps')
    expect(await call(source)).toBe('add {"a":1}')
    expect(source.status.state).toBe('ready')
  })

  it('falls asleep after its idle time, keeps its tools, and wakes again', async () => {
    const { clock, server, source, listed } = await setUp(onDemand)
    await call(source)
    await clock.advance(59_000)
    await call(source)
    await clock.advance(59_999)
    expect(source.status.state).toBe('ready')
    await clock.advance(1)
    expect([source.status.state, server.open.size, listed()]).toEqual(['stopped', 0, ['add']])
    await call(source)
    expect([source.status.state, server.starts]).toEqual(['ready', 2])
  })

  it('stays awake while a call runs', async () => {
    const { clock, server, source } = await setUp(onDemand)
    await call(source)
    server.silent.add('tools/call')
    const leaving = new AbortController()
    const long = source.call('add', {}, sourceCall(leaving.signal))
    await clock.advance(300_000)
    expect(source.status.state).toBe('ready')
    leaving.abort()
    await Promise.resolve(long).catch(() => {})
    await clock.advance(60_000)
    expect(source.status.state).toBe('stopped')
  })

  it('starts at once where nothing is known of its tools', async () => {
    const { server, listed } = await setUp({ startOnDemand: true })
    expect([server.starts, listed()]).toEqual([1, ['add']])
  })
})

describe('a source under orders', () => {
  it('stops until it is started, its tools withdrawn', async () => {
    const { clock, server, source, listed } = await setUp()
    await source.stop()
    expect([source.status.state, server.open.size, listed()]).toEqual(['stopped', 0, []])
    await clock.advance(3_600_000)
    expect(server.starts).toBe(1)
    await source.start()
    expect([source.status.state, listed()]).toEqual(['ready', ['add']])
  })

  it('is not woken by a call when someone stopped it, even if it sleeps by habit', async () => {
    const { server, source, listed } = await setUp({ startOnDemand: true, knownTools: [known] })
    await source.stop()
    expect(listed()).toEqual([])
    expect(await refusal(source)).toMatchObject({ code: 'SOURCE_UNAVAILABLE', notSent: true })
    expect(server.starts).toBe(0)
    await source.start()
    expect([await call(source), listed()]).toEqual(['add {"a":1}', ['add']])
  })

  it('restarts at once, whatever it waited for', async () => {
    const server = new MemoryServer()
    server.refusal = new Error('not yet')
    const { source } = await setUp({}, server)
    await expect(source.restart()).rejects.toThrow('not yet')
    server.refusal = undefined
    await source.restart()
    expect([source.status.state, server.open.size]).toEqual(['ready', 1])
    await source.restart()
    expect([server.starts, server.open.size]).toEqual([4, 1])
  })

  it('stops in the middle of a start that hangs', async () => {
    const server = new MemoryServer()
    server.silent.add('initialize')
    const { source } = await setUp({}, server)
    await source.stop()
    expect([source.status.state, server.open.size]).toEqual(['stopped', 0])
  })

  it('ends its watch in the middle of a start that hangs', async () => {
    const server = new MemoryServer()
    server.silent.add('initialize')
    const { stop, watching } = await setUp({}, server)
    stop.abort()
    await expect(watching).resolves.toBeUndefined()
  })

  it('leaves no timer and no connection behind when it is disposed', async () => {
    for (const hangs of [false, true]) {
      const server = new MemoryServer()
      if (hangs) server.silent.add('initialize')
      const { clock, source } = await setUp({ idleStopMs: 60_000 }, server)
      await source[Symbol.asyncDispose]()
      expect([clock.pendingTimers, server.open.size, source.status.state]).toEqual([0, 0, 'stopped'])
    }
  })
})

describe('the list of a source', () => {
  it('F32 is read at most once a second, however often a change is announced', async () => {
    const { clock, server, listed } = await setUp()
    const before = server.count('tools/list')
    for (let second = 0; second < 3; second++) {
      for (let each = 0; each < 1000; each++) server.announce()
      await clock.advance(1000)
    }
    server.tools = ['add', 'extra']
    server.announce()
    await clock.advance(2000)
    expect(listed()).toEqual(['add', 'extra'])
    expect(server.count('tools/list') - before).toBeLessThanOrEqual(6)
  })

  it('keeps its last good state when a new one cannot be read', async () => {
    const { clock, server, source, listed } = await setUp()
    server.silent.add('tools/list')
    server.announce()
    await clock.advance(120_000)
    expect(listed()).toEqual(['add'])
    expect(await call(source)).toBe('add {"a":1}')
  })
})
