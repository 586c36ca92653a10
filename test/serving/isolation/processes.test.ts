import { afterEach, describe, expect, it } from 'vitest'
import { createGateway, type Gateway } from '../../../src/gateway.js'
import { toText } from '../../../src/model/answer.js'
import type { CallSession } from '../../../src/model/call.js'
import type { Caller } from '../../../src/model/caller.js'
import type { McpSource } from '../../../src/sources/mcp-source.js'
import { createIsolatedSource } from '../../../src/sources/stdio/isolated/isolated-source.js'
import { createStdioHost } from '../../../src/sources/stdio/sessions.js'
import { createStdioSource, type StdioSourceOptions } from '../../../src/sources/stdio/stdio.js'
import { silentLogger } from '../../../src/telemetry/logger.js'
import { isAlive, untilGone } from '../../helpers/gateway-process.js'
import { VirtualClock } from '../../helpers/virtual-clock.js'
import { pages } from './pages.js'

const caller = (id: string): Caller => ({ id, rights: ['discover', 'call'] })

/** A client session that a test can end. */
class TestSession implements CallSession {
  readonly #ends = new Set<() => void>()
  constructor(readonly key: string) {}
  onEnd(listener: () => void): () => void {
    this.#ends.add(listener)
    return () => void this.#ends.delete(listener)
  }
  get listeners(): number {
    return this.#ends.size
  }
  end(): void {
    for (const end of [...this.#ends]) end()
  }
}

interface State {
  readonly page: string
  readonly pid: number
}

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

interface Mounted {
  readonly gateway: Gateway
  readonly source: McpSource
  readonly clock: VirtualClock
  call(who: string | [string, CallSession], tool: string, args?: object): Promise<State>
  refusal(who: string | [string, CallSession], tool: string): Promise<{ code: string; retryAfterMs?: number }>
}

const mount = async (options: Partial<StdioSourceOptions>): Promise<Mounted> => {
  const clock = new VirtualClock()
  const host = createStdioHost({ clock, logger: silentLogger, hostEnv: process.env })
  const source = createStdioSource({
    ...pages,
    name: 'browser',
    clientInfo: { name: 'test', version: '1' },
    clock,
    logger: silentLogger,
    host,
    isolate: createIsolatedSource,
    healthCheck: false,
    ...options,
  })
  const gateway = createGateway({ clock })
  open.push({ [Symbol.asyncDispose]: () => host.close() }, { [Symbol.asyncDispose]: () => gateway.close() })
  await gateway.addSource('browser', source)
  const ask = (who: string | [string, CallSession], tool: string, args: object = {}) => {
    const [id, session] = typeof who === 'string' ? [who, undefined] : who
    return gateway.call({ tool: `browser.${tool}`, args, caller: caller(id), session })
  }
  return {
    gateway,
    source,
    clock,
    call: async (who, tool, args) => {
      const outcome = await ask(who, tool, args)
      if (!outcome.ok) throw outcome.error
      return JSON.parse(toText(outcome.answer))
    },
    refusal: async (who, tool) => {
      const outcome = await ask(who, tool)
      if (outcome.ok) throw new Error('It was answered.')
      return { code: outcome.error.code, retryAfterMs: outcome.error.retryAfterMs! }
    },
  }
}

describe('a source that everybody shares', () => {
  it('is one process with one page, as before', async () => {
    const { call, source } = await mount({})
    const { pid } = await call('ann', 'goto', { page: 'a' })
    expect(await call('bob', 'page')).toEqual({ page: 'a', pid })
    expect(source.status.processes).toBeUndefined()
  })
})

describe('a source with a process for each caller (N9)', () => {
  it('never shows one caller the page of another, over a thousand interleaved calls', async () => {
    const { call } = await mount({ isolation: 'caller' })
    const callers = ['ann', 'bob', 'cid', 'dan']
    const pids = new Map<string, number>()
    for (const who of callers) pids.set(who, (await call(who, 'goto', { page: `of ${who}` })).pid)
    expect(new Set(pids.values()).size).toBe(4)
    const foreign: unknown[] = []
    const look = async (at: number): Promise<void> => {
      const who = callers[(at * 7) % 4]!
      const page = `of ${who} ${at % 3}`
      const state = at % 5 === 0 ? await call(who, 'goto', { page }) : await call(who, 'page')
      if (state.pid !== pids.get(who) || !state.page.startsWith(`of ${who}`)) foreign.push([who, state])
    }
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 100 }, (_, at) => look(round * 100 + at)))
    expect(foreign).toEqual([])
  })

  it('has one ready for whoever comes next, and shows how many there are', async () => {
    const { call, source } = await mount({ isolation: 'caller', maxProcesses: 3 })
    expect(source.status.processes).toEqual({ running: 1, most: 3, by: 'caller' })
    await call('ann', 'page')
    expect(source.status.processes?.running).toBe(2)
    await call('bob', 'page')
    await call('cid', 'page')
    expect(source.status).toMatchObject({ state: 'ready', processes: { running: 3, most: 3 } })
  })

  it('starts none ahead where none is wanted', async () => {
    const { call, source } = await mount({ isolation: 'caller', spare: 0 })
    await call('ann', 'page')
    expect(source.status.processes?.running).toBe(1)
  })

