import { afterEach, describe, expect, it } from 'vitest'
import { SessionNotes } from '../../src/faces/mcp/http/session-memory.js'
import { createSeals } from '../../src/model/seal.js'
import { fixtureGateway } from '../helpers/fixture-tools.js'
import { type ServedFixture, serveFixture } from '../helpers/serve-fixture.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const open: ServedFixture[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

type Options = Parameters<typeof serveFixture>[1]
const serve = async (options: Options = {}): Promise<ServedFixture> => {
  const served = await serveFixture(fixtureGateway(), options)
  open.push(served)
  return served
}

const hello = { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'raw', version: '1' } }
const ask = async ({ url }: ServedFixture, method: string, params: object, id?: string): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id === undefined ? {} : { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const begin = async (served: ServedFixture): Promise<string> =>
  (await ask(served, 'initialize', hello)).headers.get('mcp-session-id')!
const statusOf = async (served: ServedFixture, id: string): Promise<number> => {
  const answer = await ask(served, 'ping', {}, id)
  await answer.arrayBuffer()
  return answer.status
}
const end = async ({ url }: ServedFixture, id: string): Promise<number> =>
  (await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': id } })).status

describe('a session over three listeners of one secret', () => {
  it('is answered by each of them, a thousand times, and never lost', { timeout: 60_000 }, async () => {
    const seal = createSeals('a secret of thirty-two characters').of('session')
    const all = await Promise.all([1, 2, 3].map(() => serve({ seal })))
    const id = await begin(all[0]!)
    const lost: number[] = []
    for (let round = 0; round < 10; round++) {
      const asked = Array.from({ length: 100 }, (_, at) => statusOf(all[at % 3]!, id))
      lost.push(...(await Promise.all(asked)).filter((status) => status !== 200))
    }
    expect(lost).toEqual([])
    // However many asked at once, each holds it once.
    expect(all.map(({ endpoint }) => endpoint.sessions.size)).toEqual([1, 1, 1])
    expect(all.map(({ gateway }) => gateway.shares.of('sessions').total)).toEqual([1, 1, 1])
  })

  it('is nobody’s at a listener of another secret', async () => {
    const [ours, theirs] = [await serve(), await serve()]
    expect(await statusOf(theirs, await begin(ours))).toBe(404)
  })

  it('ends everywhere that hears of it', async () => {
    const seal = createSeals('a secret of thirty-two characters').of('session')
    const memory = new SessionNotes()
    const [one, other] = [await serve({ seal, memory }), await serve({ seal, memory })]
    const id = await begin(one)
    expect(await end(other, id)).toBe(204)
    expect(await statusOf(other, id)).toBe(404)
    one.endpoint.sessions.each((each) => one.endpoint.sessions.end(each))
    expect(await statusOf(one, id)).toBe(404)
    expect(await end(one, id)).toBe(404)
  })

  it('keeps its log level where it comes back', async () => {
    const seal = createSeals('a secret of thirty-two characters').of('session')
    const memory = new SessionNotes()
    const [one, other] = [await serve({ seal, memory }), await serve({ seal, memory })]
    const id = await begin(one)
    expect((await ask(one, 'logging/setLevel', { level: 'error' }, id)).status).toBe(200)
    expect(await statusOf(other, id)).toBe(200)
    const levels: unknown[] = []
    other.endpoint.sessions.each(({ client }) => levels.push(client.logLevel))
    expect(levels).toEqual(['error'])
  })
})

describe('a session that made room', () => {
  it('comes back by its id with what the client can do, after its time at rest and when others came', async () => {
    const clock = new VirtualClock()
    const served = await serve({ clock, sessions: { maxSessionsPerCaller: 2, sessionIdleMs: 60_000 } })
    const id = await begin(served)
    await clock.advance(180_000)
    expect(served.endpoint.sessions.size).toBe(0)
    expect(await statusOf(served, id)).toBe(200)
    for (let count = 0; count < 5; count++) await begin(served)
    expect(served.endpoint.sessions.size).toBe(2)
    expect(await statusOf(served, id)).toBe(200)
    expect(served.endpoint.sessions.size).toBe(2)
    const abilities: unknown[] = []
    served.endpoint.sessions.each(({ client }) => abilities.push(client.capabilities))
    expect(abilities).toEqual([{ roots: {} }, { roots: {} }])
  })

  it('S6 counts as any other: where all of its caller are in use, it is told to wait', async () => {
    const served = await serve({ sessions: { maxSessionsPerCaller: 1 } })
    const first = await begin(served)
    const second = await begin(served)
    const leaving = new AbortController()
    const headers = { 'mcp-session-id': second, accept: 'text/event-stream' }
    expect((await fetch(served.url, { headers, signal: leaving.signal })).status).toBe(200)
    const refused = await ask(served, 'ping', {}, first)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: { data: { setting: 'server.limits.maxSessionsPerCaller' } },
    })
    expect((await fetch(served.url, { headers: { ...headers, 'mcp-session-id': first } })).status).toBe(429)
    expect(served.endpoint.sessions.size).toBe(1)
    leaving.abort()
    await expect.poll(() => statusOf(served, first)).toBe(200)
  })

  it('is too old at its time, in memory or not, and by a changed setting at once', async () => {
    const clock = new VirtualClock()
    const served = await serve({ clock, sessions: { sessionMaxAgeMs: 3_600_000, sessionIdleMs: 600_000 } })
    const [used, resting] = [await begin(served), await begin(served)]
    for (let count = 0; count < 12; count++) {
      await clock.advance(300_000)
      expect(await statusOf(served, used)).toBe(200)
    }
    await clock.advance(1000)
    expect([await statusOf(served, used), await statusOf(served, resting)]).toEqual([404, 404])
    const young = await begin(served)
    await clock.advance(120_000)
    expect(await statusOf(served, young)).toBe(200)
    served.endpoint.limit({ sessionMaxAgeMs: 60_000 })
    expect(await statusOf(served, young)).toBe(404)
  })

  it('stays ended, also when it would have to come back', async () => {
    const served = await serve({ sessions: { maxSessionsPerCaller: 1 } })
    const id = await begin(served)
    expect(await end(served, id)).toBe(204)
    await begin(served)
    expect(await statusOf(served, id)).toBe(404)
  })
})

describe('what a process remembers of sessions', () => {
  it('is bounded in number and in bytes, and forgets what is over', () => {
    const notes = new SessionNotes()
    for (let at = 0; at < 12_000; at++) notes.end(`s${at}`, 1000)
    expect(notes.size).toBe(10_000)
    expect([notes.recall('s0'), notes.recall('s11999')?.ended]).toEqual([undefined, true])
    for (let at = 0; at < 200; at++) notes.note('long', { [`follow ${at}${'x'.repeat(900)}`]: true }, 2000)
    const { state } = notes.recall('long')!
    for (let at = 0; at < 100; at++) notes.note(`l${at}`, state, 2000)
    expect(notes.size).toBeLessThan(100)
    expect(notes.living(2000)).toEqual([])
    expect(notes.size).toBe(0)
  })

  it('puts changes over each other, null takes away', () => {
    const notes = new SessionNotes()
    notes.note('a', { level: 'info', 'follow x': true }, 1000)
    notes.note('a', { level: 'error', 'follow x': null, 'follow y': true }, 1000)
    expect(notes.recall('a')?.state).toEqual({ level: 'error', 'follow y': true })
  })
})
