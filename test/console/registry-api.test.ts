import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { npmServer, openTestRegistry, type TestRegistry } from '../helpers/registry-server.js'

let registry: TestRegistry
let server: OpenedAdmin
let key: string

const weather = (version: string) =>
  npmServer('io.example/weather', version, {
    environmentVariables: [{ name: 'WEATHER_API_KEY', isRequired: true, isSecret: true }],
  })

beforeAll(async () => {
  registry = await openTestRegistry([])
  server = await openAdminServer(JSON.stringify({ registries: [{ name: 'ours', url: registry.url }], sources: {} }))
  key = await server.key('admin')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await registry.close()
})
beforeEach(() => {
  registry.entries = [weather('1.0.0'), npmServer('io.example/notes', '2.0.0')]
  registry.lie = undefined
})

const ask = (method: string, path: string, body?: unknown) => server.ask(method, path, { key, body })
const sources = () => JSON.parse(readFileSync(server.file, 'utf8')).sources

describe('registries over the admin API (N5)', () => {
  it('are searched, and say what each server can be had as', async () => {
    const { status, body } = await ask('GET', '/registry/servers?search=weather')
    expect(status).toBe(200)
    expect(body).toEqual({
      registries: [
        {
          name: 'ours',
          refused: 0,
          servers: [expect.objectContaining({ name: 'io.example/weather', version: '1.0.0', packages: ['npm'] })],
        },
      ],
      away: [],
    })
  })

  it('tell the plan of a server: what it asks for, and the exact command', async () => {
    const { body } = await ask('GET', `/registry/servers/${encodeURIComponent('io.example/weather')}`)
    expect(body).toMatchObject({
      name: 'io.example/weather',
      source: 'weather',
      isFree: true,
      runs: 'npx -y @example/weather@1.0.0',
      inputs: [{ key: 'env.WEATHER_API_KEY', isSecret: true, isRequired: true }],
      missing: ['env.WEATHER_API_KEY'],
    })
  })

  it('install nothing on a dry run, nor while something is missing', async () => {
    const before = readFileSync(server.file, 'utf8')
    const values = { 'env.WEATHER_API_KEY': 'tell-nobody' }
    const dry = await ask('POST', '/registry/install', { name: 'io.example/weather', values, dryRun: true })
    expect(dry.body.plan.missing).toEqual([])
    expect(JSON.stringify(dry.body)).not.toContain('tell-nobody')
    const missing = await ask('POST', '/registry/install', { name: 'io.example/weather' })
    expect(missing.status).toBe(400)
    expect(missing.body.error.message).toContain('WEATHER_API_KEY')
    expect(readFileSync(server.file, 'utf8')).toBe(before)
  })

  it('install switched off, the secret apart from the file, and take a newer version when told to', async () => {
    const values = { 'env.WEATHER_API_KEY': 'tell-nobody' }
    const { status, body } = await ask('POST', '/registry/install', { name: 'io.example/weather', values })
    expect(status).toBe(200)
    expect(body.added).toBe('weather')
    expect(sources().weather).toMatchObject({ enabled: false, args: ['-y', '@example/weather@1.0.0'] })
    expect(readFileSync(server.file, 'utf8')).not.toContain('tell-nobody')
    const again = await ask('POST', '/registry/install', { name: 'io.example/weather', values })
    expect(again.body.error.code).toBe('SOURCE_CONFLICT')

    registry.entries = [...registry.entries, weather('1.1.0')]
    const { body: found } = await ask('GET', '/registry/updates')
    expect(found.sources).toMatchObject([{ source: 'weather', state: 'newer', version: '1.0.0', latest: '1.1.0' }])
    expect(found.sources[0].diff).toContainEqual({ sign: '+', text: expect.stringContaining('@example/weather@1.1.0') })
    expect(sources().weather.args).toEqual(['-y', '@example/weather@1.0.0'])
    const stale = await ask('POST', '/registry/updates/weather', { version: '1.0.5' })
    expect(stale.body.error.message).toContain('look again')
    expect((await ask('POST', '/registry/updates/weather', { version: '1.1.0' })).status).toBe(200)
    expect(sources().weather).toMatchObject({ enabled: false, args: ['-y', '@example/weather@1.1.0'] })
  })

  it('ask none but those of the configuration, and say when those are away', async () => {
    const { body } = await ask('GET', '/registry/servers?search=x&registry=http://169.254.169.254')
    expect(body.error.message).toContain('none of the registries')
    registry.lie = (_url, _request, response) => Boolean(response.writeHead(500).end())
    const away = await ask('GET', '/registry/servers?search=never-asked-before')
    expect(away.body.error.code).toBe('SOURCE_UNAVAILABLE')
  })

  it('are those of the file as it is now', async () => {
    const config = JSON.parse(readFileSync(server.file, 'utf8'))
    writeFileSync(server.file, JSON.stringify({ ...config, registries: [{ name: 'others', url: registry.url }] }))
    const named = async () => (await ask('GET', '/registry/servers?search=notes')).body.registries[0].name
    await expect.poll(named, { timeout: 15_000 }).toBe('others')
  })

  it('are for those who may start processes', async () => {
    const operator = await server.key('operator')
    const { status } = await server.ask('GET', '/registry/servers?search=x', { key: operator })
    expect(status).toBe(403)
  })
})
