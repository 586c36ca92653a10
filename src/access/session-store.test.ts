import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import { openSharedDocuments } from '../storage/open.js'
import { identityOf } from './identity.js'
import { createSessions, type SessionsOptions, touchDelayMs, touchEveryMs } from './session-store.js'
import type { NewSession, SessionEnd, SignInSessions } from './sessions.js'

const newFolder = temporaryFolders()
const day = 24 * 60 * 60_000

const personOf = (subject: string) => identityOf({ issuer: 'https://idp.example', subject, groups: ['eng'] })

const openSessions = async (options: Partial<SessionsOptions> = {}) => {
  const clock = (options.clock as VirtualClock | undefined) ?? new VirtualClock()
  const secrets = options.secrets ?? createMemoryDocuments()
  const sessions = await createSessions({ documents: createMemoryDocuments(), ...options, secrets, clock })
  const ends: [string, SessionEnd][] = []
  sessions.onEnd(({ id }, why) => void ends.push([id, why]))
  return {
    sessions,
    clock,
    ends,
    secrets,
    of: (subject: string, more: Partial<NewSession> = {}): NewSession => ({
      kind: 'client',
      identity: personOf(subject),
      endsAt: clock.wall() + 30 * day,
      ...more,
    }),
  }
}

describe('a sign-in session', () => {
  it('is found at once and keeps the tokens of the provider apart', async () => {
    const folder = await newFolder()
    const { sessions, of } = await openSessions({
      documents: openSharedDocuments('sign-in-sessions', { backend: 'json', path: folder }),
    })
    const begun = await sessions.begin(of('alice', { secrets: { refreshToken: 'canary-refresh' } }))
    expect(sessions.find(begun.id)).toEqual(begun)
    expect(begun.id).toMatch(/^[\w-]{32}$/)
    expect(await sessions.secretsOf(begun.id)).toEqual({ refreshToken: 'canary-refresh' })
    expect(JSON.stringify(sessions.list())).not.toContain('canary')
    await sessions[Symbol.asyncDispose]()
    expect(await readFile(join(folder, 'sign-in-sessions.json'), 'utf8')).not.toContain('canary')
  })

  it('ends once, is told with its reason, and takes its tokens along', async () => {
    const { sessions, of, ends, secrets } = await openSessions()
    const { id } = await sessions.begin(of('alice', { secrets: { refreshToken: 'r' } }))
    expect(await sessions.end(id, 'signed-out')).toBe(true)
    expect(await sessions.end(id, 'signed-out')).toBe(false)
    expect(sessions.find(id)).toBeUndefined()
    expect(await sessions.secretsOf(id)).toBeUndefined()
    expect(await secrets.all()).toEqual([])
    expect(ends).toEqual([[id, 'signed-out']])
  })

  it('is over when its time is up, though nobody asks, and leaves no row behind', async () => {
    const documents = createMemoryDocuments()
    const { sessions, of, ends, clock, secrets } = await openSessions({ documents })
    const { id } = await sessions.begin(of('a', { endsAt: clock.wall() + 10_000, secrets: { accessToken: 'x' } }))
    await clock.advance(9_000)
    expect(sessions.find(id)?.id).toBe(id)
    await clock.advance(2_000)
    expect(sessions.find(id)).toBeUndefined()
    expect(ends).toEqual([[id, 'expired']])
    expect([await documents.all(), await secrets.all()]).toEqual([[], []])
  })

  it('that another process ended is over here within a second, and one it began is found', async () => {
    const folder = await newFolder()
    const documents = () => openSharedDocuments('sign-in-sessions', { backend: 'json', path: folder })
    const secrets = createMemoryDocuments()
    const here = await openSessions({ documents: documents(), secrets })
    const there = await openSessions({ documents: documents(), secrets, clock: here.clock })
    const begun = await there.sessions.begin(there.of('alice'))
    expect(here.sessions.find(begun.id)).toBeUndefined()
    expect(await here.sessions.findFresh(begun.id)).toEqual(begun)
    await there.sessions.end(begun.id, 'person')
    // A second of the clock, and however long the disk takes to answer whoever looked in it.
    await here.clock.advance(1000)
    await expect.poll(() => here.ends).toEqual([[begun.id, 'ended']])
    expect(here.sessions.find(begun.id)).toBeUndefined()
    await Promise.all([here, there].map(({ sessions }) => sessions[Symbol.asyncDispose]()))
  })

  it('is read by others whatever the clock that said when it ends counted in', async () => {
    const documents = createMemoryDocuments()
    const { sessions, of, clock } = await openSessions({ documents })
    const { id } = await sessions.begin(of('alice', { endsAt: clock.wall() + day + 0.853 }))
    const { sessions: others } = await openSessions({ documents, clock })
    expect(others.find(id)).toMatchObject({ id, endsAt: clock.wall() + day })
  })

  it('is changed with no other write in between, and not brought back once it is gone', async () => {
    const { sessions, of } = await openSessions()
    const { id } = await sessions.begin(of('alice'))
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sessions.update(id, (session) => ({ ...session, generation: session.generation + 1 })),
      ),
    )
    expect(sessions.find(id)?.generation).toBe(20)
    expect(await sessions.update(id, () => undefined)).toBeUndefined()
    expect(sessions.find(id)?.generation).toBe(20)
    await sessions.end(id, 'reuse')
    expect(await sessions.update(id, (session) => session, { refreshToken: 'late' })).toBeUndefined()
    expect(sessions.find(id)).toBeUndefined()
    expect(await sessions.secretsOf(id)).toBeUndefined()
  })

  it('notes its use now and then, behind the request', async () => {
    const documents = createMemoryDocuments()
    let writes = 0
    const { sessions, of, clock } = await openSessions({
      documents: { ...documents, update: (id, change) => documents.update(id, change).finally(() => writes++) },
    })
    const { id, createdAt } = await sessions.begin(of('alice'))
    sessions.touch(id)
    await clock.advance(touchEveryMs)
    for (let count = 0; count < 100; count++) sessions.touch(id)
    sessions.touch('nobody')
    expect(sessions.find(id)?.lastUsedAt).toBe(createdAt)
    await clock.advance(touchDelayMs)
    expect(sessions.find(id)?.lastUsedAt).toBe(createdAt + touchEveryMs)
    expect(writes).toBe(1)
  })

  it('makes room: the oldest of one person, then whichever was not used for longest', async () => {
    const { sessions, of, clock, ends } = await openSessions({ most: 5, mostEach: 3 })
    const ids: string[] = []
    for (const subject of ['a', 'a', 'a', 'b', 'a', 'b', 'c']) {
      ids.push((await sessions.begin(of(subject))).id)
      await clock.advance(1000)
    }
    // The fourth of a's took the place of the first; the sixth of all that of the oldest.
    expect(ends.map(([id]) => ids.indexOf(id))).toEqual([0, 1])
    expect(sessions.list()).toHaveLength(5)
  })

  it('counts sessions of a key as those of one holder', async () => {
    const { sessions, clock } = await openSessions({ mostEach: 2 })
    for (let count = 0; count < 4; count++)
      await sessions.begin({ kind: 'console', keyId: 'k1', endsAt: clock.wall() + day })
    await sessions.begin({ kind: 'console', keyId: 'k2', endsAt: clock.wall() + day })
    expect(
      sessions
        .list()
        .map(({ keyId }) => keyId)
        .sort(),
    ).toEqual(['k1', 'k1', 'k2'])
  })

  it('that cannot be kept is not begun, and leaves no tokens behind', async () => {
    const documents = createMemoryDocuments()
    const { sessions, of, secrets } = await openSessions({
      documents: { ...documents, put: () => Promise.reject(new Error('full')) },
    })
    await expect(sessions.begin(of('a', { secrets: { refreshToken: 'r' } }))).rejects.toThrow('full')
    expect(await secrets.all()).toEqual([])
  })

  it.each([
    ['no end', { endsAt: 'never' }],
    ['nobody', { identity: undefined, keyId: undefined }],
    ['half a person', { identity: { id: 'person:x' } }],
    ['an unknown kind', { kind: 'root' }],
    ['a count below nothing', { generation: -1 }],
  ])('with %s signs nobody in', async (_, change) => {
    const documents = createMemoryDocuments()
    const first = await openSessions({ documents })
    const { id } = await first.sessions.begin(first.of('alice'))
    await documents.update(id, (current) => JSON.parse(JSON.stringify({ ...(current as object), ...change })))
    const again = await openSessions({ documents })
    expect(again.sessions.find(id)).toBeUndefined()
    expect(again.sessions.list()).toEqual([])
  })

  it('stays known while the store cannot be read', async () => {
    const documents = createMemoryDocuments()
    let isBroken = false
    const all = () => (isBroken ? Promise.reject(new Error('gone')) : documents.all())
    const refresh = () => (isBroken ? Promise.reject(new Error('gone')) : documents.refresh())
    const { sessions, of, clock, ends } = await openSessions({ documents: { ...documents, all, refresh } })
    const { id } = await sessions.begin(of('alice'))
    isBroken = true
    await clock.advance(5000)
    expect(sessions.find(id)?.id).toBe(id)
    expect(ends).toEqual([])
  })
})

