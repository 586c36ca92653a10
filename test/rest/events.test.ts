import { afterEach, describe, expect, it } from 'vitest'
import { createEventFeed } from '../../src/faces/rest/event-feed.js'
import { createGateway } from '../../src/gateway.js'
import { createSseParser, type SseEvent } from '../../src/mcp/framing.js'
import type { Caller } from '../../src/model/caller.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { restTools, type ServeOptions, serveRest } from '../helpers/serve-rest.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const me: Caller = { id: 'me', rights: ['discover', 'call'] }
const admin: Caller = { id: 'root', rights: ['discover', 'call', 'look', 'admin'] }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const start = async (options: ServeOptions = {}) => {
  const served = await serveRest({ host: { authenticate: () => ({ caller: me }) }, ...options })
  cleanups.push(() => served.close())
  return served
}

/** A reader of a stream: its events in order, the id it would come back with, and the comments it saw. */
const listen = async (url: string, init: RequestInit = {}) => {
  const leaving = new AbortController()
  const response = await fetch(url, { ...init, signal: leaving.signal })
  const reader = response.body!.getReader()
  const events: SseEvent[] = []
  let text = ''
  const parser = createSseParser({ onEvent: (event) => events.push(event) })
  const read = async (): Promise<boolean> => {
    const { value, done } = await reader.read()
    if (done) return false
    text += Buffer.from(value).toString()
    parser.push(Buffer.from(value))
    return true
  }
  const until = async (seen: () => boolean): Promise<void> => {
    while (!seen() && (await read()));
  }
  const next = async (): Promise<any> => {
    await until(() => events.length > 0)
    const event = events.shift()
    return event && { ...JSON.parse(event.data.toString()), lineId: event.id }
  }
  const leave = () => leaving.abort()
  cleanups.push(leave)
  return { next, until, leave, text: () => text, lastEventId: () => parser.lastEventId }
}

const come = (id: string | undefined): RequestInit => ({ headers: { 'last-event-id': id ?? '' } })

describe('GET /api/v1/events', () => {
  it('tells of calls, list changes and sources, each to who may know', async () => {
    const gateway = createGateway({ tools: restTools(), rules: { deny: ['secret*'] } })
    const { url, ask } = await start({ gateway })
    const events = await listen(`${url}/api/v1/events`)
    gateway.register(defineTool({ name: 'secret_tool', handler: () => 1 }))
    gateway.register(defineTool({ name: 'open_tool', handler: () => 1 }))
    await gateway.run('say', {}, { caller: admin })
    await ask('POST', '/api/v1/tools/say/call')
    expect(await events.next()).toMatchObject({ type: 'tools', data: { added: ['open_tool'], counts: { added: 1 } } })
    expect(await events.next()).toMatchObject({ type: 'call', data: { tool: 'say', caller: 'me' } })
  })

  it('gives each event an id line, and goes on from it by header or by `after`', async () => {
    const { url, ask } = await start()
    const events = await listen(`${url}/api/v1/events`)
    await ask('POST', '/api/v1/tools/say/call')
    const call = await events.next()
    expect(call.lineId).toBe(call.id)
    events.leave()
    await ask('POST', '/api/v1/tools/echo/call', {})
    const byQuery = await listen(`${url}/api/v1/events?type=call&after=${call.id}`)
    expect(await byQuery.next()).toMatchObject({ type: 'call', data: { tool: 'echo' } })
    // As a browser comes back: the address of its first visit, and the header.
    const byHeader = await listen(`${url}/api/v1/events?type=call&after=0.0`, come(call.id))
    expect(await byHeader.next()).toMatchObject({ type: 'call', data: { tool: 'echo' } })
  })

  it('tells a reader where it stands before anything happened, so that nothing between two visits is missed', async () => {
    const { url, ask } = await start()
    const events = await listen(`${url}/api/v1/events`)
    await events.until(() => events.lastEventId() !== undefined)
    const id = events.lastEventId()
    events.leave()
    await ask('POST', '/api/v1/tools/say/call')
    const again = await listen(`${url}/api/v1/events`, come(id))
    expect(await again.next()).toMatchObject({ type: 'call', data: { tool: 'say' } })
  })

  it.each(['another-process.7', 'nonsense', '0', '../../etc'])(
    'begins with a reset for an id it does not know: %s',
    async (id) => {
      const { url, ask } = await start()
      await ask('POST', '/api/v1/tools/say/call')
      const events = await listen(`${url}/api/v1/events?type=call`, come(id))
      const reset = await events.next()
      expect(reset).toMatchObject({ type: 'reset', data: { reason: expect.stringContaining('anew') } })
      expect(await events.next()).toMatchObject({ type: 'call', data: { tool: 'say' } })
      // Whoever was cut off right after the reset goes on without another one.
      const again = await listen(`${url}/api/v1/events?type=call`, come(reset.id))
      expect(await again.next()).toMatchObject({ type: 'call', data: { tool: 'say' } })
    },
  )

  it('keeps awake with a comment and the place, also for a reader who may hear nothing', async () => {
    const clock = new VirtualClock()
    const { url, gateway } = await start({ clock })
    const events = await listen(`${url}/api/v1/events?type=source`)
    await events.until(() => events.lastEventId() !== undefined)
    const first = events.lastEventId()
    await gateway.run('say', {}, { caller: admin })
    await clock.advance(15_000)
    await events.until(() => events.lastEventId() !== first)
    expect(events.text()).toContain(': keep-alive\n\nid: ')
    expect(events.text()).not.toContain('data:')
  })

  it('ends when the server closes', async () => {
    const served = await serveRest()
    const events = await listen(`${served.url}/api/v1/events`)
    const ended = events.next()
    await served.close()
    expect(await ended.catch(() => undefined)).toBeUndefined()
  })

  it('refuses HEAD and unknown kinds', async () => {
    const { ask } = await start()
    const { status, headers } = await ask('HEAD', '/api/v1/events')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, OPTIONS'])
    expect((await ask('GET', '/api/v1/events?type=weather')).status).toBe(400)
  })
})

