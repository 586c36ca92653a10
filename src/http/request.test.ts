import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, openRaw, parseAnswer, readToClose, sendRaw } from '../../test/helpers/raw-http.js'
import { GatewayError } from '../errors.js'
import { sendJson } from './answer.js'
import { anonymousCaller } from './auth-loopback.js'
import { createHttpHost, type HttpHost, type HttpHostOptions } from './host.js'
import type { Route } from './route.js'

const get = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, right: 'open', handle })

const routes: Route[] = [
  get('/healthz', ({ response }) => sendJson(response, 200, { ok: true })),
  get('/tools/:id', ({ response, params, path }) => sendJson(response, 200, { id: params.id, path })),
  get('/tools/:id/calls/:call', ({ response, params }) => sendJson(response, 200, params)),
  get('/tools/all', ({ response }) => sendJson(response, 200, 'all')),
  get('/query', ({ response, query }) => sendJson(response, 200, [...query])),
  get('/throws', () => {
    throw new Error('canary-of-a-secret')
  }),
  get('/rejects', async () => {
    throw new GatewayError('RATE_LIMITED', 'Slow down.', { retryAfterMs: 1200 })
  }),
  get('/half', ({ response }) => {
    response.write('half of it')
    throw new Error('too late')
  }),
  {
    method: 'POST',
    path: '/body',
    right: 'call',
    handle: async (exchange) => sendJson(exchange.response, 200, (await exchange.readBody()).length),
  },
]

const hosts: HttpHost[] = []
const start = async (options: Partial<HttpHostOptions> = {}) => {
  const host = createHttpHost({ authenticate: () => ({ caller: anonymousCaller }), ...options })
  host.addRoutes(routes)
  hosts.push(host)
  return (await host.listen({ port: 0 })).port
}
let port = 0
beforeAll(async () => {
  port = await start()
})
afterAll(() => Promise.all(hosts.map((host) => host.close({ graceMs: 0 }))))

const ours = () => `Host: 127.0.0.1:${port}`
const json = (answer: { body: string }): any => JSON.parse(answer.body)
const post = (path: string, lines: readonly string[], body: string) =>
  ask(port, `POST ${path}`, [ours(), ...lines], body)
/** A request after the bad one must find a server that is well. */
const isWell = async () => (await ask(port, 'GET /healthz', [ours()])).status === 200

describe('paths (H76, H78)', () => {
  it.each([
    ['/tools/calc.add', 'calc.add'],
    ['/tools/a%2Fb', 'a/b'],
    ['/tools/%252e%252e', '%2e%2e'],
    ['/tools/%E5%A4%A9%E6%B0%94', '天气'],
    ['/tools/a+b', 'a+b'],
    ['/tools/__proto__', '__proto__'],
    ['/tools/x/', 'x'],
    ['/tools/a|b[0]', 'a|b[0]'],
    ['/tools/...', '...'],
    ['/t%6Fols/x', 'x'],
  ])('are decoded once: %s', async (path, id) => {
    expect(json(await ask(port, `GET ${path}`, [ours()]))).toEqual({ id, path })
  })

  it.each([
    '//healthz',
    '/tools//x',
    '/./healthz',
    '/tools/../healthz',
    '/tools/..',
    '/tools/%2e%2e/healthz',
    '/tools/.%2E',
    '/%2e/healthz',
    '/tools/%00',
    '/tools/a%0d%0ab',
    '/tools/%c0%ae',
    '/tools/%',
    '/tools/%zz',
    '/tools/%e5%a4',
    '/tools\\x',
    '/tools/a\\b',
    '/tools/%5',
    '/tools/<x>',
    '/tools/a#b',
    'healthz',
    '*',
    'http://evil.com/healthz',
    '///',
    '/tools/x//',
  ])('that others may read differently are refused: %s', async (path) => {
    const answer = await ask(port, `GET ${path}`, [ours()])
    expect(answer.status).toBe(400)
    expect(await isWell()).toBe(true)
  })

  it('prefer static segments to parameters, and match as many as there are', async () => {
    expect(json(await ask(port, 'GET /tools/all', [ours()]))).toBe('all')
    expect(json(await ask(port, 'GET /tools/a/calls/b', [ours()]))).toEqual({ id: 'a', call: 'b' })
    expect((await ask(port, 'GET /tools/a/calls', [ours()])).status).toBe(404)
    // An escaped slash is part of a name, never a separator.
    expect((await ask(port, 'GET /tools%2Fall', [ours()])).status).toBe(404)
  })

  it('of 64 KB are refused (431)', async () => {
    expect((await ask(port, `GET /${'a'.repeat(65_536)}`, [ours()])).status).toBe(431)
    expect(await isWell()).toBe(true)
  })
})

describe('queries (H77)', () => {
  it('are read as fields, with odd names as data', async () => {
    const answer = await ask(port, 'GET /query?a=1&a=2&b%20c=%E5%A4%A9&a[__proto__]=x&__proto__=y&e', [ours()])
    expect(json(answer)).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b c', '天'],
      ['a[__proto__]', 'x'],
      ['__proto__', 'y'],
      ['e', ''],
    ])
  })

  it('are bounded in bytes and fields, and must be whole escapes', async () => {
    expect((await ask(port, `GET /healthz?${'a'.repeat(8193)}`, [ours()])).status).toBe(414)
    expect((await ask(port, `GET /query?${'a&'.repeat(300)}`, [ours()])).status).toBe(400)
    expect((await ask(port, 'GET /query?a=%zz', [ours()])).status).toBe(400)
  })
})

