import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

describe('what belongs to whoever is signed in', () => {
  let provider: TestProvider
  let far: SignInServers
  let team: TeamBoard
  beforeAll(async () => {
    provider = await startIdentityProvider()
    far = await startSignInServers()
    far.rules.listsToAll = true
    far.keys.set('key-of-alice', 'alice')
    const sources = {
      docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } },
      keyed: { type: 'http', url: far.url, auth: { type: 'key', per: 'caller', help: 'https://keys.example' } },
    }
    team = await openTeam({ provider, config: { sources } })
  })
  afterAll(async () => {
    for (const each of [team, far, provider]) await each?.[Symbol.asyncDispose]()
  })

  const callerOf = (login: string) => {
    const id = identityId(provider.issuer, login)
    const identity = { id, issuer: provider.issuer, subject: login, name: login }
    return { id, kind: 'person' as const, rights: ['discover', 'call'] as const, identity }
  }
  /** Somebody's browser, signed in at the console. */
  const signedIn = async (login: string): Promise<HeadlessBrowser> => {
    const browser = createBrowser()
    await browser.submit(await browser.open(`${team.url}/session/sign-in`), { login })
    return browser
  }
  const ask = async (browser: HeadlessBrowser, method: string, path: string, body?: unknown) => {
    const cookie = [...browser.cookies(team.url)].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${team.url}/api/admin/v1/me${path}`, {
      method,
      headers: {
        cookie,
        origin: team.url,
        'x-pegboard-console': '1',
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const stateOf = async (browser: HeadlessBrowser, source: string) =>
    (await ask(browser, 'GET', '/sources')).body.sources.find((each: any) => each.source === source)?.state

  it('goes from a link through the identity provider to the page, the source and back, and the page knows them then', async () => {
    const link = (await team.board.connecting.door.link(callerOf('alice') as never, 'docs'))!
    const browser = createBrowser()
    const asked = await browser.open(link)
    const page = await browser.submit(asked, { login: 'alice' })
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign in for yourself')])
    const [, go] = /href="([^"]+)"/.exec(page.text) ?? []
    const done = await browser.open(new URL(go!.replaceAll('&#38;', '&'), page.url).href)
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('docs')])
    expect(await stateOf(browser, 'docs')).toBe('signed-in')
    const bob = await signedIn('bob')
    expect(await stateOf(bob, 'docs')).toBe('not-signed-in')
    const again = (await team.board.connecting.door.link(callerOf('alice') as never, 'docs'))!
    const refused = await bob.open(again)
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('somebody else')])
    expect(await stateOf(bob, 'docs')).toBe('not-signed-in')
  })

  it('begins a sign-in, keeps a pasted key, and signs out', async () => {
    const alice = await signedIn('alice')
    expect((await ask(alice, 'POST', '/sources/docs/sign-in', {})).body).toMatchObject({
      url: expect.stringContaining(far.issuer),
    })
    expect(await ask(alice, 'PUT', '/sources/keyed/key', { key: 'key-of-alice' })).toMatchObject({ status: 200 })
    expect(await stateOf(alice, 'keyed')).toBe('signed-in')
    const carol = await signedIn('carol')
    expect(await stateOf(carol, 'keyed')).toBe('not-signed-in')
    expect(JSON.stringify((await ask(alice, 'GET', '/sources')).body)).not.toContain('key-of-alice')
    expect((await ask(alice, 'POST', '/sources/keyed/sign-out', {})).body).toMatchObject({ signedOut: true })
    expect(await stateOf(alice, 'keyed')).toBe('not-signed-in')
    expect((await ask(alice, 'POST', '/sources/nothing/sign-in', {})).status).toBe(404)
    expect((await ask(alice, 'PUT', '/sources/keyed/key', { key: '' })).status).toBe(400)
  })

  it('lists and ends their own clients, and nobody else’s', async () => {
    const [first, second, carol] = [await signedIn('alice'), await signedIn('alice'), await signedIn('carol')]
    const { clients } = (await ask(first, 'GET', '/clients')).body
    expect(clients.filter((each: any) => each.current)).toHaveLength(1)
    const theirs = (await ask(carol, 'GET', '/clients')).body.clients
    expect(theirs.map(({ id }: any) => id).filter((id: string) => clients.some((each: any) => each.id === id))).toEqual(
      [],
    )
    const other = (await ask(second, 'GET', '/clients')).body.clients.find((each: any) => each.current)
    expect((await ask(carol, 'DELETE', `/clients/${other.id}`)).status).toBe(404)
    expect((await ask(first, 'DELETE', `/clients/${other.id}`)).status).toBe(200)
    expect((await ask(second, 'GET', '/clients')).status).toBe(401)
  })

  it('shows their own keys and calls, and nothing to nobody', async () => {
    const { keys } = team.board.listener!
    const email = provider.accounts.alice!.email
    await keys.create({ name: 'hers', permission: 'read', owner: callerOf('alice').id })
    await keys.create({ name: 'by address', permission: 'read', owner: email.toUpperCase() })
    await keys.create({ name: 'another', permission: 'read', owner: 'carol@example.com' })
    await team.board.gateway.call({ tool: 'calculator', args: {}, caller: callerOf('alice') as never })
    const alice = await signedIn('alice')
    const mine = (await ask(alice, 'GET', '/keys')).body.keys
    expect(mine.map(({ name }: any) => name)).toEqual(expect.arrayContaining(['hers']))
    expect(mine.map(({ name }: any) => name)).not.toContain('another')
    const calls = (await ask(alice, 'GET', '/calls')).body.calls
    expect(calls.length).toBeGreaterThan(0)
    expect(calls.every(({ caller }: any) => caller === callerOf('alice').id)).toBe(true)
    for (const path of ['/sources', '/clients', '/keys', '/calls'])
      expect((await ask(createBrowser(), 'GET', path)).status).toBe(401)
  })
})

describe.each(['keys', 'off'] as const)(
  'what belongs to a key where nobody signs in otherwise (people: %s)',
  (people) => {
    it('is its own browsers and itself, and nothing of another key', async () => {
      await using team = await openTeam({ people })
      const { keys } = team.board.listener!
      const browserWith = async (name: string) => {
        const { key, record } = await keys.create({ name, permission: 'read' })
        const own = { origin: team.url, 'x-pegboard-console': '1', 'content-type': 'application/json' }
        const answer = await fetch(`${team.url}/api/admin/v1/session`, {
          method: 'POST',
          headers: { ...own, authorization: `Bearer ${key}` },
          body: '{}',
        })
        const cookie = answer.headers.getSetCookie()[0]!.split(';', 1)[0]!
        const ask = async (path: string, method = 'GET') => {
          const response = await fetch(`${team.url}/api/admin/v1/me${path}`, { method, headers: { ...own, cookie } })
          return { status: response.status, body: (await response.json()) as any }
        }
        return { record, ask }
      }
      const [mine, theirs] = [await browserWith('mine'), await browserWith('theirs')]
      const { clients } = (await mine.ask('/clients')).body
      expect(clients).toMatchObject([{ kind: 'console', current: true }])
      expect((await mine.ask('/keys')).body.keys).toMatchObject([{ id: mine.record.id, name: 'mine' }])
      expect((await theirs.ask(`/clients/${clients[0].id}`, 'DELETE')).status).toBe(404)
      expect((await mine.ask(`/clients/${clients[0].id}`, 'DELETE')).status).toBe(200)
      expect((await mine.ask('/clients')).status).toBe(401)
      expect((await theirs.ask('/clients')).body.clients).toHaveLength(1)
    })
  },
)
