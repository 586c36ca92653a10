import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, useConfigFolder } from '../../test/helpers/config-files.js'
import { defaultDataFolder } from './data-folder.js'

const folder = useConfigFolder()
const { load, loadText } = folder

describe('loadConfig', () => {
  it('takes the defaults of 001-24 when there is no file', async () => {
    const { config, file, hash, dataFolder } = await load()
    expect(file).toBeUndefined()
    expect(hash).toBeUndefined()
    expect(dataFolder).toBe(join(folder.path, 'data'))
    expect(config).toMatchObject({
      sources: {},
      server: { host: '127.0.0.1', port: 8000, path: '/mcp' },
      storage: { backend: 'json', path: join(folder.path, 'data') },
      search: { method: 'auto' },
      auth: { required: false },
      xiaozhi: { endpoints: [], reconnect: { initialBackoff: 1000, maxBackoff: 60_000 } },
      toolManager: {
        maxToolListSize: 10_240,
        maxResultSize: 1024,
        namespaceEnabled: true,
        namespaceSeparator: '.',
        whitelist: [],
        blacklist: [],
      },
      logging: { level: 'info', format: 'line' },
      profiles: { default: { expose: 'auto', deny: [], pin: [], namespacing: true, names: 'safe' } },
    })
  })

  it('is frozen in depth', async () => {
    const { config } = await loadText({ sources: { a: { command: 'x', env: { B: 'c' } } } })
    const { a } = config.sources
    expect(Object.isFrozen(config) && Object.isFrozen(config.sources) && Object.isFrozen(a)).toBe(true)
    expect(Object.isFrozen(a?.type === 'stdio' && a.env)).toBe(true)
  })

  it('finds pegboard.json, .jsonc, .yaml or .yml, the first of them, and says what it ignores', async () => {
    await writeFile(join(folder.path, 'pegboard.yml'), 'server: { port: 4 }')
    expect((await load()).config.server.port).toBe(4)
    await writeFile(join(folder.path, 'pegboard.yaml'), 'server:\n  port: 3 # here\n')
    expect((await load()).config.server.port).toBe(3)
    const { config, notes, file } = await loadText('// here\n{"server":{"port":1,},}')
    expect(config.server.port).toBe(1)
    expect(file).toBe(join(folder.path, 'pegboard.json'))
    expect(notes.map((note) => note.path)).toEqual(['pegboard.yaml', 'pegboard.yml'])
  })

  it('reads the file that PEGBOARD_CONFIG or MCP_AGENT_CONFIG names (001-24), a flag before both', async () => {
    for (const [name, port] of Object.entries({ 'a.json': 1, 'b.json': 2, 'c.json': 3 })) {
      await writeFile(join(folder.path, name), JSON.stringify({ server: { port } }))
    }
    const env = { PEGBOARD_CONFIG: 'b.json', MCP_AGENT_CONFIG: join(folder.path, 'a.json') }
    expect((await load({ env, file: 'c.json' })).config.server.port).toBe(3)
    expect((await load({ env })).config.server.port).toBe(2)
    expect((await load({ env: { ...env, PEGBOARD_CONFIG: '' } })).config.server.port).toBe(1)
  })

  it('resolves paths of the file at its folder, of flags at the working folder', async () => {
    await mkdir(join(folder.path, 'etc'))
    const text = { storage: { path: './db' }, logging: { file: '~/log' }, sources: { c: { path: 'tools.json' } } }
    await writeFile(join(folder.path, 'etc', 'x.json'), JSON.stringify(text))
    const env = { HOME: join(folder.path, 'home') }
    const { config } = await load({ file: 'etc/x.json', env })
    expect(config.storage.path).toBe(join(folder.path, 'etc', 'db'))
    expect(config.logging.file).toBe(join(folder.path, 'home', 'log'))
    expect(config.sources.c).toMatchObject({ type: 'catalog', path: join(folder.path, 'etc', 'tools.json') })
    const flagged = await load({ file: 'etc/x.json', env, flags: { dataPath: 'here' } })
    expect(flagged.dataFolder).toBe(join(folder.path, 'here'))
  })
})

