import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { GatewayError } from '../errors.js'
import { Shares } from '../model/shares.js'
import { LargeRequests } from './large-requests.js'

const megabyte = 1_000_000

const setUp = (perSecond?: number, held = () => 0) => {
  const clock = new VirtualClock()
  const seenAt = new Map<string, number>()
  const seen = (caller: string) => void seenAt.set(caller, clock.now())
  const othersThan = (caller: string): boolean =>
    [...seenAt].some(([each, at]) => each !== caller && at > clock.now() - 1000)
  const share = new Shares().of('largeRequests')
  share.limit({ perCaller: perSecond })
  const refusal = (caller: string) => share.refuse(caller, 'caller')
  const large = new LargeRequests({ othersThan, held, refusal }, clock, perSecond)
  const begun: string[] = []
  const refused: GatewayError[] = []
  const send = (caller: string, length: number | undefined = megabyte, took = (length ?? 0) / 100_000) => {
    seen(caller)
    const request = {
      caller,
      length,
      begin: () => {
        begun.push(caller)
        large.took(request, took)
      },
      refuse: (error: GatewayError) => void refused.push(error),
    }
    large.take(request)
    return request
  }
  /** The other one asks for something small all the time. */
  const pass = async (ms: number): Promise<void> => {
    for (let at = 0; at < ms; at += 50) {
      seen('bob')
      await clock.advance(50)
    }
  }
  return { clock, large, seen, send, pass, begun, refused }
}

describe('large requests (S6)', () => {
  it('are read as they come from a caller who is alone', () => {
    const { send, begun } = setUp()
    for (let i = 0; i < 1000; i++) send('ann', 4 * megabyte)
    expect(begun).toHaveLength(1000)
  })

  it('are read up to a store of two seconds, then so many a second, while others are about', async () => {
    const { seen, send, pass, begun, refused } = setUp()
    seen('bob')
    for (let i = 0; i < 60; i++) send('ann')
    expect(begun).toHaveLength(20)
    await pass(1000)
    expect(begun).toHaveLength(30)
    await pass(2900)
    expect(begun.length).toBeGreaterThan(57)
    expect(refused).toEqual([])
  })

  it('count by the square of what they took: few that take long are more than many that do not', async () => {
    const { seen, send, pass, begun } = setUp()
    seen('bob')
    // Forty milliseconds each: sixteen times as much as ten.
    for (let i = 0; i < 3; i++) send('ann', megabyte, 40)
    expect(begun).toHaveLength(2)
    await pass(1000)
    expect(begun).toHaveLength(2)
    await pass(300)
    expect(begun).toHaveLength(3)
  })

  it('are refused after five seconds, and at once where very many wait, with the setting that says how many', async () => {
    const { seen, send, pass, refused } = setUp(1)
    seen('bob')
    for (let i = 0; i < 70; i++) send('ann')
    expect(refused).toHaveLength(70 - 64 - 2)
    await pass(5200)
    expect(refused.length).toBeGreaterThan(55)
    expect(refused[0]).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      retryAfterMs: 1000,
      details: { setting: 'server.limits.largeRequestsPerSecond', most: 1 },
    })
    expect(refused[0]!.message).toContain("'ann'")
  })

  it('wait while much of their caller has not been answered', async () => {
    let held = 9 * 1024 * 1024
    const { seen, send, pass, begun } = setUp(10, () => held)
    seen('bob')
    send('ann')
    await pass(200)
    expect(begun).toEqual([])
    held = 0
    await pass(200)
    expect(begun).toEqual(['ann'])
  })

  it('of one caller keep nobody else waiting', () => {
    const { seen, send, begun } = setUp(1)
    seen('bob')
    for (let i = 0; i < 20; i++) send('ann')
    send('bob')
    expect(begun.filter((caller) => caller === 'bob')).toHaveLength(1)
  })

  it('that wait are read one after the other once the others have gone, and not where their client has', async () => {
    const { clock, large, seen, send, begun } = setUp(1)
    seen('bob')
    const sent = Array.from({ length: 20 }, () => send('ann'))
    expect(begun).toHaveLength(2)
    large.leave(sent.at(-1)!)
    await clock.advance(1200)
    expect(begun.length).toBeGreaterThan(2)
    expect(begun.length).toBeLessThan(10)
    await clock.advance(2000)
    expect(begun).toHaveLength(19)
  })

  it('wait for nothing where the setting is 0', () => {
    const { seen, send, begun } = setUp(0)
    seen('bob')
    for (let i = 0; i < 200; i++) send('ann', undefined, 50)
    expect(begun).toHaveLength(200)
  })
})
