import { describe, expect, it } from 'vitest'
import { useConfigFolder } from '../../test/helpers/config-files.js'
import type { GatewayError } from '../errors.js'

const { loadText } = useConfigFolder()
const told = (config: object): Promise<string> =>
  loadText(config).then(
    () => 'valid',
    (error: GatewayError) => `${error.code} ${error.message}`,
  )
const rule = { id: 'r', effect: 'deny' }

describe('rules in a configuration', () => {
  it('are taken for the board and for profiles', async () => {
    const when = { properties: { path: { pathUnder: '/srv' } } }
    const { config } = await loadText({
      rules: [{ ...rule, when }],
      profiles: { home: { rules: [{ ...rule, id: 's' }] } },
    })
    expect(config.rules).toEqual([{ ...rule, when }])
    expect(config.profiles.home?.rules).toEqual([{ ...rule, id: 's' }])
    expect(config.profiles.default.rules).toEqual([])
  })

  it.each([
    [
      { rules: [{ ...rule, when: { maximun: 5 } }] },
      /rules\[0\]\.when: cannot be used in the rule 'r'.*maximun.*maximum/,
    ],
    [
      { profiles: { home: { rules: [{ ...rule, unless: { properties: { a: { pathUnder: '../x' } } } }] } } },
      /profiles\.home\.rules\[0\]\.unless.*'\/properties\/a\/pathUnder': must be an absolute folder/,
    ],
    [{ rules: [{ ...rule, when: { properties: { a: { hostIn: [] } } } }] }, /hostIn.*must be a host such as/],
    [{ rules: [{ ...rule, when: { pattern: '(' } }] }, /rules\[0\]\.when/],
    [{ rules: [rule, rule] }, /rules\[1\]\.id: 'r' is the id of another rule/],
    [{ rules: [rule], profiles: { home: { rules: [rule] } } }, /profiles\.home\.rules\[0\]\.id/],
    [{ rules: [{ ...rule, approval: { by: ['operator'] } }] }, /rules\[0\]\.approval: is for rules that ask/],
    [{ rules: [{ id: 'r', effect: 'allow' }] }, /rules\[0\]\.effect/],
    [{ rules: [{ ...rule, class: ['harmless'] }] }, /rules\[0\]\.class/],
    [{ rules: [{ ...rule, if: {} }] }, /rules\[0\]\.if/],
    [{ rules: [{ ...rule, id: 'a b' }] }, /rules\[0\]\.id: is not a legal id/],
  ])('refuses %j, naming the place', async (config, words) => {
    expect(await told(config)).toMatch(/^CONFIG_INVALID/)
    expect(await told(config)).toMatch(words)
  })
})
