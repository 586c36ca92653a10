import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  faultServer,
  type GatewayProcess,
  peakMemoryMb,
  startGateway,
  untilListed,
} from '../helpers/gateway-process.js'

/** What one caller does to a gateway of its own process, and whether anybody else notices (T39, F20, F33). */

const flat = { expose: 'flat', names: 'exact' }
const both = 'application/json, text/event-stream'

interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: any
}

/** Somebody who calls with a key, or without one. */
class Visitor {
  readonly #open: IncomingMessage[] = []

  constructor(
    readonly origin: string,
    readonly key: string | undefined,
  ) {}

  /** One request; for a stream, what its head says. */
  send(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}, stays = false): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const own = this.key === undefined ? {} : { 'x-api-key': this.key }
      const method = body === undefined ? 'GET' : 'POST'
      const options = { method, headers: { accept: both, 'content-type': 'application/json', ...own, ...headers } }
      const request = httpRequest(`${this.origin}${path}`, options, (response) => {
        const { statusCode: status = 0 } = response
        response.on('error', () => {})
        if (stays && status === 200) {
          this.#open.push(response)
          return resolve({ status, headers: response.headers, body: response })
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status, headers: response.headers, body: read(Buffer.concat(chunks)) }))
      })
      request.on('error', reject)
      request.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  initialize(capabilities: object = {}): Promise<Reply> {
    const params = { protocolVersion: '2025-06-18', capabilities, clientInfo: { name: 'crowd', version: '1' } }
    return this.send('/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params })
  }

  async session(): Promise<string> {
    return String((await this.initialize()).headers['mcp-session-id'])
  }

  inSession(session: string, method: string, params: object = {}): Promise<Reply> {
    return this.send('/mcp', { jsonrpc: '2.0', id: 2, method, params }, { 'mcp-session-id': session })
  }

  async end(session: string): Promise<void> {
    const headers = { 'mcp-session-id': session, 'x-api-key': this.key ?? '' }
    await fetch(`${this.origin}/mcp`, { method: 'DELETE', headers })
  }

  /** A session's own stream. */
  stream(session: string): Promise<Reply> {
    return this.send('/mcp', undefined, { 'mcp-session-id': session }, true)
  }

  events(headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send('/api/v1/events', undefined, headers, true)
  }

  call(tool: string, args: object = {}): Promise<Reply> {
    return this.send(`/api/v1/tools/${tool}/call`, args)
  }

  listen(resourceSubscriptions: readonly string[]): Promise<Reply> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'crowd', version: '1' },
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
    const params = { notifications: { resourceSubscriptions }, _meta }
    return this.send('/mcp', { jsonrpc: '2.0', id: 3, method: 'subscriptions/listen', params }, headers, true)
  }

  leave(): void {
    for (const stream of this.#open.splice(0)) stream.destroy()
  }
}

const read = (bytes: Buffer): unknown => {
  const text = bytes.toString('utf8')
  const message = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return /^[[{]/.test(message) ? JSON.parse(message) : text
}

/** The messages of a stream, one after the other. */
const messagesOf = (stream: IncomingMessage): (() => Promise<any>) => {
  const ready: unknown[] = []
  let wanted: ((message: unknown) => void) | undefined
  let rest = ''
  stream.on('data', (chunk: Buffer) => {
    rest += chunk.toString('utf8')
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1]
      rest = rest.slice(end + 2)
      if (data === undefined) continue
      const message: unknown = JSON.parse(data)
      if (wanted) wanted(message)
      else ready.push(message)
      wanted = undefined
    }
  })
  return () =>
    new Promise((resolve) => {
      if (ready.length > 0) resolve(ready.shift())
      else wanted = resolve
    })
}

const textOf = ({ body }: Reply): string => body.content?.[0]?.text ?? JSON.stringify(body)
const times = <T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))
const countOf = (replies: readonly Reply[], status: number): number =>
  replies.filter((each) => each.status === status).length

