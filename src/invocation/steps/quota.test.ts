import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../../test/helpers/start-call.js'
import type { Gateway } from '../../gateway.js'
import type { Caller } from '../../model/caller.js'
import { systemClock } from '../../model/clock.js'
import { valueAnswer } from '../../model/result.js'
import { defineTool } from '../../sources/functions/define-tool.js'
import type { Source } from '../../sources/source.js'
import { PooledLimiter } from '../limits/pooled.js'
import type { RateLimit } from '../limits/rate.js'
import type { Quota } from './quota.js'

const caller = (id: string, profile?: string): Caller => ({
  id,
  rights: ['call', 'discover'],
  profile,
})

const start = (quotas: Readonly<Record<string, Quota>>, handler: () => unknown = () => 'done') =>
  startGateway(
    { handler },
    {
      rules: { profiles: { home: {} } },
      limits: { quotaOf: ({ profile }) => quotas[profile ?? 'default'] },
    },
  )

/** One tool of the board's own that makes three calls, one after the other. */
const scriptSource = (gateway: Gateway): Source => ({
  kind: 'scripts',
  watch: async (onTools) => {
    onTools({
      type: 'all',
      tools: [{ definition: { name: 'script', inputSchema: { type: 'object' } }, own: true, callsOthers: true }],
    })
  },
  call: async (_name, _args, { call: { caller }, link }) => {
    const ends: string[] = []
    for (let turn = 0; turn < 3; turn++)
      ends.push(codeOf(await gateway.call({ tool: 'tool', caller, parent: link, run: 'r_1' })))
    return valueAnswer(ends)
  },
  [Symbol.asyncDispose]: async () => {},
})

