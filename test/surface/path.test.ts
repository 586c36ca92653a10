import { afterEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../src/errors.js'
import type { Exchange } from '../../src/faces/mcp/exchange.js'
import { createMcpFace, type McpFace } from '../../src/faces/mcp/face.js'
import { plainProfile } from '../../src/faces/mcp/profile.js'
import { createGateway, type Gateway, type GatewayOptions } from '../../src/gateway.js'
import { RpcError } from '../../src/mcp/rpc-error.js'
import type { RequestKind } from '../../src/model/call.js'
import { localCaller } from '../../src/model/caller.js'
import type { JsonObject } from '../../src/model/json.js'
import { auditLine } from '../../src/telemetry/audit-line.js'
import type { CallRecord } from '../../src/telemetry/calls.js'
import { createGatewayMetrics } from '../../src/telemetry/gateway-metrics.js'
import { createMetrics } from '../../src/telemetry/metrics.js'
import { settle, VirtualClock } from '../helpers/virtual-clock.js'
import { ask } from './modern-request.js'
import { createSurfaceSource, type SurfaceRecord, type SurfaceSource } from './surface-source.js'

let gateway: Gateway
let face: McpFace
let clock: VirtualClock
let source: SurfaceSource
let records: CallRecord[]
afterEach(async () => {
  face.close()
  await gateway.close()
})

type Answer = (record: SurfaceRecord) => JsonObject | Promise<JsonObject>
type Era = 'legacy' | 'modern'

const offer = {
  prompts: [{ name: 'hello' }],
  resources: ['file:///pub/a', 'file:///secret/b', 'memo://Insights', 'file:///My%20Docs/c'].map((uri) => ({
    uri,
    name: uri,
  })),
  templates: [{ uriTemplate: 'file:///pub/{name}', name: 't' }],
}

const open = async (options: GatewayOptions = {}, answer: Answer = () => ({}), era: Era = 'modern'): Promise<void> => {
  clock = new VirtualClock()
  records = []
  gateway = createGateway({ clock, ...options })
  gateway.onCall((record) => records.push(record))
  source = createSurfaceSource({ ...offer, era }, answer)
  await gateway.addSource('up', source)
  face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock })
}

const legacy = { sender: { era: 'legacy', version: '2025-11-25' } } as unknown as Partial<Exchange>
const request = (method: string, params: JsonObject, era: Era = 'modern', extra: Partial<Exchange> = {}) =>
  ask({ face, method, params, capabilities: {}, extra: { ...(era === 'legacy' ? legacy : {}), ...extra } })
const refusal = (asked: Promise<JsonObject>): Promise<RpcError> =>
  asked.then(
    () => expect.unreachable('It was answered.'),
    (error: RpcError) => error,
  )

interface Asked {
  readonly kind: RequestKind
  readonly method: string
  readonly params: JsonObject
  readonly id: string
}

const kinds: readonly Asked[] = [
  { kind: 'prompt', method: 'prompts/get', params: { name: 'up.hello', arguments: { who: 'SECRET' } }, id: 'up.hello' },
  { kind: 'resource', method: 'resources/read', params: { uri: 'file:///pub/a' }, id: 'up.file:///pub/a' },
  {
    kind: 'completion',
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'up.hello' }, argument: { name: 'who', value: 'SECRET' } },
    id: 'up.hello',
  },
  { kind: 'other', method: 'notes/burn', params: { page: 1 }, id: 'up.notes/burn' },
]

const both = kinds.flatMap((each) => (['legacy', 'modern'] as const).map((era) => ({ ...each, era })))

