import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuthorizationHost,
  openAuthorizationHost,
  registered,
  trade,
} from '../../../test/helpers/authorization-host.js'
import { systemClock } from '../../model/clock.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import { IssuerKeys } from '../tokens/issuer-keys.js'

let host: AuthorizationHost
let client: string
let issuer = ''
let server: Server
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let others: typeof keys
let isDown = false

beforeAll(async () => {
  keys = await generateKeyPair('ES256')
  others = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  server = createServer(({ url }, response) => {
    if (isDown) return void response.writeHead(503).end()
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(url === '/keys' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  host = await open()
  client = await registered(host.url)
})
afterAll(async () => {
  await host[Symbol.asyncDispose]()
  server.close()
})

const open = () =>
  openAuthorizationHost({
    clock: systemClock,
    assertions: {
      issuer,
      keys: new IssuerKeys({ issuer, fetch, clock: systemClock }),
      claims: { names: { name: 'name', groups: 'groups' }, setting: 'auth.people.claims', groupsNeeded: false },
      used: createMemoryDocuments(),
    },
  })

let count = 0
const assertion = async (
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key = keys.privateKey,
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    iss: issuer,
    sub: 'alice',
    aud: host.url,
    client_id: client,
    resource: `${host.url}/mcp`,
    scope: 'mcp:call',
    jti: `jti-${count++}`,
    iat: now,
    exp: now + 300,
    groups: ['eng'],
    name: 'Alice',
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt', ...header })
    .sign(key)
}
const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const bring = (text: string | undefined, more: Record<string, string | undefined> = {}) =>
  trade(host.url, { grant_type: grantType, assertion: text, client_id: client, ...more })

describe('an assertion of the identity provider (ID-JAG)', () => {
  it('lets a client in that it manages, for the person and the endpoint that it names', async () => {
    const metadata = await (await fetch(`${host.url}/.well-known/oauth-authorization-server`)).json()
    expect((metadata as { grant_types_supported: string[] }).grant_types_supported).toContain(grantType)
    const tokens = await bring(await assertion())
    expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', scope: 'mcp:call' })
    expect(tokens.refresh_token).toBeUndefined()
    expect(host.server.bearers.verify(tokens.access_token, `${host.url}/mcp`)).toMatchObject({
      caller: { kind: 'person', identity: { issuer, subject: 'alice', name: 'Alice' }, rights: ['discover', 'call'] },
    })
    expect(host.deeds.at(-1)).toMatchObject({ kind: 'sign-in', actor: { via: 'id-jag', name: 'Alice' }, outcome: 'ok' })
  })

  it('counts once, also for many who bring it at the same time', async () => {
    const text = await assertion()
    const all = await Promise.all(Array.from({ length: 5 }, () => bring(text)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await bring(text)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it('is not taken where anything of it is wrong', async () => {
    const now = Math.floor(Date.now() / 1000)
    const wrong: [string, Record<string, unknown>, Record<string, unknown>?][] = [
      ['issuer', { iss: 'https://evil.example' }],
      ['audience', { aud: 'https://other.example' }],
      ['audience, its own client', { aud: 'pegboard' }],
      ['client', { client_id: 'https://other.example/client' }],
      ['no client', { client_id: undefined }],
      ['no subject', { sub: undefined }],
      ['no jti', { jti: undefined }],
      ['a jti that is none', { jti: { a: 1 } }],
      ['over', { iat: now - 600, exp: now - 300 }],
      ['from ahead', { iat: now + 600, exp: now + 900 }],
      ['too long', { exp: now + 86_400 }],
      ['an ID token', {}, { typ: 'JWT' }],
      ['an access token', {}, { typ: 'at+jwt' }],
      ['no type', {}, { typ: undefined }],
      ['another key', {}, { kid: 'two' }],
    ]
    for (const [what, claims, header] of wrong)
      expect(await bring(await assertion(claims, header)), what).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await bring(await assertion({}, {}, others.privateKey))).toMatchObject({ error: 'invalid_grant' })
    expect(await bring('a.b.c')).toMatchObject({ error: 'invalid_grant' })
    expect(await bring(undefined)).toMatchObject({ error: 'invalid_grant' })
    expect(await bring('x'.repeat(20_000))).toMatchObject({ error: 'invalid_grant' })
    for (const resource of ['https://other.example/mcp', undefined, 7])
      expect((await bring(await assertion({ resource }))).error).toMatch(/^invalid_(target|grant)$/)
    expect(await bring(await assertion(), { resource: `${host.url}/mcp/eng` })).toMatchObject({
      error: 'invalid_target',
    })
    expect(await bring(await assertion(), { client_id: 'https://other.example/c' })).toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('gives nobody more than the grants do', async () => {
    expect(await bring(await assertion({ groups: ['sales'] }))).toMatchObject({ status: 403, error: 'access_denied' })
    expect(await bring(await assertion({ groups: undefined }))).toMatchObject({ status: 403, error: 'access_denied' })
    expect(await bring(await assertion({ groups: 7 }))).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await bring(await assertion({ resource: `${host.url}/mcp/sales` }))).toMatchObject({ status: 403 })
    const read = await bring(await assertion({ resource: `${host.url}/mcp/eng`, scope: 'mcp:read board:admin' }))
    expect(host.server.bearers.verify(read.access_token, `${host.url}/mcp/eng`)).toMatchObject({
      caller: { rights: ['discover', 'call:readonly'] },
    })
  })

  it('waits where the provider cannot be asked for its keys', async () => {
    isDown = true
    const away = await open()
    const tokens = await trade(away.url, {
      ...{
        grant_type: grantType,
        assertion: await assertion({ aud: away.url }),
        client_id: await registered(away.url),
      },
    })
    expect(tokens).toMatchObject({ status: 503, error: 'temporarily_unavailable' })
    isDown = false
    await away[Symbol.asyncDispose]()
  })
})
