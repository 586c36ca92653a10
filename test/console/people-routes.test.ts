import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RouteInfo } from '../../src/http/route.js'
import type { Right } from '../../src/model/caller.js'
import { type HeldRole, rightsOfRole } from '../../src/model/role.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

const logins: Readonly<Record<string, HeldRole>> = {
  alice: 'caller',
  bob: 'reader',
  carol: 'admin',
  vera: 'viewer',
  otto: 'operator',
}

/** Who comes there shows something else than a cookie: a key, the way back of their own browser, a token. */
const ownProof: ReadonlySet<string> = new Set(['POST /api/admin/v1/session', 'GET /session/callback', 'GET /userinfo'])

describe('the routes of a gateway where people sign in', () => {
  let provider: TestProvider
  let team: TeamBoard
  let plain: OpenedAdmin
  let routes: readonly RouteInfo[]
  const cookies = new Map<string, string>()

  beforeAll(async () => {
    provider = await startIdentityProvider()
    for (const login of ['vera', 'otto'])
      (provider.accounts as Record<string, object>)[login] = {
        ...provider.accounts.alice!,
        email: `${login}@example.com`,
        groups: [login],
      }
    const grants = Object.entries(logins).map(([login, role]) => ({
      people: [`${login}@example.com`],
      role,
      profiles: ['*'],
    }))
    team = await openTeam({ provider, tokens: true, config: { auth: { grants } as never } })
    plain = await openAdminServer()
    routes = team.board.listener!.routes().filter(({ method }) => method !== 'UPGRADE')
    for (const login of Object.keys(logins)) {
      const browser = createBrowser()
      await browser.submit(await browser.open(`${team.url}/session/sign-in`), { login })
      cookies.set(login, [...browser.cookies(team.url)].map(([name, value]) => `${name}=${value}`).join('; '))
    }
  })
  afterAll(async () => {
    for (const each of [team, plain, provider]) await each?.[Symbol.asyncDispose]()
  })

  /** Asks as a page of ours would, without doing anything: bodies are empty, names are those of nothing. */
  const knock = async ({ method, path }: RouteInfo, cookie: string | undefined): Promise<'in' | 401 | 403> => {
    const leaving = new AbortController()
    const response = await fetch(team.url + path.replace(/:[^/]+/g, 'nothing-of-this-name'), {
      method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        origin: team.url,
        'sec-fetch-site': 'same-origin',
        'x-pegboard-console': '1',
        ...(cookie !== undefined && { cookie }),
      },
      ...(method !== 'GET' && { body: '{}' }),
      signal: leaving.signal,
    })
    leaving.abort()
    return response.status === 401 || response.status === 403 ? response.status : 'in'
  }
  const nameOf = ({ method, path }: RouteInfo): string => `${method} ${path}`
  /** Those end the session that asks. */
  const isLast = (route: RouteInfo): boolean => nameOf(route) === 'DELETE /api/admin/v1/session'

  it('are those of any gateway, and the open ones by which one signs in', () => {
    const known = new Set(plain.routes().map(nameOf))
    const more = routes.filter((route) => !known.has(nameOf(route)) && !/^\/(?:|assets\/:file|me)$/.test(route.path))
    // What is under them tells nobody anything of the gateway but its addresses, or is asked for a proof of its own.
    expect(more.filter(({ right }) => right !== 'open').map(nameOf)).toEqual([])
    expect(
      [
        ...new Set(
          more.map(
            ({ method, path }) => `${method} ${path.replace(/^.*\.well-known/, '').replace(/\/(?:mcp|:).*$/, '')}`,
          ),
        ),
      ].sort(),
    ).toEqual([
      'GET /authorize',
      'GET /authorize/callback',
      'GET /oauth-authorization-server',
      'GET /oauth-protected-resource',
      'GET /openid-configuration',
      'GET /session/callback',
      'GET /session/sign-in',
      'GET /userinfo',
      'POST /authorize',
      'POST /backchannel-logout',
      'POST /register',
      'POST /revoke',
      'POST /token',
    ])
  })

  it('by cookie: admit nobody whose role lacks the right, and refuse nobody who has it; 0 wrong admissions', async () => {
    const wrong: string[] = []
    for (const [login, role] of [...Object.entries(logins), [undefined, undefined] as const])
      for (const route of routes.filter((each) => !isLast(each))) {
        const { path, right } = route
        const rights: readonly (Right | string)[] = role === undefined ? [] : rightsOfRole(role)
        // The cookie of a person counts for their pages and the admin API, never for MCP or REST.
        const counts = path.startsWith('/api/admin/') && login !== undefined
        const may = right === 'open' || (counts && (right === 'known' || rights.includes(right)))
        const got = await knock(route, login && cookies.get(login))
        if (got !== 'in' && ownProof.has(nameOf(route))) continue
        if ((got === 'in') !== may) wrong.push(`${login ?? 'nobody'} at ${nameOf(route)} (${right}): ${got}`)
      }
    expect(wrong).toEqual([])
  })
})
