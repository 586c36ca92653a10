import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, openRaw, parseAnswer, readToClose, sendRaw } from '../../test/helpers/raw-http.js'
import { sendJson } from './answer.js'
import { anonymousCaller, createAuthenticator } from './auth-loopback.js'
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
  port = (
    await start({ allowedHosts: ['gw.example.com', 'other.example:9'], allowedOrigins: ['https://app.example.com'] })
  ).port
})
afterAll(() => Promise.all(hosts.map((host) => host.close({ graceMs: 0 }))))

const upgradeLines = ['Upgrade: websocket', 'Connection: Upgrade']
const upgrade = async (lines: readonly string[], path = '/ws') =>
  parseAnswer(await sendRaw(port, `${[`GET ${path} HTTP/1.1`, ...lines, ...upgradeLines].join('\r\n')}\r\n\r\n`))

const code = (answer: { body: string }): string => (JSON.parse(answer.body) as { error: { code: string } }).error.code

describe('the Host check (T1, A6, H90)', () => {
  const table: readonly (readonly [name: string, host: () => string, status: number])[] = [
    ['127.0.0.1 with our port', () => `127.0.0.1:${port}`, 200],
    ['localhost with our port', () => `localhost:${port}`, 200],
    ['LOCALHOST with our port', () => `LOCALHOST:${port}`, 200],
    ['[::1] with our port', () => `[::1]:${port}`, 200],
    ['a configured name with any port', () => 'gw.example.com:1234', 200],
    ['a configured name without a port', () => 'GW.example.com', 200],
    ['a configured name with its port', () => 'other.example:9', 200],
    ['a configured name with another port', () => 'other.example:10', 403],
    ['evil.com', () => 'evil.com', 403],
    ['evil.com with our port', () => `evil.com:${port}`, 403],
    ['localhost.evil.com', () => `localhost.evil.com:${port}`, 403],
    ['a trailing dot', () => `127.0.0.1.:${port}`, 403],
    ['a trailing dot after localhost', () => `localhost.:${port}`, 403],
    ['a trailing dot after a configured name', () => 'gw.example.com.', 403],
    ['another port', () => `127.0.0.1:${port === 1 ? 2 : 1}`, 403],
    ['no port', () => '127.0.0.1', 403],
    ['an @', () => `localhost:${port}@evil.com`, 403],
    ['an @ before us', () => `evil.com@localhost:${port}`, 403],
    ['a tab inside', () => `localhost\t:${port}`, 403],
    ['nothing', () => '', 403],
    ['a list', () => `localhost:${port}, evil.com`, 403],
    ['another loopback address', () => `127.0.0.2:${port}`, 403],
    ['a number that is 127.0.0.1', () => `2130706433:${port}`, 403],
  ]
  it.each(table)('answers to %s on routes, unknown paths and upgrades alike', async (_, host, status) => {
    const line = `Host: ${host()}`
    const [route, unknown, socket] = await Promise.all([
      ask(port, 'GET /healthz', [line]),
      ask(port, 'GET /nothing', [line]),
      upgrade([line]),
    ])
    expect([route.status, unknown.status, socket.status]).toEqual(status === 200 ? [200, 404, 101] : [403, 403, 403])
    if (status !== 200) expect([route, unknown, socket].map(code)).toEqual(Array(3).fill('HOST_REFUSED'))
  })

  it('refuses a request without Host, in HTTP/1.1 and in 1.0', async () => {
    expect((await ask(port, 'GET /healthz')).status).toBe(400)
    expect(parseAnswer(await sendRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(403)
    expect(parseAnswer(await sendRaw(port, `GET /healthz HTTP/1.0\r\nHost: localhost:${port}\r\n\r\n`)).status).toBe(
      200,
    )
  })

  it('refuses two Host headers, whichever comes first', async () => {
    const good = `Host: localhost:${port}`
    for (const lines of [
      [good, 'Host: evil.com'],
      ['hOST: evil.com', good],
      [good, good],
    ]) {
      expect((await ask(port, 'GET /healthz', lines)).status).toBe(400)
      expect((await upgrade(lines)).status).toBe(400)
    }
  })

  it('takes any address literal, but no unknown name, when bound to all interfaces', async () => {
    const { port: open, url } = await start({}, '0.0.0.0')
    expect(url).toBe(`http://127.0.0.1:${open}`)
    for (const host of ['192.168.7.7:9', '[2001:db8::1]:80', '10.0.0.1', 'localhost:1'])
      expect((await ask(open, 'GET /healthz', [`Host: ${host}`])).status).toBe(200)
    for (const host of ['evil.com', '10.0.0.1.', '10.0.0.1.evil.com', '[::1', '999.1.1.1', '127.1'])
      expect((await ask(open, 'GET /healthz', [`Host: ${host}`])).status).toBe(403)
  })

  it('listens on IPv6 loopback under its bracketed name', async () => {
    const { port: six, url } = await start({}, '::1')
    expect(url).toBe(`http://[::1]:${six}`)
    const text = await sendRaw(six, `GET /healthz HTTP/1.1\r\nHost: [::1]:${six}\r\nConnection: close\r\n\r\n`, '::1')
    expect(parseAnswer(text).status).toBe(200)
  })

  it('refuses to allow what is not a host name', () => {
    for (const allowedHosts of [['*'], ['https://a.example'], ['a/b'], [''], ['a.']])
      expect(() => createHttpHost({ authenticate: () => ({ caller: anonymousCaller }), allowedHosts })).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }),
      )
  })
})

