import { beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { ToldEvent } from '../../model/told-event.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import type { SharedDocuments } from '../../storage/store.js'
import { ToldBook } from './told-book.js'
import { type Happening, ToldEvents } from './told-events.js'

const happening = (id: string): Happening => ({
  ...{ type: 'source.down', subject: { type: 'source', id }, text: { en: 'x', zh: '某' }, details: {} },
})

let clock: VirtualClock
let documents: SharedDocuments
let told: ToldEvent[]
let counted: string[]
let tooMany: number
const board = (replica?: string): ToldEvents => {
  const events = new ToldEvents({
    ...{ clock, replica, book: new ToldBook(() => documents, clock) },
    count: (_, outcome) => void counted.push(outcome),
    tooMany: () => void tooMany++,
  })
  events.on((event) => void told.push(event))
  return events
}
beforeEach(() => {
  clock = new VirtualClock()
  documents = createMemoryDocuments()
  ;[told, counted, tooMany] = [[], [], 0]
})

describe('events that are told', () => {
  it('have an id and a time of their own, and cannot be changed by who hears them', async () => {
    const events = board()
    await events.tell(happening('a'), { key: 'a', forMs: 0 })
    await events.tell(happening('a'), { key: 'a', forMs: 0 })
    expect(new Set(told.map(({ id }) => id)).size).toBe(2)
    expect(told[0]!.at).toBe(clock.wall())
    expect(() => Object.assign(told[0]!, { type: 'test' })).toThrow(TypeError)
  })

  it('are told once in their time, by this process or any other that shares the store', async () => {
    const [one, other] = [board('one'), board('other')]
    const once = { key: 'a', forMs: 1000 }
    await Promise.all([one.tell(happening('a'), once), other.tell(happening('a'), once)])
    await one.tell(happening('a'), once)
    expect([told.length, counted]).toEqual([1, ['told', 'repeated', 'repeated']])
    await clock.advance(1001)
    await other.tell(happening('a'), once)
    expect(told).toHaveLength(2)
  })

  it('are not told again after a restart where they are as true as before', async () => {
    const once = { key: 'key ends', forMs: 10_000, isKept: true }
    await board().tell(happening('a'), once)
    await board().tell(happening('a'), once)
    expect(told).toHaveLength(1)
  })

  it('are told where the store is away: twice is better than never', async () => {
    const away = new Proxy(documents, {
      get: () => () => Promise.reject(new Error('away')),
    })
    documents = away
    await board('one').tell(happening('a'), { key: 'a', forMs: 1000 })
    expect(told).toHaveLength(1)
  })

  it('are never a flood: sixty a minute, and one word about the rest', async () => {
    const events = board()
    for (let at = 0; at < 500; at++) await events.tell(happening(`s${at}`), { key: `s${at}`, forMs: 1000 })
    expect([told.length, tooMany]).toEqual([60, 1])
    await clock.advance(60_000)
    await events.tell(happening('later'), { key: 'later', forMs: 1000 })
    expect(told).toHaveLength(61)
  })
})