const open = async (config: object = {}) => {
  const gateway = await startGateway({
    sources: { crowd: faultServer('crowd') },
    profiles: { default: flat, narrow: flat },
    ...config,
  })
  await untilListed(gateway.client, ['crowd'])
  const origin = new URL(gateway.url).origin
  const admin = new Visitor(origin, readFileSync(join(gateway.folder, 'data', 'admin.key'), 'utf8').trim())
  const withKey = async (name: string, profile?: string): Promise<Visitor> => {
    const made = await admin.send('/api/admin/v1/keys', { name, permission: 'read', profile })
    return new Visitor(origin, made.body.key)
  }
  return { gateway, admin, withKey, anonymous: new Visitor(origin, undefined) }
}

describe('one caller who takes all it can get', () => {
  let gateway: GatewayProcess
  let admin: Visitor
  let attacker: Visitor
  let victim: Visitor
  let anonymous: Visitor
  beforeAll(async () => {
    const opened = await open()
    ;({ gateway, admin, anonymous } = opened)
    attacker = await opened.withKey('attacker', 'narrow')
    victim = await opened.withKey('victim')
  }, 60_000)
  afterAll(async () => {
    for (const each of [admin, attacker, victim, anonymous]) each?.leave()
    await gateway?.dispose()
  })
  const started = async (who: string): Promise<number> => Number(textOf(await victim.call('crowd.started', { who })))
  const untilStarted = (who: string, count: number) =>
    expect.poll(() => started(who), { interval: 20, timeout: 60_000 }).toBe(count)
  const refusals = async (): Promise<string> => (await admin.send('/metrics')).body as string

  it('S6 begins 1,100 sessions and ends nobody else’s, nor their calls', { timeout: 120_000 }, async () => {
    const [idle, busy, open] = [await victim.session(), await victim.session(), await anonymous.session()]
    const running = victim.inSession(busy, 'tools/call', { name: 'crowd.hold', arguments: { who: 'sessions' } })
    await untilStarted('sessions', 1)
    const first = await attacker.session()
    for (let round = 0; round < 11; round++) await times(100, () => attacker.initialize())
    // Its own oldest made room, and comes back by its id in the place of another of its own; nobody else's did.
    expect((await attacker.inSession(first, 'ping')).status).toBe(200)
    expect((await attacker.inSession(await attacker.session(), 'ping')).status).toBe(200)
    expect((await victim.inSession(idle, 'ping')).status).toBe(200)
    expect((await anonymous.inSession(open, 'ping')).status).toBe(200)
    await victim.call('crowd.release')
    expect((await running).body.result.content[0].text).toBe('released sessions')
  })

  it('S5 says a megabyte with `initialize`, and nothing of it is kept', { timeout: 120_000 }, async () => {
    const many = { experimental: { x: Array.from({ length: 80_000 }, () => ({ a: 1 })) } }
    for (let at = 0; at < 60; at++) {
      const refused = await attacker.initialize(at % 2 ? many : { roots: { text: 'x'.repeat(1_000_000) } })
      expect([refused.headers['mcp-session-id'], refused.body.error.code]).toEqual([undefined, -32602])
      expect(refused.body.error.message).toContain('16384')
    }
    expect((await victim.inSession(await victim.session(), 'ping')).status).toBe(200)
    expect(peakMemoryMb(gateway.pid) ?? 0).toBeLessThan(400)
  })

  it('S10 opens as many streams as it may; others open theirs and hear', { timeout: 120_000 }, async () => {
    const replies = await times(130, () => attacker.events())
    expect([countOf(replies, 200), countOf(replies, 429)]).toEqual([100, 30])
    const refused = await attacker.events({ 'accept-language': 'zh-CN' })
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' } })
    expect(refused.body.error).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      message: expect.stringContaining('单个调用者的上限'),
      details: { bound: 'streams', most: 100, setting: 'server.limits.maxStreamsPerCaller' },
    })
    // By whichever way it comes.
    expect((await attacker.listen([])).status).toBe(429)
    const session = await attacker.session()
    const inSession = await attacker.stream(session)
    expect([inSession.status, inSession.body.error.data.bound]).toEqual([429, 'streams'])
    const mine = await victim.listen(['crowd://mine'])
    const next = messagesOf(mine.body)
    expect((await next()).params.notifications).toEqual({ resourceSubscriptions: ['crowd://mine'] })
    expect((await anonymous.events()).status).toBe(200)
    expect((await admin.send('/api/admin/v1/events', undefined, {}, true)).status).toBe(200)
    await victim.call('crowd.touch', { uri: 'crowd://mine' })
    expect((await next()).params.uri).toBe('crowd://mine')
    attacker.leave()
    await expect.poll(async () => (await attacker.events()).status, { interval: 20, timeout: 30_000 }).toBe(200)
    attacker.leave()
    expect(await refusals()).toMatch(/pegboard_bound_refusals_total\{bound="streams",whose="caller"\} \d+/)
  })

  it('S10 follows 5,000 addresses, is told which it has, and leaves room', { timeout: 120_000 }, async () => {
    const uris = (from: number) => Array.from({ length: 1000 }, (_, at) => `crowd://attack/${from + at}`)
    let acknowledged = 0
    for (const from of [0, 1000, 2000, 3000, 4000]) {
      const { status, body } = await attacker.listen(uris(from))
      expect(status).toBe(200)
      acknowledged += ((await messagesOf(body)()).params.notifications.resourceSubscriptions ?? []).length
    }
    expect(acknowledged).toBe(2000)
    const session = await attacker.session()
    const refused = await attacker.inSession(session, 'resources/subscribe', { uri: 'crowd://more' })
    expect([refused.status, refused.body.error.data.bound]).toEqual([200, 'followed'])
    const mine = await victim.listen(['crowd://victim'])
    expect((await messagesOf(mine.body)()).params.notifications).toEqual({ resourceSubscriptions: ['crowd://victim'] })
    const atServer = async () => JSON.parse(textOf(await victim.call('crowd.followed'))) as string[]
    await expect.poll(atServer, { interval: 20, timeout: 30_000 }).toContain('crowd://victim')
    attacker.leave()
    const left = async () => (await atServer()).filter((uri) => uri.startsWith('crowd://attack')).length
    await expect.poll(left, { interval: 20, timeout: 60_000 }).toBe(0)
  })

  it('S21 makes 700 slow calls; another’s call of the same tool runs at once', { timeout: 120_000 }, async () => {
    const replied = new EventEmitter()
    let left = 60
    // All 700 have come in by then: what is released before makes room for one more.
    const allCame = once(replied, 'last refusal')
    const flood = times(700, async () => {
      const reply = await attacker.call('crowd.hold', { who: 'flood' })
      if (reply.status === 429 && --left === 0) replied.emit('last refusal')
      return reply
    })
    await untilStarted('flood', 128)
    await allCame
    const mine = victim.call('crowd.hold', { who: 'mine' })
    const open = anonymous.call('crowd.hold', { who: 'open' })
    await untilStarted('mine', 1)
    await untilStarted('open', 1)
    // As many as its bound says, however long the line is.
    expect(await started('flood')).toBe(128)
    const releasing = async () => {
      for (let count = 1; count > 0; ) count = Number(textOf(await victim.call('crowd.release')))
    }
    await releasing()
    expect([textOf(await mine), textOf(await open)]).toEqual(['released mine', 'released open'])
    let done = false
    const replies = flood.finally(() => {
      done = true
    })
    while (!done) await Promise.race([replies, releasing()])
    expect([countOf(await replies, 200), countOf(await replies, 429)]).toEqual([640, 60])
    const refused = (await replies).find(({ status }) => status === 429)!
    expect(refused.headers['retry-after']).toBe('1')
    expect(refused.body.error).toMatchObject({ code: 'QUOTA_EXCEEDED', details: { bound: 'calls', most: 128 } })
  })

  it('S21 counts the calls of a batch as its own', { timeout: 120_000 }, async () => {
    const calls = Array.from({ length: 32 }, () => ({ tool: 'crowd.hold', arguments: { who: 'batch' } }))
    const batches = times(5, () => attacker.send('/api/v1/calls', { calls, concurrency: 32 }))
    await untilStarted('batch', 128)
    const mine = victim.call('crowd.hold', { who: 'beside' })
    await untilStarted('beside', 1)
    let done = false
    const ended = batches.finally(() => {
      done = true
    })
    while (!done) await Promise.race([ended, victim.call('crowd.release')])
    expect(textOf(await mine)).toBe('released beside')
    for (const { body } of await batches) expect(JSON.stringify(body)).not.toContain('QUOTA_EXCEEDED')
  })

  it('F20 reads none of 12 answers of 14 MB: cut or refused, and others are served', { timeout: 120_000 }, async () => {
    const { port, hostname } = new URL(gateway.url)
    const body = JSON.stringify({ bytes: 14_000_000 })
    const head = [
      'POST /api/v1/tools/crowd.big/call HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `X-API-Key: ${attacker.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ]
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connect(Number(port), hostname).pause()
      socket.on('error', () => {})
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
      return socket
    })
    const asked = async () => (await attacker.call('crowd.started')).status
    await expect.poll(asked, { interval: 20, timeout: 60_000 }).toBe(429)
    expect((await victim.call('crowd.big', { bytes: 3_000_000 })).body.content[0].text).toHaveLength(3_000_000)
    for (const socket of sockets) socket.destroy()
    await expect.poll(asked, { interval: 20, timeout: 60_000 }).toBe(200)
  })
})

