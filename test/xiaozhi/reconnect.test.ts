import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { endingOfClose } from '../../src/faces/mcp/xiaozhi/ending.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { type FarSide, type FarSideOptions, startFarSide, type Visit } from '../helpers/far-side.js'
import { fixtureTools } from '../helpers/fixture-tools.js'
import { settle } from '../helpers/virtual-clock.js'
import { endpointAt, type LinkFixture, type LinkFixtureOptions, startLink } from './start-link.js'

const clean: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const task of clean.splice(0).reverse()) await task()
})
const farSide = async (options?: FarSideOptions): Promise<FarSide> => {
  const far = await startFarSide(options)
  clean.push(far.close)
  return far
}
const linkTo = (urls: readonly string[], options: LinkFixtureOptions = {}): LinkFixture => {
  const link = startLink(
    urls.map((url) => endpointAt(url)),
    { gatewayOptions: { tools: fixtureTools() }, ...options },
  )
  clean.push(link.close)
  return link
}
const waiting = (link: LinkFixture, endpoint = 0) => link.until(({ state }) => state === 'waiting', endpoint)
const delayOf = async (link: LinkFixture): Promise<number> => {
  const { nextTryAt } = await waiting(link)
  return nextTryAt! - link.clock.wall()
}

describe('reconnecting', () => {
  it('001 compat 11 F31 waits 1, 2, 4 … 60 s between drops, and 1 s again after a healthy minute', async () => {
    const far = await farSide()
    const link = linkTo([far.url()])
    const delays: number[] = []
    for (let drop = 0; drop < 8; drop++) {
      const visit = await far.visit()
      await link.until(({ state }) => state === 'connected')
      await link.clock.advance(1000)
      visit.cut()
      delays.push((await delayOf(link)) / 1000)
      await link.clock.advance(delays.at(-1)! * 1000)
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    const visit = await far.visit()
    await link.until(({ state }) => state === 'connected')
    // Two pings pass in a healthy minute; the far side answers them.
    await link.clock.advance(29_000)
    await visit.ask('ping')
    await link.clock.advance(1000)
    while (visit.pings < 1 || link.carrier.status()[0]!.pingMs === undefined) await settle()
    await link.clock.advance(30_000)
    visit.cut()
    expect(await delayOf(link)).toBe(1000)
  })

  it.each([
    [1000, '新连接替换', 1000, undefined],
    [1006, '', 1000, undefined],
    [1008, 'token解密失败', 60_000, 'The token is not accepted'],
    [4004, 'Internal server error', 1000, undefined],
  ])('001 compat 11 X9 after close %i %s tries again in %i ms', async (code, reason, delayMs, alarm) => {
    const far = await farSide()
    const link = linkTo([far.url()])
    const visit = await far.visit()
    await link.until(({ state }) => state === 'connected')
    if (code === 1006) visit.cut()
    else visit.socket.close(code, reason)
    expect(await delayOf(link)).toBe(delayMs)
    const status = link.carrier.status()[0]!
    expect(status.reason).toBe(endingOfClose(code, reason).words)
    if (alarm) {
      expect(status).toMatchObject({ alarm: expect.stringContaining(alarm), code: 4002 })
      expect(link.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
    } else expect(status.alarm).toBeUndefined()
  })

  it.each([401, 403])('F31 treats HTTP %i as a refusal: long waits, then 15 minutes, alarmed once', async (status) => {
    const far = await farSide({ status: () => status })
    const link = linkTo([far.url()])
    const delays: number[] = []
    for (let times = 0; times < 5; times++) {
      delays.push(await delayOf(link))
      await link.clock.advance(delays.at(-1)!)
      await link.until(({ state, nextTryAt }) => state === 'waiting' && nextTryAt! > link.clock.wall())
    }
    expect(delays).toEqual([60_000, 60_000, 60_000, 900_000, 900_000])
    expect(link.carrier.status()[0]!.alarm).toContain('copy the current address')
    expect(link.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('waits as long as a busy far side asks for', async () => {
    const far = await farSide({ status: () => 503, headers: 'Retry-After: 20\r\n' })
    expect(await delayOf(linkTo([far.url()]))).toBe(20_000)
  })

  it('X15 gives up a connection that does not open in 10 s', async () => {
    const far = await farSide()
    // A listener that accepts and never answers: the handshake hangs.
    const accepted: Socket[] = []
    const server = createServer((socket) => {
      socket.on('error', () => {})
      accepted.push(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    clean.push(async () => {
      for (const socket of accepted) socket.destroy()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const link = linkTo([`ws://127.0.0.1:${port}/?token=secret-0123`, far.url()])
    while (accepted.length === 0) await settle()
    await link.clock.advance(9999)
    expect(link.carrier.status()[0]!.state).toBe('connecting')
    await link.clock.advance(1)
    expect((await waiting(link)).reason).toContain('did not answer within 10000 ms')
    expect(link.carrier.status()[0]!.code).toBe(4003)
  })

  it('F31 W110 leaves a half-open connection: ping after 30 s, dead after 10 more', async () => {
    const far = await farSide({ pong: false })
    const link = linkTo([far.url()])
    const visit = await far.visit()
    await link.until(({ state }) => state === 'connected')
    await link.clock.advance(39_999)
    expect(link.carrier.status()[0]!.state).toBe('connected')
    await link.clock.advance(1)
    expect(await waiting(link)).toMatchObject({ reason: 'the far side stopped answering pings', code: 4003 })
    await visit.closed
  })

  it('X8 does not dial again before its own connection is closed', async () => {
    const far = await farSide()
    const link = linkTo([far.url()])
    for (let times = 0; times < 20; times++) {
      const visit = await far.visit()
      await link.until(({ state }) => state === 'connected')
      expect(far.open).toBe(1)
      visit.socket.close(1011)
      await link.clock.advance(await delayOf(link))
      await visit.closed
    }
  })

  it('W111 drops answers that come after their connection, and serves the next one', async () => {
    const far = await farSide()
    let finish: (text: string) => void = () => {}
    let started = () => {}
    const running = new Promise<void>((resolve) => {
      started = resolve
    })
    const slow = defineTool({
      name: 'slow',
      handler: () =>
        new Promise<string>((resolve) => {
          finish = resolve
          started()
        }),
    })
    const link = linkTo([far.url()], { gatewayOptions: { tools: [slow] } })
    const first = await far.visit()
    first.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'slow' } })
    await running
    first.cut()
    await link.clock.advance(await delayOf(link))
    const second = await far.visit()
    finish('too late')
    expect(await second.ask('ping', {}, 1)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    expect(second.untaken).toEqual([])
    expect(link.carrier.status()[0]!.late).toBe(1)
  })

  it('two endpoints never disturb each other', async () => {
    const [steady, flapping] = [await farSide(), await farSide()]
    const link = linkTo([steady.url(), flapping.url()])
    const visit = await steady.visit()
    for (let drop = 0; drop < 30; drop++) {
      const bad = await flapping.visit()
      await link.until(({ state }) => state === 'connected', 1)
      bad.send('x'.repeat(100))
      bad.cut()
      const { nextTryAt } = await waiting(link, 1)
      expect((await visit.call('add', { a: drop, b: 1 })).content[0].text).toBe(String(drop + 1))
      // In steps, so that the steady one's pings are answered by its real far side in between.
      for (let left = nextTryAt! - link.clock.wall(); left > 0; left -= 5000) {
        await link.clock.advance(Math.min(5000, left))
        await visit.ask('ping')
      }
    }
    expect(steady.handshakes).toBe(1)
    expect(link.carrier.status()[0]).toMatchObject({ state: 'connected', connects: 1, calls: 30 })
    expect(link.carrier.status()[1]!.connects).toBeGreaterThanOrEqual(30)
  })

  it('F31 one hour of a flapping far side leaks nothing', async () => {
    const far = await farSide()
    const link = linkTo([far.url()])
    let timersWhenOpen: number | undefined
    let drops = 0
    while (link.clock.now() < 3_600_000) {
      const visit = await far.visit()
      await link.until(({ state }) => state === 'connected')
      timersWhenOpen ??= link.clock.pendingTimers
      expect(link.clock.pendingTimers).toBe(timersWhenOpen)
      visit.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } })
      await visit.ask('ping', {}, 2)
      await link.clock.advance(1000)
      visit.cut()
      drops += 1
      await link.clock.advance(await delayOf(link))
    }
    await far.visit()
    await link.until(({ state }) => state === 'connected')
    // 1+2+…+32 s, then one drop a minute.
    expect(drops).toBe(Math.ceil((3600 - 63 - 6) / 61) + 6)
    expect(far.open).toBe(1)
    expect(link.clock.pendingTimers).toBe(timersWhenOpen)
    expect(link.carrier.status()[0]).toMatchObject({ running: 0, late: drops, connects: drops + 1 })
    await link.close()
    clean.pop()
    expect(link.clock.pendingTimers).toBe(0)
    expect(link.carrier.status()[0]!.state).toBe('stopped')
  })

  it('F31 a hundred endpoints that drop together come back spread by jitter', async () => {
    const far = await farSide()
    let seed = 1
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
    const link = linkTo(
      Array.from({ length: 100 }, (_, index) => far.url(`token-of-endpoint-${index}`)),
      { random },
    )
    const visits: Visit[] = []
    for (let index = 0; index < 100; index++) visits.push(await far.visit())
    for (let index = 0; index < 100; index++) await link.until(({ state }) => state === 'connected', index)
    for (const visit of visits) visit.cut()
    for (let index = 0; index < 100; index++) await waiting(link, index)
    const delays = link.carrier.status().map(({ nextTryAt }) => nextTryAt! - link.clock.wall())
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(800)
    expect(Math.max(...delays)).toBeLessThanOrEqual(1000)
    expect(new Set(delays).size).toBeGreaterThan(90)
  })
})

describe('update', () => {
  it('keeps unchanged endpoints connected, and reopens a changed one after its close', async () => {
    const [kept, changed, added] = [await farSide(), await farSide(), await farSide()]
    const link = linkTo([kept.url(), changed.url()])
    await kept.visit()
    const before = await changed.visit()
    await link.until(({ state }) => state === 'connected', 1)
    await link.carrier.update([
      endpointAt(kept.url()),
      endpointAt(changed.url(), { maxResultBytes: 512 }),
      endpointAt(added.url()),
    ])
    expect((await before.closed).code).toBe(1000)
    await Promise.all([changed.visit(), added.visit()])
    expect(changed.open).toBe(1)
    expect(kept.handshakes).toBe(1)
    expect(link.carrier.status().map(({ name, maxResultBytes }) => [name, maxResultBytes])).toEqual([
      ['xiaozhi-1', 1024],
      ['xiaozhi-2', 512],
      ['xiaozhi-3', 1024],
    ])
    await link.carrier.update([])
    expect(link.carrier.status()).toEqual([])
  })
})
