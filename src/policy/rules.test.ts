import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../model/caller.js'
import type { ToolAnnotations } from '../model/tool.js'
import type { CallRule } from './call-rules.js'
import { createPolicy } from './policy.js'
import { classesOf, compileRules, usualTerms } from './rules.js'

const toolOf = (id: string, annotations?: ToolAnnotations) => ({
  id,
  name: id.split('.').at(-1)!,
  source: id.split('.')[0]!,
  owner: undefined,
  definition: { name: id, inputSchema: { type: 'object' }, annotations },
})
const caller = (name: string, profile?: string): Caller => ({
  ...{ id: `key:${name.length}`, name, rights: ['discover', 'call'], profile },
})
const policyOf = (board: readonly CallRule[], profiles: Readonly<Record<string, readonly CallRule[]>> = {}) => {
  const names = Object.fromEntries(Object.keys(profiles).map((name) => [name, {}]))
  return createPolicy({ profiles: names, calls: compileRules({ board, profiles }) })
}
const judge = (rules: readonly CallRule[], id: string, args: unknown, who = caller('ann')) =>
  policyOf(rules).judge(who, toolOf(id), 'tool', args)
const ruleOf = (rule: Partial<CallRule>): CallRule => ({ id: 'r', effect: 'deny', ...rule })