describe('a gateway that is full', () => {
  it('S6 takes an idle session of whoever has the most, and else says 503', { timeout: 120_000 }, async () => {
    const { gateway, withKey } = await open({ server: { limits: { maxSessions: 8, maxSessionsPerCaller: 5 } } })
    const [attacker, victim] = [await withKey('attacker', 'narrow'), await withKey('victim')]
    const statusOf = async (visitor: Visitor, session: string) => (await visitor.inSession(session, 'ping')).status
    try {
      // With the one of the test's own client that makes eight.
      const [first, ...rest] = [await attacker.session(), ...(await times(4, () => attacker.session()))]
      const [kept, other] = [await victim.session(), await victim.session()]
      expect(await statusOf(victim, await victim.session())).toBe(200)
      expect([await statusOf(attacker, first!), await statusOf(victim, kept)]).toEqual([200, 200])
      for (const session of rest) expect((await attacker.stream(session)).status).toBe(200)
      const full = await attacker.initialize()
      expect([full.status, full.body.error.data, full.headers['retry-after']]).toEqual([
        503,
        { code: 'OVERLOADED', bound: 'sessions', most: 8, setting: 'server.limits.maxSessions', retryAfterMs: 5000 },
        '5',
      ])
      await victim.end(other)
      expect((await attacker.stream(await attacker.session())).status).toBe(200)
      const past = await attacker.initialize()
      expect([past.status, past.body.error.data.code, past.headers['retry-after']]).toEqual([
        429,
        'QUOTA_EXCEEDED',
        '5',
      ])
      expect(await statusOf(victim, kept)).toBe(200)
    } finally {
      attacker.leave()
      await gateway.dispose()
    }
  })

  it('S21 gives one caller half of a small tool’s places while another is about', { timeout: 120_000 }, async () => {
    const opened = await open({ calls: { concurrencyPerTool: 4 } })
    const { gateway, withKey } = opened
    const [attacker, victim] = [await withKey('attacker'), await withKey('victim')]
    const started = async (who: string) => Number(textOf(await victim.call('crowd.started', { who })))
    try {
      expect(await started('anybody')).toBe(0)
      const flood = times(40, () => attacker.call('crowd.hold', { who: 'flood' }))
      await expect.poll(() => started('flood'), { interval: 20, timeout: 30_000 }).toBe(2)
      const mine = times(2, () => victim.call('crowd.hold', { who: 'mine' }))
      await expect.poll(() => started('mine'), { interval: 20, timeout: 30_000 }).toBe(2)
      let done = false
      const ended = flood.finally(() => {
        done = true
      })
      while (!done) await Promise.race([ended, victim.call('crowd.release')])
      expect((await mine).map(textOf)).toEqual(['released mine', 'released mine'])
      expect(countOf(await flood, 200)).toBe(40)
    } finally {
      await gateway.dispose()
    }
  })
})
