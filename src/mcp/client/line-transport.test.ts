import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { ClientPeerOptions } from './client-peer.js'
import type { LineChannel } from './line-transport.js'
import { createLineTransport } from './line-transport.js'
import { createClientPeer } from './peer.js'

interface Sent {
  readonly id?: number | undefined
  readonly method?: string | undefined
  readonly params?: Record<string, unknown> | undefined
  readonly error?: { readonly code: number } | undefined
}

/** A process in words: what it is told, and what it says. */
const createProcess = (options: Partial<ClientPeerOptions> = {}) => {
  const sent: Sent[] = []
  const clock = new VirtualClock()
  let onLine: (line: Buffer | string) => void = () => {}
  let onClose: (reason: Error | undefined) => void = () => {}
  let full = false
  const channel: LineChannel = {
    send: (line) => {
      if (full) throw new Error('the queue is full')
      sent.push(JSON.parse(String(line)))
    },
    onLine: (listener) => {
      onLine = listener
    },
    onClose: (listener) => {
      onClose = listener
    },
    close: () => onClose(undefined),
  }
  const peer = createClientPeer(createLineTransport(channel), {
    clientInfo: { name: 't', version: '1' },
    clock,
    ...options,
  })
  return {
    peer,
    clock,
    sent,
    last: (method: string) => sent.findLast((message) => message.method === method),
    say: (value: unknown) =>
      onLine(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value)),
    die: (reason?: Error) => onClose(reason),
    block: () => {
      full = true
    },
  }
}

type Process = ReturnType<typeof createProcess>

const asked = async (process: Process, method: string): Promise<number> => {
  while (!process.last(method)) await process.clock.advance(0)
  return process.last(method)!.id!
}

const initialised = async (process: Process): Promise<void> => {
  const connecting = process.peer.connect()
  await asked(process, 'server/discover')
  process.say({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'm' } })
  await asked(process, 'initialize')
  process.say({ jsonrpc: '2.0', id: 2, result: { protocolVersion: '2024-11-05', capabilities: {} } })
  await connecting
}

