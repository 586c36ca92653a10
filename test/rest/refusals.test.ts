import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../src/http/auth-loopback.js'
import { createHttpHost, type HttpHost } from '../../src/http/host.js'
import { HttpError } from '../../src/http/http-error.js'
import type { Route } from '../../src/http/route.js'
import { tellRefusal } from '../../src/operations/told-error.js'

interface Ask {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Told {
  readonly status: number
  readonly language: string | undefined
  readonly error: any
}

const key = { authorization: 'Bearer a-key-of-16-letters' }
const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x', 'sec-websocket-version': '13' }

/** What is refused before a route has it, each with the code and the words a reader of Chinese sees. */
const refusals: readonly (readonly [what: string, ask: Ask, status: number, code: string, zh: RegExp])[] = [
  ['an unknown path', { path: '/nowhere', headers: key }, 404, 'ROUTE_NOT_FOUND', /未找到/],
  ['a wrong method', { method: 'DELETE', headers: key }, 405, 'METHOD_NOT_ALLOWED', /不支持此请求方法/],
  ['no key', {}, 401, 'UNAUTHENTICATED', /密钥/],
  ['a wrong key', { headers: { 'x-api-key': 'wrong' } }, 401, 'UNAUTHENTICATED', /密钥/],
  ['a missing right', { path: '/admin', headers: key }, 403, 'ACCESS_DENIED', /没有权限/],
  ['a foreign Host', { headers: { ...key, host: 'evil.example' } }, 403, 'HOST_REFUSED', /Host/],
  ['a foreign Origin', { headers: { ...key, origin: 'https://evil.example' } }, 403, 'ORIGIN_REFUSED', /网页/],
  [
    'a declared body that is too large',
    { method: 'POST', headers: { ...key, 'content-length': '2000' } },
    413,
    'BODY_TOO_LARGE',
    /请求体过大/,
  ],
  [
    'a body that grows too large',
    { method: 'POST', headers: { ...key, 'transfer-encoding': 'chunked' }, body: 'x'.repeat(2000) },
    413,
    'BODY_TOO_LARGE',
    /请求体过大/,
  ],
  [
    'a compressed body',
    { method: 'POST', headers: { ...key, 'content-encoding': 'gzip' } },
    415,
    'BODY_ENCODED',
    /压缩/,
  ],
  ['a query that is too long', { path: `/here?${'q'.repeat(9000)}`, headers: key }, 414, 'REQUEST_INVALID', /请求无效/],
  ['a WebSocket that is not there', { path: '/ws', headers: { ...key, ...upgrade } }, 404, 'ROUTE_NOT_FOUND', /未找到/],
]

describe('what is refused before a route is reached', () => {
  let host: HttpHost
  let port: number

  beforeAll(async () => {
    const authenticate = createAuthenticator({ token: 'a-key-of-16-letters', openLoopback: true })
    host = createHttpHost({ authenticate, tellRefusal, maxBodyBytes: 1000 })
    const read: Route['handle'] = async (exchange) => {
      await exchange.readBody()
      throw new HttpError(404, 'NOT_FOUND', 'There is no such key; look at the list.')
    }
    host.addRoutes([
      { method: 'GET', path: '/here', right: 'discover', handle: read },
      { method: 'POST', path: '/here', right: 'call', handle: read },
      { method: 'GET', path: '/admin', right: 'admin', handle: read },
    ])
    host.onUpgrade({ path: '/socket', right: 'call', handle: ({ socket }) => void socket.destroy() })
    port = (await host.listen({ port: 0 })).port
  })
  afterAll(() => host.close({ graceMs: 0 }))

  const ask = ({ method = 'GET', path = '/here', headers = {}, body }: Ask): Promise<Told> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (response) => {
        let text = ''
        for await (const chunk of response) text += String(chunk)
        const { error } = JSON.parse(text)
        resolve({ status: response.statusCode!, language: response.headers['content-language'], error })
        asked.destroy()
      })
      asked.on('error', reject)
      // A declared length that is never sent: the refusal must not wait for it.
      if (body === undefined) asked.flushHeaders()
      else asked.end(body)
    })

  it.each(refusals)('is told in English by default: %s', async (_what, asked, status, code) => {
    const told = await ask(asked)
    expect([told.status, told.language, told.error.code]).toEqual([status, 'en-US', code])
    expect(told.error).toMatchObject({ message: expect.stringMatching(/^[ -~]{8,}$/) })
    expect(told.error.hint).toMatch(/^[ -~]{8,}$/)
    expect(told.error.requestId).toMatch(/^[0-9a-f]{8}-/)
  })

  it.each(refusals)('is told in Chinese where that is asked for: %s', async (_what, asked, status, code, zh) => {
    for (const wish of [{ 'x-language': 'zh-CN' }, { 'accept-language': 'fr, zh;q=0.9, en;q=0.5' }]) {
      const told = await ask({ ...asked, headers: { ...asked.headers, ...wish } })
      expect([told.status, told.language, told.error.code]).toEqual([status, 'zh-Hans', code])
      expect(told.error.message).toMatch(zh)
      expect(told.error.hint).toMatch(/[\u4e00-\u9fff]/)
      expect(told.error.requestId).toMatch(/^[0-9a-f]{8}-/)
    }
  })

  it('leaves a route that was reached its own words', async () => {
    const told = await ask({ headers: { ...key, 'x-language': 'zh' }, body: '' })
    expect([told.status, told.error.message]).toEqual([404, 'There is no such key; look at the list.'])
  })
})
