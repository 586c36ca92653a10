import { describe, expect, it } from 'vitest'
import { normalised } from '../../test/helpers/config-files.js'
import { isGatewayError } from '../errors.js'

const env = { KEY: 'k', TOKEN: 't' }

const read = (value: object) => normalised(value, { env })

const source = (entry: object, section = 'mcpServers') => read({ [section]: { a: entry } }).config.sources.a
const refusal = (value: object): string => {
  try {
    read(value)
  } catch (error) {
    if (isGatewayError(error)) return error.message
  }
  throw new Error('a refusal was expected')
}

describe('a source', () => {
  it.each([
    ['command', { command: 'npx', args: ['-y', 'x'] }, { type: 'stdio', args: ['-y', 'x'] }],
    ['url', { url: 'https://h/mcp' }, { type: 'http', url: 'https://h/mcp' }],
    ['url that ends in /sse', { url: 'https://h/sse' }, { type: 'sse' }],
    ['ws url', { url: 'wss://h/' }, { type: 'websocket' }],
    ['httpUrl (Gemini)', { httpUrl: 'https://h/sse' }, { type: 'http', url: 'https://h/sse' }],
    ['serverUrl (Windsurf)', { serverUrl: 'https://h/mcp' }, { type: 'http', url: 'https://h/mcp' }],
    ['baseUrl (Cherry Studio)', { baseUrl: 'https://h/mcp', type: 'sse' }, { type: 'sse', url: 'https://h/mcp' }],
    ['spec', { spec: './shop.yaml', baseUrl: 'http://h:1' }, { type: 'openapi', spec: '/etc/board/shop.yaml' }],
    ['module', { module: 'some-package' }, { type: 'embedded', module: 'some-package', config: {} }],
    ['path', { path: 'tools.json' }, { type: 'catalog', path: '/etc/board/tools.json' }],
    ['folder', { folder: 'scripts' }, { type: 'scripts', folder: '/etc/board/scripts' }],
  ])('has its type inferred from %s', (_key, entry, expected) => {
    expect(source(entry, 'sources')).toMatchObject({ namespace: 'a', enabled: true, ...expected })
  })

  it.each(['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'HTTP'])('may say http as %s', (type) => {
    expect(source({ type, url: 'https://h/sse' })).toMatchObject({ type: 'http' })
  })

  it.each([{ disabled: true }, { enabled: false }, { isActive: false }, { isActive: true, disabled: true }])(
    'is off by %j',
    (flag) => {
      expect(source({ command: 'x', ...flag })).toMatchObject({ enabled: false })
    },
  )

  it.each([{ disabled: false }, { isActive: true }, {}])('is on by %j', (flag) => {
    expect(source({ command: 'x', ...flag })).toMatchObject({ enabled: true })
  })

  it('is reported under the section and the key that it was written with', () => {
    expect(refusal({ mcpServers: { 'my server': { httpUrl: 'ftp://x/' } } })).toContain(
      'mcpServers["my server"].httpUrl: must',
    )
    expect(refusal({ services: { a: { command: 'x', disabled: 'yes' } } })).toContain(
      'services.a.disabled: expected true or false',
    )
    expect(refusal({ xiaozhi: { endpoint: 'x' } })).toContain('xiaozhi.endpoint: must be a URL')
    expect(refusal({ mcpEndpoint: ['wss://h/', 'x'] })).toContain('mcpEndpoint[1]: must be a URL')
  })
})

