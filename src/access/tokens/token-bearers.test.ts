import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { exportJWK, type JWK, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { AuthResult } from '../../http/auth.js'
import { createMemoryDocuments } from '../../storage/memory/memory-documents.js'
import type { GrantRow } from '../grants.js'
import { identityId } from '../identity.js'
import { askEveryMs, freshMs, longestMs } from './issuer-keys.js'
import { TokenBearers, type TokenBearersOptions, type TrustedIssuer } from './token-bearers.js'

const issuer = 'https://auth.example.com'
const endpoint = 'https://tools.example.com/mcp'
const grants: readonly GrantRow[] = [
  { groups: ['eng'], role: 'caller', profiles: ['eng', 'default'] },
  { clients: ['ci-bot'], role: 'reader' },
  { people: ['ann@example.com'], role: 'admin', profiles: ['*'] },
]

interface Key {
  readonly kid: string
  readonly secret: KeyObject
  readonly jwk: JWK
}

const newKey = async (kid: string, kind: 'RSA' | 'EC' = 'RSA'): Promise<Key> => {
  const { privateKey, publicKey } =
    kind === 'RSA'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, secret: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } }
}
const first = await newKey('first')
const second = await newKey('second')
const curve = await newKey('curve', 'EC')

/** An issuer as its documents say it, with every request counted. */
class Far {
  keys: readonly object[] = [first.jwk]
  log: string[] = []
  answer: ((url: URL, init: RequestInit) => Response | Promise<Response> | undefined) | undefined
  description: object = { issuer, jwks_uri: `${issuer}/keys`, introspection_endpoint: `${issuer}/introspect` }
  readonly fetch = (async (input: URL, init: RequestInit = {}) => {
    this.log.push(`${init.method ?? 'GET'} ${input.pathname}`)
    const own = await this.answer?.(input, init)
    if (own) return own
    if (input.pathname === '/.well-known/openid-configuration') return Response.json(this.description)
    if (input.pathname === '/keys') return Response.json({ keys: this.keys })
    return new Response('', { status: 404 })
  }) as typeof fetch
  get fetched(): number {
    return this.log.filter((line) => line === 'GET /keys').length
  }
}

const start = (
  more: Partial<TrustedIssuer> = {},
  options: Partial<TokenBearersOptions> = {},
  far = new Far(),
  clock = new VirtualClock(),
) => {
  const trusted: TrustedIssuer = {
    issuer,
    algorithms: ['RS256', 'ES256'],
    clockSkewSeconds: 30,
    claims: { name: 'preferred_username', groups: 'groups' },
    ...more,
  }
  const bearers = new TokenBearers({ issuers: [trusted], fetch: far.fetch, clock, grants: () => grants, ...options })
  const show = async (token: string, at = endpoint) => told(await bearers.verify(token, at))
  const sign = (
    claims: object = {},
    { key = first, header = {} }: { key?: Key | undefined; header?: object | undefined } = {},
  ) => {
    const now = Math.floor(clock.wall() / 1000)
    const whole = { iss: issuer, sub: 'u1', aud: endpoint, iat: now, exp: now + 600, groups: ['eng'], ...claims }
    const alg = key.jwk.kty === 'EC' ? 'ES256' : 'RS256'
    return new SignJWT(JSON.parse(JSON.stringify(whole)))
      .setProtectedHeader({ alg, kid: key.kid, ...header } as never)
      .sign(key.secret)
  }
  return { bearers, show, sign, far, clock }
}

const told = (result: AuthResult): string =>
  'refused' in result ? `${result.refused.status} ${result.refused.message}` : result.caller.id

const ann = identityId(issuer, 'u1')

