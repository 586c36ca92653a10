import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDocumentFetch } from '../../src/serving/authorization.js'
import { answerIn, isBack, linkOf, registered, trade, verifier } from '../helpers/authorization-host.js'
import { signedClient, signingKinds } from '../helpers/clients/signing.js'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

let provider: TestProvider
let team: TeamBoard

const documentOf = (id: string, redirects: readonly string[], more: object = {}) => ({
  [id]: JSON.stringify({ client_id: id, client_name: id.split('/').at(-1), redirect_uris: redirects, ...more }),
})
const sdkDocument = 'https://client.example/oauth/client.json'
// As quoted in issues of these clients, autumn 2026.
const documentsAt = {
  ...documentOf(sdkDocument, ['http://127.0.0.1/callback']),
  ...documentOf('https://claude.ai/oauth/claude-code-client-metadata', [
    'http://localhost/callback',
    'http://127.0.0.1/callback',
  ]),
  ...documentOf('https://claude.ai/oauth/mcp-oauth-client-metadata', ['https://claude.ai/api/mcp/auth_callback']),
  ...documentOf('https://chatgpt.com/oauth/client.json', ['https://chatgpt.com/connector_platform_oauth_redirect'], {
    token_endpoint_auth_method: 'private_key_jwt',
  }),
  ...documentOf('https://github.com/copilot-cli/client.json', ['http://127.0.0.1:33418/']),
}

