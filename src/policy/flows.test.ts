import { describe, expect, it } from 'vitest'
import type { Caller } from '../model/caller.js'
import { createPolicy, type PolicyRules } from './policy.js'

const rules: PolicyRules = {
  profiles: {
    default: { flow: { untrusted: ['web.*'], outward: ['mail.send'] } },
    careful: { flow: { untrusted: ['web.*'], private: ['files.*'], outward: ['*.send'], forMs: 1000 } },
    free: {},
  },
}
const caller = (id: string, profile?: string): Caller => ({ id, rights: ['discover', 'call'], profile })
const ask = (policy: ReturnType<typeof createPolicy>, who: Caller, ...ids: string[]): (string | undefined)[] =>
  ids.map((id) => policy.flows?.refusal(who, { id }))

describe('T22 what may not follow what', () => {
  it('is nothing where no profile says so, and nobody is asked', () => {
    expect(createPolicy().flows).toBeUndefined()
    expect(createPolicy({ profiles: { free: {} } }).flows).toBeUndefined()
  })

  it('lets things out until words of strangers came in', () => {
    const [before, read, after, other] = ask(
      createPolicy(rules),
      caller('a'),
      'mail.send',
      'web.get',
      'mail.send',
      'calc.add',
    )
    expect([before, read, other]).toEqual([undefined, undefined, undefined])
    expect(after).toContain("'web.get'")
  })

  it('needs both, where something private is named, in whichever order', () => {
    const policy = createPolicy(rules)
    const [, alone] = ask(policy, caller('a', 'careful'), 'web.get', 'mail.send')
    expect(alone).toBeUndefined()
    const [, both] = ask(policy, caller('a', 'careful'), 'files.read', 'mail.send')
    expect(both).toContain("'files.read'")
    const [, , turned] = ask(policy, caller('b', 'careful'), 'files.read', 'web.get', 'mail.send')
    expect(turned).toContain("'web.get'")
  })

  it('is asked of each caller and each profile by itself', () => {
    const policy = createPolicy(rules)
    ask(policy, caller('a'), 'web.get')
    expect(ask(policy, caller('b'), 'mail.send')).toEqual([undefined])
    expect(ask(policy, caller('a', 'free'), 'web.get', 'mail.send')).toEqual([undefined, undefined])
    expect(ask(policy, caller('a'), 'mail.send')[0]).toBeDefined()
  })

  it('is forgotten after its time, and not by a change of the rules', () => {
    let now = 0
    const policy = createPolicy(rules, { now: () => now })
    ask(policy, caller('a', 'careful'), 'web.get', 'files.read')
    policy.update({ ...rules })
    expect(ask(policy, caller('a', 'careful'), 'mail.send')[0]).toBeDefined()
    now = 1001
    expect(ask(policy, caller('a', 'careful'), 'mail.send')).toEqual([undefined])
  })

  it('counts what is both a way in and a way out', () => {
    const policy = createPolicy({ profiles: { default: { flow: { untrusted: ['web.*'], outward: ['web.*'] } } } })
    const [first, second] = ask(policy, caller('a'), 'web.get', 'web.get')
    expect(first).toBeUndefined()
    expect(second).toBeDefined()
  })

  it('remembers a bounded number of callers', () => {
    const policy = createPolicy(rules)
    for (let i = 0; i <= 10_000; i++) ask(policy, caller(`c${i}`), 'web.get')
    expect(ask(policy, caller('c10000'), 'mail.send')[0]).toBeDefined()
  })
})
