import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteInfo } from '../../src/http/route.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const file = new URL('./route-matrix.json', import.meta.url)
const roles = ['anonymous', 'read', 'write', 'admin'] as const

type Row = { readonly right: string } & Readonly<Record<(typeof roles)[number], 'in' | 401 | 403>>

/** Asks without doing anything: bodies are empty, names are those of nothing. */
const knock = async (url: string, { method, path }: RouteInfo, key: string | undefined): Promise<'in' | 401 | 403> => {
  const leaving = new AbortController()
  const response = await fetch(url + path.replace(/:[^/]+/g, 'nothing-of-this-name'), {
    method,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    ...(method === 'GET' ? {} : { body: '{}' }),
    signal: leaving.signal,
  })
  leaving.abort()
  return response.status === 401 || response.status === 403 ? response.status : 'in'
}

describe('the routes of a gateway', () => {
  let server: OpenedAdmin
  let matrix: Record<string, Row>

  beforeAll(async () => {
    server = await openAdminServer()
    const keys: Record<string, string | undefined> = {}
    for (const role of ['read', 'write', 'admin'] as const) keys[role] = await server.key(role)
    matrix = {}
    for (const route of server.routes()) {
      const row: Record<string, unknown> = { right: route.right }
      for (const role of roles) row[role] = await knock(server.url, route, keys[role])
      matrix[`${route.method} ${route.path}`] = row as unknown as Row
    }
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  it('let in whom the checked-in matrix lets in, and nobody else (A1, T4)', () => {
    const sorted = Object.fromEntries(Object.entries(matrix).sort(([a], [b]) => (a < b ? -1 : 1)))
    // Written anew on purpose only: `UPDATE_ROUTES=1 npx vitest run test/console/routes.test.ts`, then read the difference.
    if (process.env.UPDATE_ROUTES) writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
    expect(sorted).toEqual(JSON.parse(readFileSync(file, 'utf8')))
  })

  it('of administration are shut to everybody without its key, this machine included (T2)', () => {
    const admin = Object.entries(matrix).filter(([route]) => route.includes('/api/admin/'))
    expect(admin.length).toBeGreaterThan(20)
    for (const [route, row] of admin) {
      expect(['admin', 'spawn'], route).toContain(row.right)
      expect([row.anonymous, row.read, row.write, row.admin], route).toEqual([401, 403, 403, 'in'])
    }
  })

  it('that are open to everybody tell nobody anything: probes, the page, the way back from a sign-in and the document of the API', () => {
    const open = Object.entries(matrix).filter(([, { right }]) => right === 'open')
    expect(open.map(([route]) => route).sort()).toEqual([
      'GET /',
      'GET /assets/:file',
      'GET /healthz',
      'GET /oauth/callback',
      'GET /openapi.json',
      'GET /readyz',
    ])
  })

  it('that programs look for by custom are in the matrix like all others', () => {
    for (const route of ['GET /metrics', 'POST /mcp', 'POST /mcp/:profile'])
      expect(Object.keys(matrix)).toContain(route)
  })

  it('that start a process or change an address need the right to spawn (T3)', () => {
    const spawning = Object.entries(matrix)
      .filter(([, { right }]) => right === 'spawn')
      .map(([route]) => route)
    expect(spawning.sort()).toEqual([
      'GET /api/admin/v1/import',
      'POST /api/admin/v1/import',
      'POST /api/admin/v1/source-test',
      'POST /api/admin/v1/sources/:name/enable',
      'POST /api/admin/v1/sources/:name/restart',
      'POST /api/admin/v1/sources/:name/sign-in',
      'POST /api/admin/v1/sources/:name/sign-out',
      'PUT /api/admin/v1/sources/:name',
    ])
  })

  it('are in an OpenAPI document, except for pages, MCP itself and the documents', async () => {
    const key = await server.key('admin')
    const documents = await Promise.all(
      ['/openapi.json', '/api/admin/v1/openapi.json'].map(async (path) => {
        const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } })
        return (await response.json()) as { paths: Record<string, Record<string, unknown>> }
      }),
    )
    const documented = documents.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
      ),
    )
    const others = Object.keys(matrix).filter((route) => !documented.includes(route))
    expect(others.filter((route) => !route.includes('/mcp')).sort()).toEqual([
      'GET /',
      'GET /api/admin/v1/openapi.json',
      'GET /assets/:file',
      'GET /oauth/callback',
      'GET /openapi.json',
    ])
  })
})
