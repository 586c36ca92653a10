import { beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createGateway, type Gateway } from '../gateway.js'
import type { Caller } from '../model/caller.js'
import type { Plugin, PluginTerms } from '../model/plugin.js'
import { compileRules } from '../policy/rules.js'
import { defineTool } from '../sources/functions/define-tool.js'
import { usingPlugins } from './plugging.js'

const caller: Caller = { id: 'key:1', rights: ['call', 'discover'], profile: 'default' }
let gateway: Gateway
let sent: unknown[]
let logged: string[]
let clock: VirtualClock
const refund = () =>
  defineTool({
    name: 'refund',
    description: 'Gives money back.',
    input: { type: 'object', properties: { amount: { type: 'number' } }, additionalProperties: false },
    handler: (args) => {
      sent.push(args)
      return { paid: args }
    },
  })
const open = (plugins: readonly Plugin[], terms: PluginTerms = {}, more: object = {}): void => {
  gateway = createGateway({
    clock,
    rules: { profiles: { default: {}, team: {} } },
    plugins: usingPlugins(plugins, {
      ...{ clock, ...terms },
      logger: { log: (_, text) => void logged.push(text), child: () => expect.fail() },
    }),
    ...more,
  })
  gateway.register(refund())
  gateway.register(defineTool({ name: 'other', handler: () => 'from other' }))
  gateway.register(defineTool({ name: 'fails', handler: () => Promise.reject(new Error('the password is hunter2')) }))
}
const call = (tool = 'refund', args: object = { amount: 5 }, who: Caller = caller) =>
  gateway.call({ tool, args, caller: who })
const codeOf = async (...asked: Parameters<typeof call>) => {
  const outcome = await call(...asked)
  return outcome.ok ? 'ok' : outcome.error.code
}
beforeEach(() => {
  clock = new VirtualClock()
  ;[sent, logged] = [[], []]
})

describe('beforeCall', () => {
  it('changes what is sent, at once or later, one plugin after the other', async () => {
    const add = ({ arguments: args }: { readonly arguments: unknown }) => ({
      arguments: { amount: (args as { amount: number }).amount + 1 },
    })
    open([{ beforeCall: add }, { beforeCall: async (asked) => add(asked) }, { beforeCall: add }])
    expect(await codeOf()).toBe('ok')
    expect(sent).toEqual([{ amount: 8 }])
  })

  it('passes validation by nothing: what it changes is checked like what a caller sends', async () => {
    open([{ beforeCall: () => ({ arguments: { amount: 'all of it' } }) }])
    expect([await codeOf(), sent]).toEqual(['ARGUMENTS_INVALID', []])
    open([{ beforeCall: () => ({ arguments: { amount: 1, hidden: true } }) }])
    expect([await codeOf(), sent]).toEqual(['ARGUMENTS_INVALID', []])
  })

  it('passes rules by nothing: they judge what is sent, and to whom', async () => {
    const rules = { calls: compileRules({ board: [rule] }) }
    open([{ beforeCall: () => ({ arguments: { amount: 500 } }) }], {}, { rules })
    expect([await codeOf('refund', { amount: 1 }), sent]).toEqual(['ACCESS_DENIED', []])
  })

  it('cannot be changed behind the back of who judged it', async () => {
    const kept: { amount: number }[] = []
    open([
      {
        beforeCall: ({ arguments: args }) => {
          kept.push(args as { amount: number })
          const own = { amount: 1 }
          kept.push(own)
          return { arguments: own }
        },
      },
    ])
    const outcome = call('refund', { amount: 5 })
    for (const each of kept) each.amount = 1_000_000
    await outcome
    expect(sent).toEqual([{ amount: 1 }])
  })

  it('sends a call to another tool, as far as its caller may call that one', async () => {
    open([{ beforeCall: ({ tool }) => (tool === 'refund' ? { route: 'other', arguments: {} } : undefined) }])
    const records: object[] = []
    gateway.onCall((record) => void records.push(record))
    expect(await call()).toMatchObject({ ok: true, answer: { value: 'from other' } })
    expect(records).toMatchObject([{ tool: 'other', routedFrom: 'refund' }])
    gateway.policy.update({ deny: ['other'] })
    expect([await codeOf(), sent]).toEqual(['ACCESS_DENIED', []])
  })

  it('refuses in its own words, with a code of ours', async () => {
    open([{ beforeCall: () => ({ refuse: { code: 'RATE_LIMITED', message: 'Not on Sundays.' } }) }])
    expect(await call()).toMatchObject({ ok: false, error: { code: 'RATE_LIMITED', message: 'Not on Sundays.' } })
    expect(sent).toEqual([])
  })

  it('answers itself, once everybody has let the call through', async () => {
    open(
      [{ beforeCall: () => ({ answer: 'from the cache' }), afterCall: () => undefined }],
      {},
      {
        limits: { quotaOf: () => ({ callsPerMinute: 1 }) },
      },
    )
    expect(await call()).toMatchObject({ answer: { result: { content: [{ type: 'text', text: 'from the cache' }] } } })
    expect([await codeOf(), await codeOf('refund', { amount: 'x' }), sent]).toEqual([
      'RATE_LIMITED',
      'ARGUMENTS_INVALID',
      [],
    ])
  })

  it('is not asked about calls that may not be made', async () => {
    let asked = 0
    open([{ beforeCall: () => void asked++ }])
    await call('refund', {}, { ...caller, rights: ['discover'] })
    await call('absent')
    expect(asked).toBe(0)
  })
})

