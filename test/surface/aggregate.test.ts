import { afterEach, describe, expect, it } from 'vitest'
import type { Exchange } from '../../src/faces/mcp/exchange.js'
import { createMcpFace, type McpFace } from '../../src/faces/mcp/face.js'
import { plainProfile } from '../../src/faces/mcp/profile.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { RpcError } from '../../src/mcp/rpc-error.js'
import type { JsonObject } from '../../src/model/json.js'
import { resultAnswer } from '../../src/model/result.js'
import type { PolicyRules } from '../../src/policy/policy.js'
import { mountOwnTools } from '../../src/serving/embedded/own-tools.js'
import { VirtualClock } from '../helpers/virtual-clock.js'
import { ask } from './modern-request.js'
import { createSurfaceSource, type SurfaceSource } from './surface-source.js'

let gateway: Gateway
let face: McpFace
afterEach(async () => {
  face.close()
  await gateway.close()
})

const prompt = (name: string) => ({ name, description: `${name}.` })
const resource = (uri: string) => ({ uri, name: uri })

const open = async (sources: Readonly<Record<string, SurfaceSource>>, rules: PolicyRules = {}): Promise<void> => {
  const clock = new VirtualClock()
  gateway = createGateway({ rules, clock })
  for (const [name, source] of Object.entries(sources)) await gateway.addSource(name, source)
  face = createMcpFace({ gateway, serverInfo: { name: 'pegboard', version: '0' }, clock, instructions: undefined })
}
const request = (method: string, params: JsonObject = {}, extra: Partial<Exchange> = {}) =>
  ask({ face, method, params, capabilities: {}, extra })
const names = (list: unknown, key: string) => (list as readonly JsonObject[]).map((each) => each[key])
const transparent = { profile: { naming: { style: 'exact', namespacing: false, collisions: 'refuse' } } } as const