describe('unset variables', () => {
  const file = {
    sources: {
      good: { command: 'x', env: { A: `\${SET}` } },
      bad: { url: `\${MISSING}/mcp`, headers: { Authorization: `Bearer \${MISSING}` }, namespace: 'b' },
    },
  }

  it('set aside only their source, naming the variable (F28, U2)', async () => {
    const { config, problems } = await loadText(file, { env: { SET: 'canary' }, strict: false })
    expect(config.sources.good).toMatchObject({ enabled: true, env: { A: 'canary' } })
    expect(config.sources.bad).toMatchObject({
      type: 'misconfigured',
      declaredType: 'http',
      namespace: 'b',
      enabled: true,
    })
    const { bad } = config.sources
    expect(bad?.type === 'misconfigured' && bad.problems.join('\n')).toMatch(/sources\.bad\.url: .*MISSING/)
    expect(problems.map(({ source, code }) => [source, code])).toEqual([
      ['bad', 'VARIABLE_UNSET'],
      ['bad', 'VARIABLE_UNSET'],
    ])
    expect(JSON.stringify(problems)).not.toContain('canary')
  })

  it('stay an error in a setting, also on a reload', async () => {
    const error = await failure(loadText({ server: { host: `\${MISSING}` } }, { strict: false }))
    expect(error.code).toBe('VARIABLE_UNSET')
  })

  it('do not matter in a source that is switched off', async () => {
    const { config } = await loadText({ mcpServers: { a: { command: `\${MISSING}`, disabled: true } } })
    expect(config.sources.a).toMatchObject({ type: 'misconfigured', enabled: false })
  })

  it('are reported beside other problems, as 1002', async () => {
    const error = await failure(loadText({ ...file, server: { port: -1 } }, { env: { SET: 'x' } }))
    expect(error.code).toBe('CONFIG_INVALID')
    expect(error.details?.problems).toHaveLength(3)
  })
})

describe('a bad entry', () => {
  const entries: readonly (readonly [what: string, entry: unknown, message: RegExp])[] = [
    ['an unknown type', { type: 'stdoi', command: 'x' }, /sources\.bad\.type: is not a known type/],
    ['no command', { type: 'stdio' }, /sources\.bad\.command: is required/],
    ['neither command nor url', {}, /says neither "command" nor "url"/],
    ['an unknown key', { command: 'x', commnad: 'y' }, /commnad: is not a known key/],
    ['a wrong value', { command: 3 }, /sources\.bad\.command: expected a string/],
    ['the namespace of another', { command: 'x', namespace: 'good' }, /the namespace "good" is also that of/],
    ['an unclosed placeholder', { command: `\${OPEN` }, /is never closed/],
    ['no object', 'npx', /expected an object, got string/],
  ]

  it.each(entries)('of %s sets aside only its source (U2)', async (_what, entry, message) => {
    const file = { sources: { good: { command: 'x' }, bad: entry }, profiles: { default: { deny: ['x'] } } }
    const { config, problems } = await loadText(file, { strict: false })
    expect(config.sources.good).toMatchObject({ type: 'stdio', namespace: 'good' })
    const set = Object.entries(config.sources).filter(([, { type }]) => type === 'misconfigured')
    expect(set).toHaveLength(1)
    expect(set[0]![1]).toMatchObject({ enabled: true, problems: [expect.stringMatching(message)] })
    expect(problems.map(({ source }) => source)).toEqual([set[0]![0]])
    expect((await failure(loadText(file))).message).toMatch(message)
  })

  it('under a name that is taken or no name stands under its place (U2)', async () => {
    const file = { sources: { a: { command: 'x' }, ' ': { command: 'x' } }, mcpServers: { A: { command: 'y' } } }
    const { config } = await loadText(file, { strict: false })
    expect(Object.keys(config.sources)).toEqual(['a', 'sources[" "]', 'mcpServers.A'])
    expect(config.sources.a).toMatchObject({ type: 'stdio', command: 'x' })
  })

  it('leaves what is wrong elsewhere an error: a profile that cannot be read must not let everything through (U2)', async () => {
    const file = { sources: { bad: {} }, profiles: { default: { denny: ['x'] } } }
    const error = await failure(loadText(file, { strict: false }))
    expect(error.message).toContain('profiles.default.denny')
    expect(error.details?.problems).toHaveLength(1)
  })
})