describe('sessions of two processes', () => {
  it('agree with a plain model, whatever is begun, changed and ended in whichever order', async () => {
    type Step = { readonly at: 0 | 1; readonly do: 'begin' | 'end' | 'update'; readonly which: number }
    const step: fc.Arbitrary<Step> = fc.record({
      at: fc.constantFrom(0, 1),
      do: fc.constantFrom('begin', 'begin', 'end', 'update'),
      which: fc.nat(5),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const [documents, secrets, clock] = [createMemoryDocuments(), createMemoryDocuments(), new VirtualClock()]
        const both = [
          await openSessions({ documents, secrets, clock }),
          await openSessions({ documents, secrets, clock }),
        ]
        const model = new Map<string, number>()
        for (const each of steps) {
          const { sessions, of } = both[each.at]!
          const id = [...model.keys()][each.which]
          if (each.do === 'begin') model.set((await sessions.begin(of(`p${each.which}`))).id, 0)
          else if (id === undefined) continue
          else if (each.do === 'end') {
            expect(await sessions.end(id, 'ended')).toBe(true)
            model.delete(id)
          } else {
            await sessions.update(id, (session) => ({ ...session, generation: session.generation + 1 }))
            model.set(id, model.get(id)! + 1)
          }
        }
        // Documents in memory have one who is told of changes; the other reads anew.
        for (const { sessions } of both) await sessions.findFresh('nobody')
        await clock.advance(1000)
        const seen = (sessions: SignInSessions) => sessions.list().map(({ id, generation }) => [id, generation])
        const fresh = (await openSessions({ documents, secrets, clock })).sessions
        expect(new Map(seen(fresh) as [string, number][])).toEqual(model)
      }),
      { numRuns: 50 },
    )
  })
})
