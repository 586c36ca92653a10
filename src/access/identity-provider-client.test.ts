import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../../test/helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../../test/helpers/identity-provider.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { systemClock } from '../model/clock.js'
import type { Logger } from '../telemetry/logger.js'
import type { SignInRound } from './identity-provider.js'
import { createIdentityProvider, type IdentityProviderOptions } from './identity-provider-client.js'

const redirectUri = 'http://127.0.0.1:9/callback'
const newRound = (): SignInRound => ({
  redirectUri,
  state: randomBytes(16).toString('base64url'),
  nonce: randomBytes(16).toString('base64url'),
  codeVerifier: randomBytes(32).toString('base64url'),
})

const clientOf = (
  provider: Pick<TestProvider, 'issuer' | 'clientId' | 'clientSecret'>,
  more: Partial<IdentityProviderOptions> = {},
) =>
  createIdentityProvider({
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    scopes: ['openid', 'profile', 'email'],
    claims: { name: 'preferred_username', groups: 'groups' },
    fetch,
    clock: systemClock,
    groupsNeeded: () => true,
    ...more,
  })

// Making its keys takes longer than any of the tests.
let shared: TestProvider
beforeAll(async () => {
  shared = await startIdentityProvider()
  shared.allowRedirect(redirectUri)
})
afterAll(() => shared[Symbol.asyncDispose]())

const startProvider = (): TestProvider => {
  shared.up()
  shared.log.length = 0
  shared.signsInAs = 'alice'
  return shared
}

/** What the browser brings back. */
const walk = async (url: URL): Promise<URLSearchParams> => {
  const { url: back } = await createBrowser().open(url.href, (each) => each.startsWith(redirectUri))
  return new URL(back).searchParams
}

