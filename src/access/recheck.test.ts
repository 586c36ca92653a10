import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import type { Deed } from '../telemetry/deed.js'
import { silentLogger } from '../telemetry/logger.js'
import { identityOf } from './identity.js'
import type { SignedIn } from './identity-provider.js'
import { createPeople } from './person-store.js'
import { longestAwayMs, mostWaitMs, withRecheck } from './recheck.js'
import { createSessions } from './session-store.js'

const minute = 60_000
const day = 24 * 60 * minute
const everyMs = 15 * minute

const personOf = (subject: string, groups: readonly string[]) =>
  identityOf({ issuer: 'https://idp.example', subject, groups })

/** A provider whose refresh tokens are good once, as those of real ones are. */
const createProvider = () => {
  const state = {
    groups: ['eng'] as readonly string[],
    mode: 'up' as 'up' | 'away' | 'hangs',
    disabled: new Set<string>(),
    subject: undefined as string | undefined,
    asked: 0,
    atOnce: 0,
    most: 0,
    reused: 0,
  }
  const used = new Set<string>()
  const hung: (() => void)[] = []
  const again = async (token: string): Promise<SignedIn | 'ended' | 'away'> => {
    state.asked += 1
    state.atOnce += 1
    state.most = Math.max(state.most, state.atOnce)
    try {
      if (state.mode === 'hangs') await new Promise<void>((resolve) => hung.push(resolve))
      if (state.mode !== 'up') return 'away'
      if (used.has(token)) {
        state.reused += 1
        return 'ended'
      }
      used.add(token)
      const [subject, count] = token.split(' ')
      if (state.disabled.has(subject!)) return 'ended'
      return {
        identity: personOf(state.subject ?? subject!, state.groups),
        refreshToken: `${subject} ${Number(count) + 1}`,
      }
    } finally {
      state.atOnce -= 1
    }
  }
  return { state, again, release: () => hung.splice(0).map((resolve) => resolve()) }
}

const openWorld = async (replicas = 1) => {
  const clock = new VirtualClock()
  const provider = createProvider()
  const [rows, secrets, persons] = [createMemoryDocuments(), createMemoryDocuments(), createMemoryDocuments()]
  const deeds: Deed[] = []
  const news: string[] = []
  // Documents in memory tell one reader that something is new; here there are several.
  const read = (documents: typeof rows) => ({ ...documents, refresh: async () => true })
  const open = async () => {
    // Days pass here: who is alone need not look around twice a second.
    const followMs = replicas === 1 ? 10 * minute : 500
    const people = await createPeople({ documents: read(persons), clock, followMs })
    const sessions = withRecheck({
      ...{ people, provider, clock, everyMs: () => everyMs, logger: silentLogger },
      sessions: await createSessions({ documents: read(rows), secrets, clock, followMs }),
      note: (deed) => void deeds.push(deed),
      onNews: ({ groups = [] }) => void news.push(groups.join(' ')),
    })
    return { people, sessions }
  }
  const all = await Promise.all(Array.from({ length: replicas }, open))
  const { sessions, people } = all[0]!
  const signIn = (subject = 'alice', refreshToken: string | undefined = `${subject} 0`) =>
    sessions.begin({
      kind: 'client',
      identity: personOf(subject, ['eng']),
      endsAt: clock.wall() + 30 * day,
      secrets: { refreshToken },
    })
  /** A call each minute, for so long; which of them found nobody. */
  const use = async (id: string, minutes: number, at = sessions): Promise<number> => {
    let missed = 0
    for (let count = 0; count < minutes; count++) {
      await clock.advance(minute)
      if (!at.find(id)) missed += 1
    }
    await clock.advance(0)
    return missed
  }
  return { clock, provider, sessions, people, all, deeds, news, signIn, use }
}