describe('a legacy process', () => {
  it('that is silent when probed is asked its own way after the probe’s time, on the same process', async () => {
    const process = createProcess()
    const connecting = process.peer.connect()
    await process.clock.advance(1999)
    expect(process.sent.map(({ method }) => method)).toEqual(['server/discover'])
    await process.clock.advance(1)
    expect(process.sent.map(({ method }) => method)).toEqual(['server/discover', 'initialize'])
    process.say({ jsonrpc: '2.0', id: 2, result: { protocolVersion: '2024-11-05', capabilities: { tools: {} } } })
    expect(await connecting).toMatchObject({ era: 'legacy', version: '2024-11-05', capabilities: { tools: {} } })
    expect(process.last('notifications/initialized')).toBeTruthy()
    // The answer to the probe comes after all, and changes nothing.
    process.say({ jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'm' } })
    expect(process.peer.stats.lateAnswers).toBe(1)
  })

  it('that starts slowly is not mistaken for one: what answers the first question is modern', async () => {
    const process = createProcess()
    const connecting = process.peer.connect()
    await process.clock.advance(5000)
    expect(process.sent.map(({ method }) => method)).toEqual(['server/discover', 'initialize'])
    process.say({ jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } })
    process.say({ jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'm' } })
    expect(await connecting).toMatchObject({ era: 'modern', version: '2026-07-28' })
    expect(process.peer.info).toMatchObject({ era: 'modern' })
  })

  it('that takes both questions is spoken to in legacy, which serves callers of both eras (B5)', async () => {
    const process = createProcess()
    const connecting = process.peer.connect()
    await process.clock.advance(2000)
    process.say({ jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: {} } })
    process.say({ jsonrpc: '2.0', id: 2, result: { protocolVersion: '2025-11-25', capabilities: {} } })
    expect(await connecting).toMatchObject({ era: 'legacy', version: '2025-11-25' })
  })

  it('that refuses initialize while the first question is open gets its time to answer that', async () => {
    const process = createProcess()
    const connecting = process.peer.connect()
    await process.clock.advance(2000)
    process.say({ jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'm' } })
    await process.clock.advance(100)
    process.say({ jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: {} } })
    expect(await connecting).toMatchObject({ era: 'modern' })
  })

  it.each([-32601, -32602, -32600, -32000, 0, 1])('may refuse the probe with any code, such as %i', async (code) => {
    const process = createProcess()
    const connecting = process.peer.connect()
    await asked(process, 'server/discover')
    process.say({ jsonrpc: '2.0', id: 1, error: { code, message: 'm' } })
    await asked(process, 'initialize')
    process.say({ jsonrpc: '2.0', id: 2, result: { protocolVersion: '2025-03-26', capabilities: {} } })
    expect(await connecting).toMatchObject({ era: 'legacy' })
  })

  it('is not probed where a verdict says what it is', async () => {
    const process = createProcess({ verdict: { era: 'legacy', version: '2025-11-25', at: 0 } })
    void process.peer.connect().catch(() => {})
    await process.clock.advance(0)
    expect(process.sent.map(({ method }) => method)).toEqual(['initialize'])
    process.die()
  })

  it('that dies of the probe says so, for whoever starts it again', async () => {
    const process = createProcess()
    const refused = expect(process.peer.connect()).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      details: { probe: true },
    })
    await asked(process, 'server/discover')
    process.die(new Error('exited with 1'))
    await refused
  })

  it('may write banners, colours and other noise between its messages (F15)', async () => {
    const process = createProcess()
    await initialised(process)
    const call = process.peer.request('tools/list')
    const id = await asked(process, 'tools/list')
    const noise = [
      'Server running',
      '\u001b[31mwarn\u001b[0m',
      'null',
      '[]',
      '{}',
      '3',
      '{"jsonrpc":"2.0"}',
      '{"level":"info"}',
    ]
    for (const line of noise) process.say(line)
    process.say(Buffer.from([0xff, 0xfe]))
    process.say({ jsonrpc: '2.0', id, result: { tools: [] } })
    expect(await call).toEqual({ tools: [] })
    expect(process.peer.stats).toMatchObject({ noise: noise.length + 1, foreignAnswers: 0 })
  })

  it('gets a cancel for what is given up, never for initialize; the late answer is dropped', async () => {
    const process = createProcess()
    await initialised(process)
    const controller = new AbortController()
    const call = process.peer.request('tools/call', {}, { signal: controller.signal })
    const refused = expect(call).rejects.toMatchObject({ code: 'CALL_CANCELLED', notSent: false })
    const id = await asked(process, 'tools/call')
    controller.abort()
    await refused
    expect(process.last('notifications/cancelled')).toMatchObject({ params: { requestId: id } })
    process.say({ jsonrpc: '2.0', id, result: {} })
    process.say({ jsonrpc: '2.0', id, result: {} })
    process.say({ jsonrpc: '2.0', id: String(id), result: {} })
    process.say({ jsonrpc: '2.0', id: 9999, result: {} })
    expect(process.peer.stats).toMatchObject({ lateAnswers: 2, foreignAnswers: 2 })
    expect(process.sent.filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(1)
  })

  it('ends every call when it dies, as sent; later ones as never sent', async () => {
    const closes: unknown[] = []
    const process = createProcess({ onClose: (reason) => closes.push(reason) })
    await initialised(process)
    const call = expect(process.peer.request('tools/call')).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      notSent: false,
    })
    await asked(process, 'tools/call')
    process.die(new Error('exited with 137'))
    await call
    await expect(process.peer.request('tools/call')).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      notSent: true,
    })
    expect(closes).toMatchObject([{ message: expect.stringContaining('exited with 137') }])
    expect(process.clock.pendingTimers).toBe(0)
  })

  it('that does not read its input refuses a call as never sent (F12)', async () => {
    const process = createProcess()
    await initialised(process)
    process.block()
    await expect(process.peer.request('tools/call')).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
      notSent: true,
    })
  })

  it('has a deadline for every request, and the deadline of the caller’s signal keeps its code', async () => {
    const process = createProcess()
    await initialised(process)
    const refused = expect(process.peer.request('tools/call', {}, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
    })
    await asked(process, 'tools/call')
    await process.clock.advance(50)
    await refused
    await expect(process.peer.request('x', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CALL_CANCELLED',
      notSent: true,
    })
  })

  it('may have only so many requests in flight', async () => {
    const process = createProcess({ maxInFlight: 2 })
    await initialised(process)
    const calls = [1, 2].map(() => process.peer.request('tools/call').catch((error: { code: string }) => error.code))
    await expect(process.peer.request('tools/call')).rejects.toMatchObject({ code: 'OVERLOADED', notSent: true })
    process.die()
    expect(await Promise.all(calls)).toEqual(['SOURCE_UNAVAILABLE', 'SOURCE_UNAVAILABLE'])
  })

  it('gets a refused answer back as an error at once, not at the deadline', async () => {
    const process = createProcess()
    await initialised(process)
    const call = process.peer.request('tools/call')
    const refused = expect(call).rejects.toMatchObject({ code: 'RESULT_INVALID' })
    const id = await asked(process, 'tools/call')
    process.say(`{"jsonrpc":"2.0","id":${id},"result":${'['.repeat(100)}${']'.repeat(100)}}`)
    await refused
  })

  it('asks us things: each is answered once, a cancelled one not at all, and never without end', async () => {
    const signals: AbortSignal[] = []
    const process = createProcess({
      onRequest: (request, { signal }) => {
        signals.push(signal)
        if (request.method === 'fail') throw new Error('broken')
        return request.method === 'wait' ? new Promise<never>(() => {}) : { roots: [] }
      },
    })
    await initialised(process)
    const answersTo = (id: unknown) => process.sent.filter((message) => message.id === id && !message.method)
    process.say({ jsonrpc: '2.0', id: 'r', method: 'roots/list' })
    process.say({ jsonrpc: '2.0', id: 'f', method: 'fail' })
    process.say({ jsonrpc: '2.0', id: 'w', method: 'wait' })
    process.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'w' } })
    await process.clock.advance(0)
    expect(answersTo('r')).toMatchObject([{ result: { roots: [] } }])
    expect(answersTo('f')).toMatchObject([{ error: { code: -32603 } }])
    expect(answersTo('w')).toEqual([])
    expect(signals[2]!.aborted).toBe(true)
    for (let index = 0; index < 100; index++) process.say({ jsonrpc: '2.0', id: `w${index}`, method: 'wait' })
    await process.clock.advance(0)
    expect(process.sent.filter((message) => message.error?.code === -32603)).toHaveLength(1 + 36)
  })

  it('cannot break the peer by what a listener throws', async () => {
    const process = createProcess({
      onNotification: () => {
        throw new Error('listener')
      },
    })
    await initialised(process)
    process.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    const ping = process.peer.ping()
    process.say({ jsonrpc: '2.0', id: await asked(process, 'ping'), result: {} })
    await expect(ping).resolves.toBeUndefined()
  })
})

