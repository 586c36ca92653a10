import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SigningKind, signedClient, signingKinds } from '../helpers/clients/signing.js'
import { startIdentityProvider, type TestProvider } from '../helpers/identity-provider.js'
import { openTeam, type TeamBoard } from '../helpers/team-board.js'
import { walkAs, walkWithKey } from './walk.js'

const ways = ['our authorization server', 'tokens of the provider'] as const
const clients = ['registers itself', 'has a document'] as const
const endpoints = ['/mcp', '/mcp/eng'] as const
const cells = ways.flatMap((way) =>
  signingKinds.flatMap((kind) =>
    clients.flatMap((client) => endpoints.map((endpoint) => [kind, client, way, endpoint] as const)),
  ),
)

/** Where a client's document would lie; whoever fetches it is handed the text by the tests. */
const document = 'https://client.example/oauth/client.json'
const redirectUrl = 'http://127.0.0.1:33418/callback'
const documentText = JSON.stringify({
  client_id: document,
  client_name: 'A client with a document',
  client_uri: 'https://client.example',
  redirect_uris: [redirectUrl],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
})

describe('SDK clients sign in and call, as themselves', () => {
  let provider: TestProvider
  let boards: Record<(typeof ways)[number], TeamBoard>
  beforeAll(async () => {
    provider = await startIdentityProvider({ documentsAt: { [document]: documentText } })
    boards = {
      'our authorization server': await openTeam({ provider, documentsAt: { [document]: documentText } }),
      'tokens of the provider': await openTeam({ provider, people: 'off', tokens: true }),
    }
  })
  afterAll(async () => {
    for (const board of Object.values(boards ?? {})) await board[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })
  const signIn = (
    kind: SigningKind,
    way: (typeof ways)[number],
    endpoint: string,
    isDocumented: boolean,
    login = 'alice',
  ) =>
    signedClient({
      kind,
      redirectUrl,
      url: `${boards[way].url}${endpoint}`,
      document: isDocumented ? document : undefined,
      walk: walkAs(login),
    })

  it.each(cells)('%s, which %s, by %s at %s', async (kind, how, way, endpoint) => {
    const client = await signIn(kind, way, endpoint, how === 'has a document')
    expect(client.walks).toBe(1)
    expect(client.clientId === document).toBe(how === 'has a document')
    expect((await client.list()).join()).toContain('calculator')
    expect((await client.call('calculator', { expression: '6*7' })).text).toContain('42')
    await client.close()
  })

  it.each(ways)('renews a token that no longer counts without asking anybody, by %s', async (way) => {
    const client = await signIn('v2-modern', way, '/mcp', false)
    client.show('pga_gone')
    expect((await client.call('calculator', { expression: '1+1' })).text).toContain('2')
    expect(client.walks).toBe(1)
    await client.close()
  })

  it.each(ways)('shows a token of one endpoint at another in vain, by %s (I5)', async (way) => {
    const client = await signIn('v2-modern', way, '/mcp/eng', false)
    const { access_token: token } = client.tokens
    const ask = (endpoint: string) =>
      fetch(`${boards[way].url}${endpoint}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
        }),
      })
    expect((await ask('/mcp/eng')).status).toBe(200)
    for (const other of ['/mcp', '/mcp/sales']) {
      const refused = await ask(other)
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
    await client.close()
  })

  it.each(ways)('gives everybody what the table says, by %s', async (way) => {
    // sales reads: the operator says what is read-only.
    const bob = await signIn('v2-modern', way, '/mcp', false, 'bob')
    expect((await bob.call('current_time', {})).isError).toBe(false)
    expect((await bob.call('calculator', { expression: '1' })).isError).toBe(true)
    await bob.close()
    // No row is about dave, who has no groups claim either: a sign-in that says so, or a token that opens nothing.
    await expect(signIn('v2-modern', way, '/mcp', false, 'dave')).rejects.toThrow(
      /groups|403|forbidden|no code came back/i,
    )
  })
})

describe('a team without an identity provider', () => {
  it.each(signingKinds)('lets %s in by a key that is pasted once, and out with the key', async (kind) => {
    await using team = await openTeam({ people: 'keys' })
    const { key, record } = await team.board.listener!.keys.create({ name: 'alice', permission: 'read' })
    const client = await signedClient({ kind, url: `${team.url}/mcp`, walk: walkWithKey(key) })
    expect((await client.call('calculator', { expression: '6*7' })).text).toContain('42')
    expect(JSON.stringify(client.tokens)).not.toContain(key)
    await team.board.listener!.keys.revoke(record.id)
    // The client is sent to sign in anew, and the key that it would paste is no longer one.
    await expect(client.call('calculator', { expression: '1' })).rejects.toThrow(/The browser ended at/)
  })
})