describe('quota', () => {
  it('lets each caller of a profile make so many calls a minute, and says when the next may come', async () => {
    const { call, clock } = start({ home: { callsPerMinute: 2 } })
    const ann = { caller: caller('ann', 'home') }
    expect([codeOf(await call({}, ann)), codeOf(await call({}, ann))]).toEqual(['ok', 'ok'])
    const third = await call({}, ann)
    expect(third.ok || third.error).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 30_000, notSent: true })
    expect(codeOf(await call({}, { caller: caller('ben', 'home') }))).toBe('ok')
    await clock.advance(30_000)
    expect(codeOf(await call({}, ann))).toBe('ok')
  })

  it('counts a person over all their clients and keys, and what a grant says over all their profiles', async () => {
    const identity = { id: 'person:ann', issuer: 'https://idp.example', subject: 'ann' }
    const { call } = start({ home: { callsPerMinute: 2 }, default: { callsPerMinute: 2 } })
    const byToken = { caller: { ...caller('person:ann', 'home'), identity, client: 'https://one.example' } }
    const byKey = { caller: { ...caller('key:ann', 'home'), identity } }
    expect([codeOf(await call({}, byToken)), codeOf(await call({}, byKey))]).toEqual(['ok', 'ok'])
    expect([codeOf(await call({}, byToken)), codeOf(await call({}, byKey))]).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
    // What a profile says counts within it.
    expect(codeOf(await call({}, { caller: { ...byKey.caller, profile: undefined } }))).toBe('ok')

    const granted = startGateway(
      { handler: () => 'done' },
      { rules: { profiles: { home: {} } }, limits: { quotaOf: ({ limits }) => limits } },
    )
    const limits = { callsPerMinute: 2 }
    const home = { caller: { ...caller('person:ann', 'home'), identity, limits } }
    const elsewhere = { caller: { ...caller('key:ann'), identity, limits } }
    expect([codeOf(await granted.call({}, home)), codeOf(await granted.call({}, elsewhere))]).toEqual(['ok', 'ok'])
    expect(codeOf(await granted.call({}, home))).toBe('RATE_LIMITED')
    expect(codeOf(await granted.call({}, elsewhere))).toBe('RATE_LIMITED')
  })

  it('holds a person to so many calls at once, over all their clients', async () => {
    const ends: (() => void)[] = []
    const identity = { id: 'person:ann', issuer: 'https://idp.example', subject: 'ann' }
    const { call } = start({ default: { concurrency: 1 } }, () => new Promise((resolve) => ends.push(() => resolve(1))))
    const first = call({}, { caller: { ...caller('person:ann'), identity } })
    expect(codeOf(await call({}, { caller: { ...caller('key:ann'), identity } }))).toBe('QUOTA_EXCEEDED')
    ends[0]!()
    expect(codeOf(await first)).toBe('ok')
  })

  it('bounds nobody whose profile says nothing', async () => {
    const { call } = start({ home: { callsPerMinute: 1 } })
    for (let turn = 0; turn < 5; turn++) expect(codeOf(await call({}, { caller: caller('ann') }))).toBe('ok')
  })

  it('lets so many calls of one caller run, and the next when one has ended, well or badly', async () => {
    const ends: ((error?: Error) => void)[] = []
    const handler = () =>
      new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve('done'))))
    const { call } = start({ default: { concurrency: 1 } }, handler)
    const first = call({}, { caller: caller('ann') })
    expect(codeOf(await call({}, { caller: caller('ann') }))).toBe('QUOTA_EXCEEDED')
    const others = call({}, { caller: caller('ben') })
    ends[0]!(new Error('broken'))
    expect(codeOf(await first)).toBe('TOOL_FAILED')
    const again = call({}, { caller: caller('ann') })
    for (const end of ends.slice(1)) end()
    expect([codeOf(await others), codeOf(await again)]).toEqual(['ok', 'ok'])
  })

  it('counts a call once, however many calls it makes itself', async () => {
    const { call, gateway } = start({ default: { callsPerMinute: 1 } })
    gateway.register(defineTool({ name: 'outer', handler: (_args, context) => context.callTool('tool', {}) }))
    const outcome = await call({}, { tool: 'outer', caller: caller('ann') })
    expect(returned(outcome)).toBe('done')
  })

  it('counts what a script calls one by one, and gives the script itself no place', async () => {
    const { call, gateway, clock } = start({ default: { callsPerMinute: 3, concurrency: 1 } })
    const run = { run: 'r_1', caller: caller('ann') }
    await gateway.addSource('scripts', scriptSource(gateway), { namespace: '' })
    // One for the script and two for what it calls: the third of those is refused, whatever it is a part of.
    const outcome = await call({}, { tool: 'script', caller: caller('ann') })
    expect(returned(outcome)).toEqual(['ok', 'ok', 'RATE_LIMITED'])
    await clock.advance(60_000)
    const parent = { tool: 'script', args: {}, depth: 1 }
    expect([codeOf(await call({}, { ...run, parent })), codeOf(await call({}, { ...run, parent }))]).toEqual([
      'ok',
      'ok',
    ])
    // Without a run it is a tool that calls a tool.
    expect(codeOf(await call({}, { caller: caller('ann'), parent }))).toBe('ok')
    expect(codeOf(await call({}, { ...run, parent }))).toBe('ok')
    expect(codeOf(await call({}, { ...run, parent }))).toBe('RATE_LIMITED')
  })

  it('lets scripts of one caller call, however many of them run and however few places there are', async () => {
    const { call, gateway } = startGateway(
      { handler: () => 'done' },
      { limits: { concurrencyPerCaller: 1, concurrency: 1, concurrencyPerTool: 1, queueWaitMs: 0 } },
    )
    await gateway.addSource('scripts', scriptSource(gateway), { namespace: '' })
    const all = [1, 2, 3].map((index) => call({}, { tool: 'script', caller: caller(`ann-${index}`) }))
    for (const each of await Promise.all(all)) expect(returned(each)).toEqual(['ok', 'ok', 'ok'])
    expect(gateway.load().sources).toEqual([])
  })

  it('follows a configuration that changes', async () => {
    const quotas: Record<string, Quota> = {}
    const { call } = start(quotas)
    const ann = { caller: caller('ann') }
    await call({}, ann)
    quotas.default = { callsPerMinute: 1 }
    expect(codeOf(await call({}, ann))).toBe('ok')
    expect(codeOf(await call({}, ann))).toBe('RATE_LIMITED')
  })

  it('is counted with other processes where there is a pool, and leaves no place taken by who was refused', async () => {
    let left = 2
    const pool = {
      sharers: () => 1,
      draw: async (_key: string, wanted: number) => {
        const got = Math.min(left, wanted)
        left -= got
        return got
      },
    }
    const limiterOf = (limit: RateLimit) => new PooledLimiter(limit, pool, systemClock)
    const { call, gateway } = startGateway(
      { handler: () => 'done' },
      { limits: { quotaOf: () => ({ callsPerMinute: 5, concurrency: 2 }), limiterOf } },
    )
    const ann = { caller: caller('ann') }
    expect(codeOf(gateway.callSync({ tool: 'tool', args: {}, ...ann }))).toBe('RATE_LIMITED')
    const both = [call({}, ann), call({}, ann)]
    // Its place is taken while it is asked whether there is a token.
    expect(codeOf(await call({}, ann))).toBe('QUOTA_EXCEEDED')
    expect((await Promise.all(both)).map(codeOf)).toEqual(['ok', 'ok'])
    for (let turn = 0; turn < 3; turn++) expect(codeOf(await call({}, ann))).toBe('RATE_LIMITED')
    expect(codeOf(await call({}, { caller: caller('ben') }))).toBe('RATE_LIMITED')
  })
})
