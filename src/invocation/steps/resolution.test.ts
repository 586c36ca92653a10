import { describe, expect, it, vi } from 'vitest'
import { codeOf, startGateway } from '../../../test/helpers/start-call.js'
import { localCaller } from '../../model/caller.js'

describe('a resolution', () => {
  it('looks a name up once and asks the policy once, whoever did it first', async () => {
    const { gateway, call } = startGateway({ handler: () => 1 })
    const decide = vi.spyOn(gateway.policy, 'decide')
    const looked: string[] = []
    const found = gateway.resolve('by-the-face', localCaller, (name) => {
      looked.push(name)
      return gateway.catalog.find('tool')
    })
    expect(codeOf(await call({}, { tool: 'by-the-face', found }))).toBe('ok')
    expect(looked).toEqual(['by-the-face'])
    expect(decide).toHaveBeenCalledTimes(1)
    decide.mockClear()
    expect(codeOf(await call())).toBe('ok')
    expect(decide).toHaveBeenCalledTimes(1)
  })

  it('is not believed from elsewhere, for another name or caller, or after the rules or the tools changed', async () => {
    const { gateway, call } = startGateway({ handler: () => 1 })
    const tool = gateway.catalog.find('tool')
    expect(codeOf(await call({}, { tool: 'none', found: { tool } }))).toBe('TOOL_NOT_FOUND')
    const found = gateway.resolve('tool', localCaller)
    expect(codeOf(await call({}, { tool: 'none', found }))).toBe('TOOL_NOT_FOUND')
    const other = { id: 'reader', rights: ['discover'] as const }
    expect(codeOf(await call({}, { found, caller: other }))).toBe('ACCESS_DENIED')
    gateway.policy.update({ deny: ['tool'] })
    expect(codeOf(await call({}, { found }))).toBe('TOOL_NOT_FOUND')
    gateway.policy.update({})
    const later = gateway.resolve('tool', localCaller)
    gateway.unregister('tool')
    expect(codeOf(await call({}, { found: later }))).toBe('TOOL_NOT_FOUND')
  })

  it('keeps what this caller cannot see to itself', () => {
    const { gateway } = startGateway({ handler: () => 1 }, { rules: { deny: ['tool'] } })
    expect(gateway.resolve('tool').tool).toBeUndefined()
  })
})
