import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createGateway } from '../gateway.js'
import { localCaller } from '../model/caller.js'
import { defineTool } from '../sources/functions/define-tool.js'
import type { CallRecord } from '../telemetry/calls.js'

const open = (limits = {}) => {
  const clock = new VirtualClock()
  const records: CallRecord[] = []
  const tool = defineTool({
    name: 'slow',
    handler: () => new Promise((resolve) => clock.after(30, () => resolve('done'))),
  })
  const gateway = createGateway({ tools: [tool], clock, limits, timeoutMs: 50 })
  gateway.onCall((record) => void records.push(record))
  const call = () => gateway.call({ tool: 'slow', args: {}, caller: localCaller })
  return { clock, records, gateway, call }
}

describe('where the time of a call went', () => {
  it('is told while somebody keeps times: at the source, and waiting for a place', async () => {
    const { clock, records, gateway, call } = open({ concurrencyPerTool: 1 })
    const stop = gateway.watchTimes()
    const both = [call(), call()]
    await clock.advance(100)
    await Promise.all(both)
    expect(records.map(({ sourceMs, waitingMs, latencyMs }) => [sourceMs, waitingMs, latencyMs])).toEqual([
      [30, 0, 30],
      [30, 30, 60],
    ])
    stop()
    const third = call()
    await clock.advance(100)
    await third
    expect(records[2]).toMatchObject({ sourceMs: undefined, waitingMs: undefined })
    await gateway.close()
  })

  it('is the source’s until a call is given up', async () => {
    const clock = new VirtualClock()
    const tool = defineTool({ name: 'stuck', handler: () => new Promise(() => {}) })
    const gateway = createGateway({ tools: [tool], clock, timeoutMs: 50 })
    gateway.watchTimes()
    const told = new Promise<CallRecord>((resolve) => void gateway.onCall(resolve))
    const ended = gateway.call({ tool: 'stuck', args: {}, caller: localCaller })
    await clock.advance(60)
    expect((await ended).ok).toBe(false)
    expect(await told).toMatchObject({ code: 'DEADLINE_EXCEEDED', sourceMs: expect.closeTo(50, 0), waitingMs: 0 })
    await gateway.close()
  })
})
