import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../src/errors.js'
import { systemClock } from '../../src/model/clock.js'
import type { JsonValue } from '../../src/model/json.js'
import { createSeals } from '../../src/model/seal.js'
import { exclusivelyBy } from '../../src/serving/sign-ins.js'
import type { InteractiveCredentials } from '../../src/sources/oauth/interactive.js'
import { createSignIns } from '../../src/sources/oauth/sign-ins.js'
import { createMemoryDocuments } from '../../src/storage/memory/memory-documents.js'
import type { StoredDocument } from '../../src/storage/store.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { testVault } from '../helpers/test-vault.js'

/** What replicas share, for one process; test/fleet has the same over PostgreSQL. */
const shareNothingElse = () => {
  const documents = createMemoryDocuments()
  const rows = new Map<string, string>()
  const leases = new Map<string, { holder: string; epoch: number; isFree: boolean }>()
  const followers = new Map<string, Set<() => void>>()
  const tell = (kind: string) => {
    for (const listener of followers.get(kind) ?? []) listener()
  }
  const follow = (kind: string, listener: () => void) => {
    const all = followers.get(kind) ?? new Set()
    followers.set(kind, all.add(listener))
    return () => void all.delete(listener)
  }
  const told = async <T>(done: Promise<T>): Promise<T> => {
    const value = await done
    tell('sign-ins')
    return value
  }
  let isAway = false
  const unlessAway = (): void => {
    if (isAway) throw new GatewayError('STORE_UNREADABLE', 'away')
  }
  return {
    rows,
    stored: documents,
    documents: {
      ...documents,
      all: async () => {
        unlessAway()
        return documents.all()
      },
      putMany: (all: readonly StoredDocument[]) => told(documents.putMany(all)),
      update: async (id: string, change: (current: JsonValue) => JsonValue) => {
        unlessAway()
        return told(documents.update(id, change))
      },
      delete: (id: string) => told(documents.delete(id)),
    },
    follow,
    goAway: (away: boolean) => {
      isAway = away
    },
    commons: {
      follow,
      leases: {
        take: async (name: string, holder: string) => {
          unlessAway()
          const known = leases.get(name) ?? { epoch: 0, isFree: true }
          if (!known.isFree) return undefined
          leases.set(name, { holder, epoch: known.epoch + 1, isFree: false })
          return known.epoch + 1
        },
        giveBack: async ({ name }: { readonly name: string }) => {
          leases.get(name)!.isFree = true
          tell('lease')
        },
      } as never,
      pending: {
        put: async (id: string, sealed: string) => void rows.set(id, sealed),
        take: async (id: string) => {
          const found = rows.get(id)
          rows.delete(id)
          return found
        },
      },
    },
  }
}

