import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, openRaw, readToClose, readUntil } from '../../test/helpers/raw-http.js'
import { sendJson } from './answer.js'
import { anonymousCaller } from './auth-loopback.js'
import { createHttpHost, type HttpHost, type HttpHostOptions } from './host.js'
import { HttpError } from './http-error.js'
import type { Route } from './route.js'

const sha = (body: Buffer | string) => createHash('sha256').update(body).digest('hex')
const limit = 64 * 1024

const routes: Route[] = [
  { method: 'GET', path: '/healthz', right: 'open', handle: ({ response }) => sendJson(response, 200, { ok: true }) },
  {
    method: 'POST',
    path: '/body',
    right: 'call',
    handle: async (exchange) => {
      const body = await exchange.readBody()
      sendJson(exchange.response, 200, {
        bytes: body.length,
        sha: sha(body),
        same: (await exchange.readBody()) === body,
      })
    },
  },
  {
    method: 'POST',
    path: '/received',
    right: 'call',
    handle: (exchange) =>
      exchange.receive({
        received: (body) => {
          if (body.equals(Buffer.from('throw'))) throw new HttpError(418, 'REQUEST_INVALID', 'thrown')
          if (body.equals(Buffer.from('reject')))
            return Promise.reject(new HttpError(418, 'REQUEST_INVALID', 'rejected'))
          return sendJson(exchange.response, 200, { bytes: body.length, sha: sha(body) })
        },
      }),
  },
  {
    method: 'POST',
    path: '/small',
    right: 'call',
    handle: async (exchange) => sendJson(exchange.response, 200, (await exchange.readBody(10)).length),
  },
]

const hosts: HttpHost[] = []
const start = async (options: Partial<HttpHostOptions> = {}) => {
  const host = createHttpHost({ authenticate: () => ({ caller: anonymousCaller }), maxBodyBytes: limit, ...options })
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

describe('bodies', () => {
  const chunked = (body: string, size: number) =>
    (body.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [])
      .map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
      .join('')

  it('are read whole, by length or in chunks, once', async () => {
    const body = randomBytes(limit / 2).toString('hex')
    const expected = { bytes: limit, sha: sha(body), same: true }
    expect(json(await post('/body', [`Content-Length: ${limit}`], body))).toEqual(expected)
    expect(json(await post('/body', ['Transfer-Encoding: chunked'], `${chunked(body, 999)}0\r\n\r\n`))).toEqual(
      expected,
    )
    expect(json(await post('/body', [], ''))).toMatchObject({ bytes: 0 })
  })

  it('are handed over without a promise, and what is thrown at them becomes the answer', async () => {
    const body = randomBytes(limit / 2).toString('hex')
    const expected = { bytes: limit, sha: sha(body) }
    const whole = ['Transfer-Encoding: chunked']
    expect(json(await post('/received', [`Content-Length: ${limit}`], body))).toEqual(expected)
    expect(json(await post('/received', whole, `${chunked(body, 999)}0\r\n\r\n`))).toEqual(expected)
    expect(json(await post('/received', ['Content-Length: 0'], ''))).toMatchObject({ bytes: 0 })
    expect((await post('/received', ['Content-Length: 5'], 'throw')).status).toBe(418)
    expect((await post('/received', ['Content-Length: 6'], 'reject')).status).toBe(418)
    const large = `${chunked('x'.repeat(limit + 1), 5000)}0\r\n\r\n`
    expect((await post('/received', whole, large)).status).toBe(413)
  })

  it('of 10,000 one-byte chunks are read (H73)', async () => {
    const body = 'x'.repeat(10_000)
    expect(json(await post('/body', ['Transfer-Encoding: chunked'], `${chunked(body, 1)}0\r\n\r\n`))).toMatchObject({
      bytes: 10_000,
      sha: sha(body),
    })
  })

  it('declared past the limit are refused unread, those without a length while reading', async () => {
    const declared = await ask(port, 'POST /body', [ours(), `Content-Length: ${limit + 1}`], 'only this comes')
    expect([declared.status, json(declared).error.code]).toEqual([413, 'BODY_TOO_LARGE'])
    const body = 'x'.repeat(limit + 1)
    expect((await post('/body', ['Transfer-Encoding: chunked'], `${chunked(body, 5000)}0\r\n\r\n`)).status).toBe(413)
    expect((await post('/small', ['Content-Length: 11'], 'x'.repeat(11))).status).toBe(413)
    expect((await post('/small', ['Content-Length: 10'], 'x'.repeat(10))).status).toBe(200)
  })

  it('refused keep a small connection usable', async () => {
    const socket = await openRaw(port)
    const large = 'x'.repeat(limit + 1)
    socket.write(
      `POST /body HTTP/1.1\r\n${ours()}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked(large, 4096)}0\r\n\r\n`,
    )
    await readUntil(socket, 'BODY_TOO_LARGE')
    socket.write(`GET /healthz HTTP/1.1\r\n${ours()}\r\nConnection: close\r\n\r\n`)
    expect(await readToClose(socket)).toContain('HTTP/1.1 200')
  })

  it('that together need too much memory get 503, and the memory comes back', async () => {
    const tight = await start({ maxBufferedBytes: limit })
    const first = await openRaw(tight)
    const head = (length: number) =>
      `POST /body HTTP/1.1\r\nHost: 127.0.0.1:${tight}\r\nContent-Length: ${length}\r\n\r\n`
    const answered = readUntil(first, '"bytes"')
    first.write(head(limit) + 'x'.repeat(limit - 10))
    const second = async () => {
      const lines = [`Host: 127.0.0.1:${tight}`, 'Content-Length: 30000']
      return (await ask(tight, 'POST /body', lines, 'y'.repeat(30_000))).status
    }
    // The first one's bytes may still be on their way.
    let status = await second()
    while (status === 200) status = await second()
    expect(status).toBe(503)
    first.write('x'.repeat(10))
    expect(await answered).toContain(`"bytes":${limit}`)
    expect(await second()).toBe(200)
    first.destroy()
  })

  it('that are compressed are refused (T31, H86)', async () => {
    const body = gzipSync('{}').toString('latin1')
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip', 'x-unknown']) {
      const answer = await post('/body', [`Content-Encoding: ${encoding}`, `Content-Length: ${body.length}`], body)
      expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'identity'])
    }
    expect((await post('/body', ['Content-Encoding: identity', 'Content-Length: 2'], '{}')).status).toBe(200)
  })

  it('announced with Expect are asked for, or refused before they are sent (H94)', async () => {
    const socket = await openRaw(port)
    const expecting = (length: number) =>
      `POST /body HTTP/1.1\r\n${ours()}\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
    socket.write(expecting(2))
    await readUntil(socket, '100 Continue')
    socket.write('{}')
    await readUntil(socket, '"bytes":2')
    socket.destroy()
    const large = await openRaw(port)
    large.write(expecting(limit + 1))
    const text = await readUntil(large, 'BODY_TOO_LARGE')
    expect(text).not.toContain('100 Continue')
    large.destroy()
    expect((await ask(port, 'POST /body', [ours(), 'Expect: tea'])).status).toBe(417)
  })

  it('that break off half-way harm nobody (abort mid-body)', async () => {
    for (const [path, framing] of [
      ['body', 'Content-Length: 100'],
      ['body', 'Transfer-Encoding: chunked'],
      ['received', 'Content-Length: 100'],
    ]) {
      const socket = await openRaw(port)
      socket.write(`POST /${path} HTTP/1.1\r\n${ours()}\r\n${framing}\r\n\r\n5\r\nhello`)
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    expect(await isWell()).toBe(true)
  })
})
