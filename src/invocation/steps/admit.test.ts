import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../../test/helpers/start-call.js'
import { settle } from '../../../test/helpers/virtual-clock.js'

/** A tool whose calls end when told. */
const heldTool = () => {
  const release: (() => void)[] = []
  const handler = () => new Promise<string>((resolve) => release.push(() => resolve('done')))
  return { handler, release }
}

describe('admit', () => {
  it('runs so many calls of a tool at once and lets the next wait its turn', async () => {
    const { handler, release } = heldTool()
    const { call } = startGateway({ handler }, { limits: { concurrencyPerTool: 2 } })
    const calls = [call(), call(), call()]
    await settle()
    expect(release).toHaveLength(2)
    release[0]!()
    await calls[0]
    await settle()
    expect(release).toHaveLength(3)
    for (const each of release) each()
    expect((await Promise.all(calls)).map(returned)).toEqual(['done', 'done', 'done'])
  })

  it('bounds all tools together', async () => {
    const { handler, release } = heldTool()
    const { gateway, call } = startGateway({ handler }, { limits: { concurrency: 1, queue: 0 } })
    const first = call()
    expect(codeOf(await call())).toBe('OVERLOADED')
    release[0]!()
    await first
    expect(gateway.stats()).toMatchObject({ calls: 2, errors: 1, errorsByCode: { OVERLOADED: 1 } })
  })

  it('refuses at once when the queue is full, with a time to come back', async () => {
    const { handler, release } = heldTool()
    const { call } = startGateway({ handler }, { limits: { concurrencyPerTool: 1, queue: 1 } })
    const calls = [call(), call()]
    const third = await call()
    expect(third.ok || third.error).toMatchObject({ code: 'OVERLOADED', retryAfterMs: 1000, notSent: true })
    release[0]!()
    await settle()
    release[1]!()
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['ok', 'ok'])
  })

  it('gives up waiting after a while, and when the caller leaves', async () => {
    const { handler, release } = heldTool()
    const { call, clock } = startGateway(
      { handler, timeoutMs: 1e9 },
      { limits: { concurrencyPerTool: 1, queueWaitMs: 50 } },
    )
    const running = call()
    const leaving = new AbortController()
    const waiting = [call(), call({}, { signal: leaving.signal })]
    leaving.abort()
    await clock.advance(50)
    expect((await Promise.all(waiting)).map(codeOf)).toEqual(['OVERLOADED', 'CALL_CANCELLED'])
    release[0]!()
    expect(codeOf(await running)).toBe('ok')
    expect(clock.pendingTimers).toBe(0)
  })

  it('does not count the wait against the call’s own time', async () => {
    const { handler, release } = heldTool()
    const { call, clock } = startGateway({ handler, timeoutMs: 100 }, { limits: { concurrencyPerTool: 1 } })
    const calls = [call({}, { timeoutMs: 1000 }), call()]
    await clock.advance(90)
    release[0]!()
    await settle()
    await clock.advance(90)
    release[1]!()
    expect((await Promise.all(calls)).map(codeOf)).toEqual(['ok', 'ok'])
  })

  it('T39 limits the rate of one caller and not of another', async () => {
    const { call, clock } = startGateway({ handler: () => 1 }, { limits: { rate: { calls: 2, perMs: 1000 } } })
    const alice = { id: 'alice', rights: ['discover', 'call'] as const }
    const codes = async (times: number, caller: typeof alice) =>
      (await Promise.all(Array.from({ length: times }, () => call({}, { caller })))).map(codeOf)
    expect(await codes(3, alice)).toEqual(['ok', 'ok', 'RATE_LIMITED'])
    expect(await codes(1, { ...alice, id: 'bob' })).toEqual(['ok'])
    await clock.advance(500)
    expect(await codes(2, alice)).toEqual(['ok', 'RATE_LIMITED'])
  })

  it('001-22 ends a tool that calls itself without end', async () => {
    let calls = 0
    const { call } = startGateway({
      handler: (_args, context) => {
        calls += 1
        return context.callTool('tool', { same: true })
      },
    })
    expect(codeOf(await call())).toBe('LOOP_DETECTED')
    expect(calls).toBeLessThan(5)
  })

  it('ends a chain that only grows deeper', async () => {
    let deepest = 0
    const { call } = startGateway(
      {
        handler: ({ depth = 0 }, context) => {
          deepest = Math.max(deepest, depth)
          return context.callTool('tool', { depth: depth + 1 })
        },
      },
      { limits: { maxDepth: 5 } },
    )
    expect(codeOf(await call())).toBe('LOOP_DETECTED')
    expect(deepest).toBe(4)
  })

  it('frees the place of a tool that throws', async () => {
    const { call } = startGateway(
      {
        handler: () => {
          throw new Error('boom')
        },
      },
      { limits: { concurrencyPerTool: 1, queue: 0 } },
    )
    expect([codeOf(await call()), codeOf(await call())]).toEqual(['TOOL_FAILED', 'TOOL_FAILED'])
  })
})
