import { describe, expect, it } from 'vitest'
import type { Commons, Replica, SignOfLife } from '../../src/storage/commons.js'

/** Several replicas' views of one commons, closed together. */
export interface OpenCommons extends AsyncDisposable {
  readonly all: readonly Commons[]
}

const replica = (name: string, changes: Partial<Replica> = {}): Replica => ({
  name,
  address: `http://10.0.0.1:8000`,
  version: '1.0.0',
  state: 'ready',
  instance: `${name}-1`,
  secrets: ['fingerprint'],
  ...changes,
})

const sign = (name: string, changes: Partial<SignOfLife> = {}): SignOfLife => ({
  replica: replica(name),
  held: [],
  leaseMs: 60_000,
  ...changes,
})

const soon = () => Date.now() + 60_000

/** What every commons promises to the replicas that share it. */
export const describeCommons = (name: string, open: (replicas: number) => Promise<OpenCommons>): void => {
  const withThree = async (use: (a: Commons, b: Commons, c: Commons) => Promise<void>) => {
    await using opened = await open(3)
    const [a, b, c] = opened.all
    await use(a!, b!, c!)
  }
  /** Resolves when a kind is announced. */
  const told = (commons: Commons, kind: string): Promise<void> =>
    new Promise((resolve) => {
      const stop = commons.follow(kind, () => {
        stop()
        resolve()
      })
    })

  describe(`${name} commons`, () => {
    it('give one secret to all, whoever asks first', () =>
      withThree(async (a, b, c) => {
        const secrets = await Promise.all([a, b, c, a].map((each) => each.secret()))
        expect(new Set(secrets).size).toBe(1)
        expect(secrets[0]!.length).toBeGreaterThanOrEqual(43)
      }))

    it('know each replica that lives, and forget who leaves', () =>
      withThree(async (a, b) => {
        await a.leases.beat(sign('r1'))
        const heard = await b.leases.beat(
          sign('r2', { replica: replica('r2', { address: undefined, state: 'starting' }) }),
        )
        expect(heard.replicas.map(({ silentMs: _, ...each }) => each)).toEqual([
          replica('r1'),
          replica('r2', { address: undefined, state: 'starting' }),
        ])
        expect(heard.replicas.every(({ silentMs }) => silentMs >= 0 && silentMs < 60_000)).toBe(true)
        expect(Math.abs(heard.storeMs - Date.now())).toBeLessThan(60_000)
        await b.leases.leave({ name: 'r1', instance: 'somebody else' })
        expect((await b.leases.beat(sign('r2'))).replicas).toHaveLength(2)
        await b.leases.leave({ name: 'r1', instance: 'r1-1' })
        expect((await b.leases.beat(sign('r2'))).replicas.map((each) => each.name)).toEqual(['r2'])
      }))

    it('refuse a second process of a name that lives, and let it in when the first is silent', () =>
      withThree(async (a, b) => {
        await a.leases.beat(sign('r1'))
        const second = sign('r1', { replica: replica('r1', { instance: 'other' }) })
        await expect(b.leases.beat(second)).rejects.toMatchObject({ code: 'FLEET_NAME_TAKEN' })
        await a.leases.beat(sign('r1', { leaseMs: 1 }))
        await expect
          .poll(() =>
            b.leases.beat(second).then(
              ({ replicas }) => replicas[0]?.instance,
              () => '',
            ),
          )
          .toBe('other')
      }))

    it('give a lease to one of many who take it at once, and tell', () =>
      withThree(async (a, b, c) => {
        const heard = told(c, 'lease')
        const takers = [a, b, c, a, b, c].map((each, n) => each.leases.take('source:x', `r${n}`, 60_000))
        expect((await Promise.all(takers)).filter((epoch) => epoch !== undefined)).toEqual([1])
        await heard
        expect(await a.leases.take('source:x', 'r9', 60_000)).toBeUndefined()
        const { leases } = await b.leases.beat(sign('r2'))
        expect(leases).toEqual([{ name: 'source:x', holder: expect.any(String), epoch: 1, isFree: false }])
      }))

    it('take back what expires, under a higher epoch; who held it renews it no more', () =>
      withThree(async (a, b) => {
        expect(await a.leases.take('x', 'r1', 1)).toBe(1)
        await expect.poll(() => b.leases.take('x', 'r2', 60_000)).toBe(2)
        const { leases } = await a.leases.beat(sign('r1', { held: [{ name: 'x', epoch: 1 }] }))
        expect(leases).toEqual([{ name: 'x', holder: 'r2', epoch: 2, isFree: false }])
        await a.leases.giveBack({ name: 'x', epoch: 1 }, 'r1')
        expect(await a.leases.take('x', 'r1', 60_000)).toBeUndefined()
      }))

    it('renew with a beat, even one that comes late, as long as nobody took it', () =>
      withThree(async (a, b) => {
        await a.leases.take('x', 'r1', 1)
        await expect.poll(async () => (await b.leases.beat(sign('r2'))).leases[0]?.isFree).toBe(true)
        await a.leases.beat(sign('r1', { held: [{ name: 'x', epoch: 1 }] }))
        expect((await b.leases.beat(sign('r2'))).leases[0]).toMatchObject({ holder: 'r1', epoch: 1, isFree: false })
        expect(await b.leases.take('x', 'r2', 60_000)).toBeUndefined()
      }))

    it('are given back and released, which is told', () =>
      withThree(async (a, b) => {
        await a.leases.take('x', 'r1', 60_000)
        const given = told(b, 'lease')
        await a.leases.giveBack({ name: 'x', epoch: 1 }, 'r1')
        await given
        expect((await b.leases.beat(sign('r2'))).leases[0]).toMatchObject({ holder: undefined, isFree: true })
        expect(await b.leases.release('x')).toBe(false)
        expect(await b.leases.take('x', 'r2', 60_000)).toBe(2)
        const released = told(b, 'lease')
        expect(await a.leases.release('x')).toBe(true)
        await released
        expect(await a.leases.release('x')).toBe(false)
        expect(await a.leases.release('absent')).toBe(false)
        const { leases } = await b.leases.beat(sign('r2', { held: [{ name: 'x', epoch: 2 }] }))
        // Free no earlier than before, so that its holder has time to notice.
        expect(leases[0]).toEqual({ name: 'x', holder: undefined, epoch: 3, isFree: false })
        expect(await a.leases.take('x', 'r1', 60_000)).toBeUndefined()
        const { leases: seen, replicas } = await a.leases.read(60_000)
        expect(seen).toEqual(leases)
        expect(replicas.map((each) => each.name)).toEqual(['r2'])
      }))

    it('grant tokens up to the limit and no more, however many draw at once', () =>
      withThree(async (a, b, c) => {
        const limit = { calls: 100, perMs: 3_600_000 }
        const draws = Array.from({ length: 30 }, (_, n) => [a, b, c][n % 3]!.buckets.draw('key', 7, limit))
        const granted = (await Promise.all(draws)).reduce((sum, each) => sum + each, 0)
        expect(granted).toBe(100)
        expect(await a.buckets.draw('key', 1, limit)).toBe(0)
        expect(await a.buckets.draw('other', 500, limit)).toBe(100)
        expect(await a.buckets.draw('other', 0, limit)).toBe(0)
      }))

    it('fill buckets again with time', () =>
      withThree(async (a, b) => {
        const limit = { calls: 10, perMs: 200 }
        expect(await a.buckets.draw('key', 10, limit)).toBe(10)
        await expect.poll(() => b.buckets.draw('key', 1, limit)).toBe(1)
      }))

    it('keep what sessions changed and that they ended, and tell who follows', () =>
      withThree(async (a, b) => {
        // Followed first, as replicas do: what was written before is read by who needs it.
        b.follow('session', () => {})
        await b.look()
        await b.sessions.changes()
        const heard = told(b, 'session')
        await a.sessions.put('s1', { level: 'debug' }, soon())
        await heard
        expect(await b.sessions.get('s1')).toEqual({ state: { level: 'debug' }, ended: false })
        expect(await b.sessions.get('absent')).toBeUndefined()
        await a.sessions.end('s1', soon())
        await a.sessions.end('s2', soon())
        const seen = new Map<string, boolean>()
        await expect
          .poll(async () => {
            for (const { sid, ended } of await b.sessions.changes()) seen.set(sid, ended)
            return [...seen].sort()
          })
          .toEqual([
            ['s1', true],
            ['s2', true],
          ])
        expect(await b.sessions.changes()).toEqual([])
        expect(await b.sessions.get('s1')).toEqual({ state: { level: 'debug' }, ended: true })
        await Promise.all([
          a.sessions.put('s1', { level: null, one: 1 }, soon()),
          b.sessions.put('s1', { two: 2 }, soon()),
        ])
        expect(await b.sessions.get('s1')).toEqual({ state: { one: 1, two: 2 }, ended: true })
        await a.sessions.put('s3', {}, Date.now() - 1000)
        expect(await b.sessions.get('s3')).toBeUndefined()
      }))

    it('hand out once what waits for a browser', () =>
      withThree(async (a, b, c) => {
        await a.pending.put('p', 'sealed', soon())
        const taken = await Promise.all([a, b, c].map((each) => each.pending.take('p')))
        expect(taken.filter((each) => each !== undefined)).toEqual(['sealed'])
        await a.pending.put('old', 'sealed', Date.now() - 1000)
        expect(await b.pending.take('old')).toBeUndefined()
        expect(await b.pending.take('absent')).toBeUndefined()
      }))

    it('look until all who follow have taken up what was written before', () =>
      withThree(async (a, b) => {
        await b.look()
        const seen: string[] = []
        b.follow('session', async () => {
          for (const { sid } of await b.sessions.changes()) seen.push(sid)
        })
        for (const sid of ['s1', 's2', 's3']) {
          await a.sessions.put(sid, {}, soon())
          await b.look()
          expect(seen).toContain(sid)
        }
      }))

    it('are up, and look without rejecting', () =>
      withThree(async (a) => {
        await a.secret()
        expect(a.isUp).toBe(true)
        await Promise.all(Array.from({ length: 20 }, () => a.look()))
        expect(a.lagMs()).toBeLessThan(60_000)
      }))
  })
}