describe('the Origin check (T1, H89, H91)', () => {
  const table: readonly (readonly [origin: () => string, allowed: boolean])[] = [
    [() => 'https://app.example.com', true],
    [() => `http://127.0.0.1:${port}`, true],
    [() => `http://localhost:${port}`, true],
    [() => 'http://localhost:6274', true],
    [() => 'https://[::1]:99', true],
    [() => 'http://evil.com', false],
    [() => 'null', false],
    [() => 'http://localhost.evil.com', false],
    [() => 'http://app.example.com', false],
    [() => 'https://app.example.com.evil.com', false],
    [() => 'https://app.example.com:444', false],
    [() => 'file://', false],
    [() => '', false],
    [() => 'http://localhost@evil.com', false],
    [() => 'http://127.0.0.1.:80', false],
    [() => '*', false],
  ]
  it.each(table)('decides %s', async (origin, allowed) => {
    const lines = [`Host: localhost:${port}`, `Origin: ${origin()}`]
    const answers = await Promise.all([
      ask(port, 'GET /healthz', lines),
      ask(port, 'GET /nothing', lines),
      upgrade(lines),
    ])
    expect(answers.map(({ status }) => status)).toEqual(allowed ? [200, 404, 101] : [403, 403, 403])
    expect(answers[0]!.headers['access-control-allow-origin']).toBe(allowed ? origin() : undefined)
    if (!allowed) expect(code(answers[0]!)).toBe('ORIGIN_REFUSED')
  })

  it('trusts local pages only while bound to loopback, and its own pages always', async () => {
    const { port: open } = await start({}, '0.0.0.0')
    const status = async (origin: string) =>
      (await ask(open, 'GET /healthz', ['Host: 10.0.0.1:8000', `Origin: ${origin}`])).status
    expect(await status('http://localhost:6274')).toBe(403)
    expect(await status('http://10.0.0.1:8000')).toBe(200)
    expect(await status('http://10.0.0.1:8001')).toBe(403)
  })

  it('answers the preflight of an allowed page with the path’s methods and the headers it asked for', async () => {
    const wants = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization, mcp-param-x']
    const { status, headers } = await ask(port, 'OPTIONS /mcp', [
      `Host: localhost:${port}`,
      'Origin: https://app.example.com',
      ...wants,
    ])
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'authorization, mcp-param-x',
      vary: 'Origin',
    })
    const evil = await ask(port, 'OPTIONS /mcp', [`Host: localhost:${port}`, 'Origin: http://evil.com', ...wants])
    expect([evil.status, evil.headers['access-control-allow-origin']]).toEqual([403, undefined])
  })
})

