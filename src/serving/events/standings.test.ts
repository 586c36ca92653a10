import { beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { restMs, Standings } from './standings.js'

let clock: VirtualClock
let standings: Standings
let told: string[]
const note = (isBad: boolean): void =>
  standings.note('github', isBad, (bad, changes) => void told.push(`${bad ? 'down' : 'back'} ${changes}`))

beforeEach(() => {
  clock = new VirtualClock()
  standings = new Standings(clock)
  told = []
})

describe('how a thing stands', () => {
  it('is told when it changes, and not at every word about it', () => {
    for (const isBad of [false, true, true, true, false, false]) note(isBad)
    expect(told).toEqual(['down 1', 'back 1'])
  })

  it('is told twice, however often it goes to and fro', async () => {
    for (let turn = 0; turn < 200; turn++) {
      note(true)
      note(false)
      await clock.advance(100)
    }
    expect(told).toEqual(['down 1', 'back 1'])
  })

  it('is told after a rest, where it ended up bad, with how often it changed', async () => {
    for (const isBad of [true, false, true, false, true]) note(isBad)
    expect(told).toEqual(['down 1', 'back 1'])
    await clock.advance(restMs)
    expect(told).toEqual(['down 1', 'back 1', 'down 3'])
    note(false)
    expect(told.at(-1)).toBe('back 1')
  })

  it('never says back of what was not said to be down', async () => {
    note(true)
    standings.forget('github')
    note(false)
    await clock.advance(restMs * 2)
    expect([told, clock.pendingTimers]).toEqual([['down 1'], 0])
  })

  it('keeps no timers once nobody listens', () => {
    for (const isBad of [true, false, true]) note(isBad)
    expect(clock.pendingTimers).toBe(1)
    standings.close()
    expect(clock.pendingTimers).toBe(0)
  })
})
