import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EchoApi, startEchoApi } from '../helpers/echo-api.js'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { type ServedKeys, serveKeys } from './serve-keys.js'

const tools = [{ name: 'look', inputSchema: { type: 'object' } }]
const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1' },
  },
  'tools/list': { tools },
  'tools/call': { content: [{ type: 'text', text: 'seen' }] },
}

let upstream: EchoApi
let gateway: GatewayProcess
let base: string
let adminKey: string
let keyed: ServedKeys
beforeAll(async () => {
  upstream = await startEchoApi((_request, response, body) => {
    const { id, method } = JSON.parse(body || '{}')
    const result = results[method] ?? {}
    response.writeHead(id === undefined ? 202 : 200, { 'content-type': 'application/json' })
    response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result }))
    return true
  })
  gateway = await startGateway({ sources: { echo: { type: 'http', url: `${upstream.url}/mcp` } } })
  base = gateway.url.replace(/\/mcp$/, '')
  keyed = await serveKeys({}, gateway.folder, join(gateway.folder, 'keyed.json'))
  adminKey = readFileSync(join(gateway.folder, 'data', 'admin.key'), 'utf8').trim()
})
afterAll(async () => {
  await keyed?.close()
  await gateway?.dispose()
  await upstream?.close()
})

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (header: object, payload: object, sign = true): string => {
  const text = `${base64(header)}.${base64(payload)}`
  return `${text}.${sign ? createHmac('sha256', 'guessed').update(text).digest('base64url') : ''}`
}
const claims = { sub: 'admin', aud: 'pegboard', iss: 'https://issuer.example', scope: 'admin', exp: 4_000_000_000 }
const hs256 = { alg: 'HS256', typ: 'JWT' }

describe('T12 A10 a token that others made', () => {
  it.each([
    ['unsigned', token({ alg: 'none' }, claims, false)],
    ['signed with a guess', token(hs256, claims)],
    ['for another audience', token(hs256, { ...claims, aud: 'https://other.example' })],
    ['run out', token(hs256, { ...claims, exp: 1 })],
    ['not good yet', token(hs256, { ...claims, nbf: 4_000_000_000 })],
    ['of another issuer', token(hs256, { ...claims, iss: 'https://evil.example' })],
    ['with a path for a key id', token({ ...hs256, kid: '../../admin.key' }, claims)],
  ])('opens nothing: %s', async (_what, bearer) => {
    // Where everybody needs a key; wrong ones are slowed down, which is a refusal too.
    expect([401, 429]).toContain((await keyed.ask(bearer, 'tools/list')).status)
    // Where nobody does, it makes no more of its bearer than nobody.
    const { status } = await fetch(`${base}/api/admin/v1/keys`, { headers: { authorization: `Bearer ${bearer}` } })
    expect([401, 429]).toContain(status)
  })
})

describe('T13 A11 a credential of a caller', () => {
  it('stays here, whichever way the call came in', async () => {
    const secrets = {
      authorization: `Bearer ${adminKey}`,
      cookie: 'session=caller-cookie',
      'x-api-key': 'caller-api-key',
      'proxy-authorization': 'Basic caller-proxy',
      'x-auth-token': 'caller-token',
    }
    const headers = { ...secrets, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo.look', arguments: {} } }
    const asked = [
      ['/mcp', call],
      ['/api/v1/tools/echo.look/call', { arguments: {} }],
      ['/api/v1/calls', { calls: [{ tool: 'echo.look', arguments: {} }] }],
    ] as const
    for (let turn = 0; turn < 20; turn++)
      for (const [path, body] of asked) {
        const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        expect(await answer.text()).toContain('seen')
      }
    const calls = upstream.seen.filter(({ body }) => body.includes('tools/call'))
    expect(calls.length).toBeGreaterThanOrEqual(60)
    const arrived = JSON.stringify(upstream.seen)
    for (const secret of [adminKey, 'caller-cookie', 'caller-api-key', 'caller-proxy', 'caller-token'])
      expect(arrived).not.toContain(secret)
  })
})

describe('T14 who signs in through us', () => {
  it('is nobody: there is no place that gives out codes or tokens', async () => {
    const places = ['/authorize', '/oauth/authorize', '/token', '/oauth/token', '/register', '/oauth/register']
    const described = ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource']
    for (const path of [...places, ...described.map((name) => `/.well-known/${name}`)])
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${base}${path}?client_id=x&redirect_uri=http://127.0.0.1/cb&response_type=code`, {
          method,
          redirect: 'manual',
        })
        expect([path, [404, 405].includes(answer.status)]).toEqual([path, true])
        expect(answer.headers.get('location')).toBeNull()
      }
  })
})

describe('T37 a path of a file that is served', () => {
  it('stays in its folder, however it is written', async () => {
    const ways = ['..%2f', '%2e%2e/', '..%5c', '....//', '%2e%2e%2f', '.%00./', '..;/', '%c0%ae%c0%ae/']
    const wanted = ['package.json', 'admin.key', 'data/admin.key', 'etc/passwd', 'cli/main.js']
    for (const folder of ['/', '/assets/', '/console/'])
      for (const way of ways)
        for (const file of wanted) {
          const path = `${folder}${way.repeat(6)}${file}`
          const text = await (await fetch(`${base}${path}`)).text()
          // A page of the console is what an unknown path of it gives.
          expect([path, text.includes(adminKey) || text.includes('root:') || text.includes('"dependencies"')]).toEqual([
            path,
            false,
          ])
        }
  })
})
