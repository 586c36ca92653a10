import { beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import { type KeyEventParts, watchKeys } from './key-events.js'
import { ToldBook } from './told-book.js'
import { ToldEvents } from './told-events.js'

const dayMs = 86_400_000
let clock: VirtualClock
let told: string[]
let events: ToldEvents
beforeEach(() => {
  clock = new VirtualClock()
  told = []
  events = new ToldEvents({
    ...{ clock, count: () => {}, tooMany: () => {} },
    book: new ToldBook(() => createMemoryDocuments(), clock),
  })
  events.on(({ subject, text, details }) => void told.push(`${subject.type} ${subject.id} ${text.en} ${details.days}`))
})
const watch = (more: Partial<KeyEventParts>): (() => void) =>
  watchKeys({ events, clock, keys: () => [], certificate: async () => undefined, ...more })
const key = (id: string, lifeDays: number) => ({
  ...{ id, name: id, createdAt: clock.wall(), expiresAt: clock.wall() + lifeDays * dayMs },
})

describe('a key that is about to end', () => {
  it('is told of seven days and one day before, once each', async () => {
    const keys = [key('ci', 30)]
    const stop = watch({ keys: () => keys })
    for (let day = 0; day < 30; day++) await clock.advance(dayMs)
    expect(told).toEqual(["key ci The key 'ci' ends in 7 days. 7", "key ci The key 'ci' ends in 1 day. 1"])
    stop()
    expect(clock.pendingTimers).toBe(0)
  })

  it('is not told of where it was made for less, or never ends', async () => {
    const keys = [key('hour', 1 / 24), key('three', 3), { id: 'ever', name: 'ever', createdAt: 0 }]
    watch({ keys: () => keys })
    for (let day = 0; day < 4; day++) await clock.advance(dayMs)
    expect(told).toEqual(["key three The key 'three' ends in 1 day. 1"])
  })

  it('may be our certificate, and a new one is another', async () => {
    let endsAt = clock.wall() + 6 * dayMs
    watch({ certificate: async () => ({ name: 'DNS:board.example.com', beginsAt: 0, endsAt }) })
    await clock.advance(dayMs)
    endsAt += 400 * dayMs
    await clock.advance(30 * dayMs)
    expect(told).toEqual([
      "certificate DNS:board.example.com The certificate 'DNS:board.example.com' ends in 6 days. 6",
    ])
  })
})
