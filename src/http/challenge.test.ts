import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../../test/helpers/raw-http.js'
import { rightsOfRole } from '../model/role.js'
import { sendJson } from './answer.js'
import type { AuthResult } from './auth.js'
import { createChallenge, endpointOf } from './challenge.js'
import { createHttpHost, type HttpHost } from './host.js'
import { resourceMetadata } from './resource-metadata.js'

const place = { base: () => 'https://tools.example.com', path: '/mcp' }
const hosts: HttpHost[] = []
afterAll(() => Promise.all(hosts.map((host) => host.close({ graceMs: 0 }))))

const start = async (result: AuthResult, at = place) => {
  const host = createHttpHost({ authenticate: () => result, challenge: createChallenge(at) })
  hosts.push(host)
  const serve = ({ response }: { response: Parameters<typeof sendJson>[0] }) => sendJson(response, 200, {})
  host.addRoutes([
    ...resourceMetadata({ ...at, authorizationServers: () => ['https://auth.example.com'], name: 'Pegboard' }),
    { method: 'POST', path: '/mcp', right: 'discover', handle: serve },
    { method: 'POST', path: '/mcp/:profile', right: 'discover', handle: serve },
    { method: 'GET', path: '/api/keys', right: 'admin', handle: serve },
    { method: 'GET', path: '/api/tools', right: 'call', handle: serve },
  ])
  host.onUpgrade({ path: '/ws', right: 'call', handle: ({ socket }) => void socket.destroy() })
  const { port } = await host.listen({ port: 0 })
  return (method: string, path: string, headers: readonly string[] = [], own = `127.0.0.1:${port}`) =>
    sendRaw(port, [`${method} ${path} HTTP/1.1`, `Host: ${own}`, 'Connection: close', ...headers, '', ''].join('\r\n'))
}

const refused: AuthResult = { refused: { status: 401, message: 'no' } }
const base = 'https://tools.example.com/.well-known/oauth-protected-resource'

describe('a 401', () => {
  it('says where a token is to be had: one place for each endpoint, whether there is such a profile or not', async () => {
    const knock = await start(refused)
    expect(await knock('POST', '/mcp')).toContain(
      `WWW-Authenticate: Bearer resource_metadata="${base}/mcp", scope="mcp:call"\r\n`,
    )
    for (const name of ['eng', 'no-such-profile'])
      expect(await knock('POST', `/mcp/${name}?x=1`)).toContain(`resource_metadata="${base}/mcp/${name}"`)
    expect(await knock('GET', '/api/keys')).toContain(`resource_metadata="${base}/mcp"`)
    expect(await knock('GET', '/ws', ['Upgrade: websocket', 'Connection: Upgrade'])).toContain(`"${base}/mcp"`)
  })

  it('says that a token was no good only to who has shown one', async () => {
    const knock = await start(refused)
    expect(await knock('POST', '/mcp')).not.toContain('invalid_token')
    expect(await knock('POST', '/mcp', ['Authorization: Bearer x'])).toContain('Bearer error="invalid_token", ')
  })

  it('is made of nothing that the request says', () => {
    const challenge = createChallenge(place)
    const shape =
      /^Bearer (?:error="invalid_token", )?resource_metadata="https:\/\/tools\.example\.com\/\.well-known\/oauth-protected-resource\/mcp(?:\/[A-Za-z0-9][\w-]{0,63})?", scope="mcp:call"$/
    const odd = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('/mcp/a"b', '/mcp/%22', '/mcp/a\r\nX: y', '/mcp//', '/mcp/a/b'),
    )
    fc.assert(
      fc.property(odd, fc.boolean(), fc.boolean(), (text, isBelow, hasShown) => {
        const request = { url: isBelow ? `/mcp/${text}` : text, headers: {} } as IncomingMessage
        expect(challenge.unauthenticated(request, hasShown)).toMatch(shape)
      }),
    )
  })
})

