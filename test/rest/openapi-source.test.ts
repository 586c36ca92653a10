import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { systemClock } from '../../src/model/clock.js'
import { createOpenApiSource } from '../../src/sources/openapi/openapi.js'
import type { OpenApiOptions } from '../../src/sources/openapi/options.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { describeSource } from '../contracts/source.js'
import { type EchoApi, startEchoApi } from '../helpers/echo-api.js'
import { VirtualClock } from '../helpers/virtual-clock.js'

const file = (name: string) => fileURLToPath(new URL(`apis/${name}`, import.meta.url))
const sourceOf = (options: Partial<OpenApiOptions> & { spec: string }) =>
  createOpenApiSource({ clock: systemClock, logger: silentLogger, ...options })

describeSource('OpenAPI', async () => {
  const api = await startEchoApi((request, response, body) => {
    const json = (value: unknown, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(typeof value === 'string' ? value : JSON.stringify(value))
      return true
    }
    if (request.url!.startsWith('/add')) {
      const { searchParams } = new URL(request.url!, 'http://x')
      return json(Number(searchParams.get('a')) + Number(searchParams.get('b')))
    }
    if (request.url === '/echo') return json(body)
    if (request.url === '/fail') return json({ error: 'boom' }, 500)
    return request.url === '/hang'
  })
  const folder = await mkdtemp(join(tmpdir(), 'pegboard-openapi-'))
  const number = { schema: { type: 'number' } }
  const paths: Record<string, unknown> = {
    '/add': {
      get: {
        operationId: 'add',
        parameters: [
          { name: 'a', in: 'query', ...number },
          { name: 'b', in: 'query', ...number },
        ],
      },
    },
    '/echo': {
      post: {
        operationId: 'echo',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
    '/fail': { get: { operationId: 'fail' } },
    '/hang': { get: { operationId: 'hang' } },
  }
  const spec = join(folder, 'api.json')
  const write = () => writeFile(spec, JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths }))
  await write()
  const clock = new VirtualClock()
  return {
    source: sourceOf({ spec, baseUrl: api.url, clock }),
    addExtra: async () => {
      paths['/extra'] = { get: { operationId: 'extra' } }
      await write()
      await clock.advance(2000)
    },
    cleanup: async () => {
      await api.close()
      await rm(folder, { recursive: true })
    },
  }
})