describe('sessions in use', () => {
  it('learn of new groups within recheckMinutes, by asking once', async () => {
    const { provider, sessions, signIn, use, deeds, news } = await openWorld()
    const { id } = await signIn()
    provider.state.groups = ['ops']
    expect(await use(id, 11)).toBe(0)
    expect(provider.state.asked).toBe(0)
    expect(await use(id, 4)).toBe(0)
    expect(sessions.find(id)?.identity?.groups).toEqual(['ops'])
    expect(provider.state.asked).toBe(1)
    expect(news).toEqual(['ops'])
    expect(deeds).toMatchObject([{ kind: 'person', action: 'groups', before: 'eng', after: 'ops' }])
    expect(await sessions.secretsOf(id)).toMatchObject({ refreshToken: 'alice 1' })
  })

  it('are over within recheckMinutes of the provider saying no', async () => {
    const { provider, sessions, signIn, use, deeds } = await openWorld()
    const [alice, bob] = [await signIn('alice'), await signIn('bob')]
    const ends: string[] = []
    sessions.onEnd(({ id }, why) => void ends.push(`${id === alice.id} ${why}`))
    provider.state.disabled.add('alice')
    await use(alice.id, 15)
    await use(bob.id, 1)
    expect([sessions.find(alice.id), sessions.find(bob.id)?.id]).toEqual([undefined, bob.id])
    expect(ends).toEqual(['true provider'])
    expect(deeds).toMatchObject([{ kind: 'sign-out', action: 'provider', on: { id: alice.identity!.id } }])
  })

  it('go on while the provider is down for an hour: no caller notices', async () => {
    const { provider, sessions, signIn, use, clock } = await openWorld()
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => signIn(`p${n}`)))
    await use(all[0]!.id, 10)
    provider.state.mode = 'away'
    let missed = 0
    for (let count = 0; count < 60; count++) {
      await clock.advance(minute)
      // Those who wait are missed as well: nobody notices means that nobody waits.
      for (const { id } of all) {
        const found = sessions.findFresh(id)
        if (!found || 'then' in found) missed += 1
      }
    }
    expect(missed).toBe(0)
    expect(sessions.awaySince()).toBeGreaterThan(0)
    // One looks whether it is back; twenty do not.
    expect(provider.state.asked).toBeLessThanOrEqual(60 + 8)
    provider.state.mode = 'up'
    for (let count = 0; count < 5; count++) for (const { id } of all) await use(id, 1)
    expect(sessions.awaySince()).toBeUndefined()
    expect(provider.state.reused).toBe(0)
    expect(sessions.list()).toHaveLength(20)
  })

  it('end their day without the provider, and go on when it says yes after all', async () => {
    const { provider, sessions, signIn, clock } = await openWorld()
    const { id } = await signIn()
    provider.state.mode = 'away'
    await clock.advance(longestAwayMs)
    expect(await sessions.findFresh(id)).toMatchObject({ id })
    await clock.advance(everyMs + 1)
    expect(sessions.find(id)).toBeUndefined()
    expect(await sessions.findFresh(id)).toBeUndefined()
    provider.state.mode = 'up'
    await clock.advance(2 * minute)
    expect(await sessions.findFresh(id)).toMatchObject({ id })
  })

  it('ask one at a time and few at once, in however many replicas', async () => {
    const { provider, all, signIn, clock } = await openWorld(3)
    const signedIn = await Promise.all(Array.from({ length: 30 }, (_, n) => signIn(`p${n}`)))
    for (const { sessions } of all) for (const { id } of signedIn) await sessions.findFresh(id)
    await clock.advance(everyMs)
    for (let count = 0; count < 8; count++) {
      for (const { sessions } of all) for (const { id } of signedIn) sessions.find(id)
      await clock.advance(500)
    }
    expect(provider.state.asked).toBe(30)
    expect(provider.state.reused).toBe(0)
    expect(provider.state.most).toBeLessThanOrEqual(3 * 8)
    expect(all[0]!.sessions.list()).toHaveLength(30)
  })

  it('do not ask all in the same moment though all began in it', async () => {
    const { provider, sessions, signIn, clock } = await openWorld()
    const signedIn = await Promise.all(Array.from({ length: 40 }, (_, n) => signIn(`p${n}`)))
    await clock.advance(0.8 * everyMs)
    const perMinute: number[] = []
    for (let count = 0; count < 4; count++) {
      const before = provider.state.asked
      for (let turn = 0; turn < 10; turn++) {
        await clock.advance(minute / 10)
        for (const { id } of signedIn) sessions.find(id)
        await clock.advance(0)
      }
      perMinute.push(provider.state.asked - before)
    }
    expect(provider.state.asked).toBe(40)
    expect(Math.max(...perMinute)).toBeLessThan(40)
  })
})

