import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createPeers } from './auth-loopback.js'
import type { BehindProxy } from './behind-proxy.js'
import { createBrowserDoor } from './same-origin.js'

interface Asked {
  readonly method?: string | undefined
  readonly headers?: IncomingHttpHeaders | undefined
  readonly from?: string | undefined
  readonly encrypted?: boolean | undefined
}

const request = ({ method = 'GET', headers = {}, from = '127.0.0.1', encrypted = false }: Asked): IncomingMessage =>
  ({
    method,
    headers: { host: '127.0.0.1:8000', ...headers },
    httpVersionMinor: 1,
    socket: { remoteAddress: from, encrypted },
  }) as unknown as IncomingMessage

const doorOf = (publicUrl?: string, behindProxy?: BehindProxy) =>
  createBrowserDoor({ publicUrl: () => publicUrl, peers: createPeers(() => behindProxy) })

const own = { origin: 'http://127.0.0.1:8000', 'x-pegboard-console': '1' }

describe('a request that a browser sends with our cookie', () => {
  const door = doorOf()

  it('counts where a page of ours sent it', () => {
    expect(door.refusal(request({}))).toBeUndefined()
    expect(door.refusal(request({ method: 'POST', headers: own }))).toBeUndefined()
    expect(
      door.refusal(request({ method: 'POST', headers: { ...own, 'sec-fetch-site': 'same-origin' } })),
    ).toBeUndefined()
  })

  it.each(['cross-site', 'same-site', 'strange'])(
    'does not count where the browser says %s, whatever its method',
    (site) => {
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
        expect(door.refusal(request({ method, headers: { ...own, 'sec-fetch-site': site } }))).toMatch(/another site/)
    },
  )

  it.each([
    'http://127.0.0.1:8001',
    'https://127.0.0.1:8000',
    'http://localhost:8000',
    'https://evil.example',
    'null',
    'http://127.0.0.1:8000.evil.example',
  ])('does not count for the origin %s', (origin) => {
    for (const method of ['GET', 'POST'])
      expect(door.refusal(request({ method, headers: { ...own, origin } }))).toMatch(/another origin/)
  })

  it('that changes something says where it comes from, and carries what no form can add', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(door.refusal(request({ method, headers: { 'x-pegboard-console': '1' } }))).toMatch(/Origin/)
      expect(door.refusal(request({ method, headers: { origin: own.origin } }))).toMatch(/x-pegboard-console/)
    }
  })

  it('counts for the public address too, also where a proxy names us otherwise', () => {
    const behind = doorOf('https://tools.example.com/board', true)
    const headers = { ...own, origin: 'https://tools.example.com' }
    expect(behind.refusal(request({ method: 'POST', headers }))).toBeUndefined()
    expect(
      behind.refusal(request({ method: 'POST', headers: { ...headers, host: 'tools.example.com' } })),
    ).toBeUndefined()
    const plain = { ...headers, origin: 'http://tools.example.com', host: 'tools.example.com' }
    expect(behind.refusal(request({ method: 'POST', headers: plain }))).toMatch(/another origin/)
  })
})

describe('the name of the cookie', () => {
  it('is bound to this host and to TLS wherever the browser comes by TLS', () => {
    const named = (door: ReturnType<typeof doorOf>, asked: Asked) => door.cookieName(request(asked), 'pegboard')
    const publicly = doorOf('https://tools.example.com')
    expect(named(doorOf(), { encrypted: true })).toBe('__Host-pegboard')
    expect(named(publicly, { headers: { host: 'tools.example.com' } })).toBe('__Host-pegboard')
    expect(named(publicly, { headers: { origin: 'https://tools.example.com' } })).toBe('__Host-pegboard')
    expect(named(publicly, { from: '10.0.0.7' })).toBe('__Host-pegboard')
    expect(named(publicly, { headers: { 'x-forwarded-for': '1.2.3.4' } })).toBe('__Host-pegboard')
    expect(named(doorOf(undefined, true), { headers: { 'x-forwarded-proto': 'https' } })).toBe('__Host-pegboard')
  })

  it('is another at each port of this machine, since ports share their cookies', () => {
    const named = (door: ReturnType<typeof doorOf>, headers: IncomingHttpHeaders = {}) =>
      door.cookieName(request({ headers }), 'pegboard')
    expect(named(doorOf())).toBe('pegboard-8000')
    expect(named(doorOf('https://tools.example.com'))).toBe('pegboard-8000')
    expect(named(doorOf('http://127.0.0.1:9000'), { host: 'localhost:9000' })).toBe('pegboard-9000')
    expect(named(doorOf(), { host: 'localhost' })).toBe('pegboard-80')
    // Nobody we trust said so.
    expect(named(doorOf(), { 'x-forwarded-proto': 'https' })).toBe('pegboard-8000')
  })
})