describe('an access token of another issuer', () => {
  it('is whom its issuer and subject say, with what their groups are given', async () => {
    const { bearers, sign } = start()
    const result = await bearers.verify(await sign({ preferred_username: 'ann' }), endpoint)
    expect(result).toMatchObject({
      caller: {
        id: ann,
        kind: 'person',
        rights: ['discover', 'call'],
        profile: 'eng',
        profiles: ['eng', 'default'],
        identity: { issuer, subject: 'u1', name: 'ann', groups: ['eng'] },
      },
      granted: ['discover', 'call'],
    })
  })

  it('is known again without a promise and without asking anybody', async () => {
    const { bearers, sign, show, far } = start()
    const token = await sign()
    await show(token)
    const asked = far.log.length
    expect('then' in bearers.verify(token, endpoint)).toBe(false)
    expect(far.log.length).toBe(asked)
  })

  it('is narrowed by its scopes, and a role that has more is remembered', async () => {
    const { bearers, sign } = start()
    expect(await bearers.verify(await sign({ scope: 'openid mcp:read' }), endpoint)).toMatchObject({
      caller: { rights: ['discover', 'call:readonly'] },
      granted: ['discover', 'call'],
    })
    expect(await bearers.verify(await sign({ scp: ['profile'] }), endpoint)).toMatchObject({ caller: { rights: [] } })
  })

  it('of a machine is for rows that name its client', async () => {
    const { bearers, sign } = start()
    const asMachine = { caller: { kind: 'machine', client: 'ci-bot', rights: ['discover', 'call:readonly'] } }
    for (const claims of [
      { sub: 'ci-bot', client_id: 'ci-bot', groups: undefined },
      { sub: 'x@clients', azp: 'ci-bot', gty: 'client-credentials', groups: undefined },
      { sub: 'uuid', azp: 'ci-bot', client_id: 'ci-bot', clientHost: '10.0.0.1', groups: undefined },
      { sub: 'oid', azp: 'ci-bot', idtyp: 'app', groups: undefined },
    ])
      expect(await bearers.verify(await sign(claims), endpoint)).toMatchObject(asMachine)
    // Somebody who signed in by that client is not that client, whatever they call themselves.
    expect(
      told(
        await bearers.verify(
          await sign({ azp: 'ci-bot', preferred_username: 'service-account-ci-bot', groups: [] }),
          endpoint,
        ),
      ),
    ).toMatch(/^403 /)
    const all = start({ subjects: 'machines' })
    expect(await all.bearers.verify(await all.sign({ sub: 'ci-bot', groups: undefined }), endpoint)).toMatchObject({
      caller: { kind: 'machine' },
    })
  })

  it('brings an address only where its issuer has verified it', async () => {
    const { show, sign } = start()
    const email = 'Ann@example.com'
    expect(await show(await sign({ groups: [], email, email_verified: true }))).toBe(ann)
    expect(await show(await sign({ groups: [], email, email_verified: 'true' }))).toMatch(/^403 /)
    expect(await show(await sign({ groups: [], email }))).toMatch(/^403 /)
  })

  it('finds groups by a path, and says which claim is missing', async () => {
    const { show, sign } = start({ claims: { name: 'name', groups: 'realm_access.roles' } })
    expect(await show(await sign({ realm_access: { roles: ['eng'] } }))).toBe(ann)
    expect(await show(await sign())).toMatch(/^403 .*'realm_access\.roles'/)
  })

  it('of somebody without a row is refused plainly, so that no client signs in again for nothing', async () => {
    const { bearers, sign } = start()
    const result = await bearers.verify(await sign({ groups: ['sales'] }), endpoint)
    expect(told(result)).toMatch(/^403 Nobody has given you a role/)
  })
})