describe('a rule', () => {
  const prod = ruleOf({
    tools: ['k8s.*', '*.delete_*'],
    when: { properties: { env: { const: 'prod' } }, required: ['env'] },
    unless: { properties: { dry_run: { const: true } }, required: ['dry_run'] },
    reason: 'Production is changed by the pipeline only',
  })

  it('matches where tools and `when` match and `unless` does not', () => {
    const denied = { effect: 'deny', rule: 'r', reason: 'Production is changed by the pipeline only' }
    expect(judge([prod], 'k8s.apply', { env: 'prod' })).toEqual(denied)
    expect(judge([prod], 'db.delete_row', { env: 'prod', dry_run: false })).toEqual(denied)
    expect(judge([prod], 'k8s.apply', { env: 'dev' })).toBeUndefined()
    expect(judge([prod], 'k8s.apply', {})).toBeUndefined()
    expect(judge([prod], 'k8s.apply', { env: 'prod', dry_run: true })).toBeUndefined()
    expect(judge([prod], 'git.push', { env: 'prod' })).toBeUndefined()
  })

  it('speaks of callers by the names of their keys and by their ids', () => {
    const ci = ruleOf({ callers: ['ci-*'] })
    expect(judge([ci], 'a.b', {}, caller('ci-7'))).toMatchObject({ rule: 'r' })
    expect(judge([ci], 'a.b', {}, caller('ann'))).toBeUndefined()
    expect(judge([ruleOf({ callers: ['key:3'] })], 'a.b', {}, caller('ann'))).toMatchObject({ rule: 'r' })
  })

  it('takes what cannot be judged for a match', () => {
    for (const args of [null, 'text', 5, ['prod'], undefined]) expect(judge([prod], 'k8s.apply', args)).toBeDefined()
    const money = ruleOf({ when: { properties: { amount: { exclusiveMinimum: 100 } }, required: ['amount'] } })
    expect(judge([money], 'a.b', { amount: 50 })).toBeUndefined()
    expect(judge([money], 'a.b', { amount: '1000' })).toBeDefined()
    const cheap = ruleOf({ unless: { properties: { amount: { maximum: 100 } }, required: ['amount'] } })
    expect(judge([cheap], 'a.b', { amount: 50 })).toBeUndefined()
    for (const amount of ['50', null, [50], 101]) expect(judge([cheap], 'a.b', { amount })).toBeDefined()
  })

  it('holds paths and hosts from both sides', () => {
    const home = ruleOf({ unless: { properties: { path: { pathUnder: '/srv/data' } }, required: ['path'] } })
    const away = ruleOf({ when: { properties: { path: { pathUnder: '/etc' } }, required: ['path'] } })
    for (const path of ['/srv/data/../../etc/passwd', '/srv/data/%2e%2e/x', 'etc/passwd', '~/x', '/etc/\u0000x']) {
      expect(judge([home], 'files.read', { path })).toBeDefined()
      expect(judge([away], 'files.read', { path })).toBeDefined()
    }
    expect(judge([home], 'files.read', { path: '/srv/data/a' })).toBeUndefined()
    expect(judge([away], 'files.read', { path: '/srv/data/a' })).toBeUndefined()
  })

  it('of deny wins over those that ask, wherever it stands', () => {
    const ask = ruleOf({ id: 'asks', effect: 'ask' })
    const deny = ruleOf({ id: 'denies', tools: ['a.*'] })
    for (const rules of [
      [ask, deny],
      [deny, ask],
    ])
      expect(judge(rules, 'a.b', {})).toMatchObject({ effect: 'deny', rule: 'denies' })
    expect(policyOf([ask], { home: [deny] }).judge(caller('ann', 'home'), toolOf('a.b'), 'tool', {})).toMatchObject({
      rule: 'denies',
    })
    expect(policyOf([ask], { home: [deny] }).judge(caller('ann'), toolOf('a.b'), 'tool', {})).toMatchObject({
      rules: ['asks'],
    })
  })

  it('that asks with others demands the strictest of each', () => {
    const one = ruleOf({
      id: 'one',
      effect: 'ask',
      approval: { by: ['operator', 'caller'], remember: ['once', 'minutes'] },
    })
    const two = ruleOf({
      id: 'two',
      effect: 'ask',
      approval: { by: ['caller'], withinMs: 60_000, remember: ['once', 'always'] },
    })
    const three = ruleOf({ id: 'three', effect: 'ask', reason: 'Why' })
    expect(judge([one, two], 'a.b', {})).toEqual({
      effect: 'ask',
      rules: ['one', 'two'],
      reason: undefined,
      terms: { by: ['caller'], withinMs: 60_000, remember: ['once'], waitMs: 45_000, except: undefined },
    })
    expect(judge([two, three], 'a.b', {})).toMatchObject({ reason: 'Why', terms: { by: ['operator'] } })
    expect(judge([three], 'a.b', {})).toMatchObject({ terms: usualTerms })
  })

  it('without any condition hides what it denies, from lists and from calls', () => {
    const policy = policyOf([ruleOf({ tools: ['a.*'] })], {
      home: [ruleOf({ id: 's', tools: ['c.*'], class: ['writes'] })],
    })
    const see = (id: string, profile?: string) => policy.decide(caller('ann', profile), toolOf(id), 'see').allowed
    expect([see('a.b'), see('c.d'), see('c.d', 'home'), see('e.f', 'home')]).toEqual([false, true, false, true])
    for (const more of [{ callers: ['*'] }, { when: {} }, { unless: {} }, { effect: 'ask' as const }])
      expect(policyOf([ruleOf(more)]).decide(caller('ann'), toolOf('a.b'), 'see').allowed).toBe(true)
  })

  it("means the board's own tools only by their names", () => {
    const own = { ...toolOf('call_tool'), own: true }
    const policy = policyOf([ruleOf({ id: 'all', when: {} }), ruleOf({ id: 'named', tools: ['call_tool'], when: {} })])
    expect(policy.judge(caller('ann'), own, 'tool', {})).toMatchObject({ rule: 'named' })
    expect(policyOf([ruleOf({ tools: ['*'], when: {} })]).judge(caller('ann'), own, 'tool', {})).toBeUndefined()
  })

  it('sees the arguments of prompts and the addresses of resources, and lets words be completed', () => {
    const policy = policyOf([
      ruleOf({ when: { properties: { uri: { pattern: 'secret' } }, required: ['uri'] } }),
      ruleOf({ id: 'p', when: { properties: { city: { const: 'x' } }, required: ['city'] } }),
    ])
    const offer = { id: 'a.b', name: 'b', source: 'a' }
    const of = (kind: 'prompt' | 'resource' | 'completion' | 'other', args: unknown) =>
      policy.judge(caller('ann'), offer, kind, args)
    expect(of('resource', { uri: 'file:///secret' })).toMatchObject({ rule: 'r' })
    expect(of('resource', { uri: 'file:///open' })).toBeUndefined()
    expect(of('prompt', { name: 'b', arguments: { city: 'x' } })).toMatchObject({ rule: 'p' })
    expect(of('prompt', { name: 'b' })).toBeUndefined()
    expect(of('completion', { ref: {}, argument: { name: 'city', value: 'x' } })).toBeUndefined()
    expect(of('other', { city: 'x' })).toMatchObject({ rule: 'p' })
  })
})

