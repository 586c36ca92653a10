import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../../test/helpers/start-call.js'

const input = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 } },
  required: ['city'],
} as const

describe('validate', () => {
  it('merges defaults without touching the caller’s object', async () => {
    const { call } = startGateway({ input, handler: (args) => args })
    const args = Object.freeze({ city: 'Oslo' })
    expect(returned(await call(args))).toEqual({ city: 'Oslo', days: 3 })
    expect(args).toEqual({ city: 'Oslo' })
  })

  it('names the path of each problem and never the value', async () => {
    const { call } = startGateway({ input, handler: () => 1 })
    const outcome = await call({ city: 12345678, days: 'secret' })
    expect(codeOf(outcome)).toBe('ARGUMENTS_INVALID')
    const message = outcome.ok ? '' : outcome.error.message
    expect(message).toContain('/city')
    expect(message).toContain('/days')
    expect(message).not.toContain('12345678')
    expect(message).not.toContain('secret')
  })

  it('C11 takes missing arguments as an empty object', async () => {
    const { call } = startGateway({ handler: (args) => args })
    expect(returned(await call(undefined))).toEqual({})
  })

  it.each([null, [], 'text', 12])('refuses %j as arguments', async (args) => {
    const { call } = startGateway({ handler: () => 1 })
    expect(codeOf(await call(args))).toBe('ARGUMENTS_INVALID')
  })

  it('000 compat 6 passes anything through when validation is off', async () => {
    const { call } = startGateway({ input, handler: (args) => args }, { validation: 'off' })
    expect(returned(await call(123))).toBe(123)
  })

  it('warns and goes on with validation at warn', async () => {
    const { call, logs } = startGateway({ input, handler: (args) => args }, { validation: 'warn' })
    expect(returned(await call({ days: 1 }))).toEqual({ days: 1 })
    expect(logs).toEqual([expect.stringMatching(/^warn: Invalid arguments for 'tool': .*city/)])
  })

  it('T30 delivers a __proto__ key as data', async () => {
    const { call } = startGateway({ handler: (args) => Object.keys(args) })
    expect(returned(await call(JSON.parse('{"__proto__":{"polluted":true}}')))).toEqual(['__proto__'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
