import { describe, expect, it } from 'vitest'
import { codeOf, startGateway } from '../../../test/helpers/start-call.js'
import { settle, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { GatewayError } from '../../errors.js'
import { createGateway } from '../../gateway.js'
import { localCaller } from '../../model/caller.js'
import { resultAnswer, textResult } from '../../model/result.js'
import type { Source, SourceCall } from '../../sources/source.js'
import { readyStatus, type SourceStatus, type Supervised } from '../../sources/status.js'

type Behaviour = (context: SourceCall) => ReturnType<Source['call']>

const well: Behaviour = () => resultAnswer(textResult('well'))
const hangs: Behaviour = () => new Promise(() => {})
const fails =
  (error: () => GatewayError): Behaviour =>
  async () => {
    throw error()
  }
const refused = fails(() => new GatewayError('SOURCE_UNAVAILABLE', 'was refused', { notSent: true }))
const broke = fails(() => new GatewayError('SOURCE_UNAVAILABLE', 'was reset'))
const answers500 = fails(() => new GatewayError('SOURCE_UNAVAILABLE', 'HTTP 500', { details: { status: 500 } }))
const timeoutMs = 30_000

/** A server of four tools whose behaviour the test sets, mounted as `api` in a gateway whose clock stands still. */
const setUp = async (breaker = {}) => {
  const clock = new VirtualClock()
  const gateway = createGateway({ clock, breaker, timeoutMs })
  const tools = new Map<string, Behaviour>(['a', 'b', 'c', 'd'].map((name) => [name, well]))
  const listeners = new Set<(status: SourceStatus) => void>()
  const server = { checks: 0, answers: true }
  const source: Source & Supervised = {
    kind: 'test',
    status: readyStatus,
    onStatus: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    start: async () => {},
    stop: async () => {},
    restart: async () => {
      for (const listener of listeners) listener(readyStatus)
    },
    check: async () => {
      server.checks += 1
      return server.answers
    },
    watch: async (onTools, signal) => {
      onTools({
        type: 'all',
        tools: [...tools.keys()].map((name) => ({ definition: { name, inputSchema: { type: 'object' } } })),
      })
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    call: (name, _args, context) => tools.get(name)!(context),
    [Symbol.asyncDispose]: async () => {},
  }
  await gateway.addSource('api', source)
  const begin = (tool: string, more = {}) => gateway.call({ tool: `api.${tool}`, caller: localCaller, ...more })
  /** One call after the other, each until its end. */
  const inTurn = async (tool: string, times: number, more = {}): Promise<string[]> => {
    const codes: string[] = []
    for (let each = 0; each < times; each++) {
      const outcome = begin(tool, more)
      await settle()
      // No further than this call needs: time that passes would let circuits be tried again.
      if (gateway.load().sources.length > 0) await clock.advance(timeoutMs)
      codes.push(codeOf(await outcome))
    }
    return codes
  }
  const open = () => gateway.sources().flatMap(({ circuits }) => circuits.map(({ tool }) => tool ?? 'the source'))
  return { clock, gateway, tools, server, source, begin, inTurn, open }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

describe('the circuit of a tool', () => {
  it('opens after five failures in a row, and lets one call try after 1, 2, 4 … 30 s (F17, B1)', async () => {
    const { clock, tools, inTurn, open } = await setUp()
    tools.set('a', answers500)
    expect(await inTurn('a', 6)).toEqual([...times(5, 'SOURCE_UNAVAILABLE'), 'CIRCUIT_OPEN'])
    for (const seconds of [1, 2, 4, 8, 16, 30, 30]) {
      await clock.advance(seconds * 1000 - 1)
      expect(await inTurn('a', 1)).toEqual(['CIRCUIT_OPEN'])
      await clock.advance(1)
      expect(await inTurn('a', 2)).toEqual(['SOURCE_UNAVAILABLE', 'CIRCUIT_OPEN'])
    }
    expect(open()).toEqual(['api.a'])
    tools.set('a', well)
    await clock.advance(30_000)
    expect(await inTurn('a', 2)).toEqual(['ok', 'ok'])
    expect(open()).toEqual([])
  })

  it('leaves its neighbours alone: a tool that answers 500, and one that is silent, over 1,000 calls (B1)', async () => {
    const { tools, inTurn, open } = await setUp()
    tools.set('a', answers500)
    tools.set('b', hangs)
    const neighbours: string[] = []
    for (let each = 0; each < 1000; each++) {
      await inTurn(each % 2 === 0 ? 'a' : 'b', 1)
      neighbours.push(...(await inTurn('c', 1)))
    }
    expect(new Set(neighbours)).toEqual(new Set(['ok']))
    expect(open()).toContain('api.b')
  })

  it('leaves its neighbours alone also where nobody calls them meanwhile (B1)', async () => {
    const { tools, inTurn, open } = await setUp()
    tools.set('a', hangs)
    await inTurn('a', 20)
    expect(open()).toEqual(['api.a'])
    expect(await inTurn('b', 1)).toEqual(['ok'])
  })

  it('does not count a caller in a hurry, or one that left (B1)', async () => {
    const { clock, tools, begin, inTurn, open } = await setUp()
    tools.set('a', hangs)
    expect(await inTurn('a', 20, { timeoutMs: 1 })).toEqual(times(20, 'DEADLINE_EXCEEDED'))
    const leaving = new AbortController()
    const left = times(8, 0).map(() => begin('a', { signal: leaving.signal }))
    leaving.abort()
    expect((await Promise.all(left)).map(codeOf)).toEqual(times(8, 'CALL_CANCELLED'))
    expect(open()).toEqual([])
    // A caller with more patience than the tool has time waits for the tool's failure.
    expect(await inTurn('a', 5, { timeoutMs })).toEqual(times(5, 'DEADLINE_EXCEEDED'))
    expect(open()).toEqual(['api.a'])
    // And one in a hurry that was let in to try told nothing: the next may.
    await clock.advance(30_000)
    expect(await inTurn('a', 1, { timeoutMs: 1 })).toEqual(['DEADLINE_EXCEEDED'])
    tools.set('a', well)
    expect(await inTurn('a', 1)).toEqual(['ok'])
  })

  it('counts calls that one event took down once, and calls that were silent each (B1)', async () => {
    const { clock, tools, begin, open } = await setUp()
    let breakAll = () => {}
    const event = new Promise<never>((_, reject) => {
      breakAll = () => reject(new GatewayError('SOURCE_UNAVAILABLE', 'was reset'))
    })
    tools.set('a', () => event)
    const together = times(50, 0).map(() => begin('a'))
    breakAll()
    expect((await Promise.all(together)).map(codeOf)).toEqual(times(50, 'SOURCE_UNAVAILABLE'))
    expect(open()).toEqual([])
    tools.set('a', hangs)
    const silent = times(5, 0).map(() => begin('a'))
    await clock.advance(timeoutMs)
    expect((await Promise.all(silent)).map(codeOf)).toEqual(times(5, 'DEADLINE_EXCEEDED'))
    expect(open()).toEqual(['api.a'])
  })

  it('lets the next call try where the one that tried hangs (B1)', async () => {
    const { clock, tools, begin, inTurn } = await setUp()
    tools.set('a', answers500)
    await inTurn('a', 5)
    await clock.advance(1000)
    tools.set('a', hangs)
    void begin('a')
    expect(codeOf(await begin('a'))).toBe('CIRCUIT_OPEN')
    tools.set('a', well)
    await clock.advance(1000)
    expect(codeOf(await begin('a'))).toBe('ok')
  })

  it('names the tool, the last failure and the time in its refusal', async () => {
    const { tools, begin, inTurn } = await setUp()
    tools.set('a', answers500)
    await inTurn('a', 5)
    const outcome = await begin('a')
    expect(outcome.ok || outcome.error).toMatchObject({
      message: "'api.a' failed repeatedly and is left alone for 1 s. It last failed with: HTTP 500",
      retryAfterMs: 1000,
      notSent: true,
    })
  })

  it('counts an answer that the far side failed to give, which callers get as it is', async () => {
    const { tools, inTurn, open } = await setUp()
    tools.set('a', () => resultAnswer(textResult('HTTP 503', { isError: true }), 'HTTP 503'))
    expect(await inTurn('a', 6)).toEqual([...times(5, 'ok'), 'CIRCUIT_OPEN'])
    expect(open()).toEqual(['api.a'])
  })
})

describe('the circuit of a source', () => {
  it('opens when nobody can be asked, and closes as soon as the source is seen to answer (B1)', async () => {
    const { clock, gateway, tools, server, inTurn, open } = await setUp()
    for (const name of tools.keys()) tools.set(name, refused)
    server.answers = false
    expect(await inTurn('a', 5)).toEqual(times(5, 'SOURCE_UNAVAILABLE'))
    expect(await inTurn('b', 1)).toEqual(['CIRCUIT_OPEN'])
    expect(open()).toEqual(['the source'])
    expect(gateway.sources().find(({ name }) => name === 'api')!.status).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('was refused'),
      nextRetryAt: clock.wall() + 250,
    })
    await clock.advance(2000)
    expect(server.checks).toBe(8)
    for (const name of tools.keys()) tools.set(name, well)
    server.answers = true
    // No caller tried: our own look found it back.
    await clock.advance(250)
    expect([server.checks, open()]).toEqual([9, []])
    expect(await inTurn('b', 1)).toEqual(['ok'])
    expect(gateway.sources().find(({ name }) => name === 'api')!.status.state).toBe('ready')
    await gateway.close()
    expect(clock.pendingTimers).toBe(0)
  })

  it.each([
    [2000, 250],
    [9000, 500],
    [30_000, 1000],
    [3_600_000, 5000],
  ])('is found back soon after it was gone for %d ms: by the next look, within %d (B1)', async (goneMs, withinMs) => {
    const { clock, tools, server, inTurn, open } = await setUp()
    tools.set('a', refused)
    server.answers = false
    await inTurn('a', 5)
    await clock.advance(goneMs)
    expect(open()).toEqual(['the source'])
    server.answers = true
    await clock.advance(withinMs)
    expect(open()).toEqual([])
  })

  it('is looked at by one look at a time, more seldom the longer it is gone, whoever calls meanwhile (B1)', async () => {
    const { clock, tools, server, source, inTurn } = await setUp()
    tools.set('a', refused)
    server.answers = false
    await inTurn('a', 5)
    const looksWithin = async (ms: number): Promise<number> => {
      const { checks } = server
      for (let passed = 0; passed < ms; passed += 100) {
        await clock.advance(100)
        await inTurn('a', 1)
      }
      return server.checks - checks
    }
    expect(await looksWithin(5000)).toBeLessThanOrEqual(5 * 4)
    expect(await looksWithin(55_000)).toBeLessThanOrEqual(55 * 2)
    await clock.advance(3_600_000)
    expect(await looksWithin(60_000)).toBeLessThanOrEqual(60 / 5 + 1)
    // One that hangs is waited for.
    const { checks } = server
    source.check = () => {
      server.checks += 1
      return new Promise(() => {})
    }
    await clock.advance(60_000)
    expect(server.checks).toBe(checks + 1)
  })

  it('tells callers when the next look is, not when they might try (B1)', async () => {
    const { clock, tools, server, begin, inTurn } = await setUp()
    tools.set('a', refused)
    server.answers = false
    await inTurn('a', 5)
    await clock.advance(20_000)
    const outcome = await begin('a')
    expect(outcome.ok || outcome.error.retryAfterMs).toBeLessThanOrEqual(1000)
  })

  it('opens when several tools are silent at once, and not when one is (B1)', async () => {
    const { clock, tools, begin, server, open } = await setUp()
    server.answers = false
    for (const name of ['a', 'b', 'c']) tools.set(name, hangs)
    const calls = ['a', 'a', 'b', 'b', 'c'].map((name) => begin(name))
    await clock.advance(timeoutMs)
    await Promise.all(calls)
    expect(open()).toEqual(['the source'])
  })

  it('does not blame a source that answers for tools that do not (B1)', async () => {
    const { clock, tools, begin, inTurn, open } = await setUp()
    for (const name of ['a', 'b', 'c']) tools.set(name, hangs)
    const calls = ['a', 'a', 'a', 'a', 'a', 'b', 'c'].map((name) => begin(name))
    await clock.advance(timeoutMs)
    await Promise.all(calls)
    expect(open()).toEqual(['the source', 'api.a'])
    await clock.advance(1000)
    expect(open()).toEqual(['api.a'])
    expect(await inTurn('d', 1)).toEqual(['ok'])
  })

  it('takes a crash with fifty calls of many tools in flight for one failure (B1)', async () => {
    const { tools, begin, inTurn, open } = await setUp()
    let crash = () => {}
    const event = new Promise<never>((_, reject) => {
      crash = () => reject(new GatewayError('SOURCE_UNAVAILABLE', 'ended by SIGKILL'))
    })
    for (const name of tools.keys()) tools.set(name, () => event)
    const together = times(50, 0).map((_, index) => begin(['a', 'b', 'c', 'd'][index % 4]!))
    crash()
    await Promise.all(together)
    expect(open()).toEqual([])
    for (const name of tools.keys()) tools.set(name, well)
    expect(await inTurn('a', 1)).toEqual(['ok'])
  })

  it('closes with all of its tools when the source has come back, by a restart or a new link (B1)', async () => {
    const { tools, source, inTurn, open } = await setUp()
    tools.set('a', broke)
    await inTurn('a', 5)
    tools.set('b', refused)
    await inTurn('b', 5)
    expect(open()).toEqual(['the source', 'api.a'])
    for (const name of tools.keys()) tools.set(name, well)
    await source.restart()
    expect(open()).toEqual([])
    expect(await inTurn('a', 1)).toEqual(['ok'])
  })

  it('does not count calls of before for what came back after them (B1)', async () => {
    const { clock, tools, source, begin, open } = await setUp()
    tools.set('a', hangs)
    const before = times(20, 0).map(() => begin('a'))
    await settle()
    await source.restart()
    await clock.advance(timeoutMs)
    expect((await Promise.all(before)).map(codeOf)).toEqual(times(20, 'DEADLINE_EXCEEDED'))
    expect(open()).toEqual([])
  })

  it('is not opened by a source that knows it is down, or wants a sign-in (B1)', async () => {
    const { tools, inTurn, open } = await setUp()
    for (const extras of [
      { notSent: true, retryAfterMs: 5 },
      { notSent: true, details: { down: true } },
      { details: { status: 401 } },
      { notSent: true, details: { status: 429 } },
    ]) {
      tools.set(
        'a',
        fails(() => new GatewayError('SOURCE_UNAVAILABLE', 'later', extras)),
      )
      expect(await inTurn('a', 8)).toEqual(times(8, 'SOURCE_UNAVAILABLE'))
    }
    expect(open()).toEqual([])
  })

  it('is gone with its source', async () => {
    const { gateway, clock, tools, inTurn } = await setUp()
    tools.set('a', refused)
    await inTurn('a', 5)
    await gateway.removeSource('api')
    expect(clock.pendingTimers).toBe(0)
  })

  it('tells whoever watches sources that it opened and closed (B1)', async () => {
    const { gateway, tools, source, inTurn } = await setUp()
    const seen: string[] = []
    gateway.onSource(({ name, status, circuits }) => seen.push(`${name} ${status.state} ${circuits.length}`))
    tools.set('a', refused)
    await inTurn('a', 5)
    await source.restart()
    expect(seen).toEqual(['api degraded 1', 'api ready 0', 'api ready 0'])
  })
})

describe('circuits', () => {
  const silent = { handler: () => new Promise(() => {}), timeoutMs: 10 }

  it('are per tool for functions of this process, and tried at most once per openMs', async () => {
    const { call, clock, gateway } = startGateway(silent, { breaker: { failures: 2, openMs: 100 } })
    const once = async () => {
      const outcome = call()
      await clock.advance(10)
      return codeOf(await outcome)
    }
    expect([await once(), await once(), await once()]).toEqual([
      'DEADLINE_EXCEEDED',
      'DEADLINE_EXCEEDED',
      'CIRCUIT_OPEN',
    ])
    await clock.advance(100)
    expect([await once(), await once()]).toEqual(['DEADLINE_EXCEEDED', 'CIRCUIT_OPEN'])
    expect(gateway.sources().find(({ name }) => name === 'local')).toMatchObject({
      status: { state: 'ready' },
      circuits: [{ tool: 'tool', source: 'local' }],
    })
  })

  it('stay closed for tools that throw: they do answer', async () => {
    const { call } = startGateway({
      handler: () => {
        throw new Error('no')
      },
    })
    for (let each = 0; each < 10; each++) expect(codeOf(await call())).toBe('TOOL_FAILED')
  })

  it('can be switched off, also those that are open', async () => {
    const { call, clock, gateway } = startGateway(silent, { breaker: { failures: 1 } })
    const once = async () => {
      const outcome = call()
      await clock.advance(10)
      return codeOf(await outcome)
    }
    expect([await once(), await once()]).toEqual(['DEADLINE_EXCEEDED', 'CIRCUIT_OPEN'])
    gateway.tune({ breaker: { failures: 0 } })
    for (let each = 0; each < 8; each++) expect(await once()).toBe('DEADLINE_EXCEEDED')
  })
})