describe('afterCall', () => {
  it('changes what goes out, the last plugin first, also of what a plugin answered', async () => {
    const add = (word: string): Plugin => ({
      afterCall: (_, ending) =>
        ending.ok
          ? { result: { content: [{ type: 'text', text: `${ending.result.content[0]?.text} ${word}` }] } }
          : undefined,
    })
    open([add('first'), add('second'), { beforeCall: () => ({ answer: 'own' }) }])
    expect(await call()).toMatchObject({ answer: { result: { content: [{ text: 'own second first' }] } } })
  })

  it('takes words out of errors, cause and all', async () => {
    open([{ afterCall: async (_, { ok }) => (ok ? undefined : { message: 'It failed.' }) }])
    const outcome = await call('fails', {})
    expect(outcome).toMatchObject({ ok: false, error: { code: 'TOOL_FAILED', message: 'It failed.' } })
    expect(String((outcome as { error: Error }).error.cause)).not.toContain('hunter2')
  })

  it('is held to the limits of the face', async () => {
    const long = { content: [{ type: 'text', text: 'x'.repeat(10_000) }] }
    open([{ afterCall: () => ({ result: long }) }])
    const outcome = await gateway.call({ tool: 'refund', args: {}, caller, maxResultBytes: 500 })
    expect(JSON.stringify(outcome).length).toBeLessThan(1500)
  })

  it('works on the stack too, and says no to promises there', async () => {
    open([{ beforeCall: () => ({ arguments: { amount: 9 } }) }])
    expect(gateway.callSync({ tool: 'refund', args: { amount: 1 }, caller })).toMatchObject({ ok: true })
    expect(sent).toEqual([{ amount: 9 }])
    open([{ beforeCall: async () => undefined }], { onError: 'refuse' })
    expect(gateway.callSync({ tool: 'refund', args: { amount: 1 }, caller })).toMatchObject({
      error: { code: 'PLUGIN_FAILED' },
    })
  })
})