describe('a token that must not count', () => {
  const { sign, show, far, clock } = start()
  const now = () => Math.floor(clock.wall() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('is for another endpoint, of another issuer, over, not yet begun, or without what it needs (I2)', async () => {
    expect(await show(await sign({ aud: 'https://tools.example.com/mcp/eng' }))).toMatch(/^401 .*audience/)
    expect(await show(await sign(), 'https://tools.example.com/mcp/eng')).toMatch(/^401 .*audience/)
    expect(await show(await sign(), 'https://other.example.com/mcp')).toMatch(/^401 .*audience/)
    expect(await show(await sign({ aud: undefined }))).toMatch(/^401 .*audience/)
    expect(await show(await sign({ iss: 'https://evil.example' }))).toMatch(/^401 .*no issuer/)
    expect(await show(await sign({ iss: `${issuer}/` }))).toMatch(/^401 .*no issuer/)
    expect(await show(await sign({ exp: now() - 31 }))).toMatch(/^401 .*expired/)
    expect(await show(await sign({ exp: now() - 29 }))).toBe(ann)
    expect(await show(await sign({ nbf: now() + 31 }))).toMatch(/^401 .*clock/)
    expect(await show(await sign({ iat: now() + 3600 }))).toMatch(/^401 .*clock/)
    expect(await show(await sign({ exp: undefined }))).toMatch(/^401 /)
    expect(await show(await sign({ sub: undefined }))).toMatch(/^401 /)
  })

  it('is an ID token, a refresh token, a logout token, a proof, or bound to a key (I2)', async () => {
    for (const claims of [{ nonce: 'n' }, { at_hash: 'x' }, { c_hash: 'x' }, { typ: 'ID' }])
      expect(await show(await sign(claims))).toMatch(/^401 .*ID token/)
    for (const claims of [{ typ: 'Refresh' }, { events: {} }, { cnf: { jkt: 'x' } }])
      expect(await show(await sign(claims))).toMatch(/^401 /)
    for (const typ of ['logout+jwt', 'dpop+jwt', 'oauth-id-jag+jwt', 'secevent+jwt'])
      expect(await show(await sign({}, { header: { typ } }))).toMatch(/^401 .*type/)
    for (const typ of ['JWT', 'at+jwt', 'application/at+jwt'])
      expect(await show(await sign({}, { header: { typ } }))).toBe(ann)
  })

  it('is signed by nobody, by the public key as a secret, or in a way that was not agreed (I1)', async () => {
    const claims = { iss: issuer, sub: 'u1', aud: endpoint, iat: now(), exp: now() + 60, groups: ['eng'] }
    for (const alg of ['none', 'None', 'nOnE', 'HS256']) {
      const text = `${part({ alg, kid: 'first' })}.${part(claims)}`
      const secret = JSON.stringify(first.jwk)
      const mac = createHmac('sha256', secret).update(text).digest('base64url')
      expect(await show(`${text}.${mac}`)).toMatch(/^401 .*alg/)
      expect(await show(`${text}.`)).toMatch(/^401 /)
    }
    const ps = await new SignJWT(claims).setProtectedHeader({ alg: 'PS256', kid: 'first' }).sign(first.secret)
    expect(await show(ps)).toMatch(/^401 .*alg/)
    // A key of another kind than the algorithm says.
    const [, body, signature] = (await sign()).split('.')
    expect(await show(`${part({ alg: 'ES256', kid: 'first' })}.${body}.${signature}`)).toMatch(/^401 /)
  })

  it('brings its own key along, or says where it lies: neither is looked at (I1)', async () => {
    const asked = far.log.length
    const evil = await newKey('first')
    for (const header of [
      { jwk: evil.jwk },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/cert' },
      { x5c: ['MIIB'] },
    ])
      expect(await show(await sign({}, { key: evil, header }))).toMatch(/^401 .*not signed/)
    expect(far.log.slice(asked).filter((line) => line.includes('evil'))).toEqual([])
  })

  it('asks for something that must be understood (I1)', async () => {
    const [, body, signature] = (await sign()).split('.')
    for (const crit of [['exp'], ['b64'], ['x'], [], 'x', null])
      expect(await show(`${part({ alg: 'RS256', kid: 'first', crit, b64: true })}.${body}.${signature}`)).toMatch(
        /^401 .*crit/,
      )
  })

  it('has a name of a key that is a path, a program or no text (I1)', async () => {
    for (const kid of ['../../etc/passwd', "' or 1=1 --", '/dev/null', 'a'.repeat(3000)])
      expect(await show(await sign({}, { header: { kid } }))).toMatch(/^401 /)
    const [, body, signature] = (await sign()).split('.')
    for (const kid of [1, null, {}, ['first']])
      expect(await show(`${part({ alg: 'RS256', kid })}.${body}.${signature}`)).toMatch(/^401 /)
  })

  it('is too long, before anybody looks into it (I3)', async () => {
    const groups = Array.from({ length: 1000 }, (_, index) => `group-${index}`)
    expect(await show(await sign({ groups }))).toMatch(/^401 .*longer than 8192/)
    expect(await show(`eyJ.${'a'.repeat(100_000)}.b`)).toMatch(/^401 .*longer/)
    const many = Array.from({ length: 513 }, (_, index) => index.toString(36))
    expect(await show(await sign({ groups: many }))).toMatch(/^403 .*512/)
    for (const odd of [{ a: 1 }, [1], 5]) expect(await show(await sign({ groups: odd }))).toMatch(/^403 .*groups/)
  })

  it('is no token: whatever is in it, it is refused without a throw and without its own words', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.base64String(),
            fc.json().map((text) => Buffer.from(text).toString('base64url')),
          ),
          {
            maxLength: 6,
          },
        ),
        async (parts) => {
          const token = `ey${parts.join('.')}.`
          expect(await show(token)).toMatch(/^401 The token [a-z ,()0-9]+\.$/i)
        },
      ),
    ))

  it('was changed in one place', async () => {
    const token = await sign()
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.constantFrom('A', 'B', '_', '0', '.'), async (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1)
        // The last letter of a part has bits that nobody reads: such a change is none.
        const isSame = changed
          .split('.')
          .every((each, n) =>
            Buffer.from(each, 'base64url').equals(Buffer.from(token.split('.')[n] ?? '', 'base64url')),
          )
        if (!isSame) expect(await show(changed)).toMatch(/^401 /)
      }),
      { numRuns: 300 },
    )
  })
})

