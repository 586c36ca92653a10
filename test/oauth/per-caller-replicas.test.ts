import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type OpenedReplica, openReplica } from '../helpers/open-replica.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'

/** Two replicas behind one address, which leads to the one that the test says. */
describePostgres('the own sign-ins of people at the sources of a fleet', () => {
  let far: SignInServers
  let provider: TestProvider
  let front: Server
  let publicUrl: string
  let a: OpenedReplica
  let b: OpenedReplica
  let target: OpenedReplica
  let browser: HeadlessBrowser
  let alice: string
  const keys = new Map<string, string>()

  beforeAll(async () => {
    far = await startSignInServers()
    far.rules.listsToAll = true
    far.rules.metadata = { revocation_endpoint: `${far.issuer}/revoke` }
    provider = await startIdentityProvider()
    front = createServer((incoming, outgoing) => {
      const { method, headers, url = '/' } = incoming
      const passed = forward(new URL(url, target.url), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      passed.on('error', () => outgoing.destroy())
      incoming.pipe(passed)
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`
    for (const path of ['/authorize/callback', '/session/callback']) provider.allowRedirect(`${publicUrl}${path}`)
    const { issuer, clientId, clientSecret } = provider
    const config = {
      server: { publicUrl },
      auth: {
        people: { issuer, clientId, clientSecret },
        grants: [{ everyone: true, role: 'caller', profiles: ['*'] }],
      },
      sources: { docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } } },
    }
    const database = await newDatabase()
    a = await openReplica({ database, name: 'a', config })
    b = await openReplica({ database, name: 'b', config })
    target = a
    alice = identityId(issuer, 'alice')
    for (const login of ['alice', 'bob']) {
      const each = createBrowser()
      await each.submit(await each.open(`${publicUrl}/session/sign-in`), { login })
      if (login === 'alice') browser = each
      const owner = identityId(issuer, login)
      keys.set(login, (await a.board.listener!.keys.create({ name: login, permission: 'write', owner })).key)
    }
    // Whoever signs in is written down a moment later, and every replica hears of it.
    for (const replica of [a, b])
      for (const login of ['alice', 'bob'])
        await vi.waitUntil(async () => (await call(replica, login)).details?.kind === 'oauth', { timeout: 60_000 })
  }, 120_000)
  afterAll(async () => {
    for (const each of [b, a, provider, far]) await each?.[Symbol.asyncDispose]()
    front?.closeAllConnections()
    await new Promise((resolve) => front?.close(resolve))
  })
  beforeEach(async () => {
    target = a
    await a.board.signIns.endCaller(alice)
    for (const each of [a, b]) await until(each, 'SIGN_IN_REQUIRED')
  })

  /** Who the source took the caller for, or the error. */
  const call = async ({ url }: OpenedReplica, login = 'alice') => {
    const response = await fetch(`${url}/api/v1/tools/docs.read/call?result=value`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.get(login)}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const body = (await response.json()) as any
    return { said: body.error?.code ?? body, details: body.error?.details }
  }
  const said = async (replica: OpenedReplica, login?: string) => (await call(replica, login)).said
  const until = (replica: OpenedReplica, wanted: string) =>
    vi.waitUntil(async () => (await said(replica)) === wanted, { timeout: 60_000 })
  const ask = async (path: string) => {
    const cookie = [...browser.cookies(publicUrl)].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: publicUrl, 'x-pegboard-console': '1', 'sec-fetch-site': 'same-origin' }
    const response = await fetch(`${publicUrl}/api/admin/v1/me${path}`, { method: 'POST', headers })
    return (await response.json()) as any
  }
  /** Begun at one replica, back at another: what a balancer makes of it. */
  const signIn = async (begunAt: OpenedReplica, backAt: OpenedReplica) => {
    target = begunAt
    const { url } = await ask('/sources/docs/sign-in')
    target = backAt
    expect(await browser.open(`${url}&user=alice`)).toMatchObject({ status: 200 })
  }
  const refreshes = () => far.tokenRequests.filter((each) => each.get('grant_type') === 'refresh_token').length

  it('count at every replica, wherever they were begun and finished, and for nobody else', async () => {
    await signIn(a, b)
    expect(await Promise.all([said(a), said(b)])).toEqual(['alice', 'alice'])
    expect(await Promise.all([said(a, 'bob'), said(b, 'bob')])).toEqual(['SIGN_IN_REQUIRED', 'SIGN_IN_REQUIRED'])
    expect((await call(b, 'bob')).details).toMatchObject({ url: `${publicUrl}/me` })
    const stored = JSON.stringify(await a.board.storage.shared('caller-sign-ins').all())
    expect(stored).not.toContain(far.rules.canary)
    expect(stored).not.toContain('alice')
  })

  it('are renewed once for all replicas that find them run out', async () => {
    await signIn(b, a)
    expect(await Promise.all([said(a), said(b)])).toEqual(['alice', 'alice'])
    for (let turn = 1; turn <= 3; turn++) {
      const before = refreshes()
      far.revokeAccess()
      expect(await Promise.all([a, b, a, b, a, b].map((each) => said(each)))).toEqual(Array(6).fill('alice'))
      expect(refreshes() - before).toBe(1)
    }
  })

  it('end at every replica when somebody signs out at one', async () => {
    await signIn(a, a)
    expect(await Promise.all([said(a), said(b)])).toEqual(['alice', 'alice'])
    target = b
    expect(await ask('/sources/docs/sign-out')).toMatchObject({ signedOut: true, revoked: 'revoked' })
    for (const each of [b, a]) await until(each, 'SIGN_IN_REQUIRED')
    const before = far.log.length
    expect(await Promise.all([said(a), said(b)])).toEqual(['SIGN_IN_REQUIRED', 'SIGN_IN_REQUIRED'])
    expect(far.log.slice(before)).toEqual([])
  })

  it('let a call go on that waits at one replica for what is finished at another', async () => {
    const capabilities = { elicitation: { url: {} } }
    const client = new Client({ name: 'asks', version: '1' }, { capabilities, versionNegotiation: { mode: 'auto' } })
    const asked: string[] = []
    let signed: Promise<unknown> | undefined
    client.setRequestHandler('elicitation/create', async ({ params }: any) => {
      asked.push(params.url)
      signed ??= (async () => {
        target = b
        const page = await browser.open(params.url)
        const [, go] = /href="([^"]+)"/.exec(page.text) ?? []
        const begin = new URL(go!.replaceAll('&#38;', '&'), page.url).href
        const there = await browser.open(begin, (to) => to.startsWith(far.issuer))
        return browser.open(`${there.url}&user=alice`)
      })()
      // The client says yes at once; its person is still in the browser, at the other replica.
      return { action: 'accept' } as any
    })
    const requestInit = { headers: { Authorization: `Bearer ${keys.get('alice')}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${a.url}/mcp`), { requestInit }))
    const { content } = (await client.callTool({ name: 'docs__read', arguments: {} })) as any
    expect(content).toEqual([{ type: 'text', text: 'alice' }])
    expect(await signed).toMatchObject({ status: 200 })
    expect(asked[0]).toContain(`${publicUrl}/connect?t=`)
    await client.close()
  })
})