describe('a plugin that fails', () => {
  const broken: readonly [string, Plugin][] = [
    ['throws', { beforeCall: () => Promise.reject(new Error('no')) }],
    ['throws at once', { beforeCall: () => expect.fail('no') }],
    ['says what means nothing', { beforeCall: () => ({ argumetns: {} }) as never }],
    ['says a header that ends its line', { beforeCall: () => ({ headers: { 'x-a': 'b\r\nhost: c' } }) }],
    ['says a header that is not its own', { beforeCall: () => ({ headers: { Authorization: 'Bearer x' } }) }],
    ['says arguments that nobody can copy', { beforeCall: () => ({ arguments: { f: () => 1 } }) as never }],
    ['says a code that there is not', { beforeCall: () => ({ refuse: { code: 'NO', message: 'x' } }) as never }],
  ]
  it.each(broken)('and %s is passed over, counted and told once a minute', async (_, plugin) => {
    open([plugin])
    expect([await codeOf(), await codeOf(), sent.length, logged.length]).toEqual(['ok', 'ok', 2, 1])
    await clock.advance(60_000)
    await codeOf()
    expect(logged).toHaveLength(2)
  })

  it.each(broken)('and %s refuses the call where that is wanted', async (_, plugin) => {
    open([plugin], { onError: 'refuse' })
    expect([await codeOf(), sent]).toEqual(['PLUGIN_FAILED', []])
  })

  it('has its time, and no more', async () => {
    open([{ name: 'slow', beforeCall: () => new Promise(() => {}) }], { timeoutMs: 40 })
    const outcome = codeOf()
    await clock.advance(39)
    expect(sent).toEqual([])
    await clock.advance(1)
    expect([await outcome, sent.length]).toEqual(['ok', 1])
    expect(logged[0]).toMatch(/'slow' failed in beforeCall and is passed over: it took longer than 40 ms/)
  })
})

describe('onList', () => {
  const lists = (asked: string[], hide: string): Plugin => ({
    onList: (tools, { profile }) => {
      asked.push(`${profile} ${tools.map(({ id }) => id).join(',')}`)
      return profile === 'team'
        ? [
            { id: hide, hide: true },
            { id: 'refund', description: 'Ask first.' },
          ]
        : []
    },
  })
  const team: Caller = { ...caller, id: 'key:2', profile: 'team' }

  it('hides tools and changes words for a profile: in lists, by name, in search and for calls', async () => {
    open([lists([], 'other')])
    expect(gateway.list(caller).map(({ id }) => id)).toEqual(['fails', 'other', 'refund'])
    expect(gateway.list(team).map(({ id }) => id)).toEqual(['fails', 'refund'])
    expect(gateway.find('refund', team)?.definition.description).toBe('Ask first.')
    expect(gateway.find('refund', caller)?.definition.description).toBe('Gives money back.')
    expect(await codeOf('other', {}, team)).toBe('TOOL_NOT_FOUND')
    expect(await codeOf('refund', { amount: 1 }, team)).toBe('ok')
    const found = await gateway.search('money back', {}, team)
    expect(found.results[0]?.tool.definition.description).toBe('Ask first.')
    expect((await gateway.search('other', {}, team)).results.map(({ tool }) => tool.id)).not.toContain('other')
  })

  it('is asked once for each profile and version of the catalog', () => {
    const asked: string[] = []
    open([lists(asked, 'other')])
    for (let at = 0; at < 5; at++) for (const who of [caller, team]) gateway.list(who)
    expect(asked).toEqual(['default fails,other,refund', 'team fails,other,refund'])
    gateway.register(defineTool({ name: 'new', handler: () => 1 }))
    for (let at = 0; at < 5; at++) gateway.list(team)
    expect(asked).toHaveLength(3)
  })

  it('leaves the list as it is where it fails, and may be taken away while calls are made', () => {
    open([{ onList: () => 'all of them' as never }])
    expect(gateway.list(caller)).toHaveLength(3)
    expect(logged).toEqual([expect.stringContaining('onList returned string, not a list of changes')])
    gateway.plug(usingPlugins([lists([], 'refund')]))
    expect(gateway.list(team)).toHaveLength(2)
    gateway.plug(undefined)
    expect(gateway.list(team)).toHaveLength(3)
  })
})

const rule = {
  ...{ id: 'money', effect: 'deny' as const, tools: ['refund'] },
  when: { properties: { amount: { minimum: 100 } }, required: ['amount'] },
} as const