beforeAll(async () => {
  provider = await startIdentityProvider()
  team = await openTeam({ provider, documentsAt })
})
afterAll(async () => {
  await team[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

/** Consent, then the provider's form, back to the client. */
const walkAs =
  (login: string, browser: HeadlessBrowser = createBrowser()) =>
  async (link: URL, redirect: string): Promise<string> => {
    const stopAt = (url: string) => url.startsWith(redirect)
    const consent = await browser.open(link.href)
    expect(consent.text).toContain('wants to use your tools')
    const page = await browser.submit(consent, {}, { button: 'allow', stopAt })
    const back = page.text.includes('name="login"') ? await browser.submit(page, { login }, { stopAt }) : page
    if (!back.url.startsWith(redirect)) throw new Error(`${back.status} ${back.text}`)
    return back.url
  }

describe('a client of an SDK', () => {
  for (const kind of signingKinds)
    for (const way of ['document', 'registration'] as const)
      it(`${kind} with a ${way} is let in by its person, at the team’s provider`, async () => {
        const url = `${team.url}/mcp`
        const document = way === 'document' ? sdkDocument : undefined
        const client = await signedClient({ kind, url, document, walk: walkAs('alice') })
        try {
          expect(client.tokens.access_token).toMatch(/^pga_/)
          expect(client.tokens.refresh_token).toMatch(/^pgr_/)
          expect((await client.list()).length).toBeGreaterThan(0)
          expect(client.walks).toBe(1)
          // A token that is no good is renewed without anybody being asked.
          client.show('pga_broken')
          expect((await client.list()).length).toBeGreaterThan(0)
          expect(client.walks).toBe(1)
        } finally {
          await client.close()
        }
      })

  it('signs in with a key where the team has no provider', async () => {
    await using keyed = await openTeam({ people: 'keys' })
    const key = await keyed.key('read')
    const walk = async (link: URL, redirect: string): Promise<string> => {
      const browser = createBrowser()
      const consent = await browser.open(link.href)
      const stopAt = (url: string) => url.startsWith(redirect)
      return (await browser.submit(consent, { key }, { button: 'allow', stopAt })).url
    }
    for (const kind of ['v1', 'v2-modern'] as const) {
      const client = await signedClient({ kind, url: `${keyed.url}/mcp`, walk })
      expect((await client.list()).length).toBeGreaterThan(0)
      await client.close()
    }
    expect(keyed.log.join('\n')).not.toContain(key)
  })
})

describe('a person', () => {
  const begin = async (login: string, fields: Record<string, string> = {}) => {
    const id = await registered(team.url)
    const browser = createBrowser()
    const consent = await browser.open(linkOf(team.url, { client_id: id, ...fields }))
    const login1 = await browser.submit(consent, {}, { button: 'allow' })
    const back = await browser.submit(login1, { login }, { stopAt: isBack })
    return { id, back, browser }
  }

  it('is told why they may not come in, and their client that they may not', async () => {
    const dave = await begin('bob', { resource: `${team.url}/mcp/eng` })
    expect(dave.back.status).toBe(403)
    expect(dave.back.text).toContain('this profile is not one of yours')
    expect(dave.back.text).toMatch(/href="[^"]*error=access_denied[^"]*iss=/)
    provider.accounts.dave!.groups = ['nobody']
    const none = await begin('dave')
    expect(none.back.status).toBe(403)
    expect(none.back.text).toContain('nobody has given you access')
    expect(none.back.text).toContain('Signed in as dave@example.com, in the groups nobody (auth.grants)')
  })

  it('cannot be signed in by a link to the provider that somebody else began (login CSRF, fixation)', async () => {
    const id = await registered(team.url)
    const mallory = createBrowser()
    const consent = await mallory.open(linkOf(team.url, { client_id: id }))
    let link = ''
    await mallory.submit(
      consent,
      {},
      {
        button: 'allow',
        stopAt: (url) => {
          link = url
          return url.startsWith(provider.issuer)
        },
      },
    )
    const victim = createBrowser()
    const page = await victim.open(link)
    const after = await victim.submit(page, { login: 'alice' }, { stopAt: isBack })
    expect(after.status).toBe(403)
    expect(after.url.startsWith(`${team.url}/authorize/callback`)).toBe(true)
  })

  it('comes back once; what another issuer, or nobody, says is not believed (mix-up)', async () => {
    const id = await registered(team.url)
    const browser = createBrowser()
    const consent = await browser.open(linkOf(team.url, { client_id: id }))
    const page = await browser.submit(consent, {}, { button: 'allow' })
    const callback = `${team.url}/authorize/callback`
    const stopped = await browser.submit(page, { login: 'alice' }, { stopAt: (url) => url.startsWith(callback) })
    const wrong = new URL(stopped.url)
    wrong.searchParams.set('iss', 'https://evil.example')
    const refused = await browser.open(wrong.href, isBack)
    expect(refused.status).toBe(403)
    expect(refused.text).not.toContain('code=')
    // The round is used up by the attempt: the right answer comes too late.
    expect((await browser.open(stopped.url, isBack)).status).toBe(400)
    const head = await fetch(stopped.url, { method: 'HEAD' })
    expect(head.status).toBe(405)
  })

  it('has a token that their endpoint takes, and no other', async () => {
    const { id, back } = await begin('alice', { resource: `${team.url}/mcp/eng`, scope: 'mcp:call openid email' })
    const { code, iss, state } = answerIn(back)
    expect([iss, state]).toEqual([team.url, 'state-of-the-client'])
    const tokens = await trade(team.url, {
      grant_type: 'authorization_code',
      code,
      client_id: id,
      code_verifier: verifier,
    })
    const ask = (path: string) =>
      fetch(`${team.url}${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${tokens.access_token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        }),
      })
    expect((await ask('/mcp/eng')).status).toBe(200)
    for (const path of ['/mcp', '/mcp/sales']) expect((await ask(path)).status).toBe(401)
    const about = await fetch(`${team.url}/userinfo`, { headers: { Authorization: `Bearer ${tokens.access_token}` } })
    expect(await about.json()).toMatchObject({ email: 'alice@example.com', email_verified: true })
    await trade(team.url, { token: tokens.refresh_token, client_id: id }, '/revoke')
    expect((await ask('/mcp/eng')).status).toBe(401)
    expect(team.log.join('\n')).not.toMatch(/pg[ar]_/)
  })

  it('sees that the provider is away, and its client a reason', async () => {
    await using away = await startIdentityProvider()
    away.down()
    await using board = await openTeam({ provider: away })
    const id = await registered(board.url)
    const browser = createBrowser()
    const consent = await browser.open(linkOf(board.url, { client_id: id }))
    const page = await browser.submit(consent, {}, { button: 'allow', stopAt: isBack })
    expect(page.status).toBe(503)
    expect(page.text).toContain('cannot be reached')
    expect(page.text).toContain('error=temporarily_unavailable')
  })
})

describe('the shapes of clients that people use', () => {
  const consentOf = async (id: string, redirect: string) => {
    const page = await createBrowser().open(linkOf(team.url, { client_id: id, redirect_uri: redirect }))
    expect(page.status, page.text).toBe(200)
    return page.text
  }

  it.each([
    ['Claude Code', 'https://claude.ai/oauth/claude-code-client-metadata', 'http://localhost:61234/callback'],
    ['Claude.ai', 'https://claude.ai/oauth/mcp-oauth-client-metadata', 'https://claude.ai/api/mcp/auth_callback'],
    ['ChatGPT', 'https://chatgpt.com/oauth/client.json', 'https://chatgpt.com/connector_platform_oauth_redirect'],
    ['Copilot CLI', 'https://github.com/copilot-cli/client.json', 'http://127.0.0.1:40123/'],
  ])('%s by its document reaches the consent page', async (_, id, redirect) => {
    expect(await consentOf(id, redirect)).toContain(`<dd>${new URL(id).host}</dd>`)
  })

  it.each([
    [
      'Cursor',
      [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
    ],
    [
      'Visual Studio Code',
      [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
    ],
    ['Claude Code (x)', ['http://localhost:54212/callback']],
  ])('%s by its registration reaches the consent page', async (name, redirects) => {
    const id = await registered(team.url, { client_name: name, redirect_uris: redirects })
    for (const redirect of redirects) expect(await consentOf(id, redirect)).toContain('nobody vouches for this name')
  })
})

describe('a client document at an address inside', () => {
  it('is never asked for', async () => {
    let connections = 0
    const inside = createServer(() => {})
    inside.on('connection', (socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const { port } = inside.address() as AddressInfo
    await using board = await openTeam({ provider })
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '10.0.0.1',
      '0.0.0.0',
      '2130706433',
    ]
    for (const host of hosts)
      for (const id of [`https://${host}:${port}/client`, `http://${host}:${port}/client`]) {
        const page = await createBrowser().open(linkOf(board.url, { client_id: id }))
        expect(page.status, id).toBe(400)
        expect(page.text).not.toContain(String(port))
      }
    expect(connections).toBe(0)
    inside.close()
  })

  it('is asked for without following it elsewhere, and is given up when it is large or slow', async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      if (request.url === '/moved') response.writeHead(302, { Location: '/client' }).end()
      else if (request.url === '/large') response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024, 'x'))
      else if (request.url === '/client') response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const documents = openDocumentFetch(() => true)
    const fetched = (path: string, timeoutMs = 5000) =>
      documents.fetch(new URL(path, base), { timeoutMs, maxBytes: 65_536 })
    expect(await fetched('/moved')).toMatchObject({ status: 302 })
    await expect(fetched('/large')).rejects.toMatchObject({ code: 'RESULT_TOO_LARGE' })
    await expect(fetched('/slow', 50)).rejects.toBeDefined()
    expect(await fetched('/client')).toMatchObject({ status: 200 })
    expect(asked).toEqual(['/moved', '/large', '/slow', '/client'])
    await documents.close()
    server.closeAllConnections()
    server.close()
  })
})