describe('a modern process', () => {
  const modern = async (process: Process): Promise<void> => {
    const connecting = process.peer.connect()
    await asked(process, 'server/discover')
    process.say({ jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: {} } })
    await asked(process, 'initialize')
    process.say({ jsonrpc: '2.0', id: 2, error: { code: -32022, message: 'm' } })
    await connecting
  }

  it('that leaves the second question open is modern after a while', async () => {
    const process = createProcess()
    const connecting = process.peer.connect()
    await asked(process, 'server/discover')
    process.say({ jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2026-07-28'], capabilities: {} } })
    await asked(process, 'initialize')
    await process.clock.advance(10_000)
    expect(await connecting).toMatchObject({ era: 'modern' })
  })

  it('that offers tasks, which exist in no other era, is not asked about another', async () => {
    const process = createProcess()
    const connecting = process.peer.connect()
    await asked(process, 'server/discover')
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
    process.say({ jsonrpc: '2.0', id: 1, result: { supportedVersions: ['2026-07-28'], capabilities } })
    expect(await connecting).toMatchObject({ era: 'modern' })
    expect(process.sent.map(({ method }) => method)).toEqual(['server/discover'])
  })

  it('refuses to be initialised, gets metadata with every request, and no answers from us', async () => {
    const process = createProcess()
    await modern(process)
    const call = process.peer.request('tools/list')
    const id = await asked(process, 'tools/list')
    expect(process.last('tools/list')?.params).toMatchObject({
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    })
    process.say({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage' })
    process.say({ jsonrpc: '2.0', id, result: { resultType: 'complete', tools: [] } })
    expect(await call).toEqual({ resultType: 'complete', tools: [] })
    expect(process.sent.map(({ method }) => method)).toEqual(['server/discover', 'initialize', 'tools/list'])
  })

  it('ends a subscription by a result or by a cancel, and is asked again', async () => {
    const process = createProcess({ random: () => 1 })
    const heard: unknown[] = []
    await modern(process)
    process.peer.listen({ toolsListChanged: true })
    const first = await asked(process, 'subscriptions/listen')
    const _meta = { 'io.modelcontextprotocol/subscriptionId': first }
    process.say({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: { _meta } })
    process.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: first } })
    await process.clock.advance(1000)
    const second = process.last('subscriptions/listen')!.id!
    expect(second).toBeGreaterThan(first)
    process.say({ jsonrpc: '2.0', id: second, result: { resultType: 'complete' } })
    await process.clock.advance(2000)
    expect(process.last('subscriptions/listen')!.id).toBeGreaterThan(second)
    expect(heard).toEqual([])
    await process.peer.close()
    expect(process.clock.pendingTimers).toBe(0)
  })
})
