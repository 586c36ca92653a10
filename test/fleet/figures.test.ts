import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { Answering, modernCall } from './mcp-client.js'
import { adminKeyOf } from './model.mjs'
import { baseConfig, counter, type FleetProcesses, startFleet } from './replicas.mjs'

// A guard against what never comes; a busy machine takes its time.
const patience = { timeout: 50_000 }

describePostgres('what operators see', () => {
  let fleet: FleetProcesses
  let key = ''
  const at = (index: number): string => fleet.urls[index]!
  const get = async (url: string, path: string): Promise<any> => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    return response.json()
  }
  const call = async (index: number, name = 'counter.count'): Promise<void> => {
    await (await modernCall(at(index), name)).next()
  }
  /** A stream of events until the test is over. */
  const watch = async (url: string, path: string): Promise<Answering> => {
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
    return new Answering(await fetch(`${url}${path}`, { headers }))
  }

  beforeAll(async () => {
    const sources = { counter: counter({ hosting: 'each' }), once: counter({ hosting: 'one', env: { ONCE: '1' } }) }
    const config = baseConfig({ sources })
    fleet = await startFleet({ count: 3, url: await newDatabase(), config })
    await fleet.ready()
    key = adminKeyOf(fleet.replicas)
    for (const url of fleet.urls)
      await vi.waitUntil(async () => {
        const { sources } = await get(url, '/api/admin/v1/sources')
        return sources.every((source: any) => source.state === 'ready')
      }, patience)
  })
  afterAll(async () => fleet?.dispose())

  it('is the calls of all replicas from any of them, each with its place', async () => {
    await call(0)
    await call(1)
    await call(1)
    // A replica that has only just started may not be heard of by the first look.
    const whole = async () => {
      const { calls, covers } = await get(at(2), '/api/admin/v1/calls')
      return {
        calls: calls.map((each: any) => each.replica).toSorted(),
        ...covers,
        replicas: covers.replicas.toSorted(),
      }
    }
    const all = { calls: ['r1', 'r2', 'r2'], replica: 'r3', replicas: ['r1', 'r2', 'r3'], away: [] }
    await expect.poll(whole).toEqual(all)
    const overview = await get(at(2), '/api/admin/v1/overview')
    expect(overview.stats.calls).toBe(3)
    expect(overview.minutes.reduce((sum: number, minute: any) => sum + minute.calls, 0)).toBe(3)
  })

  it('is told by REST with whose calls they are, and of one replica where it is named', async () => {
    // One that was slow to answer is said to be away; the next time it is there.
    const whole = async () => {
      const { calls, covers } = await get(at(0), '/api/v1/calls')
      return { replicas: covers.replicas.toSorted(), calls: calls.length }
    }
    await expect.poll(whole).toEqual({ replicas: ['r1', 'r2', 'r3'], calls: 3 })
    const one = await get(at(0), '/api/v1/calls?replica=r2')
    expect(one.calls.map((each: any) => each.replica)).toEqual(['r2', 'r2'])
    expect(one.covers).toEqual({ replicas: ['r2'], away: [] })
    expect((await get(at(0), '/api/v1/calls?replica=nobody')).error.code).toBe('NOT_FOUND')
  })

  it('is what happens at any replica, as it happens', async () => {
    const rest = await watch(at(0), '/api/v1/events?type=call')
    const console = await watch(at(0), '/api/admin/v1/events')
    // The others have begun to tell by then.
    await rest.find(({ type, data }) => type === 'fleet' && data.away.length === 0)
    await console.find(({ replicas }) => replicas?.length === 3)
    await call(2)
    expect(await rest.find(({ type, replica }) => type === 'call' && replica === 'r3')).toMatchObject({
      data: { tool: 'counter.count', ok: true },
    })
    const told = await console.find(({ calls }) => calls?.some((each: any) => each.replica === 'r3'))
    expect(told.minutes.at(-1).calls).toBeGreaterThan(0)
    await call(0)
    expect(await rest.find(({ type }) => type === 'call')).toMatchObject({ replica: 'r1' })
  })

  it('is a source as it is where it runs, and what is done to it is done there', async () => {
    const pid = async (url: string): Promise<string> =>
      (await (await modernCall(url, 'once.pid')).next()).result.content[0].text
    const rows = await Promise.all(fleet.urls.map((url) => get(url, '/api/admin/v1/sources')))
    const [first, ...rest] = rows.map(({ sources }) => sources.find((source: any) => source.name === 'once'))
    expect(first).toMatchObject({ state: 'ready', replica: expect.stringMatching(/^r[123]$/) })
    for (const row of rest) expect(row).toMatchObject({ state: 'ready', replica: first.replica })
    const elsewhere = fleet.replicas.find(({ name }) => name !== first.replica)!
    const before = await pid(elsewhere.url)
    const headers = { authorization: `Bearer ${key}` }
    const path = '/api/admin/v1/sources/once/restart'
    const restarted = await fetch(`${elsewhere.url}${path}`, { method: 'POST', headers })
    expect(await restarted.json()).toMatchObject({ status: { state: 'ready' } })
    expect(await pid(elsewhere.url)).not.toBe(before)
    expect((await get(elsewhere.url, '/api/admin/v1/sources/once')).source.replica).toBe(first.replica)
  })

  it('is the replicas, what each of them runs, and the store', async () => {
    const picture = await get(at(1), '/api/admin/v1/fleet')
    expect(picture).toMatchObject({ alone: false, replica: 'r2', store: { up: true } })
    expect(picture.replicas.map(({ name, state, isUs }: any) => [name, state, isUs]).sort()).toEqual([
      ['r1', 'ready', false],
      ['r2', 'ready', true],
      ['r3', 'ready', false],
    ])
    expect(JSON.stringify(picture)).not.toContain('postgres')
    expect(picture.leases.map(({ name }: any) => name)).toContain('source:once')
  })

  it('ends with a lease that is taken from its holder: another goes on', async () => {
    const lease = async (): Promise<any> => {
      const { leases } = await get(at(0), '/api/admin/v1/fleet')
      return leases.find(({ name }: any) => name === 'source:once')
    }
    const { epoch } = await lease()
    const headers = { authorization: `Bearer ${key}` }
    const path = `/api/admin/v1/fleet/leases/${encodeURIComponent('source:once')}`
    expect((await fetch(`${at(0)}${path}`, { method: 'DELETE', headers })).status).toBe(200)
    await vi.waitUntil(async () => {
      const now = await lease()
      return now.epoch > epoch && !now.isFree
    }, patience)
    await vi.waitUntil(
      async () => (await (await modernCall(at(0), 'once.pid')).next()).result?.isError !== true,
      patience,
    )
    const unknown = await fetch(`${at(0)}/api/admin/v1/fleet/leases/nothing`, { method: 'DELETE', headers })
    expect(unknown.status).toBe(404)
  })

  it('is nobody else’s: keys of callers see their own calls, and no door of replicas opens to any key', async () => {
    const made = await fetch(`${at(0)}/api/admin/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'reader', permission: 'read' }),
    })
    const { key: reader }: any = await made.json()
    const headers = { authorization: `Bearer ${reader}` }
    const own = await vi.waitUntil(async () => {
      const response = await fetch(`${at(1)}/api/v1/calls`, { headers })
      return response.ok && response.json()
    }, patience)
    expect((own as any).calls).toEqual([])
    expect((await fetch(`${at(1)}/api/admin/v1/fleet`, { headers })).status).toBe(403)
    for (const [method, path] of [
      ['GET', '/events'],
      ['GET', '/pass?to=%2Fapi%2Fadmin%2Fv1%2Foverview'],
      ['POST', '/tell'],
    ] as const) {
      const response = await fetch(`${at(1)}/fleet/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } })
      expect([path, response.status]).toEqual([path, 401])
    }
  })

  it('does not wait for a replica that hangs, and says that it is away', async () => {
    const [, , hung] = fleet.replicas
    hung!.child.kill('SIGSTOP')
    const { calls, covers } = await get(at(0), '/api/admin/v1/calls')
    expect(covers.away).toEqual(['r3'])
    expect(calls.map((each: any) => each.replica)).not.toContain('r3')
    hung!.child.kill('SIGCONT')
    await vi.waitUntil(async () => (await get(at(0), '/api/admin/v1/calls')).covers.away.length === 0, patience)
  })
})
