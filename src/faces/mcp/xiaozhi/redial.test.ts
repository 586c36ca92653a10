import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../../test/helpers/virtual-clock.js'
import { type Ending, type EndingKind, endingOfClose, endingOfStatus, linkNumber } from './ending.js'
import { createRedial, jitter } from './redial.js'

const redialOf = (random: () => number = () => 0, initialBackoffMs = 1000, maxBackoffMs = 60_000) => {
  const clock = new VirtualClock()
  return { clock, redial: createRedial({ clock, initialBackoffMs, maxBackoffMs, random }) }
}
const closed: Ending = { kind: 'closed', words: 'gone' }
const end = (kind: EndingKind): Ending => ({ kind, words: 'gone' })

describe('redial', () => {
  it('001 compat 11 waits 1, 2, 4 … 60 s and stays there for ever', () => {
    const { redial } = redialOf()
    const delays = Array.from({ length: 10 }, () => redial.ended(closed).delayMs / 1000)
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
    for (let times = 0; times < 10_000; times++) expect(redial.ended(closed).delayMs).toBe(60_000)
  })

  it('001 compat 11 starts anew after a healthy minute, and only then', async () => {
    const { redial, clock } = redialOf()
    for (let times = 0; times < 5; times++) redial.ended(closed)
    redial.opened()
    await clock.advance(59_999)
    expect(redial.ended(closed).delayMs).toBe(32_000)
    redial.opened()
    await clock.advance(60_000)
    expect(redial.ended(closed).delayMs).toBe(1000)
  })

  it('X15 shortens delays by at most a fifth and never lengthens them', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.nat(20),
        fc.integer({ min: 100, max: 10_000 }),
        fc.integer({ min: 10_000, max: 300_000 }),
        (random, failures, initial, max) => {
          const { redial } = redialOf(() => random, initial, max)
          for (let times = 0; times < failures; times++) redial.ended(closed)
          const whole = Math.min(initial * 2 ** failures, max)
          const { delayMs } = redial.ended(closed)
          expect(delayMs).toBeLessThanOrEqual(whole)
          expect(delayMs).toBeGreaterThanOrEqual(whole * (1 - jitter))
        },
      ),
    )
  })

  it('F31 asks a refusing far side at the longest delay, then four times an hour, and alarms at once', () => {
    const { redial } = redialOf()
    const verdicts = Array.from({ length: 5 }, () => redial.ended(end('refused')))
    expect(verdicts.map(({ delayMs }) => delayMs)).toEqual([60_000, 60_000, 60_000, 900_000, 900_000])
    expect(verdicts[0]!.alarm).toContain('copy the current address')
  })

  it('X9 001 open point 7 backs off from 4004 as usual five times, then only at the longest delay and with an alarm', () => {
    const { redial } = redialOf()
    const verdicts = Array.from({ length: 7 }, () => redial.ended(end('broken')))
    expect(verdicts.map(({ delayMs }) => delayMs / 1000)).toEqual([1, 2, 4, 8, 16, 60, 60])
    expect(verdicts.map(({ alarm }) => alarm !== undefined)).toEqual([false, false, false, false, false, true, true])
  })

  it('X8 does not take a minute between two replacements for health, and says who must give way', async () => {
    const { redial, clock } = redialOf()
    const verdicts = []
    for (let times = 0; times < 8; times++) {
      redial.opened()
      await clock.advance(61_000)
      verdicts.push(redial.ended(end('replaced')))
    }
    expect(verdicts.map(({ delayMs }) => delayMs / 1000)).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    expect(verdicts.at(-1)!.alarm).toContain('Another program')
  })

  it('comes back half a second after leaving on purpose, and forgets nothing for it', () => {
    const { redial } = redialOf()
    redial.ended(closed)
    expect(redial.ended(end('refresh'))).toEqual({ delayMs: 500, alarm: undefined })
    expect(redial.ended(closed).delayMs).toBe(2000)
  })

  it('waits as long as it is asked to', () => {
    const { redial } = redialOf()
    expect(redial.ended(endingOfStatus(503, '20')).delayMs).toBe(20_000)
    expect(redial.ended(endingOfStatus(503, '999999')).delayMs).toBe(900_000)
  })
})

describe('endings', () => {
  it.each([
    [1000, '新连接替换', 'replaced', 4001],
    [1000, '', 'closed', 4001],
    [1006, '', 'closed', 4001],
    [1008, 'token解密失败', 'refused', 4002],
    [4004, 'Internal server error', 'broken', 4001],
    [1011, '', 'closed', 4001],
  ] as const)('001 compat 11 X9 reads close %i %s as %s (%i)', (code, reason, kind, number) => {
    const ending = endingOfClose(code, reason)
    expect(ending.kind).toBe(kind)
    expect(linkNumber(ending.kind)).toBe(number)
  })

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [404, 'address'],
    [302, 'address'],
    [500, 'closed'],
  ] as const)('reads HTTP %i as %s', (status, kind) => {
    expect(endingOfStatus(status).kind).toBe(kind)
  })

  it('001-13 gives time-outs their number', () => {
    expect([linkNumber('late'), linkNumber('silent')]).toEqual([4003, 4003])
  })
})