describe('a sign-in at the identity provider', () => {
  it('tells who came back, and asks again until they are gone', async () => {
    const provider = startProvider()
    const client = clientOf(provider)
    const round = newRound()
    const url = await client.begin(round)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile email',
      nonce: round.nonce,
    })
    expect(url.href).not.toContain(provider.clientSecret)
    const signedIn = await client.finish(await walk(url), round)
    expect(signedIn).toMatchObject({
      identity: {
        issuer: provider.issuer,
        subject: 'alice',
        name: 'alice',
        email: 'alice@example.com',
        groups: ['eng'],
      },
      refreshToken: expect.any(String),
      accessToken: expect.any(String),
      idToken: expect.any(String),
    })
    provider.accounts.alice!.groups = ['ops']
    const again = await client.again(signedIn.refreshToken!)
    expect(again).toMatchObject({ identity: { id: signedIn.identity.id, groups: ['ops'] } })
    provider.accounts.alice!.disabled = true
    expect(await client.again((again as typeof signedIn).refreshToken!)).toBe('ended')
    Object.assign(provider.accounts.alice!, { disabled: false, groups: ['eng'] })
    // Where it is was asked once.
    expect(provider.log.filter((line) => line.includes('openid-configuration'))).toHaveLength(1)
  })

  it('asks userinfo only for what the ID token leaves open', async () => {
    const provider = startProvider()
    const [client, round] = [clientOf(provider), newRound()]
    await client.finish(await walk(await client.begin(round)), round)
    expect(provider.log.filter((line) => line.endsWith('/me'))).toHaveLength(0)
    const other = newRound()
    const more = clientOf(provider, { claims: { name: 'preferred_username', groups: 'roles' } })
    await expect(more.finish(await walk(await more.begin(other)), other)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: expect.stringMatching(/'roles' is missing.*auth\.people\.claims\.groups/),
      details: { claim: 'roles', setting: 'auth.people.claims.groups' },
    })
    expect(provider.log.filter((line) => line.endsWith('/me'))).toHaveLength(1)
  })

  it('of somebody without the groups claim fails loudly, unless no grant asks for groups', async () => {
    const provider = startProvider()
    provider.signsInAs = 'dave'
    const [client, round] = [clientOf(provider), newRound()]
    await expect(client.finish(await walk(await client.begin(round)), round)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: expect.stringContaining("'groups' is missing"),
    })
    const [relaxed, second] = [clientOf(provider, { groupsNeeded: () => false }), newRound()]
    expect(await relaxed.finish(await walk(await relaxed.begin(second)), second)).toMatchObject({
      identity: { subject: 'dave' },
    })
  })

  it('with a wrong secret names the setting and no secret', async () => {
    const provider = startProvider()
    const wrong = 'canary-of-a-wrong-secret'
    const [client, round] = [
      clientOf({ ...provider, issuer: provider.issuer, clientId: 'pegboard', clientSecret: wrong }),
      newRound(),
    ]
    const error = await client.finish(await walk(await client.begin(round)), round).catch((each: unknown) => each)
    expect(error).toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: expect.stringContaining('auth.people.clientSecret'),
      details: { setting: 'auth.people.clientSecret' },
    })
    expect((error as Error).cause).toBeUndefined()
    expect(JSON.stringify(error)).not.toContain('canary')
  })

  it.each([
    ['ahead', 60],
    ['behind', -60],
  ])('with a clock that is an hour %s says so', async (_, minutes) => {
    const provider = startProvider()
    const clock = new VirtualClock(Date.now() + minutes * 60_000)
    const [client, round] = [clientOf(provider, { clock }), newRound()]
    await expect(client.finish(await walk(await client.begin(round)), round)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: expect.stringMatching(/clocks differ.*Set the clock/),
    })
  })

  it('with a clock that is half a minute off works', async () => {
    const provider = startProvider()
    for (const seconds of [-30, 30]) {
      const clock = new VirtualClock(Date.now() + seconds * 1000)
      const [client, round] = [clientOf(provider, { clock }), newRound()]
      expect(await client.finish(await walk(await client.begin(round)), round)).toMatchObject({
        identity: { subject: 'alice' },
      })
    }
  })

  it('is away while the provider is, and works when it is back', async () => {
    const provider = startProvider()
    const [client, round] = [clientOf(provider), newRound()]
    provider.down()
    await expect(client.begin(round)).rejects.toMatchObject({
      code: 'ISSUER_UNAVAILABLE',
      message: expect.stringContaining('auth.people.issuer'),
    })
    provider.up()
    const back = await walk(await client.begin(round))
    const { refreshToken } = await client.finish(back, round)
    provider.down()
    expect(await client.again(refreshToken!)).toBe('away')
    provider.up()
    expect(await client.again(refreshToken!)).toMatchObject({ identity: { subject: 'alice' } })
  })

  it('at an address where nobody is says that it is away, and the log says so once a minute', async () => {
    const lines: string[] = []
    const logger: Logger = { log: (level, text) => void lines.push(`${level} ${text}`), child: () => logger }
    const clock = new VirtualClock()
    const client = clientOf({ issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y' }, { logger, clock })
    const isAway = () => expect(client.begin(newRound())).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE' })
    await isAway()
    await isAway()
    expect(lines).toEqual([expect.stringMatching(/^warn People cannot sign in: .*auth\.people\.issuer/)])
    await clock.advance(60_000)
    await isAway()
    expect(lines).toHaveLength(2)
    expect(await client.again('r')).toBe('away')
  })

  it.each([
    ['of another issuer (mix-up)', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
    ['without the issuer that it promises', (query: URLSearchParams) => query.delete('iss')],
    ['with another state', (query: URLSearchParams) => query.set('state', 'other')],
    ['with another code', (query: URLSearchParams) => query.set('code', 'other')],
    ['that is an error', (query: URLSearchParams) => query.set('error', 'access_denied')],
    ['that is an error with words', (query: URLSearchParams) => query.set('error', '<script>canary</script>')],
  ])('refuses an answer %s', async (_, change) => {
    const provider = startProvider()
    const [client, round] = [clientOf(provider), newRound()]
    const query = await walk(await client.begin(round))
    change(query)
    const error = await client.finish(query, round).catch((each: unknown) => each)
    expect(error).toMatchObject({ code: 'SIGN_IN_FAILED' })
    expect((error as Error).message).not.toMatch(/canary|evil/)
  })

  it.each([
    ['nonce', { nonce: 'another-nonce' }],
    ['verifier', { codeVerifier: randomBytes(32).toString('base64url') }],
  ])('refuses a code whose %s is that of another sign-in', async (_, change) => {
    const provider = startProvider()
    const [client, round] = [clientOf(provider), newRound()]
    const query = await walk(await client.begin(round))
    await expect(client.finish(query, { ...round, ...change })).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
  })

  it('takes a code once', async () => {
    const provider = startProvider()
    const [client, round] = [clientOf(provider), newRound()]
    const query = await walk(await client.begin(round))
    await client.finish(query, round)
    await expect(client.finish(query, round)).rejects.toMatchObject({
      code: 'SIGN_IN_FAILED',
      message: expect.stringContaining('Begin again'),
    })
  })

  it('is refused by configuration over plain HTTP, and without openid', () => {
    const from = (issuer: string) => clientOf({ issuer, clientId: 'x', clientSecret: 'y' })
    expect(() => from('http://idp.example')).toThrow('must be https')
    expect(() =>
      clientOf({ issuer: 'https://idp.example', clientId: 'x', clientSecret: 'y' }, { scopes: ['email'] }),
    ).toThrow('openid')
  })
})

describe('an identity provider that is not as it should be', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const { privateKey: other } = generateKeyPairSync('rsa', { modulusLength: 2048 })

  /** A hand-made one: what it says can be bent. */
  const startBent = async (bend: {
    readonly metadata?: object | undefined
    readonly claims?: object | undefined
    readonly header?: object | undefined
    readonly userinfo?: object | undefined
    readonly key?: 'other' | undefined
  }) => {
    const asked: { authorization?: string | undefined; body: string }[] = []
    const state = { nonce: '' }
    const server = createServer(async (request, response) => {
      const answer = (body: object) =>
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      const { pathname } = new URL(request.url!, issuer())
      if (pathname === '/.well-known/openid-configuration')
        return answer({
          issuer: issuer(),
          authorization_endpoint: `${issuer()}/authorize`,
          token_endpoint: `${issuer()}/token`,
          jwks_uri: `${issuer()}/keys`,
          ...(bend.userinfo && { userinfo_endpoint: `${issuer()}/me` }),
          ...bend.metadata,
        })
      if (pathname === '/keys')
        return answer({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }] })
      if (pathname === '/me') return answer(bend.userinfo!)
      let body = ''
      for await (const chunk of request) body += chunk
      asked.push({ authorization: request.headers.authorization, body })
      const now = Math.floor(Date.now() / 1000)
      const parts = [
        { alg: 'RS256', kid: 'k', ...bend.header },
        {
          iss: issuer(),
          sub: 'a',
          aud: 'x',
          exp: now + 600,
          iat: now,
          nonce: state.nonce,
          groups: [],
          name: 'A',
          ...bend.claims,
        },
      ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      const signature = sign('RSA-SHA256', Buffer.from(parts.join('.')), bend.key === 'other' ? other : privateKey)
      return answer({
        access_token: 't',
        token_type: 'Bearer',
        id_token: `${parts.join('.')}.${signature.toString('base64url')}`,
      })
    })
    const issuer = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const finish = async (options: Partial<IdentityProviderOptions> = {}) => {
      const client = clientOf({ issuer: issuer(), clientId: 'x', clientSecret: 'y' }, options)
      const round = newRound()
      state.nonce = round.nonce
      await client.begin(round)
      return client.finish(new URLSearchParams({ code: 'c', state: round.state }), round)
    }
    return { finish, asked, [Symbol.asyncDispose]: async () => void server.close() }
  }

  it('is otherwise taken', async () => {
    await using bent = await startBent({})
    expect(await bent.finish()).toMatchObject({ identity: { subject: 'a', groups: [] }, refreshToken: undefined })
    expect(bent.asked[0]!.authorization).toMatch(/^Basic /)
  })

  it('is sent the secret in the body where it takes it only there', async () => {
    await using bent = await startBent({ metadata: { token_endpoint_auth_methods_supported: ['client_secret_post'] } })
    await bent.finish()
    expect(bent.asked).toMatchObject([{ authorization: undefined, body: expect.stringContaining('client_secret=y') }])
  })

  it.each([
    ['another audience', { claims: { aud: 'other' } }],
    ['several audiences without azp', { claims: { aud: ['x', 'other'] } }],
    ["another client's azp", { claims: { azp: 'other' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['no end', { claims: { exp: undefined } }],
    ['another nonce', { claims: { nonce: 'other' } }],
    ['alg none', { header: { alg: 'none' } }],
    ['HS256', { header: { alg: 'HS256' } }],
    ['an unknown key', { header: { kid: 'other' } }],
    ['an unknown crit', { header: { crit: ['x'], x: 1 } }],
    ["somebody else's signature", { key: 'other' } as const],
    ["Entra's overage", { claims: { groups: undefined, _claim_names: { groups: 'src1' } } }],
    ["somebody else's userinfo", { claims: { groups: undefined }, userinfo: { sub: 'b', groups: ['admin'] } }],
    ['no way to authenticate', { metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } }],
    ['another name of itself', { metadata: { issuer: 'https://evil.example' } }],
  ])('is refused with %s', async (_, bend) => {
    await using bent = await startBent(bend)
    await expect(bent.finish()).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
  })

  it('adds what userinfo says of the same subject, never over the ID token', async () => {
    await using bent = await startBent({
      claims: { groups: undefined },
      userinfo: { sub: 'a', groups: ['eng'], name: 'not this', iss: 'https://evil.example' },
    })
    expect(await bent.finish()).toMatchObject({ identity: { name: 'A', groups: ['eng'] } })
  })
})