describe('three APIs of different styles, called against a live server', () => {
  let api: EchoApi
  let gateway: Gateway
  beforeAll(async () => {
    api = await startEchoApi()
    gateway = createGateway()
    for (const name of ['pet-store.yaml', 'payments.json', 'folders.json'])
      await gateway.addSource(name.split('.')[0]!, sourceOf({ spec: file(name), baseUrl: `${api.url}/base/` }))
  })
  afterAll(async () => {
    await gateway.close()
    await api.close()
  })
  const schemaOf = (id: string): any => gateway.find(id)!.definition.inputSchema
  const run = async (id: string, args: unknown): Promise<any> => gateway.run(id, args)

  it('become tools with names, tags and hints', () => {
    expect(gateway.list().map(({ id }) => id)).toEqual([
      'folders.put_folders',
      'folders.upload',
      'payments.charges.capture',
      'payments.payments.create',
      'payments.payouts.create',
      'pet-store.createPet',
      'pet-store.delete_pets_id',
      'pet-store.getPet',
      'pet-store.listPets',
    ])
    expect(gateway.find('pet-store.listPets')).toMatchObject({
      tags: ['pets'],
      definition: { title: 'List pets', annotations: { readOnlyHint: true } },
    })
  })

  it('a pet store: parameters in every style, 3.0 spelled as JSON Schema', async () => {
    expect(schemaOf('pet-store.listPets').properties.limit).toEqual({
      type: 'integer',
      exclusiveMinimum: 0,
      maximum: 100,
    })
    expect(schemaOf('pet-store.createPet')).toMatchObject({
      properties: {
        name: { type: ['string', 'null'] },
        mood: { enum: ['good', 'bad', null] },
        'X-Trace': { type: 'string' },
      },
      required: ['name'],
    })
    expect(schemaOf('pet-store.createPet').properties.id).toBeUndefined()
    const { url } = await run('pet-store.listPets', {
      limit: 5,
      tags: ['a', 'b c'],
      kinds: ['x', 'y'],
      where: { k: 'v' },
    })
    expect(decodeURIComponent(url)).toBe('/base/pets?limit=5&tags=a&tags=b+c&kinds=x,y&where[k]=v')
    expect(await run('pet-store.createPet', { name: null, 'X-Trace': 't' })).toMatchObject({ body: '{"name":null}' })
    expect(api.seen.at(-1)?.headers['x-trace']).toBe('t')
    expect(await run('pet-store.getPet', { id: 'x', id_query: 3 })).toMatchObject({ url: '/base/pets/x?id=3' })
    expect(schemaOf('pet-store.getPet').properties.Authorization).toBeUndefined()
  })

  it('payments: allOf joined, alternatives kept and checked, forms written', async () => {
    expect(schemaOf('payments.payments.create').required).toEqual(
      expect.arrayContaining(['amount', 'currency', 'card']),
    )
    const card = { kind: 'card', number: '4' }
    expect(JSON.parse((await run('payments.payments.create', { amount: 1, currency: 'EUR', card })).body)).toEqual({
      amount: 1,
      currency: 'EUR',
      card,
    })
    expect(schemaOf('payments.payouts.create').properties.body.oneOf).toHaveLength(2)
    expect((await run('payments.payouts.create', { body: { kind: 'bank', iban: null } })).body).toBe(
      '{"kind":"bank","iban":null}',
    )
    await expect(run('payments.payouts.create', { body: { kind: 'cash' } })).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
    })
    expect(await run('payments.charges.capture', { charge: 'ch_1', amount: 5, expand: ['a', 'b'] })).toMatchObject({
      url: '/base/charges/ch_1/capture',
      body: 'amount=5&expand=a&expand=b',
    })
  })

  it('folders: a cycle ends, the inner ones stay open', async () => {
    expect(schemaOf('folders.put_folders').properties.parent).toEqual({ type: 'object' })
    const tree = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] }
    expect(JSON.parse((await run('folders.put_folders', tree)).body)).toEqual(tree)
    const { body } = await run('folders.upload', { note: 'n', file: Buffer.from('bytes').toString('base64') })
    expect(body).toMatch(/name="note"[\s\S]*n[\s\S]*name="file"[\s\S]*bytes/)
  })

  it.each(['../../admin', 'a?x=1', 'a#b', '%2e%2e%2f', 'x\r\nX: y', 'a/b', '日本'])(
    'T25: the argument %j stays one encoded segment',
    async (id) => {
      const { url } = await run('pet-store.getPet', { id })
      expect(url).toBe(`/base/pets/${encodeURIComponent(id)}`)
    },
  )

  it('T25: dots alone, empty segments and line ends in headers are refused before anything is sent', async () => {
    const before = api.seen.length
    for (const id of ['.', '..', ''])
      await expect(run('pet-store.getPet', { id })).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
    await expect(run('pet-store.createPet', { name: 'x', 'X-Trace': 'a\r\nEvil: 1' })).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
    })
    expect(api.seen.length).toBe(before)
  })

  it('S26: half of a character is refused in words before anything is sent, wherever it would go', async () => {
    const before = api.seen.length
    const half = 'a\ud800b'
    const refused = { code: 'ARGUMENTS_INVALID', message: expect.stringContaining('lone surrogate') }
    await expect(run('pet-store.getPet', { id: half })).rejects.toMatchObject(refused)
    await expect(run('pet-store.listPets', { tags: [half] })).rejects.toMatchObject(refused)
    await expect(run('pet-store.createPet', { name: 'x', 'X-Trace': half })).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
    })
    expect(api.seen.length).toBe(before)
    // A whole one is no half.
    await run('pet-store.getPet', { id: '\ud83d\ude00' })
    expect(api.seen.at(-1)?.url).toBe('/base/pets/%F0%9F%98%80')
  })
})

