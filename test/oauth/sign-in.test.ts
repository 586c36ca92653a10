import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { type SignInServers, startCanary, startSignInServers } from '../helpers/sign-in-servers.js'

describe('a source that wants a sign-in', () => {
  let far: SignInServers
  let board: OpenedAdmin
  let key: string

  beforeEach(async () => {
    far = await startSignInServers()
  })
  afterEach(async () => {
    await board[Symbol.asyncDispose]()
    await far[Symbol.asyncDispose]()
  })

  const open = async (more: object = {}) => {
    const source = { type: 'http', url: far.url, ...more }
    board = await openAdminServer(JSON.stringify({ sources: { docs: source } }))
    key = await board.key('admin')
  }
  const ask = (method: string, path: string) => board.ask(method, path, { key })
  const stateNow = () => board.gateway.sources().find(({ name }) => name === 'docs')?.status
  /** Resolves at the event: nothing here waits by the clock. */
  const until = (state: string): Promise<void> =>
    new Promise((resolve) => {
      const stop = board.gateway.onSource(({ name, status }) => {
        if (name !== 'docs' || status.state !== state) return
        stop()
        resolve()
      })
      if (stateNow()?.state !== state) return
      stop()
      resolve()
    })
  const begin = async () => (await ask('POST', '/sources/docs/sign-in')).body
  /** What a browser does with the link, up to the way back. */
  const follow = async (url: string): Promise<string> => {
    const response = await fetch(url, { redirect: 'manual' })
    return response.headers.get('location') ?? ''
  }
  const comeBack = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const signIn = async () => comeBack(await follow((await begin()).url))
  const call = () =>
    board.gateway.call({ tool: 'docs.read', args: {}, caller: { id: 'me', rights: ['discover', 'call'] } })
  const signIns = async () => (await ask('GET', '/sign-ins')).body.signIns

  it('says so, names the next step, and starts by itself once somebody has signed in', async () => {
    await open()
    await until('needs-auth')
    expect(stateNow()?.reason).toContain('pegboard auth docs')
    expect(await signIns()).toEqual([expect.objectContaining({ source: 'docs', state: 'needs-sign-in' })])

    const ready = until('ready')
    const page = await signIn()
    expect(page.status).toBe(200)
    expect(page.text).toContain('docs')
    await ready
    expect(await call()).toMatchObject({ ok: true })
    expect(await signIns()).toEqual([
      expect.objectContaining({ source: 'docs', state: 'signed-in', issuer: far.issuer, scope: 'list' }),
    ])
    expect(far.registrations).toEqual([
      expect.objectContaining({
        redirect_uris: [`${board.url}/oauth/callback`],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      }),
    ])
    expect(far.tokenRequests[0]?.get('resource')).toBe(far.url)
  })

  it.each([
    ['sse', '/sse', 'http'],
    ['websocket', '/socket', 'ws'],
  ])('does so over %s too', async (type, path, scheme) => {
    const { origin } = new URL(far.url)
    far.rules.resource = origin
    await open({ type, url: `${origin}${path}`.replace(/^http/, scheme) })
    await until('needs-auth')
    const ready = until('ready')
    expect((await signIn()).status).toBe(200)
    await ready
    expect(await call()).toMatchObject({ ok: true })
  })

  it('answers the browser with a page that runs, loads and frames nothing, in its language', async () => {
    await open()
    await until('needs-auth')
    const page = await comeBack(await follow((await begin()).url), { 'accept-language': 'zh-CN' })
    expect(page.text).toContain('已登录')
    expect(page.text).not.toContain('<script')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('renews its token once when the server no longer takes it, however many calls are refused', async () => {
    await open()
    await until('needs-auth')
    const ready = until('ready')
    await signIn()
    await ready
    far.revokeAccess()
    const before = far.tokenRequests.length
    const outcomes = await Promise.all(Array.from({ length: 8 }, call))
    expect(outcomes.every(({ ok }) => ok)).toBe(true)
    expect(far.tokenRequests.slice(before).map((each) => each.get('grant_type'))).toEqual(['refresh_token'])
  })

  it('renews a token that has run out before it is sent', async () => {
    far.rules.expiresIn = 0
    await open()
    await until('needs-auth')
    const ready = until('ready')
    await signIn()
    await ready
    const refused = far.authorizations.filter((each) => each === undefined).length
    expect(await call()).toMatchObject({ ok: true })
    expect(far.tokenRequests.at(-1)?.get('grant_type')).toBe('refresh_token')
    expect(far.authorizations.filter((each) => each === undefined)).toHaveLength(refused)
  })

  it('forgets a sign-in that the server ended, and asks for a new one', async () => {
    await open()
    await until('needs-auth')
    const ready = until('ready')
    await signIn()
    await ready
    far.revokeAll()
    const lost = until('needs-auth')
    expect(await call()).toMatchObject({ ok: false, error: { code: 'SOURCE_UNAVAILABLE' } })
    await lost
    expect(await signIns()).toEqual([expect.objectContaining({ state: 'needs-sign-in' })])
    const again = until('ready')
    expect((await signIn()).status).toBe(200)
    await again
    // The registration outlives the tokens.
    expect(far.registrations).toHaveLength(1)
  })

  it('keeps its sign-in while the authorization server is only out of order', async () => {
    await open()
    await until('needs-auth')
    const ready = until('ready')
    await signIn()
    await ready
    far.revokeAccess()
    far.rules.refreshError = 'temporarily_unavailable'
    expect(await call()).toMatchObject({ ok: false })
    far.rules.refreshError = undefined
    expect(await call()).toMatchObject({ ok: true })
  })

  it('asks for more rights only when somebody signs in again, and for the old ones with them', async () => {
    far.rules.callScope = 'write'
    await open()
    await until('needs-auth')
    const ready = until('ready')
    await signIn()
    await ready
    const refused = await call()
    const error = { code: 'ACCESS_DENIED', message: expect.stringContaining('pegboard auth docs') }
    expect(refused).toMatchObject({ ok: false, error })
    expect(stateNow()?.state).toBe('ready')
    const { url } = await begin()
    expect(new URL(url).searchParams.get('scope')?.split(' ').sort()).toEqual(['list', 'write'])
    const starting = until('starting')
    await comeBack(await follow(url))
    await starting
    await until('ready')
    expect(await call()).toMatchObject({ ok: true })
  })

  it('does not offer what was asked for and refused all the same', async () => {
    far.rules.callScope = 'list'
    await open()
    await until('needs-auth')
    const ready = until('ready')
    await signIn()
    await ready
    far.rules.callScope = 'list list'
    const refused = await call()
    expect(refused).toMatchObject({ ok: false, error: { message: expect.not.stringContaining('pegboard auth') } })
  })

  it('is signed out by request, and then wants a sign-in again', async () => {
    await open()
    await until('needs-auth')
    const ready = until('ready')
    await signIn()
    await ready
    const out = until('needs-auth')
    expect((await ask('POST', '/sources/docs/sign-out')).body).toEqual({ signedOut: true, revoked: 'not-offered' })
    await out
    expect((await ask('POST', '/sources/docs/sign-out')).body).toEqual({ signedOut: false })
  })

  describe('way back', () => {
    beforeEach(async () => {
      await open()
      await until('needs-auth')
    })

    it('works once', async () => {
      const back = await follow((await begin()).url)
      expect((await comeBack(back)).status).toBe(200)
      expect((await comeBack(back)).status).toBe(400)
    })

    it('is refused with another state, and uses up nothing', async () => {
      const back = new URL(await follow((await begin()).url))
      const wrong = new URL(back)
      wrong.searchParams.set('state', 'A'.repeat(43))
      expect((await comeBack(wrong.href)).status).toBe(400)
      wrong.searchParams.delete('state')
      expect((await comeBack(wrong.href)).status).toBe(400)
      expect(far.tokenRequests).toHaveLength(0)
      expect((await comeBack(back.href)).status).toBe(200)
    })

    it('is refused where a field comes twice', async () => {
      const back = await follow((await begin()).url)
      expect((await comeBack(`${back}&state=other`)).status).toBe(400)
      expect(far.tokenRequests).toHaveLength(0)
    })

    it.each(['https://elsewhere.example', ''])('is refused from issuer "%s": it may be a mix-up', async (iss) => {
      far.rules.comesBackWith = { iss }
      const page = await signIn()
      expect(page.status).toBe(400)
      expect(page.text).not.toContain('elsewhere')
      expect(far.tokenRequests).toHaveLength(0)
    })

    it('tells a refusal by its code and by nothing else that came with it', async () => {
      far.rules.comesBackWith = { code: '', error: 'access_denied', error_description: '<b>call us</b>' }
      const page = await signIn()
      expect(page.status).toBe(400)
      expect(page.text).toContain('access_denied')
      expect(page.text).not.toContain('call us')
    })
  })

  it.each([
    ['offers no PKCE', { code_challenge_methods_supported: undefined }, 'PKCE'],
    ['offers only plain PKCE', { code_challenge_methods_supported: ['plain'] }, 'PKCE'],
    ['names a script to open', { authorization_endpoint: 'javascript:alert(1)' }, 'valid'],
    ['names a file to open', { authorization_endpoint: 'file:///etc/passwd' }, 'https'],
    ['names another issuer', { issuer: 'https://elsewhere.example' }, 'issuer'],
    ['registers nobody', { registration_endpoint: undefined }, 'auth.clientId'],
  ])('gives no link where the authorization server %s (T9)', async (_what, metadata, words) => {
    far.rules.metadata = metadata
    await open({ auth: { type: 'oauth' } })
    await until('needs-auth')
    const { status, body } = await ask('POST', '/sources/docs/sign-in')
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body.error.message).toContain(words)
    expect(JSON.stringify(body)).not.toMatch(/javascript:|file:|elsewhere/)
  })

  it('is left alone where the server publishes no OAuth: the words are those of a missing header', async () => {
    far.rules.isPlain = true
    await open()
    await until('needs-auth')
    expect(stateNow()?.reason).toContain('Authorization header')
    expect((await ask('POST', '/sources/docs/sign-in')).status).toBe(400)
  })

  it('gives no token to a server that publishes metadata for another one', async () => {
    far.rules.resource = 'https://bank.example/mcp'
    await open()
    await until('needs-auth')
    expect(stateNow()?.reason).toContain('another resource')
    expect((await ask('POST', '/sources/docs/sign-in')).status).toBeGreaterThanOrEqual(400)
  })

  it('never follows the metadata to another origin', async () => {
    await using canary = await startCanary('127.0.0.1')
    far.rules.redirectsTo = `${canary.url}/.well-known/oauth-protected-resource/mcp`
    await open({ auth: { type: 'oauth' } })
    await until('needs-auth')
    await ask('POST', '/sources/docs/sign-in')
    expect(canary.hits()).toBe(0)
  })

  it('signs in by itself with a secret, and asks for more where more is wanted', async () => {
    far.rules.callScope = 'write'
    await open({ auth: { type: 'client-credentials', clientId: 'id', clientSecret: 'canary-of-secret' } })
    await until('ready')
    expect(await call()).toMatchObject({ ok: true })
    expect(far.tokenRequests.map((each) => each.get('scope'))).toEqual(['list', 'list write'])
    expect(await signIns()).toEqual([expect.objectContaining({ type: 'client-credentials', state: 'signed-in' })])
  })

  it('does not sign in where it has a header of its own', async () => {
    await open({ headers: { Authorization: 'Bearer fixed' } })
    await until('needs-auth')
    expect(await signIns()).toEqual([])
    expect(far.log.filter((line) => line.includes('well-known'))).toEqual([])
  })

  it('shows its tokens nowhere, and keeps them sealed in a file that only its owner reads', async () => {
    await open()
    await until('needs-auth')
    const ready = until('ready')
    const pages = [await signIn()]
    await ready
    far.revokeAccess()
    await call()
    far.revokeAll()
    const refused = await call()
    const seen = [JSON.stringify(pages), JSON.stringify(refused), JSON.stringify(board.gateway.sources())]
    for (const path of ['/sources', '/sources/docs', '/sign-ins', '/settings', '/overview', '/logs', '/calls'])
      seen.push(JSON.stringify((await ask('GET', path)).body))
    for (const text of seen) expect(text).not.toContain(`${far.rules.canary}-access`)
    for (const text of seen) expect(text).not.toContain(`${far.rules.canary}-refresh`)
    const data = join(dirname(board.file), 'data')
    const file = join(data, 'sign-ins.json')
    expect(statSync(file).mode & 0o077).toBe(0)
    const holding = readdirSync(data, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(data, name)).isFile())
      .filter((name) => readFileSync(join(data, name), 'utf8').includes(far.rules.canary))
    expect(holding).toEqual([])
    expect(statSync(join(data, 'vault.key')).mode & 0o077).toBe(0)
  })
})