describe('somebody who comes back after a while', () => {
  it('is let in only with what the provider says now', async () => {
    const { provider, sessions, signIn, clock } = await openWorld()
    const { id } = await signIn()
    provider.state.groups = ['ops']
    await clock.advance(7 * day)
    expect((await sessions.findFresh(id))?.identity?.groups).toEqual(['ops'])
    provider.state.disabled.add('alice')
    await clock.advance(3 * day)
    expect(await sessions.findFresh(id)).toBeUndefined()
  })

  it('does not wait for a provider that hangs for longer than a few seconds', async () => {
    const { provider, sessions, signIn, clock } = await openWorld()
    const { id } = await signIn()
    provider.state.mode = 'hangs'
    await clock.advance(60 * minute)
    let found: unknown = 'waiting'
    void Promise.resolve(sessions.findFresh(id)).then((session) => {
      found = session
    })
    await clock.advance(mostWaitMs - 1)
    expect(found).toBe('waiting')
    await clock.advance(10)
    expect(found).toMatchObject({ id })
    provider.state.mode = 'away'
    provider.release()
    await clock.advance(0)
    expect(sessions.find(id)).toMatchObject({ id })
  })

  it('waits for the replica that asks already', async () => {
    const { provider, all, signIn, clock } = await openWorld(2)
    const { id } = await signIn()
    await all[1]!.sessions.findFresh(id)
    provider.state.mode = 'hangs'
    provider.state.groups = ['ops']
    await clock.advance(60 * minute)
    const found = all.map(({ sessions }) => sessions.findFresh(id))
    await clock.advance(1000)
    provider.state.mode = 'up'
    provider.release()
    await clock.advance(2000)
    expect((await Promise.all(found)).map((session) => session?.identity?.groups)).toEqual([['ops'], ['ops']])
    expect(provider.state.asked).toBe(1)
  })
})

describe('a session', () => {
  it('without anything to ask with lasts a day', async () => {
    const { provider, sessions, clock, people } = await openWorld()
    const identity = personOf('alice', [])
    const { id } = await sessions.begin({ kind: 'client', identity, endsAt: clock.wall() + 30 * day })
    await clock.advance(longestAwayMs)
    expect(await sessions.findFresh(id)).toMatchObject({ id })
    await clock.advance(everyMs)
    expect(await sessions.findFresh(id)).toBeUndefined()
    await clock.advance(0)
    expect(sessions.list()).toEqual([])
    expect(provider.state.asked).toBe(0)
    expect(people.list()).toEqual([])
  })

  it('of a key is nobody to ask the provider about', async () => {
    const { provider, sessions, clock } = await openWorld()
    const { id } = await sessions.begin({ kind: 'console', keyId: 'k', endsAt: clock.wall() + 30 * day })
    await clock.advance(10 * day)
    expect(await sessions.findFresh(id)).toMatchObject({ id })
    expect(provider.state.asked).toBe(0)
  })

  it('whose provider suddenly speaks of somebody else is over', async () => {
    const { provider, sessions, signIn, use } = await openWorld()
    const { id } = await signIn()
    provider.state.subject = 'mallory'
    await use(id, 16)
    expect(sessions.find(id)).toBeUndefined()
  })

  it('of somebody who was ended here counts for nothing', async () => {
    const { sessions, people, signIn, clock } = await openWorld()
    const { id, identity } = await signIn()
    people.seen(identity!)
    await clock.advance(5000)
    await people.end(identity!.id)
    expect(sessions.find(id)).toBeUndefined()
    expect(await sessions.findFresh(id)).toBeUndefined()
    await clock.advance(5000)
    expect(sessions.find((await signIn()).id)).toBeDefined()
  })
})