describe('classes', () => {
  const unsaid = { readonly: false, why: 'unsaid' } as const
  const of = (annotations?: ToolAnnotations, effect: Parameters<typeof classesOf>[2] = unsaid) =>
    [...classesOf(toolOf('a.b', annotations), 'tool', effect)].sort()

  it("come from what a tool says of itself, with MCP's defaults", () => {
    expect(of()).toEqual(['destructive', 'openWorld', 'writes'])
    expect(of({ readOnlyHint: true, openWorldHint: false })).toEqual(['readOnly'])
    expect(of({ destructiveHint: false })).toEqual(['openWorld', 'writes'])
    // Two words that contradict each other are none.
    expect(of({ readOnlyHint: true, destructiveHint: true })).toEqual(['destructive', 'openWorld', 'writes'])
  })

  it("are the operator's word before that", () => {
    expect(of({ openWorldHint: false }, { readonly: true, by: 'approver' })).toEqual(['readOnly'])
    let stated = false
    const calls = compileRules({ board: [ruleOf({ class: ['destructive'] })] })
    const policy = createPolicy({ calls }, { effects: { isStated: () => stated, trusts: () => false } })
    const tool = toolOf('a.b')
    expect(policy.judge(caller('ann'), tool, 'tool', {})).toBeDefined()
    stated = true
    policy.recheck()
    expect(policy.judge(caller('ann'), tool, 'tool', {})).toBeUndefined()
  })
})

describe('compileRules', () => {
  it('refuses a condition that it does not understand, with its place', () => {
    const wrong = ruleOf({ id: 'bad', unless: { properties: { a: { maximun: 5 } } } })
    expect(() => compileRules({ profiles: { home: [ruleOf({}), wrong] } })).toThrow(
      expect.objectContaining({
        code: 'SCHEMA_INVALID',
        details: { path: '/properties/a/maximun', rule: 'bad', profile: 'home', index: 1, part: 'unless' },
      }),
    )
  })
})

describe('explain', () => {
  it('says of every rule why it matches, or why it does not', () => {
    const tool = toolOf('k8s.apply')
    const rules = [
      ruleOf({ id: 'tools', tools: ['x.*'] }),
      ruleOf({ id: 'class', class: ['readOnly'] }),
      ruleOf({ id: 'callers', callers: ['ben'] }),
      ruleOf({ id: 'when', when: { properties: { a: { const: 1 } }, required: ['a'] } }),
      ruleOf({ id: 'unless', unless: { properties: { a: { const: 2 } } } }),
      ruleOf({ id: 'unclear', unless: { properties: { b: { maximum: 2 } } } }),
      ruleOf({ id: 'all', when: {} }),
    ]
    const policy = policyOf(rules)
    const told = policy.calls!.explain(caller('ann'), tool, 'tool', { a: 2, b: 'x' }, policy.effectOf)
    expect(told.map(({ because }) => because)).toEqual(rules.map(({ id }) => id))
    expect(told.filter(({ matches }) => matches).map(({ rule }) => rule.id)).toEqual(['unclear', 'all'])
    expect(told[3]!.problems).toMatchObject([{ path: '/a' }])
  })

  it('agrees with what is decided, for any rules and arguments', () => {
    const schema = fc.constantFrom(
      {},
      { required: ['a'] },
      { properties: { a: { maximum: 1 } } },
      { not: { required: ['b'] } },
    )
    const rule = fc.record(
      {
        id: fc.constantFrom('r1', 'r2'),
        effect: fc.constantFrom('deny' as const, 'ask' as const),
        tools: fc.constantFrom(['a.*'], ['*.b'], ['c.d']),
        class: fc.constantFrom(['readOnly' as const], ['writes' as const]),
        when: schema,
        unless: schema,
        callers: fc.constantFrom(['a*'], ['z']),
      },
      { requiredKeys: ['id', 'effect'] },
    )
    const args = fc.oneof(
      fc.constant('x'),
      fc.record({ a: fc.constantFrom(0, 2, 'x'), b: fc.boolean() }, { requiredKeys: [] }),
    )
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), args, (rules, sent) => {
        const policy = policyOf(rules)
        const matching = policy
          .calls!.explain(caller('ann'), toolOf('a.b'), 'tool', sent, policy.effectOf)
          .filter(({ matches }) => matches)
        const verdict = policy.judge(caller('ann'), toolOf('a.b'), 'tool', sent)
        const effects = matching.map(({ rule: { effect } }) => effect)
        expect(verdict?.effect).toBe(effects.includes('deny') ? 'deny' : effects[0])
      }),
      { numRuns: 500 },
    )
  })
})