describe.each(both)('$method of a $era client', ({ kind, method, params, id, era }) => {
  const go = () => request(method, params, era)

  it('is in the history of calls, answered or refused', async () => {
    let fails = false
    await open(
      {},
      () => {
        if (fails) throw new RpcError(-32099, 'no', { data: { why: 1 } })
        return { fine: true }
      },
      era,
    )
    expect(await go()).toMatchObject({ fine: true })
    fails = true
    await refusal(go())
    expect(records).toMatchObject([
      { kind, tool: id, source: 'up', caller: 'ada', ok: true, attempts: 1, code: undefined },
      { kind, tool: id, source: 'up', ok: false, attempts: 1, code: 'TOOL_FAILED' },
    ])
  })

  it('passes the source’s own words both ways', async () => {
    await open(
      {},
      () => {
        throw new RpcError(-32050, 'not today', { data: { until: 'noon' } })
      },
      era,
    )
    const error = await refusal(go())
    expect(error).toMatchObject({
      code: era === 'legacy' ? -32600 : -32050,
      message: 'not today',
      data: { until: 'noon' },
    })
    expect(source.asked[0]).toMatchObject({ method })
  })

  it('counts against the caller’s share', async () => {
    await open({ limits: { quotaOf: () => ({ callsPerMinute: 1 }) } }, undefined, era)
    await go()
    expect(await refusal(go())).toMatchObject({ code: -32603, data: { code: 'RATE_LIMITED' } })
    expect(source.asked).toHaveLength(1)
  })

  it('counts against the rate', async () => {
    await open({ limits: { rate: { calls: 1, perMs: 60_000 } } }, undefined, era)
    await go()
    expect(await refusal(go())).toMatchObject({ data: { code: 'RATE_LIMITED' } })
    await clock.advance(60_000)
    await go()
  })

  it('takes a place', async () => {
    await open({ limits: { concurrencyPerTool: 1, queue: 0 } }, () => new Promise(() => {}), era)
    void go().catch(() => {})
    await settle()
    expect(gateway.load().sources).toEqual([{ source: 'up', running: 1, waiting: 0 }])
    expect(await refusal(go())).toMatchObject({ data: { code: 'OVERLOADED' } })
  })

  it('leaves a source alone that cannot be reached', async () => {
    const gone = () => {
      throw new GatewayError('SOURCE_UNAVAILABLE', 'gone', { notSent: true })
    }
    await open({}, gone, era)
    for (let tries = 0; tries < 5; tries++)
      expect(await refusal(go())).toMatchObject({ data: { code: 'SOURCE_UNAVAILABLE' } })
    expect(await refusal(go())).toMatchObject({ data: { code: 'CIRCUIT_OPEN' } })
    expect(source.asked).toHaveLength(5)
    expect(gateway.sources().find(({ name }) => name === 'up')?.circuits).toMatchObject([
      { source: 'up', tool: undefined },
    ])
  })

  it('has the time that calls have, and the source hears when it is over', async () => {
    await open({ timeoutMs: 50 }, () => new Promise(() => {}), era)
    const error = refusal(go())
    await settle()
    await clock.advance(50)
    expect(await error).toMatchObject({ data: { code: 'DEADLINE_EXCEEDED' } })
    expect(source.asked[0]!.call.cancel.aborted).toBe(true)
  })

  it('ends with its caller', async () => {
    await open({}, () => new Promise(() => {}), era)
    const left = new AbortController()
    const error = refusal(request(method, params, era, { signal: left.signal }))
    await settle()
    left.abort()
    expect(await error).toMatchObject({ data: { code: 'CALL_CANCELLED' } })
    expect(source.asked[0]!.call.cancel.aborted).toBe(true)
    expect(records).toMatchObject([{ kind, code: 'CALL_CANCELLED' }])
  })

  it('is counted by its kind and told to the audit without values', async () => {
    await open({}, () => ({ text: 'PRIVATE' }), era)
    const metrics = createMetrics()
    gateway.onCall(createGatewayMetrics(metrics).onCall)
    const lines: string[] = []
    gateway.onCall((record, call, outcome) => lines.push(`{${auditLine(record, call, outcome, { values: false })}`))
    await go()
    const text = metrics.text()
    expect(text).toContain(`pegboard_calls_total{source="up",outcome="ok",kind="${kind}"} 1`)
    expect(text).not.toContain('pegboard_tool_calls_total{')
    expect(JSON.parse(lines[0]!)).toMatchObject({ on: { id }, source: 'up', actor: { id: 'ada' }, outcome: 'ok' })
    expect(lines[0]).not.toMatch(/SECRET|PRIVATE/)
  })

  it('is tried again only where that is switched on, and where it surely did not act', async () => {
    let lost = 1
    const once = (notSent: boolean) => () => {
      if (lost-- > 0) throw new GatewayError('SOURCE_UNAVAILABLE', 'lost', { notSent })
      return {}
    }
    await open({}, once(true), era)
    await refusal(go())
    lost = 1
    await open({ retry: { attempts: 2, backoffMs: 0 } }, once(true), era)
    const again = go()
    await settle()
    await clock.advance(0)
    await again
    expect(source.asked).toHaveLength(2)
    lost = 1
    await open({ retry: { attempts: 2, backoffMs: 0 } }, once(false), era)
    const maybe = go().then(
      () => 'answered',
      () => 'refused',
    )
    await settle()
    await clock.advance(0)
    expect(await maybe).toBe(kind === 'other' ? 'refused' : 'answered')
  })
})

