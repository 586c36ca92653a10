import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { identityId } from '../../src/access/identity.js'
import { createBrowser, type HeadlessBrowser } from '../helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { type SignInServers, startSignInServers } from '../helpers/sign-in-servers.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'

describe('whoever has to sign in at a source', () => {
  let provider: TestProvider
  let far: SignInServers
  let team: TeamBoard
  let browser: HeadlessBrowser
  /** A key that alice owns: whoever shows it is her. */
  let key: string
  /** One that nobody owns. */
  let stray: string
  let alice: string

  beforeAll(async () => {
    provider = await startIdentityProvider()
    far = await startSignInServers()
    far.rules.listsToAll = true
    far.rules.offersMore = true
    const sources = {
      docs: { type: 'http', url: far.url, auth: { type: 'oauth', per: 'caller' } },
      keyed: { type: 'http', url: far.url, auth: { type: 'key', per: 'caller', help: 'https://keys.example' } },
    }
    team = await openTeam({ provider, config: { sources } })
    alice = identityId(provider.issuer, 'alice')
    browser = createBrowser()
    await browser.submit(await browser.open(`${team.url}/session/sign-in`), { login: 'alice' })
    const { keys } = team.board.listener!
    key = (await keys.create({ name: 'hers', permission: 'write', owner: alice })).key
    // Whoever signs in is written down a moment later.
    await vi.waitUntil(
      async () => (await post('/api/v1/tools/docs.read/call', {})).json.error.details.kind === 'oauth',
      {
        timeout: 60_000,
      },
    )
    stray = (await keys.create({ name: 'stray', permission: 'write' })).key
  })
  afterAll(async () => {
    for (const each of [team, far, provider]) await each?.[Symbol.asyncDispose]()
  })
  beforeEach(() => team.board.signIns.endCaller(alice))

  const post = async (path: string, body: unknown, { language = 'en', by = key } = {}) => {
    const response = await fetch(`${team.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : undefined }
  }
  const page = () => `${team.url}/me`

  describe('over REST', () => {
    it('is told where, by details and in words, in both languages', async () => {
      for (const [source, kind] of [
        ['docs', 'oauth'],
        ['keyed', 'key'],
      ]) {
        const english = await post(`/api/v1/tools/${source}.read/call`, {})
        expect(english.status).toBe(403)
        expect(english.json.error).toMatchObject({
          code: 'SIGN_IN_REQUIRED',
          message: expect.stringContaining(page()),
          details: { source, kind, url: page() },
        })
        const chinese = await post(`/api/v1/tools/${source}.read/call`, {}, { language: 'zh-CN' })
        expect(chinese.json.error).toMatchObject({
          message: `来源 ${source} 需要您自己登录：${page()}`,
          details: { url: page() },
        })
      }
    })

    it('is told so of a stream, of each call of several, and in a provider’s words', async () => {
      const stream = await post('/api/v1/tools/docs.read/call?stream=true', {})
      expect(stream.text).toContain(`"url":"${page()}"`)
      const several = await post('/api/v1/calls', {
        calls: [{ tool: 'docs.read' }, { tool: 'keyed.read' }],
      })
      expect(several.json.results).toMatchObject([
        { ok: false, status: 403, error: { code: 'SIGN_IN_REQUIRED', details: { url: page() } } },
        { ok: false, status: 403, error: { code: 'SIGN_IN_REQUIRED', details: { url: page() } } },
      ])
      const message = {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'docs__read', arguments: '{}' } }],
      }
      const answered = await post('/api/v1/tool-calls?provider=openai', message)
      expect(answered.json.messages[0].content).toContain(page())
    })

    it('is sent to no page where nobody vouches for who they are', async () => {
      const { json } = await post('/api/v1/tools/docs.read/call', {}, { by: stray })
      expect(json.error).toMatchObject({ code: 'SIGN_IN_REQUIRED', details: { source: 'docs', kind: 'identity' } })
      expect(json.error.details.url).toBeUndefined()
    })
  })

  it('is told where over recall, in both languages', async () => {
    const path = '/api/agent-retrieval/in/v1/mcp/proxy/docs/tools/read/call'
    const english = await post(path, {})
    expect([english.status, english.text]).toEqual([403, expect.stringContaining(page())])
    const chinese = await post(path, {}, { language: 'zh-CN' })
    expect(chinese.text).toContain(`需要先登录: docs ${page()}`)
  })

  it('is told where by the error of the library', async () => {
    const identity = { id: alice, issuer: provider.issuer, subject: 'alice' }
    const caller = { id: alice, kind: 'person' as const, rights: ['discover', 'call'] as const, identity }
    const outcome = await team.board.gateway.call({ tool: 'docs.read', args: {}, caller: caller as never })
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'SIGN_IN_REQUIRED', details: { source: 'docs', kind: 'oauth', url: page() } },
    })
  })

  const connect = async (mode: 'auto' | 'legacy', can: object, onAsked?: (url: string) => Promise<unknown>) => {
    const client = new Client({ name: 'asks', version: '1' }, { capabilities: can, versionNegotiation: { mode } })
    if (onAsked)
      client.setRequestHandler('elicitation/create', async ({ params }: any) => {
        await onAsked(params.url)
        return { action: 'accept' } as any
      })
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${team.url}/mcp`), { requestInit }))
    return client
  }
  /** What alice does with a link: our page, the source, and back. */
  const signIn = async (link: string) => {
    const asked = await browser.open(link)
    const [, go] = /href="([^"]+)"/.exec(asked.text) ?? []
    return browser.open(`${new URL(go!.replaceAll('&#38;', '&'), asked.url).href}&user=alice`)
  }
  const opensLinks = { elicitation: { url: {} } }
  /** Under the names that the client was shown. */
  const listed = async (client: Client, method: 'prompts/get' | 'resources/read') => {
    if (method === 'prompts/get')
      return { name: (await client.listPrompts()).prompts.find(({ name }) => name.startsWith('docs'))!.name }
    return { uri: (await client.listResources()).resources.find(({ uri }) => uri.includes('docs'))!.uri }
  }
  const ask = async (client: Client, method: 'prompts/get' | 'resources/read') =>
    client.request({ method, params: await listed(client, method) } as never)

  describe.each([['prompts/get'], ['resources/read']] as const)('for %s', (method) => {
    it('is asked by a link in a modern client, and gets their answer when they have signed in', async () => {
      const asked: string[] = []
      const client = await connect('auto', opensLinks, async (url) => {
        asked.push(url)
        await signIn(url)
      })
      expect(JSON.stringify(await ask(client, method))).toContain('"text"')
      expect(asked).toEqual([expect.stringMatching(new RegExp(`^${team.url}/connect\\?t=`))])
      await ask(client, method)
      expect(asked).toHaveLength(1)
      await client.close()
    })

    it('is asked by the error for it in a legacy one', async () => {
      const client = await connect('legacy', opensLinks)
      const error: any = await ask(client, method).catch((each: unknown) => each)
      expect(error).toMatchObject({ code: -32042 })
      expect((error.data?.elicitations ?? error.elicitations)[0].url).toContain(`${team.url}/connect?t=`)
      await client.close()
    })

    it.each(['auto', 'legacy'] as const)('is told the page where a client opens no links (%s)', async (mode) => {
      const client = await connect(mode, {})
      await expect(ask(client, method)).rejects.toMatchObject({
        message: expect.stringContaining(page()),
        data: { code: 'SIGN_IN_REQUIRED', source: 'docs', url: page() },
      })
      await client.close()
    })
  })

  it('is not sent away for a suggestion, and is told the page', async () => {
    const client = await connect('auto', opensLinks, () => Promise.reject(new Error('nobody should be asked')))
    const { name } = (await listed(client, 'prompts/get')) as { name: string }
    const ref = { type: 'ref/prompt' as const, name }
    await expect(client.complete({ ref, argument: { name: 'x', value: '' } })).rejects.toMatchObject({
      data: { code: 'SIGN_IN_REQUIRED', url: page() },
    })
    await client.close()
  })

  it('gets lists that no cache may show to anybody else', async () => {
    const client = await connect('auto', {})
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
      'server/discover',
    ]) {
      const response = await fetch(`${team.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': method,
        },
        body: JSON.stringify({
          ...{ jsonrpc: '2.0', id: 1, method },
          params: {
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientCapabilities': {},
              'io.modelcontextprotocol/clientInfo': { name: 'looks', version: '1' },
            },
          },
        }),
      })
      const text = await response.text()
      const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
      expect([method, result.cacheScope]).toEqual([method, 'private'])
      if (method === 'tools/list') expect(JSON.stringify(result.tools)).toContain('docs__read')
      expect(response.headers.get('cache-control') ?? '').not.toContain('public')
    }
    await client.close()
  })
})
