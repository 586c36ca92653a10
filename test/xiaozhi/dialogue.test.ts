import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../../src/gateway.js'
import { exampleTools } from '../../src/sources/examples/example-tools.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { type FarSide, startFarSide, type Visit } from '../helpers/far-side.js'
import { fixtureTools } from '../helpers/fixture-tools.js'
import { VirtualClock } from '../helpers/virtual-clock.js'
import { endpointAt, type LinkFixture, type LinkFixtureOptions, startLink } from './start-link.js'
import { cloudTranscript, serverTranscript } from './transcripts.js'

let far: FarSide
let link: LinkFixture
afterEach(async () => {
  await link?.close()
  await far?.close()
})

const connect = async (
  options: LinkFixtureOptions = {},
  more: Parameters<typeof endpointAt>[1] = {},
): Promise<Visit> => {
  far = await startFarSide()
  const gatewayOptions = { tools: [...exampleTools(), ...fixtureTools()] }
  link = startLink([endpointAt(far.url(), more)], { gatewayOptions, ...options })
  return far.visit()
}

const uuid = '6f1f7a3e-8f0e-4a55-9d2c-0d6f3f1a2b3c'

describe('dialogue', () => {
  it('X1 dials out, says nothing, and answers as the server', async () => {
    const visit = await connect()
    expect(visit.url).toBe('/mcp/?token=secret-token-0123456789')
    const answer = await visit.ask('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    })
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: 'pegboard', version: '0.0.0' },
      },
    })
  })

  it('X4 001 compat 9 replays the cloud transcript, every answer with its id, 0 included', async () => {
    const visit = await connect()
    const answers: any[] = []
    for (const message of cloudTranscript('calculator', { python_expression: '130000 * 130000' })) {
      visit.send(message)
      if ('id' in (message as object)) answers.push(await visit.next())
    }
    expect(answers.map(({ id }) => id)).toEqual([0, 1, 2, 3])
    expect(answers[0].result.protocolVersion).toBe('2024-11-05')
    expect(answers[1].result.tools.map((tool: any) => tool.name)).toContain('calculator')
    expect(answers[2].result).toEqual({})
    // 001 compat 8
    expect(JSON.parse(answers[3].result.content[0].text)).toEqual({ success: true, result: 16_900_000_000 })
    expect(visit.untaken).toEqual([])
  })

  it('001 compat 8 passes a text as the tool wrote it', async () => {
    const text = '{"success": true, "result": 16900000000}'
    const visit = await connect({
      gatewayOptions: { tools: [defineTool({ name: 'calculator', handler: () => text })] },
    })
    expect(await visit.call('calculator')).toEqual({ content: [{ type: 'text', text }] })
  })

  it('X5 001 compat 10 answers three pipelined frames', async () => {
    const visit = await connect()
    for (const message of serverTranscript) visit.send(message)
    const answers = [await visit.next(), await visit.next()].sort((a, b) => a.id - b.id)
    expect(answers[0].result.serverInfo.name).toBe('pegboard')
    expect(answers[1].result.tools.length).toBeGreaterThan(0)
    expect(link.carrier.status()[0]!.peer).toBe('XiaozhiMCPEndpointClient 1.0.0')
  })

  it('X5 answers a list and a call before any handshake, and ids that are used twice at once', async () => {
    const visit = await connect()
    visit.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    visit.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: { a: 1, b: 2 } } })
    visit.send({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const answers = [await visit.next(), await visit.next(), await visit.next()]
    expect(answers.map(({ id }) => id)).toEqual([1, 1, 1])
    expect(answers.map(({ result }) => Object.keys(result)[0] ?? 'ping').sort()).toEqual(['content', 'ping', 'tools'])
  })

  it.each([0, 1, -5, '7', '', `${uuid}_n_1`, `${uuid}_s_abc`, '中文'])(
    'X7 001 compat 9 gives id %j back as it came',
    async (id) => {
      const visit = await connect()
      expect(await visit.ask('ping', {}, id)).toEqual({ jsonrpc: '2.0', id, result: {} })
    },
  )

  it('X1 reads binary frames and frames that end in a line break', async () => {
    const visit = await connect()
    visit.send(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'))
    expect((await visit.next()).id).toBe(1)
    visit.send('{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
    expect((await visit.next()).id).toBe(2)
    visit.send(Buffer.from('  {"jsonrpc":"2.0","id":3,"method":"ping"}\r\n'))
    expect((await visit.next()).id).toBe(3)
  })

  it('X4 ignores params it does not know and lives without params', async () => {
    const visit = await connect()
    expect((await visit.ask('tools/list', { withUserTools: true, cursor: '' })).result.tools.length).toBeGreaterThan(0)
    expect((await visit.ask('initialize')).result.protocolVersion).toBe('2024-11-05')
    expect((await visit.ask('ping', { serialNumber: null })).result).toEqual({})
    expect((await visit.ask('tools/call', { name: 'echo', serialNumber: null, x: 1 })).result.content[0].text).toBe(
      '{}',
    )
  })

  it('X16 R46 refuses unknown methods, ignores unknown notifications, and answers what it cannot read', async () => {
    const visit = await connect()
    expect((await visit.ask('resources/unknown')).error.code).toBe(-32601)
    visit.send({ jsonrpc: '2.0', method: 'notifications/whatever', params: { a: 1 } })
    visit.send('not json')
    expect(await visit.next()).toMatchObject({ id: null, error: { code: -32700 } })
    visit.send({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: [] })
    expect(await visit.next()).toMatchObject({ id: 9, error: { code: -32602 } })
    expect((await visit.ask('ping')).result).toEqual({})
  })

  it('tells a missing tool as an error whose message can be read aloud', async () => {
    const visit = await connect()
    const { error } = await visit.ask('tools/call', { name: 'nonsense' })
    expect(error).toMatchObject({ code: -32602, message: 'Unknown tool: nonsense' })
    expect((await visit.ask('tools/call')).error.code).toBe(-32602)
  })

  it('X11 tells a failed call in `error` too', async () => {
    const visit = await connect()
    const result = await visit.call('fail')
    expect(result).toMatchObject({ isError: true, error: expect.stringContaining('boom') })
    expect(result.error).toBe(result.content[0].text)
    expect((await visit.call('add', { a: 'x', b: 1 })).error).toContain('a')
  })

  it('gives up a call in less than ten seconds, in a sentence', async () => {
    const visit = await connect()
    visit.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } })
    visit.send({ jsonrpc: '2.0', id: 2, method: 'ping' })
    expect((await visit.next()).id).toBe(2)
    await link.clock.advance(8999)
    expect(visit.untaken).toEqual([])
    await link.clock.advance(1)
    const { result } = await visit.next()
    expect(result.error).toBe('hang takes too long and was not waited for. It may still finish.')
  })

  it('speaks Chinese once it hears Chinese, from the beginning where told to, and never where told not to (D18)', async () => {
    const late = async (visit: Visit, args: object): Promise<string> => {
      visit.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang', arguments: args } })
      await visit.ask('ping', {}, 2)
      await link.clock.advance(9000)
      return (await visit.next()).result.error
    }
    const chinese = 'hang 用时太长，没有再等，可能稍后才完成。'
    const auto = await connect()
    expect(await late(auto, {})).toContain('takes too long')
    expect(await late(auto, { city: '北京' })).toBe(chinese)
    expect(await late(auto, {})).toBe(chinese)
    expect((await auto.ask('tools/call', { name: '没有' }, 3)).error.message).toContain('没有名为')
    expect((await auto.call('add', { a: 'x', b: 1 })).error).toContain('参数')
    await link.close()
    await far.close()
    expect(await late(await connect({}, { language: 'zh' }), {})).toBe(chinese)
    await link.close()
    await far.close()
    expect(await late(await connect({}, { language: 'en' }), { city: '北京' })).toContain('takes too long')
  })

  it('keeps the shorter time of a tool', async () => {
    const hang = defineTool({ name: 'hang', timeoutMs: 2000, handler: () => new Promise(() => {}) })
    const visit = await connect({ gatewayOptions: { tools: [hang] } })
    visit.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hang' } })
    await visit.ask('ping', {}, 2)
    await link.clock.advance(2000)
    expect((await visit.next()).result.isError).toBe(true)
  })

  it('cancels a call that the far side takes back, and does not answer it', async () => {
    const visit = await connect()
    visit.send({ jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'hang' } })
    visit.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } })
    expect((await visit.ask('ping', {}, 6)).id).toBe(6)
    expect(visit.untaken).toEqual([])
  })

  it('sends no progress: a relay could not pass it on', async () => {
    const visit = await connect()
    const answer = await visit.ask('tools/call', { name: 'steps', arguments: {}, _meta: { progressToken: 1 } })
    expect(answer.result.content[0].text).toBe('done')
  })

  it('refuses more calls than it can hold, and recovers', async () => {
    const visit = await connect()
    for (let id = 1; id <= 65; id++) visit.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'hang' } })
    expect(await visit.next()).toMatchObject({ id: 65, error: { message: expect.stringContaining('Too many calls') } })
    await link.clock.advance(9000)
    for (let id = 1; id <= 64; id++) expect((await visit.next()).result.isError).toBe(true)
    expect((await visit.call('add', { a: 1, b: 1 })).content[0].text).toBe('2')
  })

  it('001-17 logs what document 001 shows, without the values of arguments', async () => {
    const visit = await connect({
      gatewayOptions: { tools: [defineTool({ name: 'calculator', handler: () => 'x'.repeat(1500) })] },
    })
    await visit.call('calculator', { python_expression: 'my secret sum' })
    const lines = link.lines.map(
      ({ level, service, message, meta }) => `[${level}] [${service}] ${message} ${JSON.stringify(meta)}`,
    )
    expect(lines[0]).toMatch(/^\[info\] \[websocket\] Connected to xiaozhi endpoint /)
    expect(lines[1]).toBe('[info] [tool-aggregator] Tool called: calculator {"args":{"python_expression":"<string>"}}')
    expect(lines[2]).toMatch(/^\[warn\] \[tool-aggregator\] Result size 1500 bytes exceeds limit 1024 /)
    expect(lines.join('\n')).not.toContain('my secret sum')
  })
})

describe('profiles', () => {
  it('shows each endpoint its own tools and accepts calls of no other', async () => {
    const clock = new VirtualClock()
    const gateway = createGateway({ clock, tools: fixtureTools(), rules: { profiles: { kid: { allow: ['add'] } } } })
    const visit = await connect({ gateway, clock }, { profile: 'kid' })
    const { result } = await visit.ask('tools/list')
    expect(result.tools.map((tool: any) => tool.name)).toEqual(['add'])
    expect((await visit.ask('tools/call', { name: 'echo' })).error.message).toBe('Unknown tool: echo')
    expect((await visit.call('add', { a: 2, b: 2 })).content[0].text).toBe('4')
  })
})
