import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AuthorizationHost, openAuthorizationHost } from '../../../test/helpers/authorization-host.js'
import { systemClock } from '../../model/clock.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import { identityOf, providerSessionId } from '../identity.js'
import { IssuerKeys } from '../tokens/issuer-keys.js'

let host: AuthorizationHost
let issuer = ''
let server: Server
let keys: Awaited<ReturnType<typeof generateKeyPair>>
let others: typeof keys
let isDown = false
const used = createMemoryDocuments()

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
})
afterAll(async () => {
  await host[Symbol.asyncDispose]()
  server.close()
})
afterEach(async () => {
  for (const { id } of host.sessions.list()) await host.sessions.end(id, 'ended')
  host.deeds.length = 0
})

const open = () =>
  openAuthorizationHost({
    clock: systemClock,
    logout: { issuer, clientId: 'pegboard', used, keys: new IssuerKeys({ issuer, fetch, clock: systemClock }) },
  })

const event = 'http://schemas.openid.net/event/backchannel-logout'
let count = 0
const logoutToken = (
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  key = keys.privateKey,
): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({
    ...{ iss: issuer, aud: 'pegboard', sub: 'alice', sid: 'one', jti: `jti-${count++}`, iat: now, exp: now + 120 },
    events: { [event]: {} },
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'logout+jwt', ...header })
    .sign(key)
}
const say = async (body: string | URLSearchParams, headers: Record<string, string> = {}, at = host) => {
  const response = await fetch(`${at.url}/backchannel-logout`, { method: 'POST', body, headers })
  const answer = { status: response.status, caching: response.headers.get('cache-control') }
  return { ...answer, text: await response.text() }
}
const tell = (text: string) => say(new URLSearchParams({ logout_token: text }))
const person = (subject: string, at = issuer) => identityOf({ issuer: at, subject, groups: ['eng'] })
const begin = (facts: object): Promise<{ readonly id: string }> =>
  host.sessions.begin({ kind: 'client', endsAt: Date.now() + 60_000, ...facts })
const left = () =>
  host.sessions.list().map(({ identity, providerSession, keyId }) => keyId ?? `${identity?.subject} ${providerSession}`)

