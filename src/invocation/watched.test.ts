import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createGateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import { defineTool } from '../sources/functions/define-tool.js'
import type { CallRecord } from '../telemetry/calls.js'

const start = () => {
  const clock = new VirtualClock()
  const records: CallRecord[] = []
  const slow = defineTool({
    name: 'slow',
    handler: () => new Promise((resolve) => void clock.after(30, () => resolve('done'))),
  })
  const gateway = createGateway({ clock, tools: [slow, defineTool({ name: 'quick', handler: () => 1 })] })
  gateway.onCall((record) => records.push(record))
  return { clock, gateway, records }
}

describe('a watched call', () => {
  it('tells where its time went, in the order of the call', async () => {
    const { clock, gateway, records } = start()
    gateway.watchSteps()
    const outcome = gateway.call({ tool: 'slow', caller: localCaller })
    await clock.advance(30)
    await outcome
    expect(records[0]?.steps?.map(({ name }) => name)).toEqual([
      'resolve',
      'authorize',
      'validate',
      'rules',
      'quota',
      'unwrap',
      'admit',
      'breaker',
      'deadline',
      'shape',
      'retry',
      'source',
      'answer',
    ])
    expect(records[0]?.steps?.find(({ name }) => name === 'source')?.ms).toBe(30)
  })

  it('that is refused tells how far it came', async () => {
    const { gateway, records } = start()
    gateway.watchSteps()
    await gateway.call({ tool: 'nobody', caller: localCaller })
    expect(records[0]?.steps?.map(({ name }) => name)).toEqual(['resolve'])
  })

  it('on the stack stays there', () => {
    const { gateway, records } = start()
    gateway.watchSteps()
    expect(gateway.callSync({ tool: 'quick', caller: localCaller }).ok).toBe(true)
    expect(records[0]?.steps?.length).toBeGreaterThan(0)
  })

  it('is an ordinary one again once nobody watches', async () => {
    const { gateway, records } = start()
    const stop = gateway.watchSteps()
    const other = gateway.watchSteps()
    stop()
    stop()
    await gateway.call({ tool: 'quick', caller: localCaller })
    other()
    await gateway.call({ tool: 'quick', caller: localCaller })
    expect(records.map(({ steps }) => steps !== undefined)).toEqual([true, false])
  })
})
