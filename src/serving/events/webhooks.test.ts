import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { ToldEvent } from '../../model/told-event.js'
import { patienceMs, Webhooks } from './webhooks.js'

type Said = { readonly status: number; readonly headers?: Record<string, string> | undefined } | 'nothing' | 'hang up'
interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const secret = 'sixteen-characters'
let clock: VirtualClock
let got: Got[]
let says: (count: number) => Said
let url: string
let webhooks: Webhooks
let base: string | undefined
const logged: string[] = []
const counted: string[] = []
let close: () => Promise<void>

// Loading it may take longer than what is waited for below.
beforeAll(() => import('undici'))
beforeEach(async () => {
  clock = new VirtualClock()
  ;[got, base, says] = [[], undefined, () => ({ status: 200 })]
  logged.length = counted.length = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      got.push({ headers: request.headers, body })
      const said = says(got.length)
      if (said === 'hang up') request.socket.destroy()
      else if (said !== 'nothing') response.writeHead(said.status, said.headers).end('anything')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/T000/secret-part`
  webhooks = new Webhooks({
    clock,
    logger: { log: (level, text) => void logged.push(`${level} ${text}`), child: () => expect.fail() },
    base: () => base,
    count: (_, outcome) => void counted.push(outcome),
  })
  webhooks.use([webhook()])
  close = async () => {
    await webhooks.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
afterEach(() => close())

const webhook = (more: object = {}) => ({ url, secret, language: 'en' as const, timeoutMs: 20_000, ...more })
const event = (id: string, more: Partial<ToldEvent> = {}): ToldEvent => ({
  ...{ id, type: 'source.down', at: clock.wall(), subject: { type: 'source', id: 'git/hub' }, details: { state: 'x' } },
  ...{ text: { en: 'It is down.', zh: '已不可用。' }, page: { name: 'sources', item: 'git/hub' } },
  ...more,
})
const until = (is: () => boolean): Promise<unknown> => vi.waitUntil(is, { timeout: 20_000 })
const pausing = (): Promise<unknown> => until(() => clock.pendingTimers > 0)
const ids = (): string[] => got.map(({ body }) => JSON.parse(body).id)

describe('a message about an event', () => {
  it('says what happened, where to look, and is signed with the time', async () => {
    base = 'https://board.example.com'
    webhooks.take(event('e1', { replica: 'two' }))
    await until(() => counted.length === 1)
    const { headers, body } = got[0]!
    expect(JSON.parse(body)).toEqual({
      ...{ id: 'e1', type: 'source.down', at: '2026-11-15T00:00:00.000Z', text: 'It is down.', replica: 'two' },
      ...{ subject: { type: 'source', id: 'git/hub' }, details: { state: 'x' } },
      link: 'https://board.example.com/#/sources/git%2Fhub',
    })
    const [, seconds, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['pegboard-signature']))!
    expect(Number(seconds)).toBe(clock.wall() / 1000)
    expect(mac).toBe(createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'))
    expect([headers['pegboard-event'], headers['pegboard-delivery']]).toEqual(['source.down', 'e1'])
  })

  it('is in the language of whoever is told, and about what they want to hear of', async () => {
    webhooks.use([webhook({ language: 'zh', events: ['key.expiring'] })])
    webhooks.take(event('e1'))
    webhooks.take(event('e2', { type: 'key.expiring' }))
    webhooks.take(event('e3', { type: 'test' }))
    await until(() => counted.length === 2)
    expect(got.map(({ body }) => [JSON.parse(body).id, JSON.parse(body).text])).toEqual([
      ['e2', '已不可用。'],
      ['e3', '已不可用。'],
    ])
  })

  it.each<[string, Said]>([
    ['fails', { status: 500 }],
    ['is told to wait', { status: 429 }],
    ['sends us elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['says nothing', 'nothing'],
    ['hangs up', 'hang up'],
  ])('is sent again where the other end %s, before what came after it, and told of once', async (_, first) => {
    says = (count) => (count < 4 ? first : { status: 200 })
    if (first === 'nothing') webhooks.use([webhook({ timeoutMs: 300 })])
    // The one before has ended by then.
    await until(() => clock.pendingTimers === 0)
    webhooks.take(event('down'))
    webhooks.take(event('back', { type: 'source.back' }))
    for (const pauseMs of [1000, 5000, 30_000]) {
      await pausing()
      await clock.advance(pauseMs)
    }
    await until(() => counted.length === 2)
    expect(ids()).toEqual(['down', 'down', 'down', 'down', 'back'])
    expect(new Set(got.slice(0, 4).map(({ body }) => body)).size).toBe(1)
    expect(new Set(got.map(({ headers }) => headers['pegboard-signature'])).size).toBe(5)
    expect(logged).toEqual([
      expect.stringMatching(/^error Events cannot be told at 127\.0\.0\.1:\d+: .*pegboard webhooks$/),
      expect.stringMatching(/^info Events are told at 127\.0\.0\.1:\d+ again\.$/),
    ])
    expect(logged.join()).not.toContain('secret-part')
  })

  it('is not lost while the other end is away for hours, and given up after a day', async () => {
    says = () => ({ status: 503 })
    webhooks.take(event('early'))
    const elapsed = async (ms: number): Promise<void> => {
      const [end, before] = [clock.now() + ms, counted.length]
      const settled = (): Promise<unknown> => until(() => clock.pendingTimers > 0 || counted.length > before)
      for (await settled(); clock.now() < end && counted.length === before; await settled())
        await clock.advance(10 * 60_000)
    }
    await elapsed(5 * 60 * 60_000)
    expect(counted).toEqual([])
    says = () => ({ status: 200 })
    await clock.advance(10 * 60_000)
    await until(() => counted.length === 1)
    expect(counted).toEqual(['sent'])
    says = () => ({ status: 503 })
    webhooks.take(event('late'))
    await elapsed(patienceMs + 20 * 60_000)
    expect(counted).toEqual(['sent', 'failed'])
  })

  it('is given up after four tries where it is refused: another of the row may be taken', async () => {
    says = (count) => ({ status: count <= 4 ? 400 : 200 })
    webhooks.take(event('odd'))
    webhooks.take(event('plain'))
    for (const pauseMs of [1000, 5000, 30_000]) {
      await pausing()
      await clock.advance(pauseMs)
    }
    await until(() => counted.length === 2)
    expect([ids(), counted]).toEqual([
      ['odd', 'odd', 'odd', 'odd', 'plain'],
      ['failed', 'sent'],
    ])
    expect(webhooks.rows()).toMatchObject([
      {
        ...{ host: new URL(url).host, events: 'all', sent: 1, failed: 1, dropped: 0 },
        last: [
          { id: 'odd', outcome: 'failed', tries: 4, why: 'It answered 400.' },
          { id: 'plain', outcome: 'sent', tries: 1 },
        ],
      },
    ])
    expect(JSON.stringify(webhooks.rows())).not.toContain('secret-part')
  })

  it('waits in a bounded row', async () => {
    says = () => 'nothing'
    for (let at = 0; at < 300; at++) webhooks.take(event(`e${at}`))
    expect(counted).toEqual(Array(300 - 1 - 256).fill('dropped'))
    await until(() => got.length === 1)
    await Promise.all([webhooks.close(), clock.advance(2000)])
    expect(got).toHaveLength(1)
  })
})

describe('a reload', () => {
  it('leaves what did not change on its way, and ends the others', async () => {
    says = (count) => (count === 1 ? { status: 500 } : { status: 200 })
    webhooks.take(event('e1'))
    await pausing()
    webhooks.use([webhook({ language: 'zh' }), webhook()])
    await clock.advance(1000)
    await until(() => counted.length === 1)
    expect([ids(), webhooks.rows().map(({ sent }) => sent)]).toEqual([
      ['e1', 'e1'],
      [0, 1],
    ])
    webhooks.use([])
    webhooks.take(event('e2'))
    expect(webhooks.rows()).toEqual([])
  })
})