describe('the word of the identity provider that somebody signed out', () => {
  const [one, two] = ['one', 'two'].map(providerSessionId)

  it('ends the sessions of that sign-in, in clients and at the console, and those of which nobody knows', async () => {
    await begin({ identity: person('alice'), providerSession: one })
    await begin({ identity: person('alice'), providerSession: one, kind: 'console' })
    await begin({ identity: person('alice') })
    await begin({ identity: person('alice'), providerSession: two })
    await begin({ identity: person('alice'), keyId: 'a-key' })
    await begin({ identity: person('bob'), providerSession: two })
    await begin({ identity: person('bob') })
    await begin({ identity: person('alice', 'https://other.example'), providerSession: one })
    expect(await tell(await logoutToken())).toMatchObject({ status: 200, caching: 'no-store' })
    const rest = [`alice ${two}`, 'a-key', `bob ${two}`, 'bob undefined', `alice ${one}`]
    expect(left().sort()).toEqual(rest.sort())
    expect(host.deeds).toMatchObject([
      { kind: 'sign-out', action: 'provider', on: { type: 'person', id: person('alice').id }, outcome: 'ok' },
    ])
  })

  it('ends all of a person without the name of a sign-in, and that sign-in without the name of a person', async () => {
    await begin({ identity: person('alice'), providerSession: one })
    await begin({ identity: person('alice'), providerSession: two })
    await begin({ identity: person('bob'), providerSession: two })
    await begin({ identity: person('bob') })
    expect((await tell(await logoutToken({ sid: undefined }))).status).toBe(200)
    expect(left().sort()).toEqual([`bob ${two}`, 'bob undefined'])
    expect((await tell(await logoutToken({ sid: 'two', sub: undefined }))).status).toBe(200)
    expect(left()).toEqual(['bob undefined'])
  })

  it('is believed of those whom nobody knows, and by providers with a shorter grammar', async () => {
    expect((await tell(await logoutToken({ sub: 'nobody', sid: 'none' }))).status).toBe(200)
    expect((await tell(await logoutToken({ exp: undefined }, { typ: undefined }))).status).toBe(200)
    expect((await tell(await logoutToken({ aud: ['pegboard', 'another'] }, { typ: 'JWT' }))).status).toBe(200)
    expect(host.deeds).toEqual([])
  })

  it('counts once, also where it comes many times at once', async () => {
    const text = await logoutToken()
    const all = await Promise.all(Array.from({ length: 5 }, () => tell(text)))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    await begin({ identity: person('alice'), providerSession: one })
    expect(await tell(text)).toMatchObject({ status: 400, caching: 'no-store' })
    expect(left()).toHaveLength(1)
  })

  it('is not taken where anything of it is wrong', async () => {
    const now = Math.floor(Date.now() / 1000)
    const wrong: [string, Record<string, unknown>, Record<string, unknown>?][] = [
      ['issuer', { iss: 'https://evil.example' }],
      ['audience', { aud: 'another' }],
      ['no audience', { aud: undefined }],
      ['nonce', { nonce: 'n' }],
      ['empty nonce', { nonce: null }],
      ['no event', { events: undefined }],
      ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
      ['an event that is none', { events: { [event]: true } }],
      ['events as a list', { events: [event] }],
      ['inherited event', { events: JSON.parse(`{"__proto__":{"${event}":{}}}`) }],
      ['neither sub nor sid', { sub: undefined, sid: undefined }],
      ['empty sub', { sub: '', sid: undefined }],
      ['sub of another kind', { sub: 7, sid: undefined }],
      ['sid of another kind', { sid: { a: 1 } }],
      ['no jti', { jti: undefined }],
      ['jti of another kind', { jti: 7 }],
      ['jti without an end', { jti: 'j'.repeat(513) }],
      ['no iat', { iat: undefined }],
      ['iat ahead', { iat: now + 600, exp: now + 900 }],
      ['old, without an end', { iat: now - 3600, exp: undefined }],
      ['old, with a late end', { iat: now - 3600, exp: now + 3600 }],
      ['expired', { iat: now - 500, exp: now - 200 }],
      ['an access token', {}, { typ: 'at+jwt' }],
      ['an assertion', {}, { typ: 'oauth-id-jag+jwt' }],
      ['unknown key', {}, { kid: 'two' }],
      ['unknown crit', {}, { crit: ['exp'], exp: 1 }],
    ]
    await begin({ identity: person('alice'), providerSession: one })
    for (const [what, claims, header] of wrong) {
      const text = await logoutToken(claims, header).catch(() => 'a.b.c')
      expect(await tell(text), what).toMatchObject({ status: 400, caching: 'no-store' })
    }
    expect((await tell(await logoutToken({}, {}, others.privateKey))).status).toBe(400)
    const good = await logoutToken()
    const [head, body] = good.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const text of [`${none}.${body}.`, `${head}.${body}.`, `${head}.${body}`, '', 'x'.repeat(20_000)])
      expect((await tell(text)).status).toBe(400)
    const twice = `logout_token=${good}&logout_token=${good}`
    expect((await say(new URLSearchParams(twice))).status).toBe(400)
    expect((await say('')).status).toBe(415)
    expect((await say('{}', { 'content-type': 'application/json' })).status).toBe(415)
    expect((await say(new URLSearchParams({ logout_token: 'x'.repeat(40_000) }))).status).toBe(413)
    expect((await fetch(`${host.url}/backchannel-logout?logout_token=${good}`)).status).toBe(405)
    expect(left()).toHaveLength(1)
    expect(host.deeds).toEqual([])
  })

  it('is refused in words of ours, whatever is sent (property)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 200 }), async (text) => {
        const answer = await tell(text)
        expect(answer.status).toBe(400)
        expect(JSON.parse(answer.text)).toMatchObject({ error: 'invalid_request' })
      }),
      { numRuns: 30 },
    )
  })

  it('may be said again where the keys of the provider, or our own store, are away', async () => {
    await using late = await open()
    isDown = true
    const body = new URLSearchParams({ logout_token: await logoutToken() })
    expect((await say(body, {}, late)).status).toBe(503)
    isDown = false
    const session = await begin({ identity: person('alice'), providerSession: one })
    const { end } = host.sessions
    host.sessions.end = () => Promise.reject(new Error('away'))
    const text = await logoutToken()
    expect((await tell(text)).status).toBe(500)
    host.sessions.end = end
    expect((await tell(text)).status).toBe(200)
    expect(host.sessions.find(session.id)).toBeUndefined()
  })
})
