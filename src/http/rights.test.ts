import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../test/helpers/raw-http.js'
import { sendJson } from './answer.js'
import { createAuthenticator } from './auth-loopback.js'
import { createHttpHost, type HttpHost } from './host.js'
import type { Route } from './route.js'

const routes: Route[] = [
  { method: 'GET', path: '/healthz', right: 'open', handle: ({ response }) => sendJson(response, 200, { ok: true }) },
  { method: 'POST', path: '/mcp', right: 'call', handle: ({ response }) => sendJson(response, 200, {}) },
  {
    method: 'GET',
    path: '/tools/:id',
    right: 'discover',
    handle: ({ response, params }) => sendJson(response, 200, params),
  },
  { method: 'POST', path: '/admin/sources', right: 'spawn', handle: ({ response }) => sendJson(response, 200, {}) },
]

const start = async (more: Partial<Parameters<typeof createHttpHost>[0]> = {}, host = '127.0.0.1') => {
  const created = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }), ...more })
  created.addRoutes(routes)
  created.onUpgrade({
    path: '/ws',
    right: 'call',
    handle: ({ socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nhello'),
  })
  hosts.push(created)
  return created.listen({ host, port: 0 })
}
const hosts: HttpHost[] = []
let port = 0
beforeAll(async () => {
  port = (await start()).port
})
afterAll(() => Promise.all(hosts.map((host) => host.close({ graceMs: 0 }))))

describe('routes and rights (T4, A1, A5)', () => {
  const token = 'the-right-token!'
  const admin = { id: 'admin', rights: ['discover', 'call', 'admin', 'spawn'] as const }
  const roles = {
    nobody: createAuthenticator({ openLoopback: false }),
    anonymous: createAuthenticator({ openLoopback: true }),
    token: createAuthenticator({ token, openLoopback: true }),
    admin: createAuthenticator({ token, openLoopback: true, tokenCaller: admin }),
  }
  const matrix: Record<keyof typeof roles, Record<string, number>> = {
    nobody: { 'GET /healthz': 200, 'POST /mcp': 401, 'GET /tools/:id': 401, 'POST /admin/sources': 401 },
    anonymous: { 'GET /healthz': 200, 'POST /mcp': 200, 'GET /tools/:id': 200, 'POST /admin/sources': 401 },
    token: { 'GET /healthz': 200, 'POST /mcp': 200, 'GET /tools/:id': 200, 'POST /admin/sources': 403 },
    admin: { 'GET /healthz': 200, 'POST /mcp': 200, 'GET /tools/:id': 200, 'POST /admin/sources': 200 },
  }
  it.each(Object.keys(roles) as (keyof typeof roles)[])(
    'give %s what the matrix says, and nothing more',
    async (role) => {
      const { port: own } = await start({ authenticate: roles[role] })
      const table = hosts
        .at(-1)!
        .routes()
        .filter(({ method }) => method !== 'UPGRADE')
      const rows = table.map(async ({ method, path }) => {
        const lines = [`Host: localhost:${own}`, `Authorization: Bearer ${token}`]
        return [`${method} ${path}`, (await ask(own, `${method} ${path.replace(':id', 'x')}`, lines)).status] as const
      })
      expect(Object.fromEntries(await Promise.all(rows))).toEqual(matrix[role])
    },
  )

  it('are not opened by headers that claim an identity (T5)', async () => {
    for (const claim of [
      'X-User: admin',
      'X-Forwarded-User: admin',
      'mcp-init-host: x',
      'Cookie: key=the-right-token!',
    ])
      expect((await ask(port, 'POST /admin/sources', [`Host: localhost:${port}`, claim])).status).toBe(401)
  })

  it('cannot be added without a right, or twice (A2)', () => {
    const host = createHttpHost({ authenticate: roles.nobody })
    const handle = () => {}
    expect(() => host.addRoutes([{ method: 'GET', path: '/a', handle } as unknown as Route])).toThrow(
      /declares no right/,
    )
    host.addRoutes([{ method: 'GET', path: '/a/:x', right: 'admin', handle }])
    expect(() => host.addRoutes([{ method: 'GET', path: '/a/:y', right: 'open', handle }])).toThrow(/already answers/)
    expect(host.routes()).toEqual([{ method: 'GET', path: '/a/:x', right: 'admin' }])
  })

  it('refuse when the authenticator itself breaks, without its words', async () => {
    const { port: broken } = await start({ authenticate: () => Promise.reject(new Error('secret-detail')) })
    const answer = await ask(broken, 'POST /mcp', [`Host: localhost:${broken}`])
    expect(answer.status).toBe(500)
    expect(answer.body).not.toContain('secret-detail')
  })
})
