import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import type { Identity } from '../model/caller.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import { openSharedDocuments } from '../storage/open.js'
import { identityOf } from './identity.js'
import { createPeople, type PeopleOptions, seenDelayMs, seenEveryMs } from './person-store.js'

const newFolder = temporaryFolders()

const personOf = (subject: string, more: Partial<Identity> = {}) =>
  identityOf({ issuer: 'https://idp.example', subject, name: subject, email: `${subject}@example.com`, ...more })

const openPeople = async (options: Partial<PeopleOptions> = {}) => {
  const clock = (options.clock as VirtualClock | undefined) ?? new VirtualClock()
  const people = await createPeople({ documents: createMemoryDocuments(), ...options, clock })
  const ended: string[] = []
  people.onEnd((id) => void ended.push(id))
  const see = async (...seen: readonly Identity[]) => {
    for (const each of seen) people.seen(each)
    await clock.advance(seenDelayMs)
  }
  return { people, clock, ended, see }
}

describe('people who were here', () => {
  it('are noted behind the request, once an hour or when something about them changes', async () => {
    const documents = createMemoryDocuments()
    let writes = 0
    const counted = {
      ...documents,
      update: (...args: Parameters<typeof documents.update>) => {
        writes += 1
        return documents.update(...args)
      },
    }
    const { people, clock, see } = await openPeople({ documents: counted })
    const alice = personOf('alice', { groups: ['eng'] })
    for (let count = 0; count < 50; count++) await see(alice)
    expect(writes).toBe(1)
    const [first] = people.list()
    expect(first).toMatchObject({ id: alice.id, name: 'alice', groups: ['eng'] })
    await see(personOf('alice', { groups: ['ops'] }))
    expect(people.list()).toMatchObject([{ groups: ['ops'], firstSeen: first!.firstSeen }])
    await clock.advance(seenEveryMs)
    await see(alice)
    expect(people.list()[0]!.lastSeen).toBeGreaterThan(first!.lastSeen)
    expect(writes).toBe(3)
  })

  it('are there for whoever would end them as soon as they came, here and elsewhere', async () => {
    const documents = createMemoryDocuments()
    const { people } = await openPeople({ documents })
    const { people: others, clock } = await openPeople({ documents })
    const alice = personOf('alice')
    people.seen(alice)
    expect(people.find(alice.id)).toMatchObject({ subject: 'alice' })
    expect(people.ownerOf('alice@example.com')?.id).toBe(alice.id)
    await vi.waitFor(async () => {
      await clock.advance(500)
      expect(others.find('alice@example.com')?.id).toBe(alice.id)
    })
    expect(await others.end(alice.id)).toBe(true)
  })

  it('are found by id, verified address or a name that only one has', async () => {
    const { people, see } = await openPeople()
    const [alice, bob, twin] = [personOf('alice'), personOf('bob'), personOf('bob2', { name: 'bob', email: undefined })]
    await see(alice, bob, twin)
    expect(people.find(alice.id)?.id).toBe(alice.id)
    expect(people.find('ALICE@example.com')?.id).toBe(alice.id)
    expect(people.find('alice')?.id).toBe(alice.id)
    expect(people.find('bob')).toBeUndefined()
    expect(people.find('')).toBeUndefined()
  })

  it('are ended: what was issued before is over, what comes later is not', async () => {
    const { people, clock, ended, see } = await openPeople()
    const alice = personOf('alice')
    await see(alice)
    const before = clock.wall()
    await clock.advance(1000)
    expect(people.isEnded(alice.id, before)).toBe(false)
    expect(await people.end(alice.id)).toBe(true)
    expect(await people.end('person:nobody')).toBe(false)
    expect(ended).toEqual([alice.id])
    expect(people.isEnded(alice.id, before)).toBe(true)
    await clock.advance(1000)
    expect(people.isEnded(alice.id, clock.wall())).toBe(false)
    await clock.advance(seenEveryMs)
    await see(alice)
    // Seen again, and what is over stays over.
    expect(people.isEnded(alice.id, before)).toBe(true)
    expect(people.list()).toMatchObject([{ endedAt: expect.any(Number) }])
  })

  it('who came a moment ago and are not written yet can be ended', async () => {
    const { people, ended } = await openPeople()
    const alice = personOf('alice')
    people.seen(alice)
    expect(await people.end(alice.id)).toBe(true)
    expect(ended).toEqual([alice.id])
  })

  it('who were ended by another process are over here within a second', async () => {
    const folder = await newFolder()
    const documents = () => openSharedDocuments('people', { backend: 'json', path: folder })
    const here = await openPeople({ documents: documents() })
    const alice = personOf('alice')
    here.people.seen(alice)
    await here.people.end('person:nobody')
    const there = await openPeople({ documents: documents(), clock: here.clock })
    expect(await there.people.end(alice.id)).toBe(true)
    // A second of the clock, and however long the disk takes to answer whoever looked in it.
    await here.clock.advance(1000)
    await expect.poll(() => here.ended).toEqual([alice.id])
    expect(here.people.isEnded(alice.id, 0)).toBe(true)
    // Who starts later knows as well.
    const later = await openPeople({ documents: documents() })
    expect(later.people.isEnded(alice.id, 0)).toBe(true)
    expect(later.ended).toEqual([])
    for (const { people } of [here, there, later]) await people[Symbol.asyncDispose]()
  })

  it('are forgotten when they are too many, the ended ones last', async () => {
    const { people, clock, see } = await openPeople({ most: 3 })
    const all = ['a', 'b', 'c', 'd', 'e'].map((subject) => personOf(subject))
    await see(all[0]!)
    await people.end(all[0]!.id)
    for (const each of all.slice(1)) {
      await see(each)
      await clock.advance(1000)
    }
    expect(people.list().map(({ subject }) => subject)).toEqual(['e', 'd', 'a'])
    expect(people.isEnded(all[0]!.id, 0)).toBe(true)
  })

  it('never mistake one issuer and subject for another', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (issuer, subject, issuer2, subject2) => {
        const [one, two] = [identityOf({ issuer, subject }), identityOf({ issuer: issuer2, subject: subject2 })]
        expect(one.id === two.id).toBe(issuer === issuer2 && subject === subject2)
      }),
    )
    expect(identityOf({ issuer: 'https://a', subject: ' b' }).id).not.toBe(
      identityOf({ issuer: 'https://a ', subject: 'b' }).id,
    )
  })
})
