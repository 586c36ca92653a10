import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askModern } from '../helpers/ask-modern.js'
import { createAskingSource } from '../helpers/asking-source.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const echo = fileURLToPath(new URL('../helpers/servers/stdio-raw.mjs', import.meta.url))

let server: OpenedAdmin
let key: string
const open = async (text?: string): Promise<void> => {
  server = await openAdminServer(text)
  key = await server.key('admin')
}
afterEach(() => server[Symbol.asyncDispose]())
const text = () => readFileSync(server.file, 'utf8')
const names = () => server.gateway.sources().map(({ name }) => name)

describe('calls that wait for an answer', () => {
  const park = async (): Promise<void> => {
    await server.gateway.addSource('desk', createAskingSource())
    expect(await askModern(server.url, 'desk__ask')).toMatchObject({ resultType: 'input_required' })
  }

  it('are listed with who, what and until when, not with their words', async () => {
    await open()
    await park()
    const { body } = await server.ask('GET', '/parked', { key })
    expect(body.calls).toMatchObject([{ name: 'desk.ask', method: 'tools/call', asks: ['elicitation/create'] }])
    expect(body.calls[0].expiresAt - body.calls[0].since).toBeGreaterThan(290_000)
    expect(JSON.stringify(body)).not.toContain('Who?')
    const overview = await server.ask('GET', '/overview', { key })
    expect(overview.body.parked).toHaveLength(1)
  })

  it('show their questions where argument values are kept', async () => {
    await open('{"telemetry": {"audit": "values"}}')
    await park()
    const { body } = await server.ask('GET', '/parked', { key })
    expect(body.calls[0].questions[0]).toContain('Who?')
  })

  it('are cancelled by an operator, once', async () => {
    await open()
    await park()
    const { body } = await server.ask('GET', '/parked', { key })
    const path = `/parked/${body.calls[0].id}`
    expect((await server.ask('DELETE', path, { key })).status).toBe(200)
    expect((await server.ask('DELETE', path, { key })).status).toBe(404)
    expect((await server.ask('GET', '/parked', { key })).body.calls).toEqual([])
  })

  it('follow bounds that are changed in the settings, at once', async () => {
    await open()
    await park()
    await server.ask('PUT', '/settings', { key, body: { changes: { 'parking.most': 1 } } })
    expect(await askModern(server.url, 'desk__ask')).toMatchObject({ isError: true })
  })
})

describe('a profile', () => {
  const config = `{
  // Ours.
  "profiles": { "phone": { "expose": "search", "limits": { "concurrency": 2 } } },
}
`
  beforeEach(() => open(config))

  it('is previewed with its list and cost before anything is kept', async () => {
    const settings = { expose: 'flat', allow: ['calc*'] }
    const { body } = await server.ask('POST', '/profile-preview', { key, body: { name: 'fresh', settings } })
    expect(body).toMatchObject({ name: 'fresh', exposure: 'flat', callable: 1, listed: 1 })
    expect(body.shown[0].tool.name).toBe('calculator')
    expect(body.tokens).toBe(body.flatTokens)
    expect((await server.ask('GET', '/profiles/fresh', { key })).status).toBe(404)
    expect(text()).toBe(config)
  })

  it('is made, changed and taken out, comments kept', async () => {
    const fresh = { allow: ['calc*'], namespacing: false }
    expect((await server.ask('PUT', '/profiles/fresh', { key, body: fresh })).status).toBe(200)
    expect((await server.ask('GET', '/profiles/fresh', { key })).body).toMatchObject({ callable: 1, written: fresh })
    await server.ask('PUT', '/profiles/fresh', { key, body: { ...fresh, allow: [] } })
    expect((await server.ask('GET', '/profiles/fresh', { key })).body).toMatchObject({ callable: 0 })
    await server.ask('DELETE', '/profiles/fresh', { key })
    expect((await server.ask('GET', '/profiles/fresh', { key })).status).toBe(404)
    expect(text()).toContain('// Ours.')
    expect(text()).toContain('"phone"')
  })

  it('that cannot be is refused with the reason, and the file stays', async () => {
    for (const [name, body, said] of [
      ['a b', {}, 'legal profile name'],
      ['fresh', { expose: 'all' }, 'expose'],
      ['fresh', { alow: [] }, 'alow'],
    ] as const) {
      const answer = await server.ask('PUT', `/profiles/${encodeURIComponent(name)}`, { key, body })
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'CONFIG_INVALID' } } })
      expect(answer.body.error.message).toContain(said)
    }
    expect((await server.ask('DELETE', '/profiles/default', { key })).status).toBe(400)
    expect((await server.ask('DELETE', '/profiles/nobody', { key })).status).toBe(400)
    expect(text()).toBe(config)
  })
})

