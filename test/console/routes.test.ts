import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkRight } from '../../src/http/admit.js'
import type { RouteInfo } from '../../src/http/route.js'
import type { Right } from '../../src/model/caller.js'
import { type HeldRole, heldRoles, rightsOfRole } from '../../src/model/role.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const file = new URL('./route-matrix.json', import.meta.url)
const columns = ['anonymous', ...heldRoles, 'approver'] as const
type Column = (typeof columns)[number]

/** What each of them is let in by. No role is an approver's alone: it is what every other way in could make of one. */
const rightsOf: Readonly<Record<Column, readonly Right[]>> = {
  anonymous: ['discover', 'call'],
  ...(Object.fromEntries(heldRoles.map((role) => [role, rightsOfRole(role)])) as Record<HeldRole, readonly Right[]>),
  approver: ['look', 'approve'],
}

type Row = { readonly right: string } & Readonly<Record<Column, 'in' | 401 | 403>>

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

const admitted = ({ right }: RouteInfo): 'in' | 403 => {
  try {
    checkRight({ caller: { id: 'approver', rights: rightsOf.approver } }, right)
    return 'in'
  } catch {
    return 403
  }
}

/** Who may open a route, said once more: by nothing but the table of roles. */
const mayOpen = (column: Column, right: RouteInfo['right']): boolean =>
  right === 'open' ||
  (right === 'known' && column !== 'anonymous') ||
  rightsOf[column].includes(right as Right) ||
  (right === 'discover or look' && rightsOf[column].some((each) => each === 'discover' || each === 'look')) ||
  // The policy says which tools.
  (right === 'call' && rightsOf[column].includes('call:readonly'))

describe('the routes of a gateway', () => {
  let server: OpenedAdmin
  let matrix: Record<string, Row>

  beforeAll(async () => {
    // What is off is refused to everybody.
    server = await openAdminServer(
      '{ "scripts": { "enabled": true }, "profiles": { "default": { "scripts": true } }, "registries": ["http://127.0.0.1:9"] }',
    )
    const keys: Record<string, string | undefined> = {}
    for (const role of heldRoles) keys[role] = await server.key(role)
    matrix = {}
    for (const route of server.routes()) {
      const row: Record<string, unknown> = { right: route.right }
      for (const column of columns)
        row[column] = column === 'approver' ? admitted(route) : await knock(server.url, route, keys[column])
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

  it('admit nobody whose role lacks the right, and refuse nobody who has it (A1)', () => {
    const wrong = Object.entries(matrix).flatMap(([route, row]) =>
      columns
        .filter((column) => (row[column] === 'in') !== mayOpen(column, row.right as RouteInfo['right']))
        // What is somebody's own is refused by itself to a key that no person stands behind.
        .filter((column) => row.right !== 'known' || row[column] === 'in')
        .map((column) => `${column} at ${route}: ${row[column]}`),
    )
    expect(wrong).toEqual([])
  })

  it('of administration are shut to everybody without its key, this machine included (T2)', () => {
    const admin = Object.entries(matrix).filter(
      ([route, { right }]) => route.includes('/api/admin/') && !['known', 'open'].includes(right),
    )
    expect(admin.length).toBeGreaterThan(20)
    for (const [route, row] of admin) {
      expect(['look', 'operate', 'approve', 'admin', 'spawn'], route).toContain(row.right)
      expect([row.anonymous, row.reader, row.caller, row.publisher, row.admin], route).toEqual([
        401,
        403,
        403,
        403,
        'in',
      ])
    }
  })

  it('of whoever is signed in are shut to everybody who is not, and give nobody but themselves', () => {
    const of = (right: string) =>
      Object.entries(matrix).filter(([route, row]) => row.right === right && route.includes('/api/admin/'))
    for (const [route, row] of of('known')) expect(row.anonymous, route).toBe(401)
    expect(of('known').map(([route]) => route)).toEqual(
      expect.arrayContaining(['GET /api/admin/v1/me', 'POST /api/admin/v1/session']),
    )
    expect(of('open').map(([route]) => route.replace(/^\w+/, ''))).toEqual([
      ' /api/admin/v1/session',
      ' /api/admin/v1/session',
    ])
  })

  it('that change anything ask for more than to look', () => {
    const looked = Object.entries(matrix).filter(([route, { right }]) => right === 'look' && !route.startsWith('GET '))
    // These two only ask: their questions are too long for an address.
    const asking = ['search', 'profile-preview', 'rules/explain'].map((each) => `POST /api/admin/v1/${each}`)
    expect(looked.map(([route]) => route)).toEqual(asking)
  })

  it('about keys, settings and profiles are for administrators alone, decisions for approvers', () => {
    const of = (right: string) => Object.keys(matrix).filter((route) => matrix[route]!.right === right)
    expect(of('approve').sort()).toEqual([
      'POST /api/admin/v1/approvals',
      'POST /api/admin/v1/approvals/calls/:id',
      'POST /api/admin/v1/approvals/reject',
      'POST /api/admin/v1/tools/:id/effect',
      'POST /api/v1/approvals/:id',
    ])
    for (const route of ['/keys', '/keys/:id', '/settings'])
      for (const [name, { right }] of Object.entries(matrix))
        if (name.endsWith(`/api/admin/v1${route}`)) expect(right, name).toBe('admin')
  })

  it('that are open to everybody tell nobody anything: probes, the page, the way back from a sign-in and the document of the API', () => {
    const open = Object.entries(matrix).filter(([, { right }]) => right === 'open')
    expect(open.map(([route]) => route).sort()).toEqual([
      // Who is signed in is told to themselves, and signed out; nobody else is told anything.
      'DELETE /api/admin/v1/session',
      'GET /',
      'GET /.well-known/jwks.json',
      'GET /api/admin/v1/session',
      // Of one request, to whoever holds its link.
      'GET /approve/:token',
      'GET /assets/:file',
      'GET /connect',
      'GET /connect/begin',
      'GET /healthz',
      'GET /me',
      'GET /oauth/callback',
      'GET /openapi.json',
      'GET /readyz',
      'POST /approve/:token',
      'POST /connect',
    ])
  })

  it('that programs look for by custom are in the matrix like all others', () => {
    for (const route of ['GET /metrics', 'POST /mcp', 'POST /mcp/:profile'])
      expect(Object.keys(matrix)).toContain(route)
  })

  it('that name a process or an address need the right to spawn (T3)', () => {
    const spawning = Object.entries(matrix)
      .filter(([, { right }]) => right === 'spawn')
      .map(([route]) => route)
    expect(spawning.sort()).toEqual([
      'GET /api/admin/v1/import',
      'GET /api/admin/v1/registry/servers',
      'GET /api/admin/v1/registry/servers/:name',
      'GET /api/admin/v1/registry/updates',
      'POST /api/admin/v1/import',
      'POST /api/admin/v1/registry/install',
      'POST /api/admin/v1/registry/updates/:source',
      'POST /api/admin/v1/source-read',
      'POST /api/admin/v1/source-test',
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
      'GET /.well-known/jwks.json',
      'GET /api/admin/v1/openapi.json',
      'GET /approve/:token',
      'GET /assets/:file',
      'GET /connect',
      'GET /connect/begin',
      'GET /me',
      'GET /oauth/callback',
      'GET /openapi.json',
      'POST /approve/:token',
      'POST /connect',
    ])
  })
})