describe('the event feed', () => {
  const feedOf = async (calls: number) => {
    const gateway = createGateway({ tools: restTools() })
    const feed = createEventFeed(gateway, new VirtualClock(), { remembered: 4 })
    cleanups.push(() => gateway.close())
    const ids = [feed.position]
    for (let index = 0; index < calls; index++) {
      await gateway.run('say', {}, { caller: me })
      ids.push(feed.position)
    }
    return { feed, ids }
  }

  it('remembers so many events and no more', async () => {
    const { feed } = await feedOf(10)
    expect(feed.since(undefined, me)).toHaveLength(4)
  })

  it('resets exactly where something was forgotten', async () => {
    const { feed, ids } = await feedOf(10)
    const kinds = ids.map((id) => feed.since(id, me).map(({ type }) => type))
    expect(kinds.map((each) => each[0] === 'reset')).toEqual([...Array(6).fill(true), ...Array(5).fill(false)])
    expect(kinds.map((each) => each.filter((type) => type === 'call').length)).toEqual([
      ...Array(6).fill(4),
      4,
      3,
      2,
      1,
      0,
    ])
  })

  it('takes no id of its own future', async () => {
    const { feed, ids } = await feedOf(1)
    const ahead = ids[1]!.replace(/\d+$/, '99')
    expect(feed.since(ahead, me)[0]).toMatchObject({ type: 'reset' })
  })
})

describe('POST /api/v1/tools/{id}/call?stream', () => {
  it('gives its events ids that name the request', async () => {
    const { url } = await start()
    const events = await listen(`${url}/api/v1/tools/steps/call?stream`, { method: 'POST' })
    const told = [await events.next(), await events.next(), await events.next()]
    expect(told.map(({ type }) => type)).toEqual(['progress', 'progress', 'result'])
    const [request] = told[0].lineId.split('.')
    expect(told.map(({ lineId }) => lineId)).toEqual([`${request}.1`, `${request}.2`, `${request}.3`])
  })

  it('does not call a second time for a reader who comes back', async () => {
    const { ask, gateway } = await start()
    const { status, json } = await ask('POST', '/api/v1/tools/say/call?stream', undefined, { 'last-event-id': 'x.1' })
    expect([status, json.error.code]).toEqual([409, 'REQUEST_INVALID'])
    expect(gateway.stats().calls).toBe(0)
  })
})