describe('what nobody offers', () => {
  it.each([
    ['prompts/get', { name: 'up.nothing' }, 'prompt', -32602, 'Unknown prompt: up.nothing'],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' } }, 'completion', -32602, 'Unknown prompt: x'],
  ] as const)('%s is refused and recorded', async (method, params, kind, code, message) => {
    await open()
    expect(await refusal(request(method, params as unknown as JsonObject))).toMatchObject({ code, message })
    expect(records).toMatchObject([{ kind, source: undefined, ok: false, code: 'NOT_OFFERED', attempts: 0 }])
  })

  it('a method that no source of this era could answer is no method', async () => {
    await open({}, undefined, 'legacy')
    expect(await refusal(request('notes/burn', {}))).toMatchObject({
      code: -32601,
      message: 'Method not found: notes/burn',
    })
    expect(records).toMatchObject([{ kind: 'other', tool: 'notes/burn', code: 'NOT_OFFERED' }])
    expect(source.asked).toEqual([])
  })
})

describe('a rule about an address', () => {
  const rules = {
    profiles: { narrow: { deny: ['up.file:///secret/*', 'up.memo://Insights', 'up.file:///My%20Docs/*'] } },
  }
  const narrow = { caller: { id: 'ada', rights: ['discover', 'call'], profile: 'narrow' } } as const

  const spellings = [
    'file:///secret/b',
    'FILE:///secret/b',
    'file:///pub/../secret/b',
    'file:///pub/%2e%2e/secret/b',
    'file:///pub/..%2fsecret/b',
    'file:///%73ecret/b',
    'file:////secret/b',
    'file:/secret/b',
    'file://localhost/secret/b',
    'file:///secret\\b',
    'file:///secret/unlisted',
    'pegboard://up/file:///secret/b',
    'pegboard://up/FILE:///pub/../secret/b',
    'memo://Insights',
    'memo://insights',
    'file:///My Docs/c',
    'file:///My%20Docs/c',
    'pegboard://up/file:///My Docs/c',
  ]

  it.each(spellings)('holds for %s, by every way in (S3, S13)', async (uri) => {
    await open({ rules })
    const absent = await refusal(request('resources/read', { uri: 'up-nowhere:x' }, 'modern', narrow)).catch(
      () => undefined,
    )
    expect(absent).toBeUndefined()
    source.asked.length = 0
    const read = await refusal(request('resources/read', { uri }, 'modern', narrow))
    expect(read).toMatchObject({ code: -32602, message: `Resource not found: ${uri}` })
    const ref = { type: 'ref/resource', uri }
    const completed = await refusal(
      request('completion/complete', { ref, argument: { name: 'a', value: '' } }, 'modern', narrow),
    )
    expect(completed).toMatchObject({ code: -32602, message: `Resource not found: ${uri}` })
    const session = { followed: new Map(), send: () => {} } as unknown as Exchange['session']
    const followed = await refusal(request('resources/subscribe', { uri }, 'legacy', { ...narrow, session }))
    expect(followed).toMatchObject({ code: -32002 })
    expect(source.asked).toEqual([])
    expect([...source.followed]).toEqual([])
    expect(records.filter(({ ok }) => !ok)).toMatchObject([
      { kind: 'resource', code: 'NOT_OFFERED' },
      { kind: 'completion', code: 'NOT_OFFERED' },
    ])
  })

  it('sends the source what it listed, or what the caller wrote, never what the rules were asked about', async () => {
    await open({ rules })
    for (const uri of ['FILE:///pub/a', 'file:///pub/%7Ex', 'pegboard://up/file:///pub/new'])
      await request('resources/read', { uri }, 'modern', narrow)
    expect(source.asked.map(({ params }) => params.uri)).toEqual([
      'file:///pub/a',
      'file:///pub/%7Ex',
      'file:///pub/new',
    ])
    expect(records.map(({ tool }) => tool)).toEqual(['up.file:///pub/a', 'up.file:///pub/~x', 'up.file:///pub/new'])
  })

  it('S13 lets an allowed folder be no way to another', async () => {
    await open({
      rules: { profiles: { narrow: { allow: ['up.*', 'up.file:///pub/*'], deny: ['up.file:///secret*'] } } },
    })
    await request('resources/read', { uri: 'file:///pub/x' }, 'modern', narrow)
    await refusal(request('resources/read', { uri: 'file:///pub/../secret' }, 'modern', narrow))
  })

  it('S15 ends what an open stream hears', async () => {
    await open({ rules })
    const heard: string[] = []
    const gone = new AbortController()
    const listening = ask({
      face,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['file:///pub/a', 'file:///secret/b'] } },
      signal: gone.signal,
      onNotify: (text) => heard.push(text),
      extra: narrow,
    })
    await settle()
    expect(JSON.parse(heard[0]!).params.notifications).toEqual({ resourceSubscriptions: ['file:///pub/a'] })
    source.update('file:///pub/a')
    expect(heard).toHaveLength(2)
    gateway.policy.update({ profiles: { narrow: { deny: ['up.*'] } } })
    source.update('file:///pub/a')
    expect(heard).toHaveLength(2)
    gone.abort()
    await listening
  })
})