describe('sign-ins of replicas', () => {
  let far: SignInServers
  let shared: ReturnType<typeof shareNothingElse>
  beforeEach(async () => {
    far = await startSignInServers()
    shared = shareNothingElse()
  })
  afterEach(() => far[Symbol.asyncDispose]())

  const open = (name: string, secret = 'the secret of the fleet') => {
    const seal = createSeals(secret).of('rest')
    const signIns = createSignIns({
      documents: testVault(secret).sealed(shared.documents, 'sign-ins'),
      clock: systemClock,
      logger: silentLogger,
      onSecret: () => {},
      pending: { rows: shared.commons.pending, seal, now: () => systemClock.wall() },
      exclusively: exclusivelyBy(shared.commons, name, systemClock),
    })
    const restarted: string[] = []
    signIns.onChange((source) => void restarted.push(source))
    signIns.listenAt(() => 'https://tools.example.com/oauth/callback')
    shared.follow('sign-ins', () => void signIns.catchUp())
    const credentials = signIns.credentialsOf({ name: 'docs', url: far.url, headers: {} }) as InteractiveCredentials
    return { signIns, credentials, restarted }
  }
  type Replica = ReturnType<typeof open>

  const link = async ({ signIns }: Replica) => (await signIns.begin('docs')).url
  /** What a browser does with a link: the fields that it comes back with. */
  const visit = async (url: string) => {
    const location = (await fetch(url, { redirect: 'manual' })).headers.get('location')!
    const { searchParams, origin } = new URL(location)
    const of = (name: string) => searchParams.get(name) ?? undefined
    return { origin, state: of('state')!, back: { code: of('code'), iss: of('iss'), error: of('error') } }
  }
  const signIn = async (begunAt: Replica, finishedAt: Replica) => {
    const { state, back } = await visit(await link(begunAt))
    return finishedAt.signIns.finish(state, back)
  }
  const refusal = () => new GatewayError('SOURCE_UNAVAILABLE', 'no', { details: { status: 401 } })
  const tokenOf = ({ credentials }: Replica) => credentials.headers().authorization
  const refreshes = () => far.tokenRequests.filter((each) => each.get('grant_type') === 'refresh_token').length

  it('are finished by whichever replica the browser comes back to, once, at the public address', async () => {
    const [a, b, c] = [open('a'), open('b'), open('c')]
    const { origin, state, back } = await visit(await link(a))
    expect(origin).toBe('https://tools.example.com')
    expect(await b.signIns.finish(state, back)).toEqual({ source: 'docs' })
    await expect(c.signIns.finish(state, back)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    for (const each of [a, b, c]) await each.credentials.renew(undefined)
    expect(new Set([a, b, c].map(tokenOf)).size).toBe(1)
    expect(tokenOf(a)).toContain(far.rules.canary)
  })

  it('renew a token once, however many replicas find it run out at the same time', async () => {
    const all = ['a', 'b', 'c'].map((name) => open(name))
    await signIn(all[0]!, all[1]!)
    for (const { credentials } of all) await credentials.renew(undefined)
    far.revokeAccess()
    await Promise.all(all.map(({ credentials }) => credentials.renew(refusal())))
    expect(refreshes()).toBe(1)
    expect(new Set(all.map(tokenOf)).size).toBe(1)
    // And the same again: the server takes each refresh token once.
    far.revokeAccess()
    await Promise.all(all.map(({ credentials }) => credentials.renew(refusal())))
    expect(refreshes()).toBe(2)
    expect(await all[2]!.signIns.list()).toEqual([expect.objectContaining({ state: 'signed-in' })])
  })

  it('use what another has renewed without asking anybody, and stop when another signed out', async () => {
    const [a, b] = [open('a'), open('b')]
    await signIn(a, a)
    for (const { credentials } of [a, b]) await credentials.renew(undefined)
    far.revokeAccess()
    await a.credentials.renew(refusal())
    await b.signIns.catchUp()
    expect(tokenOf(b)).toBe(tokenOf(a))
    expect([b.restarted, refreshes()]).toEqual([[], 1])
    await a.signIns.signOut('docs')
    await b.signIns.catchUp()
    expect(tokenOf(b)).toBeUndefined()
    expect(b.restarted).toEqual(['docs'])
    await expect(b.credentials.renew(refusal())).rejects.toMatchObject({ details: { signIn: true } })
    await signIn(a, a)
    await b.signIns.catchUp()
    expect(tokenOf(b)).toContain(far.rules.canary)
    expect(b.restarted).toEqual(['docs', 'docs'])
  })

  it('leave a token as it is while the store is away: without turns two would renew it', async () => {
    const [a] = [open('a')]
    await signIn(a, a)
    await a.credentials.renew(undefined)
    const before = tokenOf(a)
    shared.goAway(true)
    far.revokeAccess()
    await expect(a.credentials.renew(refusal())).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    expect([tokenOf(a), refreshes()]).toEqual([before, 0])
    shared.goAway(false)
    await a.credentials.renew(refusal())
    expect(refreshes()).toBe(1)
  })

  it('lie sealed, and under another secret are as if nobody had signed in', async () => {
    const a = open('a')
    await signIn(a, a)
    expect(JSON.stringify(await shared.stored.all())).not.toContain(far.rules.canary)
    const late = open('late', 'another secret')
    await late.credentials.renew(undefined)
    expect(tokenOf(late)).toBeUndefined()
    await expect(late.credentials.renew(refusal())).rejects.toMatchObject({ details: { signIn: true } })
  })
})
