import { describe, expect, it } from 'vitest'
import { settle, VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { ClientPeer } from '../mcp/client/client-peer.js'
import { createCallerSessions } from './caller-sessions.js'

const setUp = (
  options: { most?: number | undefined; idleMs?: number | undefined; fail?: (() => boolean) | undefined } = {},
) => {
  const clock = new VirtualClock()
  const made: string[] = []
  const closed: string[] = []
  const ends = new Map<string, () => void>()
  const running = new Map<string, number>()
  const sessions = createCallerSessions({
    clock,
    ...options,
    make: async (caller, onClose) => {
      made.push(caller)
      if (options.fail?.()) throw new Error('refused')
      ends.set(caller, onClose)
      return {
        inFlight: running.get(caller) ?? 0,
        close: async () => void closed.push(caller),
      } as unknown as ClientPeer
    },
  })
  return { clock, sessions, made, closed, ends, running }
}

describe('sessions by caller', () => {
  it('gives each caller one of their own, and the same again', async () => {
    const { sessions, made } = setUp()
    const [ann, bob, again] = await Promise.all([sessions.of('ann'), sessions.of('bob'), sessions.of('ann')])
    expect(made).toEqual(['ann', 'bob'])
    expect(again).toBe(ann)
    expect(bob).not.toBe(ann)
  })

  it('lets go of those unused for ten minutes, and keeps the others', async () => {
    const { clock, sessions, closed } = setUp()
    await sessions.of('ann')
    await clock.advance(400_000)
    await sessions.of('bob')
    await clock.advance(300_000)
    expect(closed).toEqual(['ann'])
    await clock.advance(900_000)
    expect([closed, sessions.size, clock.pendingTimers]).toEqual([['ann', 'bob'], 0, 0])
  })

  it('keeps one that is in use, however long its call takes', async () => {
    const { clock, sessions, closed, running } = setUp()
    running.set('ann', 1)
    await Promise.all([sessions.of('ann'), sessions.of('bob')])
    await clock.advance(1_300_000)
    expect(closed).toEqual(['bob'])
  })

  it('holds at most so many, the one unused for longest going first', async () => {
    const { sessions, closed } = setUp({ most: 2 })
    await sessions.of('ann')
    await sessions.of('bob')
    await sessions.of('ann')
    await sessions.of('eve')
    await settle()
    expect([closed, sessions.size]).toEqual([['bob'], 2])
  })

  it('makes a new one after a failure or the end of the last', async () => {
    let failing = true
    const { sessions, made, ends } = setUp({ fail: () => failing })
    await expect(sessions.of('ann')).rejects.toThrow('refused')
    failing = false
    await sessions.of('ann')
    ends.get('ann')!()
    await sessions.of('ann')
    expect(made).toEqual(['ann', 'ann', 'ann'])
  })

  it('is not confused by the late end of one that was let go', async () => {
    const { sessions, made, ends } = setUp({ most: 1 })
    await sessions.of('ann')
    const lateEnd = ends.get('ann')!
    await sessions.of('bob')
    await sessions.of('ann')
    lateEnd()
    await sessions.of('ann')
    expect([made, sessions.size]).toEqual([['ann', 'bob', 'ann'], 1])
  })

  it('ends all and leaves no timer', async () => {
    const { clock, sessions, closed } = setUp()
    await Promise.all([sessions.of('ann'), sessions.of('bob')])
    await sessions.close()
    expect([closed, sessions.size, clock.pendingTimers]).toEqual([['ann', 'bob'], 0, 0])
  })
})
