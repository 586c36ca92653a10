import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { createGateway } from '../../gateway.js'
import { localCaller } from '../../model/caller.js'
import { defineTool } from '../../sources/functions/define-tool.js'
import { CallHistory } from '../../telemetry/call-history.js'
import { createCallLog } from './call-log.js'

const start = (maxCalls?: number) => {
  const clock = new VirtualClock()
  const gateway = createGateway({
    clock,
    tools: [
      defineTool({ name: 'good', handler: () => 1 }),
      defineTool({
        name: 'bad',
        handler: () => {
          throw new Error('the token is hush-hush')
        },
      }),
    ],
  })
  const clean = (text: string) => text.replaceAll('hush-hush', '***')
  const history = maxCalls === undefined ? undefined : new CallHistory(maxCalls)
  if (history) gateway.onCall(history.listener)
  const log = createCallLog({ gateway, clock, clean, history })
  const call = (tool: string) => gateway.call({ tool, caller: localCaller })
  return { clock, gateway, log, call }
}

describe('the call log', () => {
  it('keeps names and numbers of a call, and the words of a failure without secrets (T23)', async () => {
    const { log, call } = start()
    await call('good')
    await call('bad')
    expect(log.recent()).toMatchObject([
      { n: 1, tool: 'good', ok: true, message: undefined },
      { n: 2, tool: 'bad', ok: false, code: 'TOOL_FAILED' },
    ])
    expect(JSON.stringify(log.recent())).not.toContain('hush-hush')
    expect(log.recent({ tool: 'bad' })).toHaveLength(1)
  })

  it('counts by the minute, quiet ones included', async () => {
    const { log, call, clock } = start()
    await call('good')
    await clock.advance(120_000)
    await call('bad')
    const minutes = log.minutes()
    expect(minutes).toHaveLength(60)
    expect(minutes.slice(-3).map(({ calls, errors }) => [calls, errors])).toEqual([
      [1, 0],
      [0, 0],
      [1, 1],
    ])
  })

  it('forgets the oldest, and tells a late reader how many it missed', async () => {
    const { log, call } = start(10)
    for (let n = 0; n < 100; n++) await call('good')
    expect(log.recent().length).toBe(10)
    const { calls, missed } = log.after(90, 4)
    expect(calls.map(({ n }) => n)).toEqual([97, 98, 99, 100])
    expect(missed).toBe(6)
    expect(log.after(100, 4)).toEqual({ calls: [], missed: 0 })
  })

  it('does not keep a name of any length that a stranger sends', async () => {
    const { log, call } = start()
    await call('x'.repeat(5000))
    expect(log.recent()[0]?.tool.length).toBe(200)
  })
})