describe('a namespace', () => {
  it.each([
    ['github', 'github'],
    ['my server', 'my_server'],
    ['a.b', 'a_b'],
    ['github.com/x/servers/git', 'github_com_x_servers_git'],
    ['a__b', 'a_b'],
    ['计算器', '计算器'],
    ['-x-', 'x'],
  ])('of %j is %j when none is written', (name, namespace) => {
    expect(read({ sources: { [name]: { command: 'x' } } }).config.sources[name]?.namespace).toBe(namespace)
  })

  it('is made up, the same every time, from a name without letters', () => {
    const make = () => read({ sources: { '🎉': { command: 'x' } } }).config.sources['🎉']?.namespace
    expect(make()).toMatch(/^source_[0-9a-f]{8}$/)
    expect(make()).toBe(make())
  })

  it('is legal for the separator that is set', () => {
    const toolManager = { namespaceSeparator: '_' }
    const { sources } = read({ toolManager, sources: { a_b: { command: 'x' }, 'c.d': { command: 'x' } } }).config
    expect(sources.a_b?.namespace).toBe('a-b')
    expect(refusal({ toolManager, sources: { a: { command: 'x', namespace: 'a_b' } } })).toContain('separator "_"')
    expect(read({ toolManager, sources: { a: { command: 'x', namespace: 'a.b' } } }).config.sources.a?.namespace).toBe(
      'a.b',
    )
  })
})

describe('client configurations', () => {
  it('are taken as they are: Claude, 002-06b', () => {
    const { config, notes } = read({
      mcpServers: {
        RegistryTools: { command: 'npx', args: ['pegboard'], env: { REGISTRYTOOLS_STORAGE_BACKEND: 'sqlite' } },
        remote: { url: 'http://localhost:8000/mcp' },
        code: { type: 'http', url: 'https://h/mcp', headers: { Authorization: `Bearer \${TOKEN}` } },
      },
    })
    expect(notes).toEqual([])
    expect(config.sources.RegistryTools).toMatchObject({
      type: 'stdio',
      env: { REGISTRYTOOLS_STORAGE_BACKEND: 'sqlite' },
    })
    expect(config.sources.remote).toMatchObject({ type: 'http' })
    expect(config.sources.code).toMatchObject({ headers: { Authorization: 'Bearer t' } })
  })

  it('are taken as they are: Cline and Cursor, with notes on what is ignored', () => {
    const { config, notes } = read({
      mcpServers: {
        cline: { command: 'x', disabled: false, autoApprove: ['a'], timeout: 60, transportType: 'stdio' },
        cursor: { url: 'https://h/mcp', headers: { K: `\${env:KEY}` }, auth: { CLIENT_ID: 'x' } },
      },
    })
    expect(config.sources.cline).toMatchObject({ type: 'stdio', timeoutMs: 60_000 })
    expect(config.sources.cursor).toMatchObject({ headers: { K: 'k' }, auth: { type: 'oauth', clientId: 'x' } })
    expect(notes.map((note) => note.path)).toEqual(['mcpServers.cline.timeout', 'mcpServers.cline.autoApprove'])
  })

  it('bring their sign-ins: Gemini, Codex and the plain word', () => {
    const url = 'https://h/mcp'
    expect(
      source({ url, oauth: { enabled: true, clientId: 'g', clientSecret: 's', scopes: ['a', 'b'] } }),
    ).toMatchObject({
      auth: { type: 'oauth', clientId: 'g', clientSecret: 's', scopes: ['a', 'b'] },
    })
    expect(source({ url, scopes: ['files.read'] })).toMatchObject({ auth: { type: 'oauth', scopes: ['files.read'] } })
    expect(source({ url, auth: 'oauth' })).toMatchObject({ auth: { type: 'oauth' } })
    expect(source({ url, auth: { provider: 'theirs' } })).not.toHaveProperty('auth')
  })

  it('are taken as they are: Gemini, whose chosen tools stay chosen', () => {
    const entry = { httpUrl: 'https://h/mcp', timeout: 30_000, trust: true, includeTools: ['a'], excludeTools: ['b'] }
    expect(source(entry)).toMatchObject({ timeoutMs: 30_000, includeTools: ['a'], excludeTools: ['b'] })
  })

  it('are taken as they are: Cherry Studio, which writes empty keys and servers of its own', () => {
    const { config, notes } = read({
      mcpServers: {
        k3: {
          isActive: true,
          name: 'Docs',
          type: 'streamableHttp',
          description: '',
          baseUrl: 'https://h/',
          url: '',
          command: '',
          args: [],
          env: {},
          headers: null,
          disabledTools: ['x'],
          longRunning: false,
          provider: 'p',
        },
        mem: { name: '@cherry/memory', type: 'inMemory', isActive: true },
      },
    })
    expect(config.sources.k3).toMatchObject({ type: 'http', url: 'https://h/', headers: {}, excludeTools: ['x'] })
    expect(config.sources.k3).not.toHaveProperty('command')
    expect(Object.keys(config.sources)).toEqual(['k3'])
    expect(notes.find((note) => note.path === 'mcpServers.mem')?.message).toContain('left out')
  })

  it('are taken as they are: Codex, whose variables become placeholders', () => {
    const remote = {
      url: 'https://h/mcp',
      bearer_token_env_var: 'TOKEN',
      env_http_headers: { 'X-K': 'KEY' },
      tool_timeout_sec: 5,
    }
    expect(source(remote)).toMatchObject({ headers: { Authorization: 'Bearer t', 'X-K': 'k' }, timeoutMs: 5000 })
    const local = { command: 'x', env: { A: 'b' }, env_vars: ['KEY'], startup_timeout_sec: 10, enabled_tools: ['a'] }
    expect(source(local)).toMatchObject({ env: { A: 'b', KEY: 'k' }, startTimeoutMs: 10_000, includeTools: ['a'] })
  })

  it('are told that $$ is one dollar sign here', () => {
    const { config, notes } = read({ mcpServers: { a: { command: 'x', env: { P: 'pa$$word', Q: `$\${KEY}` } } } })
    expect(config.sources.a).toMatchObject({ env: { P: 'pa$word', Q: `\${KEY}` } })
    expect(notes.map((note) => note.path)).toEqual(['mcpServers.a.env.P'])
  })

  it('are refused with a hint where a key is nobody’s', () => {
    expect(refusal({ mcpServers: { a: { command: 'x', arg: ['y'] } } })).toContain(
      'a.arg: is not a known key; did you mean "args"?',
    )
    expect(refusal({ sources: { a: { command: 'x', autoApprove: [] } } })).toContain('is not a known key')
  })
})

