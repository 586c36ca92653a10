import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { ask } from '../helpers/raw-http.js'

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

/** What somebody can try with the cookie of a browser that is signed in at the console, or without it. */
describe('the cookie of the console (I5, I8)', () => {
  let server: OpenedAdmin
  let adminKey: string
  let origin: string
  let cookie: string

  const send = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<Answer> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: /^[[{]/.test(text) ? JSON.parse(text) : text }
  }
  const signIn = (key: string, headers: Record<string, string> = {}): Promise<Answer> =>
    send('POST', '/api/admin/v1/session', { authorization: `Bearer ${key}`, ...headers }, {})
  const cookieIn = ({ headers }: Answer): string => headers.getSetCookie()[0]!.split(';')[0]!
  /** As the console's own page sends it. */
  const own = (): Record<string, string> => ({
    cookie,
    origin,
    'x-pegboard-console': '1',
    'sec-fetch-site': 'same-origin',
  })
  const newKey = { name: 'made', role: 'caller' }

  beforeAll(async () => {
    server = await openAdminServer(JSON.stringify({ auth: { required: true } }))
    origin = server.url
    adminKey = await server.key('admin')
    cookie = cookieIn(await signIn(adminKey))
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('is given for a key, hidden from scripts and from other sites, and holds neither key nor session id', async () => {
    const answer = await signIn(adminKey)
    expect(answer).toMatchObject({ status: 200, body: { me: { rights: expect.arrayContaining(['admin']) } } })
    const [line] = answer.headers.getSetCookie()
    expect(line).toMatch(/^pegboard-\d+=[\w-]+; Path=\/; Max-Age=86400; HttpOnly; SameSite=Lax$/)
    expect(line).not.toContain(adminKey)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(JSON.stringify(answer.body)).not.toContain(line!.split('=')[1]!.split(';')[0]!)
  })

  it('opens what its holder may open, and nothing of it for pages of others (CSRF)', async () => {
    expect((await send('GET', '/api/admin/v1/keys', { cookie })).status).toBe(200)
    expect((await send('POST', '/api/admin/v1/keys', own(), newKey)).status).toBe(200)
    const without = (name: string) => Object.fromEntries(Object.entries(own()).filter(([each]) => each !== name))
    const attempts: readonly Record<string, string>[] = [
      without('origin'),
      without('x-pegboard-console'),
      { ...own(), 'sec-fetch-site': 'cross-site' },
      { ...own(), 'sec-fetch-site': 'same-site' },
      { ...own(), origin: 'https://evil.example' },
      { ...own(), origin: 'null' },
      // Pages of this machine may call tools, and yet are not ours.
      { ...own(), origin: 'http://127.0.0.1:1' },
      { ...own(), origin: 'http://localhost:3000' },
    ]
    for (const headers of attempts) {
      const { status, body } = await send('POST', '/api/admin/v1/keys', headers, newKey)
      expect([status, body.error.code], JSON.stringify(headers)).toEqual([403, expect.stringMatching(/DENIED|REFUSED/)])
      expect((await send('DELETE', '/api/admin/v1/session', headers)).status, JSON.stringify(headers)).toBe(403)
    }
    expect((await send('GET', '/api/admin/v1/keys', { ...own(), 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send('GET', '/api/admin/v1/keys', { cookie })).status).toBe(200)
  })

  it('cannot be asked for by a page of elsewhere: no answer lets a browser send it along', async () => {
    const local = 'http://localhost:3000'
    const preflight = await send('OPTIONS', '/api/admin/v1/keys', {
      origin: local,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-pegboard-console',
    })
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const asked = await send('GET', '/api/admin/v1/session', { origin: local, cookie })
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull()
    expect(asked.body.me).toBeUndefined()
  })

  it('is nobody at MCP and REST', async () => {
    const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const accept = 'application/json, text/event-stream'
    expect((await send('POST', '/mcp', { ...own(), accept }, rpc)).status).toBe(401)
    expect((await send('POST', '/mcp/default', { ...own(), accept }, rpc)).status).toBe(401)
    expect((await send('GET', '/api/v1/tools', own())).status).toBe(401)
    expect((await send('GET', '/metrics', own())).status).toBe(401)
  })

  it('is another after each sign-in, and one that was planted is worth nothing (fixation)', async () => {
    const planted = cookieIn(await signIn(await server.key('caller')))
    const mine = await signIn(adminKey, { cookie: planted })
    expect(cookieIn(mine)).not.toBe(planted)
    expect((await send('GET', '/api/admin/v1/me', { cookie: planted })).status).toBe(401)
    expect((await send('GET', '/api/admin/v1/me', { cookie: cookieIn(mine) })).body.rights).toContain('admin')
    for (const made of ['x', 'rtk_0', adminKey, 'a'.repeat(5000)])
      expect((await send('GET', '/api/admin/v1/me', { cookie: `${planted.split('=')[0]}=${made}` })).status).toBe(401)
    // Twice: neither counts, since somebody else may have set one.
    expect((await send('GET', '/api/admin/v1/me', { cookie: `${cookie}; ${cookieIn(mine)}` })).status).toBe(401)
  })

  it('signs nobody in once more, and neither does what is no key', async () => {
    expect((await send('POST', '/api/admin/v1/session', own(), {})).status).toBe(403)
    expect((await send('POST', '/api/admin/v1/session', {}, {})).status).toBe(401)
  })

  it('is worth nothing after signing out, here and in a copy', async () => {
    const gone = cookieIn(await signIn(adminKey))
    const answer = await send('DELETE', '/api/admin/v1/session', { ...own(), cookie: gone })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()[0]).toContain('Max-Age=0')
    const after = await send('GET', '/api/admin/v1/me', { cookie: gone })
    expect([after.status, after.body.error.code]).toEqual([401, 'SESSION_OVER'])
    expect((await send('GET', '/api/admin/v1/session', { cookie: gone })).body.me).toBeUndefined()
  })

  it('ends with its key within a second, and so does the stream it holds', async () => {
    const made = await send(
      'POST',
      '/api/admin/v1/keys',
      { authorization: `Bearer ${adminKey}` },
      { name: 'x', role: 'viewer' },
    )
    const held = cookieIn(await signIn(made.body.key))
    const stream = await fetch(`${origin}/api/admin/v1/events`, { headers: { cookie: held } })
    expect(stream.status).toBe(200)
    const read = stream.text().then(
      () => 'ended',
      () => 'cut',
    )
    await send('DELETE', `/api/admin/v1/keys/${made.body.record.id}`, { authorization: `Bearer ${adminKey}` })
    expect(await read).toBe('cut')
    expect((await send('GET', '/api/admin/v1/me', { cookie: held })).status).toBe(401)
  })

  it('shows nobody what they may not see: the rights are those of the key', async () => {
    const held = cookieIn(await signIn(await server.key('viewer')))
    expect((await send('GET', '/api/admin/v1/overview', { cookie: held })).status).toBe(200)
    expect((await send('GET', '/api/admin/v1/keys', { cookie: held })).status).toBe(403)
    const caller = cookieIn(await signIn(await server.key('caller')))
    expect((await send('GET', '/api/admin/v1/overview', { cookie: caller })).status).toBe(403)
    expect((await send('GET', '/api/admin/v1/me', { cookie: caller })).status).toBe(200)
  })

  it('tells who is not signed in how to, and nothing else', async () => {
    const { status, body } = await send('GET', '/api/admin/v1/session')
    expect([status, body]).toEqual([200, { ways: { key: true } }])
  })

  it('is never in a frame: no page of ours can be put into one', async () => {
    for (const path of ['/', '/me']) {
      const { headers, status } = await send('GET', path, { cookie })
      if (status === 200) expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      else expect(headers.get('location')).toBe('./#/me')
    }
  })

  it('does not count in a request with two Origin headers', async () => {
    const { host, port } = new URL(origin)
    const lines = [
      `Host: ${host}`,
      `Origin: ${origin}`,
      'Origin: https://evil.example',
      `Cookie: ${cookie}`,
      'X-Pegboard-Console: 1',
      'Content-Length: 0',
    ]
    expect((await ask(Number(port), 'DELETE /api/admin/v1/session', lines)).status).toBe(400)
  })

  it('is not found by guessing: wrong keys are counted, and after a few the address waits', async () => {
    const wrong = `rtk_${'0'.repeat(64)}`
    const statuses: number[] = []
    for (let n = 0; n < 15; n++) statuses.push((await signIn(wrong)).status)
    expect(statuses).toContain(401)
    expect(statuses.at(-1)).toBe(429)
    // Whoever is signed in goes on.
    expect((await send('GET', '/api/admin/v1/keys', { cookie })).status).toBe(200)
  })
})