describe('rights', () => {
  const reader = { caller: { id: 'reader', rights: ['discover'] } } as const

  it('let whoever may see read, and nobody act who may not call', async () => {
    await open()
    await request('resources/read', { uri: 'file:///pub/a' }, 'modern', reader)
    await request('prompts/get', { name: 'up.hello' }, 'modern', reader)
    expect(await refusal(request('notes/burn', {}, 'modern', reader))).toMatchObject({
      data: { code: 'ACCESS_DENIED' },
    })
    expect(source.asked).toHaveLength(2)
  })
})

describe('a hidden tool', () => {
  it('S14 is told from an absent one by nothing', async () => {
    clock = new VirtualClock()
    gateway = createGateway({ clock, rules: { deny: ['up.hidden'] } })
    source = createSurfaceSource({}, undefined, [
      {
        name: 'hidden',
        inputSchema: { type: 'object', properties: { r: { type: 'string', 'x-mcp-header': 'Region' } } },
      },
    ])
    await gateway.addSource('up', source)
    face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock })
    const safe = { ...plainProfile, naming: { style: 'safe', namespacing: true, collisions: 'hash' } } as const
    const call = (name: string) => refusal(request('tools/call', { name }, 'modern', { profile: safe }))
    expect(await call('up__hidden')).toMatchObject({ code: -32602, message: 'Unknown tool: up__hidden' })
    expect(await call('up__absent')).toMatchObject({ code: -32602, message: 'Unknown tool: up__absent' })
    expect(face.headerParamsOf(face.resolve({ caller: localCaller, profile: safe }, 'up__hidden'))).toEqual([])
  })
})

describe('the library', () => {
  it('asks for prompts, resources and methods by the same call', async () => {
    await open({}, ({ method }) => ({ method }))
    expect(await gateway.run('file:///pub/a', undefined, { kind: 'resource' })).toEqual({ method: 'resources/read' })
    expect(await gateway.run('up.hello', { arguments: {} }, { kind: 'prompt' })).toEqual({ method: 'prompts/get' })
    expect(await gateway.run('notes/burn', {}, { kind: 'other', source: 'up' })).toEqual({ method: 'notes/burn' })
    expect(gateway.callSync({ kind: 'resource', tool: 'file:///pub/a', caller: localCaller })).toMatchObject({
      ok: false,
      error: { code: 'TOOL_ASYNC_ONLY' },
    })
  })

  it('keeps sources working that know tools alone', async () => {
    await open()
    const { ask: _, ...old } = source
    await gateway.addSource('old', { ...old })
    await expect(gateway.run('notes/burn', {}, { kind: 'other', source: 'old' })).rejects.toMatchObject({
      code: 'NOT_OFFERED',
    })
  })
})