describe('the keys of an issuer (I4)', () => {
  it('are read once for all who come at once', async () => {
    const { show, sign, far } = start()
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, n) => sign({ jti: `${n}` })))
    expect(new Set(await Promise.all(tokens.map((token) => show(token))))).toEqual(new Set([ann]))
    expect(far.fetched).toBe(1)
  })

  it('are read again for one that is new, once in 30 seconds whatever strangers show', async () => {
    const { show, sign, far, clock } = start()
    expect(await show(await sign())).toBe(ann)
    for (let n = 0; n < 200; n++)
      expect(await show(await sign({}, { key: second, header: { kid: `made-up-${n}` } }))).toMatch(/^401 /)
    expect(far.fetched).toBe(1)
    await clock.advance(askEveryMs)
    far.keys = [first.jwk, second.jwk]
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, n) => sign({ jti: `${n}` }, { key: second })))
    expect(new Set(await Promise.all(tokens.map((token) => show(token))))).toEqual(new Set([ann]))
    expect(far.fetched).toBe(2)
  })

  it('that are withdrawn count for ten minutes at most, also for tokens that are known', async () => {
    const { show, sign, far, clock } = start()
    const token = await sign({ exp: Math.floor(clock.wall() / 1000) + 7200 })
    expect(await show(token)).toBe(ann)
    far.keys = [second.jwk]
    await clock.advance(freshMs)
    await show(token)
    await clock.advance(1)
    expect(await show(token)).toMatch(/^401 /)
    expect(far.fetched).toBe(2)
  })

  it('that are withdrawn while nobody comes count for nobody who comes later', async () => {
    const { show, sign, far, clock } = start()
    const token = await sign({ exp: Math.floor(clock.wall() / 1000) + 36_000 })
    expect(await show(token)).toBe(ann)
    far.keys = [second.jwk]
    await clock.advance(2 * 60 * 60_000)
    expect(await show(token)).toMatch(/^401 /)
  })

  it('outlast an issuer that is away for an hour, and a restart meanwhile', async () => {
    const documents = createMemoryDocuments()
    const clock = new VirtualClock()
    const far = new Far()
    const before = start({}, { documents }, far, clock)
    expect(await before.show(await before.sign())).toBe(ann)
    far.answer = () => Promise.reject(new Error('connect ECONNREFUSED'))
    for (let minute = 0; minute < 60; minute += 5) {
      await clock.advance(5 * 60_000)
      expect(await before.show(await before.sign({ jti: `${minute}` }))).toBe(ann)
    }
    const after = start({}, { documents }, far, clock)
    expect(await after.show(await after.sign())).toBe(ann)
    await clock.advance(longestMs)
    expect(await after.show(await after.sign())).toMatch(/^503 /)
  })

  it('that cannot be had are 503 and never 401: a client would throw its token away', async () => {
    const answers: Record<string, () => Response | Promise<Response>> = {
      away: () => Promise.reject(new Error('connect ECONNREFUSED')),
      broken: () => new Response('no', { status: 500 }),
      elsewhere: () => new Response('', { status: 302, headers: { location: 'https://evil.example/keys' } }),
      page: () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      list: () => Response.json([]),
      empty: () => Response.json({ keys: [] }),
      secrets: () => Response.json({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'first' }] }),
      private: () => Response.json({ keys: [{ ...first.jwk, d: 'x' }] }),
    }
    for (const [name, answer] of Object.entries(answers)) {
      const troubles: string[] = []
      const { bearers, sign, far, clock } = start({}, { onTrouble: ({ message }) => void troubles.push(message) })
      far.answer = ({ pathname }) => (pathname === '/keys' ? answer() : undefined)
      const token = await sign()
      const result = await bearers.verify(token, endpoint)
      expect([name, told(result)]).toEqual([name, expect.stringMatching(/^503 /)])
      expect('refused' in result && Number(result.refused.headers?.['Retry-After'])).toBeGreaterThan(0)
      expect(troubles.join()).toContain(issuer)
      // Asked again soon, but not by everybody who comes.
      for (let n = 0; n < 20; n++) await bearers.verify(token, endpoint)
      expect(far.fetched).toBe(1)
      far.answer = undefined
      await clock.advance(askEveryMs)
      expect(told(await bearers.verify(token, endpoint))).toBe(ann)
    }
  })

  it('are those of the issuer that was written down, letter by letter', async () => {
    const troubles: string[] = []
    const { show, sign, far } = start({}, { onTrouble: ({ message }) => void troubles.push(message) })
    far.description = { issuer: `${issuer}/`, jwks_uri: `${issuer}/keys` }
    expect(await show(await sign())).toMatch(/^503 /)
    expect(troubles.join()).toContain(`it calls itself '${issuer}/'`)
    expect(far.fetched).toBe(0)
    const plain = start()
    plain.far.description = { issuer, jwks_uri: 'http://auth.example.com/keys' }
    expect(await plain.show(await plain.sign())).toMatch(/^503 /)
    expect(plain.far.fetched).toBe(0)
  })

  it('are found by OAuth’s own document where there is no other', async () => {
    const { show, sign, far } = start()
    far.answer = ({ pathname }) => {
      if (pathname === '/.well-known/openid-configuration') return new Response('', { status: 404 })
      return pathname === '/.well-known/oauth-authorization-server' ? Response.json(far.description) : undefined
    }
    expect(await show(await sign())).toBe(ann)
  })

  it('are each tried where a token does not say which', async () => {
    const { show, sign, far } = start()
    far.keys = [{ ...second.jwk, kid: undefined }, { ...first.jwk, kid: undefined }, curve.jwk]
    expect(await show(await sign({}, { header: { kid: undefined } }))).toBe(ann)
    expect(await show(await sign({}, { key: curve }))).toBe(ann)
    const stranger = await newKey('x')
    expect(await show(await sign({}, { key: stranger, header: { kid: undefined } }))).toMatch(/^401 /)
  })
})

