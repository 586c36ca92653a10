import { afterAll, beforeAll, expect, it } from 'vitest'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { type RunningFixture, startFixture } from '../helpers/fixture-servers.js'
import { faultServer } from '../helpers/gateway-process.js'
import { type OpenedReplica, openReplica } from '../helpers/open-replica.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'

/** Three replicas in this process on one database: what one runs, all offer; what one knows, all tell. */
describePostgres('replicas together', () => {
  const config = {
    profiles: { default: { expose: 'flat', names: 'exact' } },
    server: { drainMs: 0 },
    fleet: { leaseMs: 1500, secret: 'a secret of these replicas and nobody else' },
    sources: { fixture: faultServer('stdio-legacy') },
  }
  let replicas: OpenedReplica[] = []
  let web: RunningFixture
  const at = (index: number) => `${replicas[index]!.url}/mcp`
  const holder = async (): Promise<string | undefined> => {
    const { body } = await replicas[0]!.ask('GET', '/fleet')
    return body.leases.find(({ name }: { name: string }) => name === 'source:fixture')?.holder
  }

  beforeAll(async () => {
    const database = await newDatabase()
    web = await startFixture('http-legacy')
    const sources = { ...config.sources, web: { type: 'http', url: web.url, hosting: 'caller' } }
    const open = (name: string) => openReplica({ database, name, config: { ...config, sources } })
    const first = await open('r1')
    const others = await Promise.all(['r2', 'r3'].map(open))
    replicas = [first, ...others]
    await Promise.all(replicas.map(({ board }) => board.settled()))
  })
  afterAll(async () => {
    await Promise.all(replicas.map((each) => each[Symbol.asyncDispose]()))
    await web.stop()
  })

  it.each(['legacy', 'modern'] as const)('list and call what one of them runs (%s)', async (era) => {
    for (const index of [0, 1, 2]) {
      const client = await rawOverHttp(era, at(index))
      await expect.poll(() => client.list()).toContain('fixture.add')
      expect((await client.call('fixture.add', { a: 2, b: index })).text).toBe(String(2 + index))
      await client.close()
    }
  })

  it('ask a server that keeps sessions by one of them for each caller', async () => {
    for (const index of [0, 1, 2]) {
      const client = await rawOverHttp('modern', at(index))
      await expect.poll(() => client.list()).toContain('web.add')
      expect((await client.call('web.add', { a: 4, b: index })).text).toBe(String(4 + index))
      await client.close()
    }
  })

  it('pass on progress, and a cancel of whoever left', async () => {
    const away = replicas.findIndex(({ board }) => board.fleet.look('source:fixture').at !== 'here')
    const client = await rawOverHttp('modern', at(away))
    const seen: number[] = []
    await client.call('fixture.steps', {}, { onProgress: (progress) => seen.push(progress) })
    expect(seen.length).toBeGreaterThan(0)
    const left = new AbortController()
    const hanging = client.call('fixture.hang', { key: 'k' }, { signal: left.signal }).catch(() => 'gone')
    await expect.poll(async () => (await client.call('fixture.hung', { key: 'k' })).text).toBe('running')
    left.abort()
    await hanging
    await expect.poll(async () => (await client.call('fixture.hung', { key: 'k' })).text).toBe('cancelled')
    await client.close()
  })

  it('show operators the whole fleet from any of them', async () => {
    for (const { ask } of replicas) {
      const { body } = await ask('GET', '/fleet')
      expect(body.replicas.map(({ name }: { name: string }) => name).sort()).toEqual(['r1', 'r2', 'r3'])
      for (const path of ['/overview', '/calls', '/logs', '/sources', '/parked'])
        expect((await ask('GET', path)).status, path).toBe(200)
    }
    const { body } = await replicas[1]!.ask('GET', '/calls')
    expect(new Set(body.calls.map(({ replica }: { replica: string }) => replica)).size).toBeGreaterThan(1)
  })

  it('take up what an operator changes at one of them', async () => {
    const changes = { 'calls.queue': 77 }
    expect((await replicas[0]!.ask('PUT', '/settings', { changes })).status).toBe(200)
    await Promise.all(replicas.map(({ until }) => until(({ calls }) => calls.queue === 77)))
    const { body } = await replicas[1]!.ask('GET', '/settings')
    expect(JSON.stringify(body)).toContain('77')
    expect((await replicas[2]!.ask('PUT', '/settings', { changes: { 'calls.queue': null } })).status).toBe(200)
    await Promise.all(replicas.map(({ until }) => until(({ calls }) => calls.queue !== 77)))
  })

  it('tell of calls at another replica to who listens at this one', async () => {
    const { board, url } = replicas[1]!
    const { key } = await board.listener!.keys.create({ name: 'listener', permission: 'admin' })
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
    const left = new AbortController()
    const listened = await Promise.all(
      ['/api/admin/v1/events', '/api/v1/events'].map((path) => fetch(url + path, { headers, signal: left.signal })),
    )
    const heard = listened.map(async ({ status, body }) => {
      expect(status).toBe(200)
      let text = ''
      for await (const part of body!.pipeThrough(new TextDecoderStream())) {
        text += part
        if (/"replica":"r[13]"/.test(text)) return true
      }
      return false
    })
    const client = await rawOverHttp('modern', at(0))
    let isHeard = false
    const all = Promise.all(heard).then((each) => {
      isHeard = each.every(Boolean)
    })
    // The feeds of the others are opened while somebody listens; a call before that is nobody's news.
    while (!isHeard) {
      await client.call('fixture.echo', {})
      await Promise.race([all, new Promise((resolve) => setImmediate(resolve))])
    }
    left.abort()
    await client.close()
  })

  it('restart it where it runs, whoever is asked', async () => {
    for (const { ask } of replicas) expect((await ask('POST', '/sources/fixture/restart')).status).toBeLessThan(300)
    const client = await rawOverHttp('modern', at(2))
    await expect.poll(async () => (await client.call('fixture.add', { a: 1, b: 1 })).text).toBe('2')
    await client.close()
  })

  it('go on with it when its holder is told to let go, and when its holder leaves', async () => {
    const before = await holder()
    expect((await replicas[0]!.ask('DELETE', '/fleet/leases/source%3Afixture')).status).toBeLessThan(300)
    const client = await rawOverHttp('modern', at(0))
    await expect.poll(async () => (await client.call('fixture.add', { a: 3, b: 1 })).text).toBe('4')
    expect(before).toBeDefined()
    await client.close()
    const leaving = replicas.find(({ board }) => board.fleet.look('source:fixture').at === 'here') ?? replicas[1]!
    replicas = replicas.filter((each) => each !== leaving)
    await leaving.board.listener!.drain()
    await leaving[Symbol.asyncDispose]()
    for (const index of [0, 1]) {
      const other = await rawOverHttp('modern', at(index))
      await expect.poll(async () => (await other.call('fixture.add', { a: 5, b: index })).text).toBe(String(5 + index))
      await other.close()
    }
  })
})