describe('methods', () => {
  const ours = () => `Host: localhost:${port}`
  it('are refused with 405 and Allow where the path has others (R53)', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'TRACE', 'PROPFIND']) {
      const answer = await ask(port, `${method} /mcp`, [ours()])
      expect([answer.status, answer.headers.allow, code(answer)]).toEqual([405, 'POST, OPTIONS', 'METHOD_NOT_ALLOWED'])
    }
  })

  it('answer HEAD like GET without its body', async () => {
    const { status, headers, body } = await ask(port, 'HEAD /healthz', [ours()])
    expect([status, headers['content-length'], body]).toEqual([200, '11', ''])
  })

  it('answer OPTIONS with what the path takes, and 404 where there is none', async () => {
    expect((await ask(port, 'OPTIONS /healthz', [ours()])).headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await ask(port, 'OPTIONS /nothing', [ours()])).status).toBe(404)
    expect((await ask(port, 'OPTIONS *', [ours()])).status).toBe(400)
  })

  it('do not include CONNECT, which is closed (H75)', async () => {
    expect(await sendRaw(port, `CONNECT evil.com:443 HTTP/1.1\r\nHost: evil.com:443\r\n\r\n`)).toBe('')
  })
})

describe('upgrades', () => {
  it('reach their handler on their path only, by GET only', async () => {
    const good = `Host: localhost:${port}`
    expect((await upgrade([good])).status).toBe(101)
    expect((await upgrade([good], '/mcp')).status).toBe(404)
    expect((await upgrade([good], '/%2e%2e/ws')).status).toBe(400)
    const post = await sendRaw(port, `POST /ws HTTP/1.1\r\n${good}\r\n${upgradeLines.join('\r\n')}\r\n\r\n`)
    expect(parseAnswer(post).status).toBe(405)
  })

  it('ask for the right of their route (A6)', async () => {
    const { port: keyed } = await start({
      authenticate: createAuthenticator({ token: 'the-right-token!', openLoopback: true }),
    })
    const lines = (extra: string[]) =>
      `${['GET /ws HTTP/1.1', `Host: localhost:${keyed}`, ...upgradeLines, ...extra].join('\r\n')}\r\n\r\n`
    expect(parseAnswer(await sendRaw(keyed, lines([]))).status).toBe(401)
    expect(parseAnswer(await sendRaw(keyed, lines(['X-API-Key: the-right-token!']))).status).toBe(101)
  })

  it('to anything but WebSocket are served as the plain requests they are (H96)', async () => {
    const socket = await openRaw(port)
    const done = readToClose(socket)
    const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']
    const head = [`POST /mcp HTTP/1.1`, `Host: localhost:${port}`, ...offer, 'Content-Length: 2']
    socket.write(`${head.join('\r\n')}\r\n\r\n{}`)
    socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)
    const text = await done
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    const evil = head.map((line) => (line.startsWith('Host') ? 'Host: evil.com' : line)).join('\r\n')
    const refused = await openRaw(port)
    refused.end(`${evil}\r\n\r\n{}`)
    expect(parseAnswer(await readToClose(refused)).status).toBe(403)
  })

  it('survive a peer that resets during the checks', async () => {
    let asked = (_proceed: () => void) => {}
    const isAsked = new Promise<() => void>((resolve) => {
      asked = resolve
    })
    const { port: slow } = await start({
      authenticate: () => new Promise((resolve) => asked(() => resolve({ caller: anonymousCaller }))),
    })
    const socket = await openRaw(slow)
    socket.write(`${['GET /ws HTTP/1.1', `Host: localhost:${slow}`, ...upgradeLines].join('\r\n')}\r\n\r\n`)
    const proceed = await isAsked
    socket.resetAndDestroy()
    await once(socket, 'close')
    proceed()
    const response = await new Promise<number | undefined>((resolve) =>
      get(`http://127.0.0.1:${slow}/healthz`, (answer) => resolve(answer.resume().statusCode)),
    )
    expect(response).toBe(200)
  })
})