describe('variables', () => {
  it('stand for numbers and switches too', async () => {
    const file = { server: { port: `\${PORT}` }, sources: { a: { command: 'x', enabled: `\${ON:-false}` } } }
    const { config } = await loadText(file, { env: { PORT: '81' } })
    expect(config.server.port).toBe(81)
    expect(config.sources.a).toMatchObject({ enabled: false })
  })

  it('are not shown when they hold the wrong thing', async () => {
    const error = await failure(loadText({ server: { port: `\${PORT}` } }, { env: { PORT: 'canary' } }))
    expect(error.message).toContain('expected a number, got string')
    expect(JSON.stringify(error) + error.message).not.toContain('canary')
  })

  it('resolve the names of Cursor and VS Code', async () => {
    const args = [`\${userHome}/a`, `\${workspaceFolder}\${/}b`]
    const { config } = await loadText({ mcpServers: { a: { command: 'x', args } } }, { env: { HOME: '/home/u' } })
    expect(config.sources.a).toMatchObject({ args: ['/home/u/a', join(folder.path, 'b')] })
  })
})

describe('problems', () => {
  it('are all told at once, each with path, place, kind and fix', async () => {
    const error = await failure(
      loadText(
        '{\n "serverr": {},\n "server": { "port": "80", "hots": "x" },\n "sources": {\n  "a": { "command": 5 },\n  "b": { "url": "ftp://h/" } } }',
      ),
    )
    expect(error.message.split('\n')).toEqual([
      'pegboard.json cannot be used: 5 problems',
      '  pegboard.json:2:13 serverr: is not a known key; did you mean "server"?',
      '  pegboard.json:3:22 server.port: expected a number, got string "80"; remove the quotes',
      '  pegboard.json:3:36 server.hots: is not a known key; did you mean "host"?',
      '  pegboard.json:5:21 sources.a.command: expected a string, got 5; put it in quotes',
      '  pegboard.json:6:17 sources.b.url: must start with http:// or https://, got a string of 8 characters',
    ])
  })

  it('show no value that may be secret', async () => {
    const file = {
      server: { token: 'canary 1' },
      sources: {
        a: { url: 'https://u:canary@h/', headers: { 'X-Key': 'canary\n' } },
        b: { command: 'x', env: { K: 7 } },
      },
      search: { embedding: { provider: 'openai', apiKey: ['canary'] } },
    }
    const error = await failure(loadText(file))
    expect(error.details?.problems).toHaveLength(5)
    expect(error.message + JSON.stringify(error)).not.toContain('canary')
  })

  it('name places in YAML too', async () => {
    const error = await failure(loadText('server:\n  host: a\n  port: no\n', {}, 'pegboard.yaml'))
    expect(error.message).toContain('pegboard.yaml:3:9 server.port')
    const syntax = await failure(loadText('server: [\n', {}, 'pegboard.yaml'))
    expect(syntax.message).toMatch(/pegboard\.yaml:\d+:\d+/)
  })
})

describe('defaultDataFolder', () => {
  it.each([
    ['linux', { HOME: '/h' }, '/h/.local/share/pegboard'],
    ['linux', { HOME: '/h', XDG_DATA_HOME: '/x' }, '/x/pegboard'],
    ['linux', { HOME: '/h', XDG_DATA_HOME: 'x' }, '/h/.local/share/pegboard'],
    ['darwin', { HOME: '/h' }, '/h/Library/Application Support/pegboard'],
    ['win32', { USERPROFILE: '/h', LOCALAPPDATA: '/l' }, '/l/pegboard'],
  ] as const)('is the place of %s for %j', (platform, env, expected) => {
    expect(defaultDataFolder(env, platform)).toBe(expected)
  })
})
