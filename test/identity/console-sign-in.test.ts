import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

/** People at the console of a team, by a real identity provider. */
describe('a person who signs in at the console', () => {
  let provider: TestProvider
  let team: TeamBoard

  beforeAll(async () => {
    provider = await startIdentityProvider()
    team = await openTeam({ provider, config: { telemetry: { audit: 'on' } } })
  })
  afterAll(async () => {
    await team?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  const cookiesOf = (browser: HeadlessBrowser): string =>
    [...browser.cookies(team.url)].map(([name, value]) => `${name}=${value}`).join('; ')
  const ask = async (browser: HeadlessBrowser, path: string, init: RequestInit = {}) => {
    const headers = { cookie: cookiesOf(browser), origin: team.url, 'x-pegboard-console': '1', ...init.headers }
    const response = await fetch(`${team.url}/api/admin/v1${path}`, { ...init, headers })
    return { status: response.status, body: (await response.json()) as any }
  }
  const isBack = (url: string): boolean => url.startsWith(`${team.url}/`) && !url.includes('/session/')
  /** The provider asks for a login once per browser. */
  const signIn = async (login: string, next = '', browser = createBrowser()) => {
    const page = await browser.open(`${team.url}/session/sign-in${next}`, isBack)
    return {
      browser,
      page: page.text.includes('<form') ? await browser.submit(page, { login }, { stopAt: isBack }) : page,
    }
  }

  it('is told where to begin, goes to the provider and comes back to the console', async () => {
    const { ways } = (await ask(createBrowser(), '/session')).body
    expect(ways.provider).toEqual({ host: new URL(provider.issuer).host, url: `${team.url}/session/sign-in` })
    const { browser, page } = await signIn('carol')
    expect(page.url).toBe(`${team.url}/`)
    const { me } = (await ask(browser, '/session')).body
    expect(me).toMatchObject({ kind: 'person', name: 'carol', email: 'carol@example.com', breakGlass: false })
    expect(me.rights).toContain('admin')
    // What the way there left behind is gone.
    expect([...browser.cookies(team.url).keys()]).toEqual([`pegboard-${new URL(team.url).port}`])
  })

  it('has the rights of their groups and no others', async () => {
    const { browser } = await signIn('alice')
    expect((await ask(browser, '/me')).body.rights).toEqual(['discover', 'call'])
    expect((await ask(browser, '/overview')).status).toBe(403)
    const rpc = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const headers = {
      cookie: cookiesOf(browser),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    expect((await fetch(`${team.url}/mcp`, { method: 'POST', headers, body: rpc })).status).toBe(401)
    expect((await fetch(`${team.url}/api/v1/tools`, { headers })).status).toBe(401)
  })

  it('without a grant is told so, and is nobody', async () => {
    provider.accounts.eve = {
      groups: ['visitors'],
      email: 'eve@example.com',
      emailVerified: true,
      name: 'Eve',
      disabled: false,
    }
    const { browser, page } = await signIn('eve')
    expect(page.status).toBe(403)
    expect(page.text).toContain('nothing here was granted')
    expect((await ask(browser, '/session')).body.me).toBeUndefined()
  })

  it('goes on to a place of our own table, whatever the address says (open redirect)', async () => {
    const places: readonly (readonly [string, string])[] = [
      ['?next=me', '/#/me'],
      ['?next=connect&t=abc_DEF-1.2', '/connect?t=abc_DEF-1.2'],
      ['?next=connect&t=//evil.example', '/#/me'],
      ['?next=//evil.example', '/'],
      ['?next=https://evil.example', '/'],
      ['?next=%5C%5Cevil.example', '/'],
      ['?next=/connect', '/'],
      ['?next=__proto__', '/'],
      ['?next=constructor', '/'],
      ['?next=javascript:alert(1)', '/'],
    ]
    for (const [query, place] of places)
      expect((await signIn('carol', query)).page.url, query).toBe(`${team.url}${place}`)
  })

  it('is the one whose browser began: a link that was sent to somebody else leads nowhere (login CSRF)', async () => {
    const attacker = createBrowser()
    const form = await attacker.open(`${team.url}/session/sign-in`)
    const back = await attacker.submit(form, { login: 'carol' }, { stopAt: (url) => url.includes('/session/callback') })
    const victim = createBrowser()
    expect((await victim.open(back.url)).status).toBe(403)
    expect((await ask(victim, '/session')).body.me).toBeUndefined()
    // Nor one who has begun a sign-in of their own.
    const other = createBrowser()
    await other.open(`${team.url}/session/sign-in`)
    expect((await other.open(back.url)).status).toBe(403)
    expect((await ask(other, '/session')).body.me).toBeUndefined()
    // And it works once, in the browser that began.
    expect((await attacker.open(back.url, (url) => url === `${team.url}/`)).url).toBe(`${team.url}/`)
    expect((await attacker.open(back.url)).status).toBe(403)
  })

  it('is not let in by a code that was changed, a state that was, or an error', async () => {
    for (const change of ['code=wrong', 'state=wrong', 'iss=https%3A%2F%2Fevil.example', 'error=access_denied']) {
      const browser = createBrowser()
      const form = await browser.open(`${team.url}/session/sign-in`)
      const { url } = await browser.submit(
        form,
        { login: 'carol' },
        { stopAt: (each) => each.includes('/session/callback') },
      )
      const [name = '', value = ''] = change.split('=')
      const changed = new URL(url)
      if (name === 'error') changed.searchParams.delete('code')
      changed.searchParams.set(name, decodeURIComponent(value))
      const page = await browser.open(changed.href)
      expect(page.status, change).toBe(403)
      expect((await ask(browser, '/session')).body.me, change).toBeUndefined()
    }
  })

  it('gets a new session each time, and the one before is over (fixation)', async () => {
    const { browser } = await signIn('carol')
    const before = cookiesOf(browser)
    await signIn('carol', '', browser)
    expect(cookiesOf(browser)).not.toBe(before)
    const headers = { cookie: before }
    expect((await fetch(`${team.url}/api/admin/v1/me`, { headers })).status).toBe(401)
  })

  it('sees no page of ours in a frame, and the way there is not kept by caches', async () => {
    const browser = createBrowser()
    const page = await browser.open(`${team.url}/session/callback?state=x`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    const head = await fetch(`${team.url}/session/callback?state=x`, { method: 'HEAD' })
    expect(head.status).toBe(405)
  })

  it('is told when the provider is away', async () => {
    provider.down()
    try {
      const fresh = await openTeam({ provider })
      const page = await createBrowser().open(`${fresh.url}/session/sign-in`)
      expect(page.status).toBe(503)
      await fresh[Symbol.asyncDispose]()
    } finally {
      provider.up()
    }
  })

  it('is in the list of people, and an administrator ends a session, and all that they have', async () => {
    const alice = (await signIn('alice')).browser
    const carol = (await signIn('carol')).browser
    const listed = async () => (await ask(carol, '/people')).body
    // Who was here is noted behind the request.
    await vi.waitUntil(async () => (await listed()).people.some((each: any) => each.name === 'alice'), {
      timeout: 50_000,
    })
    const { people, sessions } = await listed()
    expect(people.find((each: any) => each.name === 'alice')).toMatchObject({
      ...{ role: 'caller', profiles: ['default', 'eng'], groups: ['eng'], email: 'alice@example.com' },
    })
    const own = sessions.filter((each: any) => each.own)
    expect(own).toMatchObject([{ kind: 'console', name: 'carol' }])
    const theirs = sessions.filter((each: any) => each.name === 'alice')
    expect((await ask(alice, '/people')).status).toBe(403)
    expect((await ask(alice, `/sessions/${own[0].id}`, { method: 'DELETE' })).status).toBe(403)
    // Nobody comes in by the id of a session.
    const stolen = { cookie: `pegboard-${new URL(team.url).port}=${own[0].id}` }
    expect((await fetch(`${team.url}/api/admin/v1/me`, { headers: stolen })).status).toBe(401)
    for (const { id } of theirs) expect((await ask(carol, `/sessions/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await ask(carol, `/sessions/${theirs[0].id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await ask(alice, '/me')).status).toBe(401)

    const again = (await signIn('alice')).browser
    expect((await ask(again, '/me')).status).toBe(200)
    expect((await ask(carol, '/people/alice@example.com/end', { method: 'POST' })).status).toBe(200)
    expect((await ask(again, '/me')).status).toBe(401)
    expect((await listed()).people.find((each: any) => each.name === 'alice').endedAt).toBeTypeOf('number')
    expect((await ask(carol, '/people/nobody/end', { method: 'POST' })).status).toBe(404)
  })

  it('is a line of the audit, and a key for administration is one of high severity; no secret is in any', async () => {
    const browser = createBrowser()
    const key = await team.key('admin')
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${team.url}/api/admin/v1/session`, { method: 'POST', headers, body: '{}' })
    const { me } = (await response.json()) as any
    expect(me.breakGlass).toBe(true)
    await signIn('carol', '', browser)
    const cookie = cookiesOf(browser)
    const { body } = await ask(browser, '/audit')
    expect(body.entries).toContainEqual(expect.objectContaining({ kind: 'break-glass', severity: 'high' }))
    const actor = expect.objectContaining({ name: 'carol', via: 'console' })
    expect(body.entries).toContainEqual(expect.objectContaining({ kind: 'sign-in', actor }))
    const lines = JSON.stringify(body)
    for (const secret of [key, cookie.split('=')[1]!]) {
      expect(lines).not.toContain(secret)
      expect(team.log.join('\n')).not.toContain(secret)
    }
  })
})
