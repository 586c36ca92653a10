import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { createSeals } from '../../model/seal.js'
import { clientKeyOf, redirectOf, shownName } from './client.js'
import { createDocuments, type FetchDocument } from './documents.js'
import { createRegistrations } from './registrations.js'

const seals = createSeals('a secret for tests')
const registrations = createRegistrations(seals.of('client'))
const register = (metadata: unknown) => registrations.register(metadata, 1_800_000_000_000)

describe('a client that registers itself (I9)', () => {
  // As quoted in issues of the clients, autumn 2026.
  const shapes = {
    Cursor: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    'VS Code': {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    'Claude Code': {
      client_name: 'Claude Code (pegboard)',
      redirect_uris: ['http://localhost:54212/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  }

  it.each(Object.entries(shapes))('is let in as %s registers', (_, metadata) => {
    const answer = register(metadata)
    expect(answer).toMatchObject({
      client_name: metadata.client_name,
      redirect_uris: metadata.redirect_uris,
      token_endpoint_auth_method: 'none',
    })
    expect(String(answer.client_id).length).toBeLessThan(600)
    const client = registrations.find(String(answer.client_id))!
    expect(client).toMatchObject({ name: metadata.client_name, home: undefined })
    for (const text of metadata.redirect_uris) expect(redirectOf(client, text)?.text).toBe(text)
    expect(redirectOf(client, 'https://evil.example/cb')).toBeUndefined()
  })

  it('says why it is not let in', () => {
    const wrong = [
      [undefined, 'invalid_client_metadata'],
      [[], 'invalid_client_metadata'],
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['https://a.example/cb', 'javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: Array(17).fill('https://a.example/cb') }, 'invalid_redirect_uri'],
      [{ redirect_uris: ['https://a.example/cb'], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ redirect_uris: ['https://a.example/cb'], response_types: ['token'] }, 'invalid_client_metadata'],
      [{ redirect_uris: Array(16).fill(`https://a.example/${'x'.repeat(1000)}`) }, 'invalid_client_metadata'],
    ] as const
    for (const [metadata, error] of wrong) expect(() => register(metadata)).toThrow(expect.objectContaining({ error }))
  })

  it('is nobody with an id that was not given, or given elsewhere, or changed by a letter (property)', () => {
    const id = String(register({ redirect_uris: ['https://a.example/cb'] }).client_id)
    expect(createRegistrations(createSeals('another').of('client')).find(id)).toBeUndefined()
    expect(createRegistrations(seals.of('code')).find(id)).toBeUndefined()
    expect(registrations.find(`x${id}`)).toBeUndefined()
    expect(registrations.find(id.slice(4))).toBeUndefined()
    const place = fc.integer({ min: 0, max: id.length - 1 })
    const letter = fc.constantFrom(...'abcXYZ019-_=+/ ')
    fc.assert(
      fc.property(place, letter, (at, other) => {
        const changed = id.slice(0, at) + other + id.slice(at + 1)
        if (changed !== id) expect(registrations.find(changed)).toBeUndefined()
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(registrations.find(`pgc_${text}`)).toBeUndefined()
      }),
    )
  })

  it('has one short name for rows and tokens', () => {
    const id = String(register({ redirect_uris: ['https://a.example/cb'] }).client_id)
    expect(clientKeyOf(id)).toMatch(/^registered:[\w-]{16}$/)
    expect(clientKeyOf('https://a.example/client')).toBe('https://a.example/client')
  })
})

describe('the name of a client', () => {
  it('cannot write over the words around it', () => {
    expect(shownName('Claude‮edoC\u0000\n  x')).toBe('Claude edoC x')
    expect(shownName('a'.repeat(200))).toHaveLength(80)
    for (const none of ['', '   ', '\u200b\u202e', 1, null, 'x'.repeat(5000)]) expect(shownName(none)).toBeUndefined()
  })
})

describe('a client by its document (I10)', () => {
  const claudeCode = 'https://claude.ai/oauth/claude-code-client-metadata'
  // As quoted in issues of the clients, autumn 2026.
  const known: Record<string, Record<string, unknown>> = {
    [claudeCode]: {
      client_id: claudeCode,
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    'https://claude.ai/oauth/mcp-oauth-client-metadata': {
      client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none',
    },
    'https://chatgpt.com/oauth/client.json': {
      client_id: 'https://chatgpt.com/oauth/client.json',
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
    'https://github.com/copilot-cli/client.json': {
      client_id: 'https://github.com/copilot-cli/client.json',
      client_name: 'GitHub Copilot CLI',
      redirect_uris: ['http://127.0.0.1:33418/'],
      application_type: 'native',
    },
  }

  const open = (
    documents: Record<string, unknown> = known,
    more: Partial<Parameters<typeof createDocuments>[0]> = {},
  ) => {
    const clock = new VirtualClock()
    const asked: string[] = []
    let headers: Record<string, string> = { 'content-type': 'application/json' }
    const fetch: FetchDocument = async (url, bounds) => {
      asked.push(url.href)
      expect(bounds).toEqual({ timeoutMs: 5000, maxBytes: 65_536 })
      const document = documents[url.href]
      if (document instanceof Error) throw document
      if (document === undefined) return { status: 404, headers: {}, body: Buffer.alloc(0) }
      return {
        status: 200,
        headers,
        body: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
      }
    }
    const found = createDocuments({ fetch, hosts: () => ['*'], clock, ...more })
    return { ...found, clock, asked, documents, answerWith: (given: Record<string, string>) => void (headers = given) }
  }

  it.each([
    [claudeCode, 'http://localhost:61234/callback'],
    ['https://claude.ai/oauth/mcp-oauth-client-metadata', 'https://claude.ai/api/mcp/auth_callback'],
    ['https://chatgpt.com/oauth/client.json', 'https://chatgpt.com/connector_platform_oauth_redirect'],
    ['https://github.com/copilot-cli/client.json', 'http://127.0.0.1:40123/'],
  ])('is let in: %s', async (id, redirect) => {
    const client = await open().find(id, redirect)
    expect(redirectOf(client, redirect)?.text).toBe(redirect)
    expect(client).toMatchObject({ home: new URL(id).host, key: id })
  })

  it.each([
    'http://claude.ai/oauth/client',
    'https://claude.ai',
    'https://claude.ai/',
    'https://user@claude.ai/client',
    'https://claude.ai/client#x',
    'https://claude.ai/a/../client',
    'https://claude.ai:443/client',
    'https://CLAUDE.ai/client',
    'https://claude.ai\\client',
    `https://claude.ai/${'x'.repeat(2048)}`,
  ])('is not even asked for at %s', async (id) => {
    const { find, asked, recognises } = open()
    expect(recognises(id)).toBe(true)
    await expect(find(id, undefined)).rejects.toMatchObject({ error: 'invalid_client' })
    expect(asked).toEqual([])
  })

  it('is refused where its document is another’s, odd, or away', async () => {
    const id = 'https://a.example/client'
    const good = { client_id: id, redirect_uris: ['https://a.example/cb'] }
    const wrong: unknown[] = [
      { ...good, client_id: 'https://a.example/Client' },
      { ...good, client_id: undefined },
      { ...good, redirect_uris: undefined },
      { ...good, redirect_uris: ['javascript:alert(1)', 'http://evil.example/'] },
      { ...good, redirect_uris: Array(65).fill('https://a.example/cb') },
      { ...good, token_endpoint_auth_method: 'client_secret_basic' },
      { ...good, token_endpoint_auth_method: 'client_secret_post' },
      { ...good, client_secret: 'x' },
      { ...good, grant_types: ['implicit'] },
      '[]',
      '{',
      'null',
      new Error('a redirect, a private address, too large, too slow'),
      undefined,
    ]
    for (const document of wrong)
      await expect(open({ [id]: document }).find(id, undefined), JSON.stringify(document)).rejects.toMatchObject({
        error: 'invalid_client',
      })
    const html = open({ [id]: good })
    html.answerWith({ 'content-type': 'text/html' })
    await expect(html.find(id, undefined)).rejects.toMatchObject({ error: 'invalid_client' })
    expect((await open({ [id]: good }).find(id, undefined)).name).toBe('a.example')
  })

  it('is taken from hosts on the list alone', async () => {
    const { find, asked } = open(known, { hosts: () => ['claude.ai', '*.example.com'] })
    await find(claudeCode, undefined)
    await expect(find('https://chatgpt.com/oauth/client.json', undefined)).rejects.toMatchObject({
      error: 'invalid_client',
    })
    await expect(find('https://xclaude.ai/client', undefined)).rejects.toMatchObject({ error: 'invalid_client' })
    await expect(find('https://example.com/client', undefined)).rejects.toMatchObject({ error: 'invalid_client' })
    expect(asked).toEqual([claudeCode])
  })

  it('is remembered for five minutes at least and a day at most', async () => {
    const brief = open()
    await brief.find(claudeCode, undefined)
    await brief.clock.advance(5 * 60_000 - 1)
    await brief.find(claudeCode, undefined)
    expect(brief.asked).toHaveLength(1)
    await brief.clock.advance(1)
    await brief.find(claudeCode, undefined)
    expect(brief.asked).toHaveLength(2)
    const long = open()
    long.answerWith({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=99999999' })
    await long.find(claudeCode, undefined)
    await long.clock.advance(24 * 60 * 60_000 - 1)
    await long.find(claudeCode, undefined)
    expect(long.asked).toHaveLength(1)
    await long.clock.advance(1)
    await long.find(claudeCode, undefined)
    expect(long.asked).toHaveLength(2)
  })

  it('is asked for again where somebody comes with an address that it did not name, but not at every request', async () => {
    const id = 'https://a.example/client'
    const documents: Record<string, unknown> = { [id]: { client_id: id, redirect_uris: ['https://a.example/one'] } }
    const { find, clock, asked } = open(documents)
    const before = await find(id, 'https://a.example/one')
    documents[id] = { client_id: id, redirect_uris: ['https://a.example/two'] }
    await find(id, 'https://a.example/two')
    expect(asked).toHaveLength(1)
    await clock.advance(30_000)
    const after = await find(id, 'https://a.example/two')
    expect(redirectOf(after, 'https://a.example/two')).toBeDefined()
    // What was remembered is over: its old address no longer counts, and rounds begun under it are noticed.
    expect(redirectOf(after, 'https://a.example/one')).toBeUndefined()
    expect(after.version).not.toBe(before.version)
  })

  it('is asked for once by many at once, and a thousand are remembered', async () => {
    const documents: Record<string, unknown> = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => `https://h${index}.example/c`).map((id) => [
        id,
        { client_id: id, redirect_uris: ['https://a.example/cb'] },
      ]),
    )
    const { find, asked } = open(documents, { most: 10 })
    await Promise.all(Array.from({ length: 50 }, () => find('https://h0.example/c', undefined)))
    expect(asked).toHaveLength(1)
    for (const id of Object.keys(documents)) await find(id, undefined)
    expect(asked).toHaveLength(20)
    await find('https://h0.example/c', undefined)
    expect(asked).toHaveLength(21)
    await find('https://h19.example/c', undefined)
    expect(asked).toHaveLength(21)
  })

  it('is not asked for more than so often by whoever makes up hosts', async () => {
    const { find, asked, clock } = open({})
    const answers = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, index) => find(`https://h${index}.example/c`, undefined)),
    )
    expect(asked.length).toBeLessThanOrEqual(16)
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true)
    for (let index = 0; index < 1000; index++) await find(`https://i${index}.example/c`, undefined).catch(() => {})
    expect(asked.length).toBeLessThanOrEqual(300)
    await clock.advance(60_000)
    await find('https://late.example/c', undefined).catch(() => {})
    expect(asked.at(-1)).toBe('https://late.example/c')
  })
})