  it('refuses at the bound, says so and when to try again, and lets in whoever comes when one has ended', async () => {
    const { call, refusal, clock } = await mount({ isolation: 'caller', maxProcesses: 2, idleStopMs: 60_000 })
    const ann = await call('ann', 'goto', { page: 'a' })
    await clock.advance(10_000)
    await call('bob', 'goto', { page: 'b' })
    const refused = await refusal('cid', 'page')
    expect(refused).toEqual({ code: 'OVERLOADED', retryAfterMs: 50_000 })
    // The others keep what they have.
    expect(await call('bob', 'page')).toMatchObject({ page: 'b' })
    await clock.advance(50_000)
    await untilGone([ann.pid])
    await expect.poll(() => call('cid', 'page').catch(() => undefined)).toMatchObject({ page: 'about:blank' })
    expect(await call('bob', 'page')).toMatchObject({ page: 'b' })
  })

  it('ends what nobody has asked for five minutes, and begins anew for who comes back', async () => {
    const { call, clock, source } = await mount({ isolation: 'caller', spare: 0 })
    const { pid } = await call('ann', 'goto', { page: 'a' })
    await clock.advance(299_999)
    expect(isAlive(pid)).toBe(true)
    await clock.advance(1)
    await untilGone([pid])
    await expect.poll(() => source.status.processes?.running).toBe(0)
    expect(source.status.state).toBe('stopped')
    expect((await call('ann', 'page')).page).toBe('about:blank')
  })

  it('leaves the others alone when one is killed, and starts that one again for its caller', async () => {
    const { call } = await mount({ isolation: 'caller' })
    const ann = await call('ann', 'goto', { page: 'a' })
    const bob = await call('bob', 'goto', { page: 'b' })
    process.kill(ann.pid, 'SIGKILL')
    await untilGone([ann.pid])
    expect(await call('bob', 'page')).toEqual(bob)
    await expect.poll(() => call('ann', 'page').catch(() => undefined)).toMatchObject({ page: 'about:blank' })
    expect((await call('ann', 'page')).pid).not.toBe(ann.pid)
    expect(await call('bob', 'page')).toEqual(bob)
  })

  it('keeps nobody from theirs by crashing its own', async () => {
    const { call, refusal, gateway, clock } = await mount({ isolation: 'caller', idleStopMs: 10 ** 9 })
    const bob = await call('bob', 'goto', { page: 'b' })
    for (let times = 0; times < 6; times++) {
      expect((await refusal('ann', 'crash')).code).toBe('SOURCE_UNAVAILABLE')
      // It is started again after growing pauses; only then can it crash once more.
      await expect
        .poll(async () => {
          await clock.advance(60_000)
          return call('ann', 'page').catch(() => undefined)
        })
        .toBeDefined()
    }
    expect(gateway.sources().find(({ name }) => name === 'browser')?.circuits).toEqual([])
    expect(await call('bob', 'page')).toEqual(bob)
  })

  it('lists what a process shows that nobody has used, whatever a used one learned', async () => {
    const { call, gateway, clock } = await mount({ isolation: 'caller' })
    const before = gateway.list(caller('bob')).map(({ id }) => id)
    await call('ann', 'goto', { page: 'private' })
    await call('ann', 'learn')
    await clock.advance(5000)
    await call('bob', 'page')
    expect(gateway.list(caller('bob')).map(({ id }) => id)).toEqual(before)
  })

  it('ends all of them when it is stopped, and begins anew by a restart', async () => {
    const { call, source } = await mount({ isolation: 'caller' })
    const pids = [(await call('ann', 'page')).pid, (await call('bob', 'page')).pid]
    await source.restart()
    await untilGone(pids)
    expect((await call('ann', 'page')).page).toBe('about:blank')
    await source.stop()
    expect(source.status).toMatchObject({ state: 'stopped', processes: { running: 0 } })
  })
})

describe('a source with a process for each session (N9)', () => {
  it('keeps sessions of one caller apart, and ends each process with its session', async () => {
    const { call } = await mount({ isolation: 'session' })
    const [one, other] = [new TestSession('1'), new TestSession('2')]
    const first = await call(['ann', one], 'goto', { page: 'one' })
    const second = await call(['ann', other], 'goto', { page: 'two' })
    expect((await call(['ann', one], 'page')).page).toBe('one')
    one.end()
    await untilGone([first.pid])
    expect(await call(['ann', other], 'page')).toEqual(second)
    other.end()
    await untilGone([second.pid])
    expect([one.listeners, other.listeners]).toEqual([0, 0])
  })

  it('gives the same key of another caller another process', async () => {
    const { call } = await mount({ isolation: 'session' })
    await call(['ann', new TestSession('1')], 'goto', { page: 'of ann' })
    expect((await call(['bob', new TestSession('1')], 'page')).page).toBe('about:blank')
  })

  it('takes from who has several, after a minute of rest, for who has none', async () => {
    const { call, refusal, clock } = await mount({ isolation: 'session', maxProcesses: 3 })
    const sessions = ['1', '2', '3'].map((key) => new TestSession(key))
    const pids: number[] = []
    for (const session of sessions) {
      pids.push((await call(['ann', session], 'goto', { page: session.key })).pid)
      await clock.advance(1000)
    }
    expect(await refusal('bob', 'page')).toEqual({ code: 'OVERLOADED', retryAfterMs: 57_000 })
    await clock.advance(57_000)
    expect((await call('bob', 'page')).page).toBe('about:blank')
    await untilGone([pids[0]!])
    expect((await call(['ann', sessions[2]!], 'page')).page).toBe('3')
  })
})
