import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/model/clock.js'
import { type KeptAnswer, RegistryClient, registryLimits } from '../../src/registries/client.js'
import { createGuardedFetch, type GuardedFetch } from '../../src/sources/guarded-fetch.js'
import { npmServer, openTestRegistry, send, type TestRegistry } from '../helpers/registry-server.js'

let registry: TestRegistry
let fetch: GuardedFetch
beforeAll(async () => {
  registry = await openTestRegistry([])
  fetch = createGuardedFetch({ isTrusted: () => true, timeoutMs: 5000 })
})
afterAll(async () => {
  await fetch.close()
  await registry.close()
})
afterEach(() => {
  registry.lie = undefined
  registry.asked.length = 0
})

const open = (
  limits: Partial<typeof registryLimits> = {},
  headers: Readonly<Record<string, string>> = {},
  path = '',
) => {
  const kept = new Map<string, KeptAnswer>()
  return new RegistryClient({
    registry: { name: 'ours', url: `${registry.url}${path}`, headers },
    fetch,
    cache: { read: async (key) => kept.get(key), write: async (key, answer) => void kept.set(key, answer) },
    clock: systemClock,
    limits: { ...registryLimits, ...limits },
  })
}

describe('a client of a registry', () => {
  it('takes its address with or without the version of the API, and sends its headers', async () => {
    registry.entries = [npmServer('io.example/a', '1.0.0')]
    for (const path of ['', '/', '/v0.1', '/v0.1/'])
      expect((await open({}, { 'x-team': 'blue' }, path).server('io.example/a'))?.server.version).toBe('1.0.0')
    expect(registry.asked.map(({ path }) => path)).toEqual(
      Array(4).fill('/v0.1/servers/io.example%2Fa/versions/latest'),
    )
    expect(registry.asked.every(({ headers }) => headers['x-team'] === 'blue')).toBe(true)
  })

  it('knows all versions, and one by its name', async () => {
    registry.entries = [npmServer('io.example/a', '1.0.0'), npmServer('io.example/a', '1.0.1+build')]
    const versions = await open().versions('io.example/a')
    expect(versions?.map(({ server }) => server.version)).toEqual(['1.0.1+build', '1.0.0'])
    expect((await open().server('io.example/a', '1.0.1+build'))?.standing.isLatest).toBe(true)
    expect(await open().server('io.example/none')).toBeUndefined()
  })

  it('asks nothing by a name that is none', async () => {
    expect(await open().server('../../secret')).toBeUndefined()
    expect(registry.asked).toEqual([])
  })

  it('waits for a slow one so long and no longer', async () => {
    registry.lie = () => true
    const { code, message } = await thrown(() => open({ requestMs: 50 }).server('io.example/a'))
    expect(code).toBe('SOURCE_UNAVAILABLE')
    expect(message).toContain('took too long')
  })

  it('waits no longer for one that sends a byte now and then', async () => {
    registry.lie = (_url, _request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drip))
      return true
    }
    expect((await thrown(() => open({ requestMs: 100 }).server('io.example/a'))).code).toBe('SOURCE_UNAVAILABLE')
  })

  it('reads so many pages and so many bytes', async () => {
    registry.lie = (url, request, response) => {
      const at = Number(url.searchParams.get('cursor') ?? 0)
      send(request, response, 200, { servers: [], metadata: { nextCursor: String(at + 1) } })
      return true
    }
    const { servers, nextCursor } = await open({ pages: 5 }).search('x', { limit: 10 })
    expect([servers.length, nextCursor, registry.asked.length]).toEqual([0, '5', 5])
    registry.lie = (_url, request, response) => {
      send(request, response, 200, { servers: [{ server: { padding: 'x'.repeat(2000) } }] })
      return true
    }
    expect((await thrown(() => open({ pageBytes: 1000 }).search('x', { limit: 10 }))).code).toBe('RESULT_TOO_LARGE')
  })

  it.each([
    [{ servers: [], metadata: { nextCursor: 7 } }, 'RESULT_INVALID'],
    [{ servers: {} }, 'RESULT_INVALID'],
    [[], 'RESULT_INVALID'],
    ['x', 'RESULT_INVALID'],
    [null, 'RESULT_INVALID'],
    [{ servers: Array(1001).fill({}) }, 'RESULT_INVALID'],
  ])('does not believe %j', async (answer, code) => {
    registry.lie = (_url, request, response) => {
      send(request, response, 200, answer)
      return true
    }
    expect((await thrown(() => open().search('x', { limit: 5 }))).code).toBe(code)
  })

  it.each([
    [401, 'ACCESS_DENIED'],
    [403, 'ACCESS_DENIED'],
    [301, 'RESULT_INVALID'],
    [429, 'RATE_LIMITED'],
    [500, 'SOURCE_UNAVAILABLE'],
  ])('says what %i means', async (status, code) => {
    registry.lie = (_url, _request, response) => Boolean(response.writeHead(status).end())
    expect((await thrown(() => open().server('io.example/a'))).code).toBe(code)
  })

  it('a key that is there twice is refused: others might read the other one', async () => {
    registry.lie = (_url, _request, response) =>
      Boolean(response.writeHead(200).end('{"server":{"name":"io.example/a","version":"1"},"server":{}}'))
    expect((await thrown(() => open().server('io.example/a'))).message).toContain('out of bounds')
  })
})

const thrown = async (run: () => Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> => {
  try {
    await run()
  } catch (error) {
    return error as { code: string; message: string }
  }
  throw new Error('nothing was thrown')
}