describe('what is known of a token', () => {
  it('ends with the token, after a minute, and when grants change', async () => {
    let rows = grants
    const { bearers, show, sign, clock } = start({}, { grants: () => rows })
    const token = await sign({ exp: Math.floor(clock.wall() / 1000) + 20 })
    expect(await show(token)).toBe(ann)
    await clock.advance(51_000)
    expect(await show(token)).toMatch(/^401 .*expired/)
    const longer = await sign()
    expect(await show(longer)).toBe(ann)
    rows = []
    expect(await show(longer)).toBe(ann)
    bearers.clear()
    expect(await show(longer)).toMatch(/^403 /)
    rows = grants
    await clock.advance(60_001)
    expect(await show(longer)).toBe(ann)
  })

  it('ends at once for somebody who was ended', async () => {
    let endedAt = 0
    const seen: string[] = []
    const people = {
      isEnded: (id: string, issuedAt: number) => id === ann && issuedAt < endedAt,
      seen: ({ id }: { id: string }) => void seen.push(id),
    }
    const { show, sign, clock } = start({}, { people })
    const token = await sign()
    expect(await show(token)).toBe(ann)
    expect(seen).toEqual([ann])
    await clock.advance(2000)
    endedAt = clock.wall()
    expect(await show(token)).toMatch(/^401 .*ended/)
    expect(await show(await sign({ iat: undefined }))).toMatch(/^401 .*ended/)
    await clock.advance(1000)
    expect(await show(await sign())).toBe(ann)
  })
})

describe('a token that its issuer is asked about (RFC 7662)', () => {
  const introspect = { clientId: 'us', clientSecret: 'a b:c', cacheSeconds: 30 }
  const asking = (active: () => unknown, status = 200) => {
    const started = start({ introspect })
    const heard: string[] = []
    started.far.answer = (url, init) => {
      if (url.pathname !== '/introspect') return undefined
      heard.push(`${new Headers(init.headers).get('authorization')} ${init.body}`)
      return Response.json({ active: active() }, { status })
    }
    return { ...started, heard }
  }

  it('counts while the issuer says so, and is asked about again after a while', async () => {
    let active = true
    const { show, sign, clock, heard } = asking(() => active)
    const token = await sign()
    expect(await Promise.all([show(token), show(token)])).toEqual([ann, ann])
    expect(heard).toEqual([
      `Basic ${Buffer.from('us:a+b%3Ac').toString('base64')} token=${token}&token_type_hint=access_token`,
    ])
    active = false
    expect(await show(token)).toBe(ann)
    await clock.advance(30_000)
    expect(await show(token)).toMatch(/^401 .*ended/)
  })

  it('is 503 where the issuer does not say', async () => {
    for (const { show, sign } of [asking(() => 'yes'), asking(() => true, 500), asking(() => true, 401)])
      expect(await show(await sign())).toMatch(/^503 /)
  })
})