describe('xiaozhi', () => {
  it('fills the limits of an endpoint from toolManager and notes the risky ones (C5)', () => {
    const { config, notes } = read({
      profiles: { voice: {} },
      toolManager: { maxResultSize: 512 },
      xiaozhi: { endpoint: 'wss://h/1', endpoints: [{ url: 'wss://h/2', profile: 'voice', maxResultSize: 4096 }] },
    })
    expect(config.xiaozhi.endpoints).toEqual([
      { url: 'wss://h/1', profile: 'default', language: 'auto', maxResultSize: 512, maxToolListSize: 10_240 },
      { url: 'wss://h/2', profile: 'voice', language: 'auto', maxResultSize: 4096, maxToolListSize: 10_240 },
    ])
    expect(notes).toHaveLength(1)
  })

  it('refuses one endpoint twice, an unknown profile and a backoff that shrinks', () => {
    expect(refusal({ xiaozhi: { endpoint: 'wss://h/1', endpoints: [{ url: 'wss://h/1' }] } })).toContain(
      'xiaozhi.endpoints[0].url: is the same',
    )
    expect(
      refusal({ profiles: { voice: {} }, xiaozhi: { endpoints: [{ url: 'wss://h/', profile: 'voise' }] } }),
    ).toContain('did you mean "voice"')
    expect(refusal({ xiaozhi: { reconnect: { initialBackoff: 5000, maxBackoff: 1000 } } })).toContain('maxBackoff')
  })
})

describe('a profile', () => {
  it('tells no list from an empty one: all, or none', () => {
    const { profiles } = read({ profiles: { none: { allow: [] }, all: {} } }).config
    expect(profiles.none?.allow).toEqual([])
    expect(profiles.all).not.toHaveProperty('allow')
    expect(Object.keys(profiles)).toEqual(['default', 'none', 'all'])
  })

  it('has a name that fits into a URL', () => {
    expect(refusal({ profiles: { 'a/b': {} } })).toContain('not a legal profile name')
  })
})
