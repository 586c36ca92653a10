import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.js'
import { createSchemas } from '../../src/schema/schemas.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { npmServer, openTestRegistry, type TestRegistry } from '../helpers/registry-server.js'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, { readonly schema: JsonObject }> }>>
}

const config = {
  sources: { tools: { type: 'catalog', path: './tools.json' } },
  profiles: { small: { allow: ['x.*'] } },
  xiaozhi: { endpoints: [{ url: 'ws://127.0.0.1:9/mcp?token=a', name: 'desk' }] },
}

describe('the OpenAPI document of administration', () => {
  let server: OpenedAdmin
  let registry: TestRegistry
  let key: string
  let operations: readonly (readonly [method: string, path: string, operation: Described])[]

  beforeAll(async () => {
    registry = await openTestRegistry([npmServer('io.example/weather', '1.0.0')])
    server = await openAdminServer(JSON.stringify({ ...config, registries: [registry.url] }))
    key = await server.key('admin')
    const { body } = await server.ask('GET', '/openapi.json', { key })
    operations = Object.entries(body.paths as Record<string, Record<string, Described>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
    )
  }, 60_000)
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await registry.close()
  })

  it('has every route of it, each under a name of its own', () => {
    const routes = server
      .routes()
      .filter(({ path }) => path.startsWith('/api/admin/') && !path.endsWith('/openapi.json'))
      .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(operations.map(([method, path]) => `${method} ${path}`).sort()).toEqual(routes.sort())
    expect(new Set(operations.map(([, , { operationId }]) => operationId)).size).toBe(operations.length)
  })

  it('says what is really answered', async () => {
    const schemas = createSchemas()
    await server.ask('POST', '/tools/nope/call', { key, body: { args: {} } })
    // Streams and files are no JSON.
    const asked = operations.filter(
      ([method, path]) => method === 'GET' && !/\/(?:events|export|history-export)$/.test(path),
    )
    expect(asked.length).toBeGreaterThan(12)
    for (const [, path, { responses }] of asked) {
      const target = path
        .replace('/api/admin/v1', '')
        .replace('profiles/{name}', 'profiles/small')
        .replace('servers/{name}', 'servers/io.example%2Fweather')
      const { status, body } = await server.ask('GET', target.replace('sources/{name}', 'sources/tools'), { key })
      if (status === 404) continue
      expect(status, path).toBe(200)
      const { schema } = responses['200']!.content!['application/json']!
      expect(schemas.validator(schema).check(body), path).toMatchObject({ ok: true })
    }
  })

  it('is in Chinese for whoever reads Chinese', async () => {
    const headers = { authorization: `Bearer ${key}`, 'accept-language': 'zh-CN' }
    const response = await fetch(`${server.url}/api/admin/v1/openapi.json`, { headers })
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, Described>> }
    expect(response.headers.get('content-language')).toBe('zh-Hans')
    for (const methods of Object.values(paths))
      for (const { summary } of Object.values(methods)) expect(summary).toMatch(/[\u4e00-\u9fff]/)
  })
})
