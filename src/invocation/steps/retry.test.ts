import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../../test/helpers/start-call.js'
import { GatewayError } from '../../errors.js'

const failing = (times: number, error: () => unknown) => {
  let calls = 0
  return {
    handler: () => {
      calls += 1
      if (calls <= times) throw error()
      return calls
    },
    count: () => calls,
  }
}
const unavailable = (notSent: boolean) => () => new GatewayError('SOURCE_UNAVAILABLE', 'gone', { notSent })

describe('retry', () => {
  it('C17 tries once by default', async () => {
    const { handler, count } = failing(1, unavailable(true))
    const { call } = startGateway({ handler })
    expect(codeOf(await call())).toBe('SOURCE_UNAVAILABLE')
    expect(count()).toBe(1)
  })

  it('repeats what surely was not sent, waiting twice as long each time', async () => {
    const { handler } = failing(3, unavailable(true))
    const { call, clock } = startGateway({ handler }, { retry: { attempts: 4, backoffMs: 100 } })
    const outcome = call()
    await clock.advance(100 + 200 + 400)
    const ended = await outcome
    expect(returned(ended)).toBe(4)
    expect(ended.meta.attempts).toBe(4)
  })

  it('never repeats a call that may have run, unless its tool is marked idempotent', async () => {
    for (const [idempotent, attempts] of [
      [false, 1],
      [true, 2],
    ] as const) {
      const { handler, count } = failing(1, unavailable(false))
      const { call, clock } = startGateway({ handler, idempotent }, { retry: { attempts: 2 } })
      const outcome = call()
      await clock.advance(1000)
      await outcome
      expect(count()).toBe(attempts)
    }
  })

  it('stops when time is up', async () => {
    const { handler, count } = failing(99, unavailable(true))
    const { call, clock } = startGateway({ handler, timeoutMs: 250 }, { retry: { attempts: 99, backoffMs: 100 } })
    const outcome = call()
    await clock.advance(10_000)
    expect(codeOf(await outcome)).toBe('DEADLINE_EXCEEDED')
    expect(count()).toBe(2)
    expect(clock.pendingTimers).toBe(0)
  })

  it('gives a synchronous call one try', () => {
    const { handler, count } = failing(1, unavailable(true))
    const { gateway } = startGateway({ handler }, { retry: { attempts: 5 } })
    gateway.callSync({ tool: 'tool', caller: { id: 'x', rights: ['discover', 'call'] } })
    expect(count()).toBe(1)
  })
})
