import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settle, VirtualClock } from '../../test/helpers/virtual-clock.js'
import { Gate, type GateOptions, Share, Shares } from './shares.js'

describe('a share', () => {
  it('says whose bound it was, which setting it is, and when to come back', () => {
    const streams = new Share('streams', { perCaller: 1, inAll: 2 })
    expect(streams.take('ann')).toBeUndefined()
    expect(streams.take('ann')).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      retryAfterMs: 5000,
      details: { bound: 'streams', most: 1, setting: 'server.limits.maxStreamsPerCaller' },
    })
    expect(streams.take('bob')).toBeUndefined()
    expect(streams.take('cy')).toMatchObject({ code: 'OVERLOADED', details: { setting: 'server.limits.maxStreams' } })
    expect(streams.refusals()).toEqual([
      { bound: 'streams', whose: 'caller', count: 1 },
      { bound: 'streams', whose: 'board', count: 1 },
    ])
    streams.give('ann')
    expect(streams.take('cy')).toBeUndefined()
  })

  it('holds what was taken and not given back, within its bounds, and leaves something for the next', () => {
    const step = fc.record({ caller: fc.constantFrom('a', 'b', 'c', 'd'), takes: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 300 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        (steps, perCaller, inAll) => {
          const share = new Share('followed', { perCaller, inAll })
          const held = new Map<string, number>()
          for (const { caller, takes } of steps) {
            const before = held.get(caller) ?? 0
            if (takes && !share.take(caller)) held.set(caller, before + 1)
            if (takes || before === 0) continue
            share.give(caller)
            held.set(caller, before - 1)
          }
          const counts = [...held.values()]
          const total = counts.reduce((sum, each) => sum + each, 0)
          expect(share.total).toBe(total)
          for (const [caller, count] of held) expect(share.of(caller)).toBe(count)
          expect(total <= inAll && counts.every((each) => each <= perCaller)).toBe(true)
          // Whoever has nothing yet gets something unless really nothing is left.
          expect(share.take('newcomer') === undefined).toBe(total < inAll)
        },
      ),
    )
  })

  it('forgets who holds nothing, however many come and go', () => {
    const share = new Share('calls')
    for (let at = 0; at < 10_000; at++) {
      share.take(`caller ${at}`)
      share.give(`caller ${at}`)
    }
    expect([share.total, share.of('caller 5')]).toEqual([0, 0])
  })

  it('has bounds that change while it is held', () => {
    const shares = new Shares()
    shares.limit({ parked: { perCaller: 1 } })
    const parked = shares.of('parked')
    expect([parked.take('ann'), parked.take('ann')?.code]).toEqual([undefined, 'QUOTA_EXCEEDED'])
    shares.limit({ parked: { perCaller: 2 } })
    expect(parked.take('ann')).toBeUndefined()
  })
})

describe('a gate', () => {
  const open = (options: Partial<GateOptions> = {}, others: (caller: string) => boolean = () => true) => {
    const clock = new VirtualClock()
    const gate = new Gate({ places: 2, queue: 100, waitMs: 1000, perCaller: 1, clock, ...options }, '', '', others)
    const admitted: string[] = []
    const enter = (caller: string): void => {
      if (gate.tryEnter(caller)) return void admitted.push(caller)
      void gate.enter(caller, undefined).then((refusal) => admitted.push(refusal ?? caller))
    }
    const leave = async (caller: string): Promise<void> => {
      gate.leave(caller)
      await settle()
    }
    return { clock, gate, admitted, enter, leave }
  }

  it('lets those who wait in by turns, whoever has the longer line (S21)', async () => {
    const { admitted, enter, leave, gate } = open()
    for (const caller of ['ann', 'ann', 'ann', 'ann', 'ann', 'bob', 'cy', 'bob']) enter(caller)
    for (let at = 0; at < 6; at++) await leave('ann')
    expect(admitted).toEqual(['ann', 'ann', 'ann', 'bob', 'cy', 'ann', 'bob', 'ann'])
    expect(gate.waiting).toBe(0)
  })

  it('gives one caller half of its places while others are about, and all of them while nobody is', async () => {
    const crowded = open({ places: 4, perCaller: 128 })
    for (const caller of ['ann', 'ann', 'ann', 'ann', 'bob', 'bob', 'bob']) crowded.enter(caller)
    expect(crowded.admitted).toEqual(['ann', 'ann', 'bob', 'bob'])
    await crowded.leave('bob')
    expect(crowded.admitted.slice(4)).toEqual(['bob'])
    await crowded.leave('ann')
    expect(crowded.admitted.slice(5)).toEqual(['ann'])
    const alone = open({ places: 4, perCaller: 128 }, () => false)
    for (let at = 0; at < 6; at++) alone.enter('ann')
    expect([alone.gate.active, alone.gate.waiting]).toEqual([4, 2])
  })

  it('keeps its places, its order and its queue, whatever comes and goes', async () => {
    const callers = fc.constantFrom('a', 'b', 'c')
    const steps = fc.array(fc.record({ caller: callers, leaves: fc.boolean() }), { maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 8 }),
        async (all, places, perCaller) => {
          const { gate, admitted, enter, leave } = open({ places, perCaller, waitMs: 1e9 })
          let left = 0
          const gone = new Map<string, number>()
          for (const { caller, leaves } of all) {
            const inside = admitted.filter((each) => each === caller).length - (gone.get(caller) ?? 0)
            if (!leaves) enter(caller)
            else if (inside > 0) {
              gone.set(caller, (gone.get(caller) ?? 0) + 1)
              left += 1
              await leave(caller)
            }
            await settle()
            expect(gate.active).toBe(admitted.length - left)
            expect(gate.active).toBeLessThanOrEqual(places)
          }
          // Whoever is inside goes, and nobody waits for ever.
          while (gate.active > 0) {
            const next = ['a', 'b', 'c'].find(
              (each) => admitted.filter((one) => one === each).length > (gone.get(each) ?? 0),
            )!
            gone.set(next, (gone.get(next) ?? 0) + 1)
            await leave(next)
          }
          expect([gate.active, gate.waiting]).toEqual([0, 0])
        },
      ),
    )
  })

  it('refuses what would wait too long or in too long a line, and forgets who left', async () => {
    const { gate, clock, admitted, enter } = open({ places: 1, queue: 1 })
    enter('ann')
    const leaving = new AbortController()
    const waiting = gate.enter('bob', leaving.signal)
    expect(await gate.enter('cy', undefined)).toBe('full')
    leaving.abort()
    expect(await waiting).toBe('left')
    enter('cy')
    await clock.advance(1000)
    expect([admitted, gate.waiting]).toEqual([['ann', 'waited'], 0])
  })
})