describe('headers (H74)', () => {
  it('past their bounds in bytes or number are refused', async () => {
    expect((await ask(port, 'GET /healthz', [ours(), `X-Big: ${'a'.repeat(17_000)}`])).status).toBe(431)
    const many = Array.from({ length: 2001 }, (_, index) => `a: ${index % 10}`)
    expect((await ask(port, 'GET /healthz', [ours(), ...many])).status).toBe(431)
  })

  it('cannot push a forwarding header out of sight', async () => {
    const many = Array.from({ length: 2000 }, () => 'a:')
    expect((await ask(port, 'GET /healthz', [ours(), ...many, 'X-Forwarded-For: 1.2.3.4'])).status).toBe(431)
  })

  it.each([
    ['a NUL', 'X: a\0b'],
    ['a space before the colon', 'X : a'],
    ['a folded line', 'X: a\r\n b'],
    ['a bare carriage return', 'X: a\rb'],
  ])('with %s are refused by the parser', async (_, line) => {
    expect((await ask(port, 'GET /healthz', [ours(), line])).status).toBe(400)
    expect(await isWell()).toBe(true)
  })
})

describe('framing (H71-H73)', () => {
  it.each([
    ['both length and chunks', ['Content-Length: 3', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['a negative length', ['Content-Length: -1'], ''],
    ['two lengths', ['Content-Length: 1', 'Content-Length: 2'], 'ab'],
    ['a list of lengths', ['Content-Length: 1, 1'], 'a'],
    ['a length in words', ['Content-Length: ten'], ''],
    ['an unknown encoding', ['Transfer-Encoding: gzip'], 'x'],
    ['chunked not last', ['Transfer-Encoding: chunked, gzip'], '0\r\n\r\n'],
    ['a chunk size that is none', ['Transfer-Encoding: chunked'], 'zz\r\nab\r\n0\r\n\r\n'],
    ['a chunk size beyond numbers', ['Transfer-Encoding: chunked'], 'fffffffffffffffff\r\n'],
    ['a bare line feed between chunks', ['Transfer-Encoding: chunked'], '1\na\n0\n\n'],
  ])('with %s is refused before a route sees it', async (_, lines, body) => {
    const { status } = await post('/body', lines, body)
    expect([400, 413, 501]).toContain(status)
    expect(await isWell()).toBe(true)
  })

  it('HTTP/0.9 and garbage get a clean close', async () => {
    expect(parseAnswer(await sendRaw(port, 'GET /healthz\r\n\r\n')).status).toBe(403)
    expect(
      parseAnswer(
        await sendRaw(
          port,
          randomBytes(64)
            .toString('latin1')
            .replace(/[\r\n]/g, 'x'),
        ),
      ).status,
    ).toBe(400)
    expect(await isWell()).toBe(true)
  })
})

describe('errors', () => {
  it('are one JSON body with a request id, without stack or foreign words', async () => {
    const lines: string[] = []
    const logger = {
      log: (_: string, message: string, meta: unknown) => void lines.push(message + JSON.stringify(meta)),
      child: () => logger,
    }
    const own = await start({ logger })
    const answer = await ask(own, 'GET /throws', [`Host: 127.0.0.1:${own}`])
    expect(answer.status).toBe(500)
    const { error } = json(answer)
    expect(Object.keys(error)).toEqual(['code', 'message', 'hint', 'requestId'])
    expect(error.code).toBe('INTERNAL')
    expect(answer.body).not.toMatch(/canary|\.ts|at /)
    expect(lines.join()).toContain(error.requestId)
    expect(lines.join()).toContain('canary-of-a-secret')
  })

  it('of the gateway keep their code, their words and when to come back', async () => {
    const answer = await ask(port, 'GET /rejects', [ours()])
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '2'])
    expect(json(answer).error).toMatchObject({ code: 'RATE_LIMITED', message: 'Slow down.' })
  })

  it('after half an answer cut the connection instead of ending it well', async () => {
    const text = await sendRaw(port, `GET /half HTTP/1.1\r\n${ours()}\r\n\r\n`)
    expect(text.endsWith('0\r\n\r\n')).toBe(false)
    expect(await isWell()).toBe(true)
  })
})

describe('connections', () => {
  it('carry 1,000 pipelined requests, answered in order (H95)', async () => {
    const socket = await openRaw(port)
    const done = readToClose(socket)
    const one = (index: number, last: boolean) =>
      `GET /tools/n${index} HTTP/1.1\r\n${ours()}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`
    socket.write(Array.from({ length: 1000 }, (_, index) => one(index, index === 999)).join(''))
    const ids = [...(await done).matchAll(/"id":"n(\d+)"/g)].map((match) => Number(match[1]))
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, index) => index))
  })

  it('are kept alive by ordinary clients', async () => {
    const { Agent } = await import('node:http')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<number | undefined>()
    for (let turn = 0; turn < 3; turn++) {
      const sent = httpRequest({ port, path: '/healthz', agent, headers: { host: `127.0.0.1:${port}` } }).end()
      const [answer] = await once(sent, 'response')
      sockets.add(sent.socket?.localPort)
      await once(answer.resume(), 'end')
    }
    agent.destroy()
    expect(sockets.size).toBe(1)
  })
})
