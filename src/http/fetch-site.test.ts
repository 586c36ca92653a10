import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../test/helpers/raw-http.js'
import { sendJson } from './answer.js'
import { createAuthenticator } from './auth-loopback.js'
import { createHttpHost, type HttpHost } from './host.js'
import type { Route } from './route.js'

const route = (path: string, more: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  right: 'open',
  handle: ({ response }) => sendJson(response, 200, { ok: true }),
  ...more,
})

/** What browsers say about who asks, where they send no Origin (S26). */
describe('Sec-Fetch-Site', () => {
  let host: HttpHost
  let port: number
  beforeAll(async () => {
    host = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
    host.addRoutes([
      route('/', { page: true }),
      route('/events', { right: 'discover' }),
      route('/probe', { probe: true }),
    ])
    ;({ port } = await host.listen({ port: 0 }))
  })
  afterAll(() => host.close({ graceMs: 0 }))
  const get = async (path: string, ...lines: string[]): Promise<number> =>
    (await ask(port, `GET ${path}`, [`Host: 127.0.0.1:${port}`, ...lines])).status
  const link = ['Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']

  it('keeps pages of elsewhere from every path, there or not', async () => {
    for (const site of ['cross-site', 'same-site', 'CROSS-SITE', 'anything'])
      for (const path of ['/', '/events', '/probe', '/nothing'])
        expect(await get(path, `Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: no-cors')).toBe(403)
  })

  it('lets our own pages and people in', async () => {
    for (const site of ['same-origin', 'none']) expect(await get('/events', `Sec-Fetch-Site: ${site}`)).toBe(200)
    expect(await get('/events')).toBe(200)
  })

  it('lets a link of another site open our page, in no frame, and nothing else', async () => {
    expect(await get('/', 'Sec-Fetch-Site: cross-site', ...link)).toBe(200)
    expect(await get('/events', 'Sec-Fetch-Site: cross-site', ...link)).toBe(403)
    expect(await get('/', 'Sec-Fetch-Site: cross-site', link[0]!, 'Sec-Fetch-Dest: iframe')).toBe(403)
  })

  it('leaves to Origin what comes with one; pages of other local ports can be kept out (S16)', async () => {
    const local = 'Origin: http://localhost:5173'
    expect(await get('/events', 'Sec-Fetch-Site: cross-site', local)).toBe(200)
    expect(await get('/events', 'Sec-Fetch-Site: cross-site', 'Origin: https://evil.example')).toBe(403)
    host.trust({ localOrigins: false, allowedOrigins: ['http://localhost:3000'] })
    expect(await get('/events', 'Sec-Fetch-Site: cross-site', local)).toBe(403)
    expect(await get('/events', 'Sec-Fetch-Site: cross-site', 'Origin: http://localhost:3000')).toBe(200)
    expect(await get('/events', `Origin: http://127.0.0.1:${port}`)).toBe(200)
    host.trust({})
  })
})