describe('a document that names other addresses (S18)', () => {
  it('reaches no other port of the machine it came from, however that is spelt', async () => {
    const neighbour = await startEchoApi()
    const names = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', '127.1', '[::1]', '0']
    const servers = names.map((name) => ({ url: `http://${name}:${neighbour.port}` }))
    const paths = Object.fromEntries(
      servers.map((server, index) => [`/s${index}`, { get: { operationId: `s${index}`, servers: [server] } }]),
    )
    const home = await startEchoApi((request, response) => {
      if (request.url !== '/openapi.json') return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ openapi: '3.0.0', info: {}, paths: { ...paths, '/own': { get: { operationId: 'own' } } } }),
      )
      return true
    })
    const gateway = createGateway()
    await gateway.addSource('doc', sourceOf({ spec: `${home.url}/openapi.json` }))
    for (const index of servers.keys())
      await expect(gateway.run(`doc.s${index}`, {}), names[index]).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    expect(neighbour.seen).toEqual([])
    // Its own origin is what the operator wrote down.
    await gateway.run('doc.own', {})
    expect(home.seen.at(-1)?.url).toBe('/own')
    await gateway.close()
    await Promise.all([home.close(), neighbour.close()])
  })
})

describe('answers', () => {
  it('are shaped by what they are, and bounded', async () => {
    const api = await startEchoApi((request, response) => {
      const send = (status: number, type: string, body: string | Buffer, more = {}) => {
        response.writeHead(status, { 'content-type': type, ...more })
        response.end(body)
        return true
      }
      const { pathname } = new URL(request.url!, 'http://x')
      if (pathname === '/text') return send(200, 'text/plain', 'hello')
      if (pathname === '/picture') return send(200, 'image/png', Buffer.from([1, 2]))
      if (pathname === '/bytes') return send(200, 'application/pdf', Buffer.from([1]))
      if (pathname === '/none') return send(204, '', '')
      if (pathname === '/missing') return send(404, 'application/json', '{"why":"gone"}')
      if (pathname === '/moved') return send(302, 'text/plain', '', { location: 'http://127.0.0.1:1/' })
      return send(200, 'text/plain', 'x'.repeat(2000))
    })
    const paths = Object.fromEntries(
      ['text', 'picture', 'bytes', 'none', 'missing', 'moved', 'large'].map((name) => [
        `/${name}`,
        { get: { operationId: name } },
      ]),
    )
    const folder = await mkdtemp(join(tmpdir(), 'pegboard-openapi-'))
    await writeFile(join(folder, 'a.json'), JSON.stringify({ openapi: '3.0.0', info: {}, paths }))
    const gateway = createGateway()
    await gateway.addSource('a', sourceOf({ spec: 'a.json', folder, baseUrl: api.url, maxResponseBytes: 1000 }))
    const call = async (name: string): Promise<any> => {
      const outcome = await gateway.call({ tool: `a.${name}`, caller: { id: 'x', rights: ['discover', 'call'] } })
      return outcome.ok ? (outcome.answer as { result: unknown }).result : outcome.error.code
    }
    expect(await call('text')).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    expect(await call('picture')).toEqual({ content: [{ type: 'image', mimeType: 'image/png', data: 'AQI=' }] })
    expect((await call('bytes')).content[0].resource.blob).toBe('AQ==')
    expect((await call('none')).content[0].text).toMatch(/204/)
    expect(await call('missing')).toEqual({
      content: [{ type: 'text', text: 'HTTP 404: {"why":"gone"}' }],
      isError: true,
    })
    expect(await call('moved')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/not followed/) }],
    })
    expect(await call('large')).toBe('RESULT_TOO_LARGE')
    await gateway.close()
    await api.close()
    await rm(folder, { recursive: true })
  })
})