describe('prompts of many sources', () => {
  const two = () => ({
    a: createSurfaceSource({ prompts: [prompt('hello'), prompt('bye')] }, () => ({ messages: [] })),
    b: createSurfaceSource({ prompts: [prompt('hello')] }),
  })

  it('are listed together under namespaced names, in one order whoever started first', async () => {
    const { a, b } = two()
    await open({ b, a })
    expect(names((await request('prompts/list')).prompts, 'name')).toEqual(['a.bye', 'a.hello', 'b.hello'])
  })

  it('are asked for at their own source, by their own name', async () => {
    const sources = two()
    await open(sources)
    await request('prompts/get', { name: 'a.hello', arguments: { x: '1' } })
    expect(sources.a.asked).toMatchObject([{ method: 'prompts/get', params: { name: 'hello', arguments: { x: '1' } } }])
    expect(sources.b.asked).toEqual([])
  })

  it('sound absent when they are hidden', async () => {
    await open(two(), { deny: ['a.*'] })
    expect(names((await request('prompts/list')).prompts, 'name')).toEqual(['b.hello'])
    const [hidden, absent] = await Promise.all(
      ['a.hello', 'a.nothing'].map((name) => request('prompts/get', { name }).catch((error: RpcError) => error)),
    )
    expect(hidden).toMatchObject({ code: -32602, message: 'Unknown prompt: a.hello' })
    expect(absent).toMatchObject({ code: -32602, message: 'Unknown prompt: a.nothing' })
  })

  it('answer for nobody under a bare name that two of them have', async () => {
    await open(two())
    expect(names((await request('prompts/list', {}, transparent)).prompts, 'name')).toEqual(['bye'])
    await expect(request('prompts/get', { name: 'hello' }, transparent)).rejects.toMatchObject({ code: -32602 })
  })

  it('come in pages of the profile, each cursor naming where it goes on', async () => {
    await open({ a: createSurfaceSource({ prompts: Array.from({ length: 9 }, (_, at) => prompt(`p${at}`)) }) })
    const small = { profile: { ...plainProfile, maxListBytes: 120 } }
    const seen: unknown[] = []
    let cursor: unknown
    do {
      const page = await request('prompts/list', cursor === undefined ? {} : { cursor: cursor as string }, small)
      seen.push(...names(page.prompts, 'name'))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toEqual(Array.from({ length: 9 }, (_, at) => `a.p${at}`))
    await expect(request('prompts/list', { cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('resources of many sources', () => {
  const contents = (uri: string) => ({ contents: [{ uri, text: 'text' }], ttlMs: 5000, cacheScope: 'public' })
  const reading = (uris: readonly string[], templates: readonly string[] = []) =>
    createSurfaceSource(
      { resources: uris.map(resource), templates: templates.map((uriTemplate) => ({ uriTemplate, name: 't' })) },
      ({ params }) => contents(params.uri as string),
    )

  it('keep their URIs where only one source has them', async () => {
    await open({ a: reading(['x://1']), b: reading(['x://2']) })
    expect(names((await request('resources/list')).resources, 'uri')).toEqual(['x://1', 'x://2'])
    expect((await request('resources/read', { uri: 'x://2' })).contents).toEqual([{ uri: 'x://2', text: 'text' }])
  })

  it('carry their source where two have the same, and apps stay apps', async () => {
    const sources = { a: reading(['x://1', 'ui://app/page']), b: reading(['x://1', 'ui://app/page']) }
    await open(sources)
    const uris = names((await request('resources/list')).resources, 'uri')
    expect(uris).toEqual(['ui://a+app/page', 'pegboard://a/x://1', 'ui://b+app/page', 'pegboard://b/x://1'])
    const read = await request('resources/read', { uri: 'pegboard://b/x://1' })
    expect(sources.b.asked[0]!.params).toEqual({ uri: 'x://1' })
    expect(read.contents).toEqual([{ uri: 'pegboard://b/x://1', text: 'text' }])
    await expect(request('resources/read', { uri: 'x://1' })).rejects.toMatchObject({ code: -32602 })
  })

  it('that are apps are pointed to by their tools under the URI this client sees', async () => {
    const tool = { name: 'show', inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: 'ui://app' } } }
    const app = () => createSurfaceSource({ resources: [resource('ui://app')] }, undefined, [tool])
    await open({ a: app(), b: app() })
    const { tools } = await request('tools/list')
    expect((tools as readonly JsonObject[]).map(({ _meta }) => _meta)).toEqual([
      { ui: { resourceUri: 'ui://a+app' } },
      { ui: { resourceUri: 'ui://b+app' } },
    ])
  })

  it('are found by template, and by the only source that has resources at all', async () => {
    const a = reading([], ['x://{id}/data'])
    const b = reading(['y://1'])
    await open({ a, b })
    await request('resources/read', { uri: 'x://7/data' })
    expect(a.asked).toHaveLength(1)
    await expect(request('resources/read', { uri: 'z://9' })).rejects.toMatchObject({
      code: -32602,
      data: { uri: 'z://9' },
    })
    await gateway.removeSource('a')
    await request('resources/read', { uri: 'z://9' })
    expect(b.asked).toHaveLength(1)
  })

  it('are private to whoever read them, whatever their source says (T35)', async () => {
    await open({ a: reading(['x://1']) })
    expect(await request('resources/read', { uri: 'x://1' })).toMatchObject({ cacheScope: 'private', ttlMs: 5000 })
    expect(await request('resources/list')).toMatchObject({ cacheScope: 'private' })
  })

  it('cannot be read when the policy hides them, listed or not', async () => {
    const a = reading(['x://1'], ['x://{id}'])
    await open({ a }, { allow: ['b.*'] })
    expect((await request('resources/list')).resources).toEqual([])
    await expect(request('resources/read', { uri: 'x://1' })).rejects.toMatchObject({ code: -32602 })
    await expect(request('resources/read', { uri: 'pegboard://a/x://1' })).rejects.toMatchObject({ code: -32602 })
    expect(a.asked).toEqual([])
  })

  it('say that they are missing in the words of the client’s era', async () => {
    const missing = createSurfaceSource({ resources: [resource('x://1')] }, () => {
      throw new RpcError(-32002, 'no such thing', { data: { uri: 'x://1' } })
    })
    await open({ a: missing })
    await expect(request('resources/read', { uri: 'x://1' })).rejects.toMatchObject({ code: -32602 })
    const sender = { era: 'legacy', version: '2025-11-25' } as const
    await expect(request('resources/read', { uri: 'x://1' }, { sender })).rejects.toMatchObject({ code: -32002 })
  })
})

describe('what a client hears of a source', () => {
  it('is its updates, under the URI the client used, for as long as it listens', async () => {
    const a = createSurfaceSource({ resources: [resource('x://1')] })
    await open({ a, b: createSurfaceSource({}) })
    const leaving = new AbortController()
    const heard: JsonObject[] = []
    const listening = ask({
      face,
      method: 'subscriptions/listen',
      params: { notifications: { resourceSubscriptions: ['x://1', 'unknown://'] } },
      signal: leaving.signal,
      onNotify: (text) => heard.push(JSON.parse(text) as JsonObject),
    })
    await new Promise(setImmediate)
    expect(a.followed).toEqual(new Set(['x://1']))
    a.update('x://1')
    a.update('x://2')
    expect(
      heard.map(({ method, params }) => [method, (params as JsonObject).uri ?? (params as JsonObject).notifications]),
    ).toEqual([
      ['notifications/subscriptions/acknowledged', { resourceSubscriptions: ['x://1'] }],
      ['notifications/resources/updated', 'x://1'],
    ])
    leaving.abort()
    await listening
    expect(a.followed.size).toBe(0)
  })

  it('is its instructions, under its name; in transparent mode as they are', async () => {
    const said = (instructions: string) => createSurfaceSource({ instructions })
    await open({ a: said('Be kind.'), b: said('Be brief.') })
    expect((await request('server/discover')).instructions).toBe('## a\n\nBe kind.\n\n## b\n\nBe brief.')
    await gateway.removeSource('b')
    expect((await request('server/discover', {}, transparent)).instructions).toBe('Be kind.')
  })

  it('is what it can do, and no more than its sources can', async () => {
    await open({ a: createSurfaceSource({ capabilities: { prompts: {} } }) })
    expect((await request('server/discover')).capabilities).toEqual({
      tools: { listChanged: true },
      prompts: { listChanged: true },
    })
  })

  it('is that a list changed, once a second however often', async () => {
    const a = createSurfaceSource({ prompts: [prompt('hello')] })
    await open({ a })
    let told = 0
    face.changes.subscribe(() => told++, 'prompts')
    for (let times = 0; times < 100; times++) a.change({ prompts: [prompt(`hello${times}`)] }, 'prompts')
    expect(told).toBeLessThanOrEqual(2)
    expect(names((await request('prompts/list')).prompts, 'name')).toEqual(['a.hello99'])
  })
})

describe('a method nobody here knows', () => {
  const skills = { capabilities: { extensions: { 'io.modelcontextprotocol/skills': {} } } }
  const answer = () => ({ skills: [], vendor: 1 })

  it('goes to the one source that says it speaks it, and back untouched', async () => {
    const a = createSurfaceSource(skills, answer)
    await open({ a, b: createSurfaceSource({}) })
    expect(await request('skills/list', { deep: true })).toMatchObject({ skills: [], vendor: 1 })
    expect(a.asked).toMatchObject([{ method: 'skills/list', params: { deep: true } }])
    expect((await request('server/discover')).capabilities).toMatchObject({
      extensions: skills.capabilities.extensions,
    })
  })

  it('is refused when two could answer, and when none says so', async () => {
    await open({ a: createSurfaceSource(skills, answer), b: createSurfaceSource(skills, answer) })
    await expect(request('skills/list')).rejects.toMatchObject({ code: -32601, httpStatus: 404 })
    await expect(request('other/thing')).rejects.toMatchObject({ code: -32601 })
    expect((await request('server/discover')).capabilities).not.toHaveProperty('extensions')
  })

  it('of the protocol’s other era is never passed on', async () => {
    const a = createSurfaceSource({}, answer)
    await open({ a })
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list', 'roots/list'])
      await expect(request(method)).rejects.toMatchObject({ code: -32601 })
    expect(a.asked).toEqual([])
  })
})

describe('tasks', () => {
  const tasks = { 'io.modelcontextprotocol/tasks': {} }
  const declared = { capabilities: { extensions: tasks } as JsonObject }
  const speaking = () =>
    createSurfaceSource({ capabilities: { extensions: tasks } }, ({ params }) => ({
      taskId: params.taskId,
      status: 'working',
    }))

  it('are refused under ids that are not ours, before any source is asked', async () => {
    const a = speaking()
    await open({ a })
    for (const taskId of ['1', 'A'.repeat(60), ''])
      await expect(ask({ face, method: 'tasks/get', params: { taskId }, ...declared })).rejects.toMatchObject({
        code: -32602,
      })
    expect(a.asked).toEqual([])
  })

  it('begun through call_tool are asked for at the source of the tool that was called', async () => {
    const a = speaking()
    const tool = { definition: { name: 'slow', inputSchema: { type: 'object' } } }
    const task = { resultType: 'task', taskId: '7', content: [] }
    await open({
      a: {
        ...a,
        watch: (onTools, signal) => {
          onTools({ type: 'all', tools: [tool] })
          return a.watch(() => [], signal)
        },
        call: () => resultAnswer(task),
      },
    })
    await mountOwnTools(gateway, () => plainProfile)
    const params = { name: 'call_tool', arguments: { tool_name: 'a.slow' } }
    const { taskId } = await ask({ face, method: 'tools/call', params, ...declared })
    await ask({ face, method: 'tasks/get', params: { taskId }, ...declared })
    expect(a.asked).toMatchObject([{ method: 'tasks/get', params: { taskId: '7' } }])
  })

  it('need the extension declared, and a source that speaks it', async () => {
    await open({ a: speaking() })
    await expect(request('tasks/get', { taskId: '1' })).rejects.toMatchObject({ code: -32021 })
    await gateway.removeSource('a')
    await expect(request('tasks/get', { taskId: '1' })).rejects.toMatchObject({ code: -32601 })
  })
})
