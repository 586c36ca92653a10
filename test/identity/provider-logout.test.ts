import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type OpenStreams, openStreams, tokensFor } from '../helpers/open-streams.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

describe('signing out at the identity provider', () => {
  let provider: TestProvider
  let team: TeamBoard
  const opened: OpenStreams[] = []
  beforeAll(async () => {
    provider = await startIdentityProvider()
    provider.logoutAt('http://127.0.0.1:9/nobody')
    team = await openTeam({ provider })
  })
  afterAll(async () => {
    for (const each of [team, provider]) await each?.[Symbol.asyncDispose]()
  })
  afterEach(() => {
    for (const streams of opened.splice(0)) streams.leave()
  })
  const listen = async (token: string): Promise<OpenStreams> => {
    const streams = await openStreams(team.url, token)
    opened.push(streams)
    return streams
  }
  const knock = async (token: string): Promise<number> => {
    const response = await fetch(`${team.url}/api/v1/tools`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return response.status
  }
  /** Somebody's browser: a client of theirs, and the console. */
  const arrive = async (login: string) => {
    const browser = createBrowser()
    const { accessToken, refreshToken, client } = await tokensFor(team.url, { login }, browser)
    const console = await browser.open(`${team.url}/session/sign-in`)
    if (console.text.includes('name="login"')) await browser.submit(console, { login })
    expect(await atConsole(browser)).toBe(200)
    return { browser, accessToken, refreshToken, client }
  }
  const atConsole = async (browser: HeadlessBrowser): Promise<number> => {
    const cookie = [...browser.cookies(team.url)].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${team.url}/api/admin/v1/me/sources`, { headers: { cookie } })
    await response.arrayBuffer()
    return response.status
  }
  const signOut = async (browser: HeadlessBrowser): Promise<void> => {
    const page = await browser.open(`${provider.issuer}/session/end`)
    await browser.submit(page, { logout: 'yes' })
    expect(provider.log.slice(-4)).toContain('LOGOUT told')
  }

  it('ends what that sign-in began, in clients and at the console, and nothing else', async () => {
    provider.logoutAt(`${team.url}/backchannel-logout`)
    const [here, elsewhere, carol] = [await arrive('alice'), await arrive('alice'), await arrive('carol')]
    const streams = await listen(here.accessToken)
    const [others, hers] = [await listen(elsewhere.accessToken), await listen(carol.accessToken)]
    await signOut(here.browser)
    await streams.cut
    expect([await knock(here.accessToken), await atConsole(here.browser)]).toEqual([401, 401])
    const again = await fetch(`${team.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        ...{ grant_type: 'refresh_token', refresh_token: here.refreshToken, client_id: here.client },
      }),
    })
    expect(again.status).toBe(400)
    for (const each of [elsewhere, carol])
      expect([await knock(each.accessToken), await atConsole(each.browser)]).toEqual([200, 200])
    for (const each of [others, hers]) expect(each.open()).toHaveLength(3)
  })

  it('ends all of a person where the provider does not say which sign-in it was', async () => {
    const [here, elsewhere, carol] = [await arrive('alice'), await arrive('alice'), await arrive('carol')]
    provider.logoutAt(`${team.url}/backchannel-logout`, false)
    await signOut(here.browser)
    for (const each of [here, elsewhere])
      expect([await knock(each.accessToken), await atConsole(each.browser)]).toEqual([401, 401])
    expect(await knock(carol.accessToken)).toBe(200)
    expect(team.log.join('\n')).not.toMatch(/eyJ[\w-]+\./)
  })

  it('is not taken where people sign in with keys', async () => {
    await using keyed = await openTeam({ people: 'keys' })
    const response = await fetch(`${keyed.url}/backchannel-logout`, { method: 'POST', body: new URLSearchParams() })
    expect(response.status).toBe(404)
  })
})