describe('credentials', () => {
  it('go with every call to the operator’s origin, over arguments, and nowhere else', async () => {
    const home = await startEchoApi()
    const other = await startEchoApi()
    const paths = {
      '/here': {
        get: { operationId: 'here', parameters: [{ name: 'X-Key', in: 'header', schema: { type: 'string' } }] },
      },
      '/there': { get: { operationId: 'there', servers: [{ url: other.url }] } },
    }
    const folder = await mkdtemp(join(tmpdir(), 'pegboard-openapi-'))
    await writeFile(
      join(folder, 'a.json'),
      JSON.stringify({ openapi: '3.0.0', info: {}, servers: [{ url: home.url }], paths }),
    )
    const gateway = createGateway()
    const common = { spec: 'a.json', folder, allowPrivate: true, headers: { 'X-Key': 'secret' } }
    await gateway.addSource('a', sourceOf({ ...common, auth: { type: 'bearer', token: 'tok' } }))
    await gateway.addSource('q', sourceOf({ ...common, auth: { type: 'query', name: 'key', value: 'k v' } }))
    await gateway.run('a.here', { 'X-Key': 'mine' })
    expect(home.seen[0]?.headers).toMatchObject({ 'x-key': 'secret', authorization: 'Bearer tok' })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await gateway.run('q.here', {}, { meta: { traceparent } })
    expect(home.seen[1]).toMatchObject({ url: '/here?key=k+v', headers: { traceparent } })
    await gateway.run('a.there', {})
    expect(other.seen[0]?.headers).not.toHaveProperty('authorization')
    expect(other.seen[0]?.headers).not.toHaveProperty('x-key')
    await gateway.close()
    await home.close()
    await other.close()
    await rm(folder, { recursive: true })
  })
})

describe('documents', () => {
  const start = async (text: string) => {
    const folder = await mkdtemp(join(tmpdir(), 'pegboard-openapi-'))
    await writeFile(join(folder, 'a.yaml'), text)
    const clock = new VirtualClock()
    const gateway = createGateway({ clock })
    await gateway.addSource('a', sourceOf({ spec: 'a.yaml', folder, baseUrl: 'http://127.0.0.1:1', clock }))
    const close = async () => {
      await gateway.close()
      await rm(folder, { recursive: true })
    }
    const status = () => gateway.sources().find(({ name }) => name === 'a')!.status
    return { gateway, folder, clock, status, close }
  }

  it.each([
    ['nothing', ''],
    ['not YAML', 'a: [b'],
    ['a list', '[]'],
    ['Swagger 2', 'swagger: "2.0"\npaths: {}'],
    ['an unknown version', 'openapi: 4.0.0\npaths: {}'],
    ['no paths', 'openapi: 3.0.0'],
    [
      'a YAML bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((name, at) => `${name}: &${name} [${`*${'abcdefg'[at]},`.repeat(9).slice(0, -1)}]`)
        .join('\n')}`,
    ],
    ['endless nesting', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`],
  ])('that are %s leave a source without tools that says why', async (_name, text) => {
    const { gateway, status, close } = await start(text)
    expect(status()).toMatchObject({ state: 'needs-config', reason: expect.stringMatching(/cannot be used/) })
    expect(gateway.list()).toEqual([])
    await close()
  })

  it('that are mended are read again, and broken ones leave the last good tools', async () => {
    const good = 'openapi: 3.0.0\ninfo: {}\npaths: { /x: { get: { operationId: x } } }'
    const { gateway, folder, clock, status, close } = await start('oops')
    const change = async (text: string) => {
      await writeFile(join(folder, 'a.yaml'), text)
      const changed = new Promise((resolve) => gateway.onSource(resolve))
      await clock.advance(2000)
      await changed
    }
    await change(good)
    expect([status().state, gateway.list().length]).toEqual(['ready', 1])
    await change('openapi: [')
    expect([status().state, gateway.list().length]).toEqual(['degraded', 1])
    await close()
  })

  it('can be stopped, started and checked', async () => {
    const { gateway, status, close } = await start('openapi: 3.0.0\ninfo: {}\npaths: { /x: { get: {} } }')
    const handle = gateway.supervised('a')!
    await handle.stop()
    expect([status().state, gateway.list().length]).toEqual(['stopped', 0])
    await handle.restart()
    expect([status().state, gateway.list().length]).toEqual(['ready', 1])
    expect(await handle.check()).toBe(false)
    await close()
  })

  it('with odd operations list the others', async () => {
    const text = `openapi: 3.0.0
info: {}
paths:
  /ok: { get: {} }
  /ok2: { get: { parameters: [1, { in: path }, { name: x, in: nowhere }] } }
  odd: { get: {} }
  /ref: { $ref: 'http://127.0.0.1:1/steal' }
  /null: null
  /dup: { get: { operationId: get_ok } }`
    const { gateway, close } = await start(text)
    expect(gateway.list()).toHaveLength(3)
    await close()
  })
})