describe('a 403', () => {
  it('asks for more scope only where the role has the right and the token has not', async () => {
    const caller = { id: 'person:a', rights: rightsOfRole('caller') }
    const knock = await start({ caller, granted: rightsOfRole('admin') })
    const told = await knock('GET', '/api/keys')
    expect(told).toMatch(/^HTTP\/1.1 403 /)
    expect(told).toContain(
      `WWW-Authenticate: Bearer error="insufficient_scope", scope="board:admin", resource_metadata="${base}/mcp"`,
    )
    expect(told).toContain('INSUFFICIENT_SCOPE')
    const without = await (await start({ caller, granted: rightsOfRole('caller') }))('GET', '/api/keys')
    expect(without).toMatch(/^HTTP\/1.1 403 /)
    expect(without).toContain('ACCESS_DENIED')
    expect(without).not.toContain('WWW-Authenticate')
  })
})

describe('the metadata of an endpoint (RFC 9728)', () => {
  const read = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>

  it('is found by every spelling that clients try', async () => {
    const knock = await start(refused)
    const wellKnown = '/.well-known/oauth-protected-resource'
    for (const path of [wellKnown, `${wellKnown}/mcp`, `/mcp${wellKnown}`])
      expect(read(await knock('GET', path))).toEqual({
        resource: 'https://tools.example.com/mcp',
        authorization_servers: ['https://auth.example.com'],
        scopes_supported: ['mcp:call'],
        bearer_methods_supported: ['header'],
        resource_name: 'Pegboard',
      })
    for (const path of [`${wellKnown}/mcp/eng`, `/mcp/eng${wellKnown}`])
      expect(read(await knock('GET', path)).resource).toBe('https://tools.example.com/mcp/eng')
  })

  it('is behind the well-known name where the public address has a path of its own', async () => {
    const knock = await start(refused, { base: () => 'https://example.com/tools', path: '/mcp' })
    expect(read(await knock('GET', '/.well-known/oauth-protected-resource/tools/mcp')).resource).toBe(
      'https://example.com/tools/mcp',
    )
    // What the challenge names is below the address, where a proxy that cuts the path off sends it here.
    expect(await knock('POST', '/mcp')).toContain(
      '"https://example.com/tools/.well-known/oauth-protected-resource/mcp"',
    )
  })

  it('says nothing for a name that no profile can have', async () => {
    const knock = await start(refused)
    for (const name of ['a%22b', 'a.b', '-a', 'a'.repeat(65), '%2e%2e'])
      expect(await knock('GET', `/.well-known/oauth-protected-resource/mcp/${name}`)).toMatch(/^HTTP\/1.1 40[04] /)
  })

  it('may be read by any page and kept for five minutes, under our own name alone', async () => {
    const knock = await start(refused)
    const path = '/.well-known/oauth-protected-resource/mcp'
    const page = ['Origin: https://inspector.example']
    const told = await knock('GET', path, page)
    expect(told).toMatch(/^HTTP\/1.1 200 /)
    expect(told).toContain('Access-Control-Allow-Origin: *')
    expect(told).toContain('Cache-Control: public, max-age=300')
    const first = ['Access-Control-Request-Method: GET', 'Access-Control-Request-Headers: mcp-protocol-version']
    expect(await knock('OPTIONS', path, [...page, ...first])).toMatch(/^HTTP\/1.1 204 /)
    expect(await knock('OPTIONS', path, [...page, 'Access-Control-Request-Method: POST'])).toMatch(/^HTTP\/1.1 403 /)
    expect(await knock('GET', path, [], 'evil.example')).toMatch(/^HTTP\/1.1 403 /)
    expect(await knock('POST', '/mcp', page)).toMatch(/^HTTP\/1.1 403 /)
  })
})

describe('the endpoint that a token must be for', () => {
  const at = (url: string, path = '/mcp') => endpointOf({ ...place, path }, { url })

  it('is one for each profile, and the first for all else', () => {
    expect(at('/mcp')).toBe('https://tools.example.com/mcp')
    expect(at('/mcp?a=/b')).toBe('https://tools.example.com/mcp')
    expect(at('/mcp/eng?x')).toBe('https://tools.example.com/mcp/eng')
    expect(at('/api/v1/tools')).toBe('https://tools.example.com/mcp')
    expect(at('/mcpeng')).toBe('https://tools.example.com/mcp')
    expect(at('/', '/')).toBe('https://tools.example.com/')
    expect(at('/eng', '/')).toBe('https://tools.example.com/eng')
  })

  it('is never another one because a name is written in another way', () => {
    expect(at('/mcp/%65ng')).toBe('https://tools.example.com/mcp/%65ng')
    expect(at('/mcp/eng%2f')).toBe('https://tools.example.com/mcp/eng%2f')
  })
})
