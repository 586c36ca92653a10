import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { connectRoutes } from '../../src/faces/admin/connect.js'
import { signInCallback } from '../../src/faces/admin/sign-in-callback.js'
import { createAuthenticator } from '../../src/http/auth-loopback.js'
import { createHttpHost, type HttpHost } from '../../src/http/host.js'
import type { Caller } from '../../src/model/caller.js'
import { signedClient } from '../helpers/clients/signing.js'
import { createBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

type Login = 'alice' | 'carol'
type Asked = { readonly url: string; readonly message: string }
type Act = 'accept' | 'decline' | 'cancel'

describe('a source that wants the sign-in of whoever calls (I11)', () => {
  let provider: TestProvider
  let far: SignInServers
  let team: TeamBoard
  let pages: HttpHost
  let pagesAt: string
  const tokens = new Map<Login, string>()

  /** Whom the test's browser is signed in as; how a cookie says so is the console's own test. */
  const people = new Map<string, Caller>()

  beforeAll(async () => {
    provider = await startIdentityProvider()
    far = await startSignInServers()
    far.rules.listsToAll = true
    far.keys.set('key-of-alice', 'alice')
    const sources = {
      docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } },
      keyed: { type: 'http', url: far.url, auth: { type: 'key', per: 'caller', header: 'Authorization' } },
    }
    team = await openTeam({ provider, people: 'off', tokens: true, config: { sources } })
    for (const login of ['alice', 'carol'] as const) {
      const client = await signedClient({ kind: 'v2-legacy', url: `${team.url}/mcp`, walk: walkAs(login) })
      tokens.set(login, client.tokens.access_token)
      await client.close()
      const identity = { id: identityId(provider.issuer, login), issuer: provider.issuer, subject: login, name: login }
      people.set(login, { id: identity.id, kind: 'person', rights: ['discover', 'call'], identity })
    }
    pages = createHttpHost({ authenticate: createAuthenticator({ openLoopback: true }) })
    const desk = team.board.connecting.desk(
      async ({ request }) => people.get(String(request.headers['x-visitor'])),
      () => 'http://signs.in/here',
    )
    pages.addRoutes([...connectRoutes(desk), signInCallback(desk, '/oauth/callback', desk.visitor)])
    pagesAt = (await pages.listen({ host: '127.0.0.1', port: 0 })).url
  })
  afterAll(async () => {
    await pages?.close({ graceMs: 100 })
    for (const each of [team, far, provider]) await each?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    for (const { identity } of people.values()) await team.board.signIns.endCaller(identity!.id)
  })

  const walkAs = (login: string) => async (link: URL, redirectUrl: string) => {
    const browser = createBrowser()
    const stopAt = (to: string) => to.startsWith(redirectUrl)
    return (await browser.submit(await browser.open(link.href, stopAt), { login }, { stopAt })).url
  }

  /** A page of ours as somebody's browser gets it. */
  const visit = async (url: string, login: string | undefined, form?: Record<string, string>) => {
    const { pathname, search } = new URL(url, pagesAt)
    const response = await fetch(`${pagesAt}${pathname}${search}`, {
      redirect: 'manual',
      headers: { ...(login && { 'x-visitor': login }), 'accept-language': 'en' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }
  /** What a person does with a link of the source docs: reads the page, goes on, signs in there, comes back. */
  const signIn = async (link: string, login: Login) => {
    const page = await visit(link, login)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('docs')])
    const [, go] = /href="([^"]+)"/.exec(page.text) ?? []
    const begun = await visit(go!.replaceAll('&#38;', '&'), login)
    expect(begun.status).toBe(303)
    const there = await fetch(`${begun.headers.get('location')}&user=${login}`, { redirect: 'manual' })
    const back = there.headers.get('location')!
    const done = await visit(back, login)
    // The code does not stay in the address of the page that is shown.
    return done.status === 303 ? visit(new URL(done.headers.get('location')!, back).href, login) : done
  }
  const open = async (
    kind: 'v1' | 'v2-legacy' | 'v2-modern',
    login: Login,
    can: object,
    onAsked: (asked: Asked) => Promise<Act>,
  ) => {
    const requestInit = { headers: { Authorization: `Bearer ${tokens.get(login)}` } }
    const url = new URL(`${team.url}/mcp`)
    if (kind === 'v1') {
      const client = new ClientV1({ name: 'asks', version: '1' }, { capabilities: can })
      await client.connect(new TransportV1(url, { requestInit }) as any)
      return client as any
    }
    const mode = kind === 'v2-modern' ? 'auto' : 'legacy'
    const client = new ClientV2({ name: 'asks', version: '1' }, { capabilities: can, versionNegotiation: { mode } })
    if ('elicitation' in can)
      client.setRequestHandler(
        'elicitation/create',
        async ({ params }: any) => ({ action: await onAsked(params) }) as any,
      )
    await client.connect(new TransportV2(url, { requestInit }) as any)
    return client as any
  }
  const call = async (client: any, name = 'docs__read') => {
    const { content, isError = false } = await client.callTool({ name, arguments: {} })
    return { isError, text: content.map(({ text = '' }) => text).join('') }
  }
  const opensLinks = { elicitation: { url: {} } }
  const never = async (): Promise<Act> => {
    throw new Error('nobody should be asked')
  }

  it('asks a modern client by input_required, goes on when its person has signed in, and asks nothing the second time', async () => {
    const asked: Asked[] = []
    const client = await open('v2-modern', 'alice', opensLinks, async (params) => {
      asked.push(params)
      const done = await signIn(params.url, 'alice')
      expect(done.status).toBe(200)
      return 'accept'
    })
    expect(await call(client)).toEqual({ isError: false, text: 'alice' })
    expect(asked).toEqual([expect.objectContaining({ mode: 'url', message: expect.stringContaining('docs') })])
    expect(asked[0]!.url).toMatch(new RegExp(`^${team.url}/connect\\?t=[\\w-]+$`))
    expect(await call(client)).toEqual({ isError: false, text: 'alice' })
    expect(asked).toHaveLength(1)
    await client.close()
  })

  it('waits for a person who takes a while, instead of asking at full speed', async () => {
    let times = 0
    let signed: Promise<unknown> | undefined
    const client = await open('v2-modern', 'alice', opensLinks, async ({ url }) => {
      times += 1
      // The client says yes at once; its person is still in the browser.
      signed ??= signIn(url, 'alice')
      return 'accept'
    })
    expect(await call(client)).toEqual({ isError: false, text: 'alice' })
    await signed
    expect(times).toBe(1)
    await client.close()
  })

  it.each(['decline', 'cancel'] as const)(
    'tells the model when its person says no (%s), and asks once',
    async (act) => {
      let times = 0
      const client = await open('v2-modern', 'alice', opensLinks, async () => {
        times += 1
        return act
      })
      expect(await call(client)).toEqual({ isError: true, text: expect.stringContaining('declined') })
      expect(times).toBe(1)
      await client.close()
    },
  )

  it.each(['v1', 'v2-legacy'] as const)(
    'asks a legacy client (%s) by the error for it, and tells it when that is done',
    async (kind) => {
      const client = await open(kind, 'alice', opensLinks, never)
      const completed = new Promise<string>((resolve) => {
        client.fallbackNotificationHandler = async ({ method, params }: any) => {
          if (method === 'notifications/elicitation/complete') resolve(params.elicitationId)
        }
      })
      const error: any = await call(client).catch((each: unknown) => each)
      expect(error).toMatchObject({ code: -32042 })
      const [elicitation] = error.data?.elicitations ?? error.elicitations
      expect(elicitation).toMatchObject({ mode: 'url', elicitationId: expect.any(String) })
      await signIn(elicitation.url, 'alice')
      expect(await call(client)).toEqual({ isError: false, text: 'alice' })
      expect(await completed).toBe(elicitation.elicitationId)
      await client.close()
    },
  )

  it.each([
    ['v1', {}],
    ['v1', { elicitation: {} }],
    ['v2-legacy', {}],
    ['v2-modern', {}],
    ['v2-modern', { elicitation: { form: {} } }],
  ] as const)('names its page to a client that opens no links (%s, %j)', async (kind, can) => {
    const client = await open(kind, 'alice', can, never)
    expect(await call(client)).toEqual({ isError: true, text: expect.stringContaining(`${team.url}/me`) })
    await client.close()
  })

  /** The link that a client of this person is asked to open. */
  const linkFor = async (login: Login, tool = 'docs__read'): Promise<string> => {
    const client = await open('v2-legacy', login, opensLinks, never)
    const error: any = await call(client, tool).catch((each: unknown) => each)
    await client.close()
    return (error.data?.elicitations ?? error.elicitations)[0].url
  }
  const has = async (login: Login) =>
    (await team.board.signIns.listFor(people.get(login)!.identity!.id)).filter(({ state }) => state === 'signed-in')

  it('lets nobody but the caller use a link: 403 for another, and nothing is stored', async () => {
    const link = await linkFor('carol')
    const page = await visit(link, 'alice')
    expect([page.status, page.text]).toEqual([403, expect.stringContaining('somebody else')])
    const begin = link.replace('/connect?', '/connect/begin?')
    expect((await visit(begin, 'alice')).status).toBe(403)
    expect((await visit('/connect', 'alice', { t: new URL(link).searchParams.get('t')!, key: 'x' })).status).toBe(403)
    expect([await has('alice'), await has('carol')]).toEqual([[], []])
    expect((await visit(link, 'carol')).status).toBe(200)
  })

  it('refuses a way back that somebody else brings: whose sign-in it is decides', async () => {
    const link = await linkFor('carol')
    const begun = await visit(link.replace('/connect?', '/connect/begin?'), 'carol')
    const there = await fetch(`${begun.headers.get('location')}&user=alice`, { redirect: 'manual' })
    expect((await visit(there.headers.get('location')!, 'alice')).status).toBe(400)
    expect([await has('alice'), await has('carol')]).toEqual([[], []])
  })

  it('sends who is not signed in to sign in, and back', async () => {
    const link = await linkFor('alice')
    const sent = await visit(link, undefined)
    expect(sent.status).toBe(303)
    expect(sent.headers.get('location')).toBe(
      `http://signs.in/here?next=connect&t=${new URL(link).searchParams.get('t')}`,
    )
  })

  it('takes a link once, whole, and as it was given', async () => {
    const link = await linkFor('alice')
    await signIn(link, 'alice')
    const t = new URL(link).searchParams.get('t')!
    for (const other of [
      link,
      `${link}A`,
      `${link}&t=${t}`,
      link.replace(t, ''),
      link.replace(t, `${t.slice(0, -2)}AA`),
    ]) {
      for (const path of ['/connect?', '/connect/begin?'])
        expect((await visit(other.replace('/connect?', path), 'alice')).status).toBe(400)
    }
    expect((await visit(link, undefined)).status).toBe(400)
  })

  it('lets two who begin at once begin once', async () => {
    const link = await linkFor('alice')
    const begin = link.replace('/connect?', '/connect/begin?')
    const ends = await Promise.all([visit(begin, 'alice'), visit(begin, 'alice'), visit(begin, 'alice')])
    expect(ends.map(({ status }) => status).sort()).toEqual([303, 400, 400])
  })

  it('gives the same link again while it is good: there are never more than three', async () => {
    const links = new Set<string>()
    for (let at = 0; at < 6; at++) links.add(await linkFor('alice'))
    expect(links.size).toBe(1)
  })

  it('shows a page without script, in nobody’s frame, in both languages', async () => {
    const link = await linkFor('alice')
    const page = await visit(link, 'alice')
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
    // Without a referrer of its own a browser hides the origin of the form too.
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.text).not.toMatch(/<script/i)
    const { pathname, search } = new URL(link)
    const zh = await fetch(`${pagesAt}${pathname}${search}`, {
      headers: { 'x-visitor': 'alice', 'accept-language': 'zh-CN' },
    })
    expect(await zh.text()).toContain('以本人身份登录')
    expect((await fetch(`${pagesAt}${pathname}${search}`, { method: 'HEAD' })).status).toBe(405)
  })

  it('asks no more than twice where what was given is not good, and says where to go', async () => {
    let times = 0
    const client = await open('v2-modern', 'alice', opensLinks, async ({ url }) => {
      times += 1
      const t = new URL(url).searchParams.get('t')!
      expect((await visit('/connect', 'alice', { t, key: 'nobody takes this one' })).status).toBe(200)
      return 'accept'
    })
    expect(await call(client, 'keyed__read')).toEqual({ isError: true, text: expect.stringContaining('/me') })
    expect(times).toBe(2)
    await client.close()
  })

  it('takes a pasted key by the same page, of its person alone, and the call goes on', async () => {
    const asked: Asked[] = []
    const client = await open('v2-modern', 'alice', opensLinks, async (params) => {
      asked.push(params)
      const page = await visit(params.url, 'alice')
      expect(page.text).toContain('type="password"')
      const t = new URL(params.url).searchParams.get('t')!
      expect((await visit('/connect', 'carol', { t, key: 'key-of-alice' })).status).toBe(403)
      expect((await visit('/connect', 'alice', { t, key: '' })).status).toBe(400)
      const kept = await visit('/connect', 'alice', { t, key: 'key-of-alice' })
      expect([kept.status, kept.text]).toEqual([200, expect.not.stringContaining('key-of-alice')])
      return 'accept'
    })
    expect(await call(client, 'keyed__read')).toEqual({ isError: false, text: 'alice' })
    expect(asked).toHaveLength(1)
    expect(team.log.join('\n')).not.toContain('key-of-alice')
    await client.close()
  })
})