describe('settings', () => {
  const field = async (path: string) =>
    (await server.ask('GET', '/settings', { key })).body.fields.find((each: { path: string }) => each.path === path)

  it('say which of them count at once and which wait for a restart', async () => {
    await open('{ // Ours.\n}')
    const changes = { 'logging.level': 'warn', 'server.port': 9000, 'toolManager.blacklist': ['calc*'] }
    const { body } = await server.ask('PUT', '/settings', { key, body: { changes } })
    expect(body.fields.filter(({ waits }: { waits: boolean }) => waits).map(({ path }: any) => path)).toEqual([
      'server.port',
    ])
    expect(await field('logging.level')).toMatchObject({ value: 'warn', live: true, waits: false })
    expect(server.gateway.list().map(({ id }) => id)).not.toContain('calculator')
    expect(text()).toContain('// Ours.')
  })

  it('go back to their default', async () => {
    await open('{"logging": {"level": "warn"}}')
    await server.ask('PUT', '/settings', { key, body: { changes: { 'logging.level': null } } })
    expect(await field('logging.level')).toMatchObject({ value: 'info' })
    expect(text()).not.toContain('level')
  })

  it('that are set by a flag, are not for a browser or are not valid are refused', async () => {
    await open()
    for (const [changes, said] of [
      [{ 'storage.path': '/tmp' }, 'cannot be changed here'],
      [{ 'logging.level': 'loud' }, 'logging.level'],
      [{ 'parking.waitMs': 1 }, 'parking.waitMs'],
    ] as const) {
      const answer = await server.ask('PUT', '/settings', { key, body: { changes } })
      expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(said) } } })
    }
    expect(text()).toBe('{}')
  })

  it('of a read-only file are refused, and the file stays', async () => {
    await open('{}')
    chmodSync(server.file, 0o444)
    const answer = await server.ask('PUT', '/settings', { key, body: { changes: { 'logging.level': 'warn' } } })
    expect(answer.body.error).toMatchObject({ code: 'CONFIG_UNREADABLE' })
    expect(answer.body.error.message).toContain('read-only')
    expect(text()).toBe('{}')
  })
})

describe('a gateway without a configuration file', () => {
  beforeEach(() => open(''))

  it('makes one for the first source that is added, and follows it from then on', async () => {
    expect(existsSync(server.file)).toBe(false)
    const body = { type: 'stdio', command: process.execPath, args: [echo] }
    expect((await server.ask('PUT', '/sources/echo', { key, body })).status).toBe(200)
    expect(names()).toContain('echo')
    expect((await server.ask('GET', '/settings', { key })).body.file).toBe(server.file)
    writeFileSync(server.file, '{}')
    await expect.poll(names, { timeout: 20_000 }).not.toContain('echo')
  })

  it('takes up one that somebody else makes, as `pegboard add` does', async () => {
    writeFileSync(server.file, JSON.stringify({ sources: { echo: { command: process.execPath, args: [echo] } } }))
    await expect.poll(names, { timeout: 20_000 }).toContain('echo')
    expect((await server.ask('POST', '/sources/echo/disable', { key })).status).toBe(200)
    expect(JSON.parse(text()).sources.echo.enabled).toBe(false)
  })

  it.skipIf(process.getuid?.() !== 0)('leaves alone what another user puts there (T3)', async () => {
    const body = { sources: { echo: { command: process.execPath, args: [echo] } } }
    writeFileSync(`${server.file}.new`, JSON.stringify(body))
    chownSync(`${server.file}.new`, 12_345, 12_345)
    renameSync(`${server.file}.new`, server.file)
    const said = async () => JSON.stringify((await server.ask('GET', '/logs', { key })).body)
    await expect.poll(said, { timeout: 20_000 }).toContain('belongs to another user')
    expect(names()).not.toContain('echo')
  })

  it('leaves none behind when the first change is not valid', async () => {
    const answer = await server.ask('PUT', '/sources/fresh', { key, body: { type: 'stdio', comand: 'x' } })
    expect(answer.status).toBe(400)
    expect(existsSync(server.file)).toBe(false)
  })
})

describe('an import', () => {
  let home: string
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-import-'))
    const cursor = join(home, '.cursor', 'mcp.json')
    mkdirSync(dirname(cursor))
    const env = { TOKEN: 'hush-hush-1234' }
    const mcpServers = { notes: { command: 'no-such-program', args: ['-y'], env }, taken: { command: 'b' } }
    writeFileSync(cursor, JSON.stringify({ mcpServers }))
    vi.stubEnv('HOME', home)
    await open('{"sources": {"taken": {"command": "a", "enabled": false}}}')
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(home, { recursive: true, force: true })
  })

  it('shows what was found and what would change, without secrets', async () => {
    const { body } = await server.ask('GET', '/import', { key })
    expect(body.found).toMatchObject([{ client: 'Cursor', servers: 2 }])
    expect(body.sources.map(({ name, outcome }: any) => [name, outcome])).toEqual([
      ['notes', 'add'],
      ['taken-cursor', 'rename'],
    ])
    expect(body.diff.some(({ sign, text: line }: any) => sign === '+' && line.includes('"notes"'))).toBe(true)
    expect(JSON.stringify(body)).not.toContain('hush-hush')
  })

  it('adds what was chosen, switched off, and nothing else', async () => {
    const { body } = await server.ask('POST', '/import', { key, body: { names: ['notes'] } })
    expect(body).toEqual({ added: ['notes'] })
    expect(JSON.parse(text()).sources).toMatchObject({
      notes: { command: 'no-such-program', env: { TOKEN: 'hush-hush-1234' }, enabled: false },
    })
    expect(text()).not.toContain('taken-cursor')
    expect(names()).not.toContain('notes')
    const again = await server.ask('POST', '/import', { key, body: { names: ['notes'] } })
    expect(again).toMatchObject({ status: 404, body: { error: { code: 'SOURCE_NOT_FOUND' } } })
  })
})
