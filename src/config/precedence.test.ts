import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { failure, useConfigFolder } from '../../test/helpers/config-files.js'
import { outsideSettings } from './layers.js'

const folder = useConfigFolder()
const { load, loadText } = folder

describe('precedence', () => {
  it('is flag over environment over file over default (C15)', async () => {
    const file = { server: { port: 1, host: 'localhost', path: '/a' }, logging: { level: 'error' } }
    const env = { PEGBOARD_PORT: '2', PEGBOARD_HOST: '::1' }
    const { config } = await loadText(file, { env, flags: { port: 3 } })
    expect(config.server).toMatchObject({ port: 3, host: '::1', path: '/a' })
    expect(config.logging).toMatchObject({ level: 'error', format: 'line' })
  })

  it('reaches every bound of calls and of the listener by a variable named after its place (O8)', async () => {
    const places = outsideSettings().filter(
      ({ path }) => path[0] === 'calls' || path[1] === 'limits' || path[1] === 'drainMs',
    )
    expect(places).toHaveLength(37)
    const env = Object.fromEntries(places.map(({ env: [name] }, at) => [name!, String(at === 0 ? 0 : 2000 + at)]))
    env.PEGBOARD_CALLS_RETRY_ATTEMPTS = '3'
    env.PEGBOARD_CALLS_BREAKER_FAILURES = '7'
    env.PEGBOARD_CALLS_MAX_DEPTH = '5'
    const { config } = await loadText({ calls: { queue: 1, retry: { attempts: 9 } } }, { env })
    const valueAt = (path: readonly (string | number)[]) => path.reduce<any>((here, key) => here[key], config)
    expect(places.map(({ path }) => String(valueAt(path)))).toEqual(places.map(({ env: [name] }) => env[name!]))
  })

  it('says where the server is reached, by flag before variable (O7)', async () => {
    const env = { PEGBOARD_PUBLIC_URL: 'https://tools.example.com' }
    expect((await loadText({}, { env })).config.server.publicUrl).toBe('https://tools.example.com')
    const flags = { publicUrl: 'https://other.example.com' }
    expect((await loadText({}, { env, flags })).config.server.publicUrl).toBe('https://other.example.com')
    for (const publicUrl of ['tools.example.com', 'ftp://x', 'https://x/?a=1', 'https://x/#y', 'https://u:p@x'])
      expect((await failure(loadText({ server: { publicUrl } }))).code).toBe('CONFIG_INVALID')
  })

  it('says how long first lists may wait, in the file, a variable or a flag (U1)', async () => {
    const waits = async (...from: Parameters<typeof loadText>) => (await loadText(...from)).config.server.firstListMs
    expect(await waits({})).toBe(5000)
    expect(await waits({ server: { firstListMs: 0 } })).toBe(0)
    const env = { PEGBOARD_FIRST_LIST_MS: '7000' }
    expect(await waits({ server: { firstListMs: 1 } }, { env })).toBe(7000)
    expect(await waits({}, { env, flags: { firstListMs: '9000' } })).toBe(9000)
    const wrong = await failure(loadText({}, { env: { PEGBOARD_FIRST_LIST_MS: 'soon' } }))
    expect(wrong.message).toContain('PEGBOARD_FIRST_LIST_MS')
  })

  it('reaches places of any depth, beside what the file says there (D2)', async () => {
    const env = {
      PEGBOARD_RECALL_KNOWLEDGE_URL: 'http://knowledge:1',
      PEGBOARD_RECALL_OPERATORS_URL: 'http://operators:2',
    }
    const file = { recall: { knowledge: { url: 'http://file:3' }, async: true } }
    const { config } = await loadText(file, { env })
    expect(config.recall).toMatchObject({
      knowledge: { url: 'http://knowledge:1' },
      operators: { url: 'http://operators:2' },
      async: true,
    })
  })

  it('sets how recall converts schemas (B7)', async () => {
    const env = {
      PEGBOARD_RECALL_SCHEMAS: 'Original',
      PEGBOARD_RECALL_DEPTH: '5',
      PEGBOARD_RECALL_UNREADABLE: 'open',
    }
    expect((await load({})).config.recall).toMatchObject({ schemas: 'complete', depth: 3, unreadable: 'error' })
    expect((await load({ env })).config.recall).toMatchObject({ schemas: 'original', depth: 5, unreadable: 'open' })
    const { config } = await loadText({ recall: { depth: 4 } })
    expect(config.recall.depth).toBe(4)
    expect((await failure(loadText({ recall: { depth: 0 } }))).code).toBe('CONFIG_INVALID')
  })

  it('names the variable that a deep problem comes from, and leaves a broken section to be reported (D2)', async () => {
    const env = { PEGBOARD_RECALL_KNOWLEDGE_URL: 'ftp://x' }
    expect((await failure(load({ env }))).message).toContain('PEGBOARD_RECALL_KNOWLEDGE_URL')
    const broken = await failure(loadText({ recall: { knowledge: 'http://x' } }, { env }))
    expect(broken.message).toContain('recall.knowledge: expected an object')
  })

  it('takes the names of RegistryTools, ours before them (002)', async () => {
    const env = {
      REGISTRYTOOLS_DATA_PATH: '$BASE/data',
      BASE: folder.path,
      REGISTRYTOOLS_TRANSPORT: 'HTTP',
      REGISTRYTOOLS_LOG_LEVEL: 'WARNING',
      REGISTRYTOOLS_ENABLE_AUTH: 'yes',
      REGISTRYTOOLS_STORAGE_BACKEND: 'SQLite',
      REGISTRYTOOLS_DESCRIPTION: '  two\nlines  ',
      REGISTRYTOOLS_API_KEY: 'rtk_x',
      LOG_LEVEL: 'debug',
    }
    const { config } = await load({ env })
    expect(config.storage).toMatchObject({ backend: 'sqlite', path: join(folder.path, 'data') })
    expect(config.server).toMatchObject({ transport: 'http', instructions: 'two\nlines' })
    expect(config.logging.level).toBe('warn')
    expect(config.auth).toMatchObject({ required: true, apiKey: 'rtk_x' })
    const ours = await load({ env: { ...env, PEGBOARD_LOG_LEVEL: 'error', PEGBOARD_STORAGE_BACKEND: 'json' } })
    expect(ours.config.logging.level).toBe('error')
    expect(ours.config.storage.backend).toBe('json')
  })

  it.each([
    ['ReGeX', 'regex', 0],
    ['  bm25  ', 'bm25', 0],
    ['', 'bm25', 0],
    ['invalid', 'bm25', 1],
  ])('reads the search method %j as %s (002 compat 10)', async (value, method, warnings) => {
    const { config, notes } = await load({ env: { REGISTRYTOOLS_SEARCH_METHOD: value } })
    expect(config.search.method).toBe(method)
    expect(notes).toHaveLength(warnings)
    expect(JSON.stringify(notes)).not.toContain('invalid"')
  })

  it('falls back to the file where the environment names a wrong backend or method, with a note', async () => {
    const env = { REGISTRYTOOLS_SEARCH_METHOD: 'x', PEGBOARD_STORAGE_BACKEND: 'x', LOG_LEVEL: 'notice' }
    const file = { search: { method: 'regex' }, storage: { backend: 'sqlite' }, logging: { level: 'warn' } }
    const { config, notes } = await loadText(file, { env })
    expect(config).toMatchObject(file)
    expect(notes.map((note) => note.path).sort()).toEqual([
      'LOG_LEVEL',
      'PEGBOARD_STORAGE_BACKEND',
      'REGISTRYTOOLS_SEARCH_METHOD',
    ])
  })

  it.each([
    [{ flags: { port: '80a' } }, '--port'],
    [{ env: { PEGBOARD_PORT: '70000' } }, 'PEGBOARD_PORT'],
    [{ flags: { storageBackend: 'oracle' } }, '--storage-backend'],
    [{ env: { REGISTRYTOOLS_LOG_LEVEL: 'LOUD' } }, 'REGISTRYTOOLS_LOG_LEVEL'],
    [{ env: { REGISTRYTOOLS_ENABLE_AUTH: 'maybe' } }, 'REGISTRYTOOLS_ENABLE_AUTH'],
    [{ env: { MCP_ENDPOINT: 'x' } }, 'MCP_ENDPOINT'],
  ])('names the flag or variable that is wrong: %j', async (options, name) => {
    const error = await failure(load(options))
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', number: 1002 })
    expect(error.message).toContain(name)
  })

  it('lets MCP_ENDPOINT override the one endpoint, and not a list', async () => {
    const env = { MCP_ENDPOINT: 'wss://new.example/mcp/?token=$$x' }
    const one = await loadText({ xiaozhi: { endpoint: 'wss://old.example/' } }, { env })
    expect(one.config.xiaozhi.endpoints).toMatchObject([
      { url: env.MCP_ENDPOINT, profile: 'default', maxResultSize: 1024 },
    ])
    const list = await loadText({ xiaozhi: { endpoints: [{ url: 'wss://old.example/' }] } }, { env })
    expect(list.config.xiaozhi.endpoints.map(({ url }) => url)).toEqual(['wss://old.example/'])
    expect(list.notes).toHaveLength(1)
  })
})
