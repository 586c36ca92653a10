import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../../test/helpers/start-call.js'
import { namesTowards, safeNaming } from '../../catalog/names.js'
import { GatewayError } from '../../errors.js'
import { localCaller } from '../../model/caller.js'
import type { Outcome } from '../../model/outcome.js'
import type { AskVerdict, CallApprovals, CallRule, CallToApprove } from '../../policy/call-rules.js'
import { compileRules } from '../../policy/rules.js'
import { createRegisteredSource } from '../../sources/registry/registered.js'
import { createRegistrySource } from '../../sources/registry/registry.js'

const input = {
  type: 'object',
  properties: { env: { type: 'string', default: 'prod' }, n: { type: 'number' } },
} as const
const prod: CallRule = {
  id: 'no-prod',
  tools: ['tool'],
  when: { properties: { env: { const: 'prod' } }, required: ['env'] },
  effect: 'deny',
  reason: 'Production is changed by the pipeline only.',
}

const start = (board: readonly CallRule[], approvals?: CallApprovals) =>
  startGateway(
    { input, handler: (args: unknown) => args },
    { rules: { calls: compileRules({ board }) }, approvals, limits: { quotaOf: () => ({ callsPerMinute: 2 }) } },
  )
const errorOf = (outcome: Outcome) => (outcome.ok ? undefined : outcome.error)

describe('rules', () => {
  it("deny with the rule and the operator's reason, and never tell the condition", async () => {
    const { call, records } = start([prod])
    const error = errorOf(await call({ env: 'prod' }))
    expect(error).toMatchObject({
      code: 'ACCESS_DENIED',
      notSent: true,
      message:
        "'tool' may not be called so: the rule 'no-prod' forbids it: Production is changed by the pipeline only.",
      details: { tool: 'tool', rule: 'no-prod', reason: 'Production is changed by the pipeline only.' },
    })
    expect(JSON.stringify(error)).not.toMatch(/const|"env"/)
    expect(records[0]).toMatchObject({ code: 'ACCESS_DENIED', rule: 'no-prod' })
    expect(codeOf(await call({ env: 'dev' }))).toBe('ok')
    expect(records[1]).not.toHaveProperty('rule')
  })

  it('see arguments after their defaults, and what was not validated', async () => {
    const { call } = start([prod])
    expect(codeOf(await call({}))).toBe('ACCESS_DENIED')
    for (const args of ['prod', ['prod'], null, 5])
      for (const validation of ['off', 'warn'] as const)
        expect(codeOf(await call(args, { validation }))).toBe('ACCESS_DENIED')
  })

  it('stand before quota: whoever is refused has used nothing up', async () => {
    const { call } = start([prod])
    const ann = { caller: { ...localCaller, id: 'ann' } }
    for (let turn = 0; turn < 5; turn++) expect(codeOf(await call({ env: 'prod' }, ann))).toBe('ACCESS_DENIED')
    expect(codeOf(await call({ env: 'dev' }, ann))).toBe('ok')
  })

  it('hold for calls on the stack, and by a tool that calls others', async () => {
    const { gateway, call, records } = start([prod])
    expect(codeOf(gateway.callSync({ tool: 'tool', args: {}, caller: localCaller }))).toBe('ACCESS_DENIED')
    const registered = createRegisteredSource()
    const names = namesTowards(gateway.shown, () => safeNaming)
    await gateway.addSource('registry', createRegistrySource({ board: gateway, registered, names }), { namespace: '' })
    const carried = await call({ tool_name: 'tool', arguments: { env: 'prod' } }, { tool: 'call_tool' })
    expect(errorOf(carried)).toMatchObject({ code: 'ACCESS_DENIED', details: { rule: 'no-prod' } })
    expect(records.at(-2)).toMatchObject({ tool: 'tool', rule: 'no-prod' })
    expect(codeOf(await call({ tool_name: 'tool', arguments: { env: 'dev' } }, { tool: 'call_tool' }))).toBe('ok')
  })

  it('refuse what they ask about where nobody can be asked', async () => {
    const { call, records } = start([{ ...prod, id: 'asks', effect: 'ask' }])
    const error = errorOf(await call({ env: 'prod' }))
    expect(error).toMatchObject({ code: 'APPROVAL_DENIED', details: { rule: 'asks' } })
    expect(error?.message).toMatch(/nobody can be asked/)
    expect(records[0]).toMatchObject({ rule: 'asks' })
  })

  it('hand what they ask about to whoever approves, as it will be sent, and wait for the answer', async () => {
    const asked: [CallToApprove, AskVerdict][] = []
    let answer: (error?: Error) => void = () => {}
    const approvals: CallApprovals = {
      admit: (call, verdict) => {
        asked.push([call, verdict])
        return new Promise((resolve, reject) => {
          answer = (error) => (error ? reject(error) : resolve('g1'))
        })
      },
    }
    const { call, gateway, records } = start(
      [
        { ...prod, id: 'a', effect: 'ask' },
        { ...prod, id: 'b', effect: 'ask' },
      ],
      approvals,
    )
    const first = call({ n: 1 })
    expect(asked).toMatchObject([
      [{ kind: 'tool', profile: 'default', args: { env: 'prod', n: 1 }, sync: false }, { rules: ['a', 'b'] }],
    ])
    expect(asked[0]![0].target.id).toBe('tool')
    // Whoever waits for a person holds no place.
    expect(gateway.load().sources).toEqual([])
    answer()
    expect(returned(await first)).toEqual({ env: 'prod', n: 1 })
    expect(records[0]).toMatchObject({ ok: true, rule: 'a,b' })
    const second = call({ n: 2 })
    answer(new GatewayError('ACCESS_DENIED', 'No.'))
    expect(codeOf(await second)).toBe('ACCESS_DENIED')
  })

  it('change with the policy, at once', async () => {
    const { call, gateway } = start([])
    expect(codeOf(await call({ env: 'prod' }))).toBe('ok')
    gateway.policy.update({ calls: compileRules({ board: [prod] }) })
    expect(codeOf(await call({ env: 'prod' }))).toBe('ACCESS_DENIED')
    gateway.policy.update({ calls: compileRules({ board: [{ id: 'gone', tools: ['tool'], effect: 'deny' }] }) })
    expect(gateway.list().map(({ id }) => id)).toEqual([])
    expect(codeOf(await call({ env: 'dev' }))).toBe('TOOL_NOT_FOUND')
    gateway.policy.update({})
    expect(codeOf(await call({ env: 'prod' }))).toBe('ok')
  })
})
