import { describe, expect, it } from 'vitest'
import { fixtureGateway } from '../../../test/helpers/fixture-tools.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { localCaller } from '../../model/caller.js'
import { defineTool } from '../../sources/functions/define-tool.js'
import { plainProfile } from './profile.js'
import { createViews } from './view.js'

const open = () => {
  const gateway = fixtureGateway()
  const clock = new VirtualClock()
  const viewOf = createViews({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock })
  const list = (era: 'legacy' | 'modern') =>
    viewOf({ caller: localCaller, profile: { ...plainProfile, expose: 'flat' } }).listResult(
      era,
      undefined,
    )[0] as Buffer
  return { gateway, clock, list }
}

describe('the lists of a view', () => {
  it('are one for both eras where no tool looks different in them', async () => {
    const { gateway, list } = open()
    const numbered = list('modern')
    gateway.register(defineTool({ name: 'plain', handler: () => 1 }))
    expect(list('modern')).not.toBe(numbered)
    const isSame = list('legacy') === list('modern')
    const outputs = JSON.parse(`${list('modern')}]}`).tools.map((tool: any) => tool.outputSchema?.type ?? 'object')
    expect(isSame).toBe(outputs.every((type: unknown) => type === 'object'))
    gateway.register(defineTool({ name: 'number', output: { type: 'number' }, handler: () => 1 }))
    expect(list('legacy')).not.toBe(list('modern'))
    expect(`${list('legacy')}`).toContain('{"name":"number","inputSchema":{"type":"object"')
    await gateway.close()
  })

  it('are let go when nobody asked for them for two minutes', async () => {
    const { gateway, clock, list } = open()
    const first = list('modern')
    await clock.advance(100_000)
    expect(list('modern')).toBe(first)
    await clock.advance(100_000)
    expect(list('modern')).toBe(first)
    await clock.advance(300_000)
    expect(clock.pendingTimers).toBe(0)
    expect(list('modern')).not.toBe(first)
    expect(list('modern')).toEqual(first)
    await gateway.close()
  })
})
