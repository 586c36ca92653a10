import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const echo = fileURLToPath(new URL('../helpers/servers/stdio-raw.mjs', import.meta.url))

const config = `{
  // Ours, by hand.
  "sources": {
    "office": { "type": "stdio", "command": "no-such-program", "env": { "TOKEN": "hush-hush-1234", "WHO": "\${USER:-me}" }, "enabled": false },
  },
}
`

describe('the admin API', () => {
  let server: OpenedAdmin
  let key: string
  beforeEach(async () => {
    server = await openAdminServer(config)
    key = await server.key('admin')
  })
  afterEach(() => server[Symbol.asyncDispose]())
  const text = () => readFileSync(server.file, 'utf8')

  it('shows a source as the file has it, without its secrets (T23)', async () => {
    const { body } = await server.ask('GET', '/sources/office', { key })
    expect(body.config).toEqual({
      type: 'stdio',
      command: 'no-such-program',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as the file has it
      env: { TOKEN: '***', WHO: '${USER:-***}' },
      enabled: false,
    })
    const settings = await server.ask('GET', '/settings', { key })
    expect(JSON.stringify(settings.body)).not.toContain('hush-hush')
  })

  it('keeps masked secrets, comments and everything else when a source is edited', async () => {
    const { body } = await server.ask('GET', '/sources/office', { key })
    const edited = { ...body.config, command: 'another-program' }
    expect((await server.ask('PUT', '/sources/office', { key, body: edited })).status).toBe(200)
    expect(text()).toContain('// Ours, by hand.')
    expect(text()).toContain('hush-hush-1234')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the file has it
    expect(text()).toContain('${USER:-me}')
    expect(text()).toContain('another-program')
  })

  it('refuses a mask that stands for nothing', async () => {
    const body = { type: 'stdio', command: 'x', env: { OTHER: '***' } }
    const answer = await server.ask('PUT', '/sources/fresh', { key, body })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'CONFIG_INVALID' } } })
    expect(text()).toBe(config)
  })

  it('leaves the file as it was when an edit is not valid', async () => {
    const answer = await server.ask('PUT', '/sources/fresh', { key, body: { type: 'stdio', comand: 'x' } })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'CONFIG_INVALID' } } })
    expect(text()).toBe(config)
  })

  it('tries a source out without mounting it, and says why it fails', async () => {
    const good = { name: 'trial', config: { type: 'stdio', command: process.execPath, args: [echo] } }
    const report = await server.ask('POST', '/source-test', { key, body: good })
    expect(report.body).toMatchObject({ ok: true })
    expect(report.body.tools.length).toBeGreaterThan(0)
    const bad = { name: 'trial', config: { type: 'stdio', command: 'no-such-program' } }
    expect((await server.ask('POST', '/source-test', { key, body: bad })).body).toMatchObject({
      ok: false,
      reason: expect.stringContaining('no such command'),
    })
    expect(server.gateway.sources().map(({ name }) => name)).not.toContain('trial')
  })

  it('adds, switches and removes a source in what runs', async () => {
    const body = { type: 'stdio', command: process.execPath, args: [echo] }
    await server.ask('PUT', '/sources/echo', { key, body })
    expect(server.gateway.sources().map(({ name }) => name)).toContain('echo')
    await server.ask('POST', '/sources/echo/disable', { key })
    expect(server.gateway.sources().map(({ name }) => name)).not.toContain('echo')
    await server.ask('POST', '/sources/echo/enable', { key })
    expect(server.gateway.sources().map(({ name }) => name)).toContain('echo')
    await server.ask('DELETE', '/sources/echo', { key })
    expect(server.gateway.sources().map(({ name }) => name)).not.toContain('echo')
    expect(text()).toContain('// Ours, by hand.')
    expect(text()).not.toContain('echo')
  })

  it('starts nothing for a caller without the right to (T2, T3)', async () => {
    const read = await server.key('read')
    const body = { type: 'stdio', command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60000)'] }
    expect((await server.ask('PUT', '/sources/evil', { body })).status).toBe(401)
    expect((await server.ask('PUT', '/sources/evil', { key: read, body })).status).toBe(403)
    expect((await server.ask('POST', '/source-test', { key: read, body: { name: 'evil', config: body } })).status).toBe(
      403,
    )
    expect(server.gateway.sources().map(({ name }) => name)).not.toContain('evil')
    expect(text()).toBe(config)
  })

  it('calls a tool and remembers that it did, not with what', async () => {
    server.gateway.register({
      definition: { name: 'greet', inputSchema: { type: 'object' } },
      handler: () => 'hello',
    } as never)
    const answer = await server.ask('POST', '/tools/greet/call', { key, body: { args: { secret: 'tell-nobody' } } })
    expect(answer.body).toMatchObject({ ok: true, result: { content: [{ type: 'text', text: 'hello' }] } })
    const calls = await server.ask('GET', '/calls', { key })
    expect(calls.body.calls).toMatchObject([{ tool: 'greet', ok: true }])
    expect(JSON.stringify(calls.body)).not.toContain('tell-nobody')
  })

  it('streams calls as they happen, with where their time went, and nothing while nobody calls', async () => {
    const leaving = new AbortController()
    const response = await fetch(`${server.url}/api/admin/v1/events`, {
      headers: { authorization: `Bearer ${key}` },
      signal: leaving.signal,
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const text = response.body!.pipeThrough(new TextDecoderStream())
    await server.gateway.call({ tool: 'nobody', caller: { id: 'me', rights: ['call', 'discover'] } })
    let heard = ''
    for await (const chunk of text) if ((heard += chunk).includes('event: calls')) break
    const { calls, missed } = JSON.parse(/^data: (.*)$/m.exec(heard)![1]!)
    expect(calls).toMatchObject([
      { tool: 'nobody', code: 'TOOL_NOT_FOUND', caller: 'me', steps: [{ name: 'resolve' }] },
    ])
    expect(missed).toBe(0)
    leaving.abort()
  })

  it('ends a stream when its key is revoked (A8)', async () => {
    const { body } = await server.ask('POST', '/keys', { key, body: { name: 'guest', permission: 'admin' } })
    const response = await fetch(`${server.url}/api/admin/v1/events`, {
      headers: { authorization: `Bearer ${body.key}` },
    })
    await server.ask('DELETE', `/keys/${body.record.id}`, { key })
    await expect(response.text()).rejects.toThrow('terminated')
    expect((await server.ask('GET', '/me', { key: body.key })).status).toBe(401)
  })

  it('makes keys of any role for an administrator, and shows which', async () => {
    const { body } = await server.ask('POST', '/keys', { key, body: { name: 'look', role: 'viewer' } })
    expect(body.record).toMatchObject({ role: 'viewer' })
    expect((await server.ask('GET', '/me', { key: body.key })).body).toMatchObject({ rights: ['look'] })
    expect((await server.ask('GET', '/keys', { key: body.key })).status).toBe(403)
    expect(
      (await server.ask('POST', '/keys', { key, body: { name: 'both', role: 'reader', permission: 'read' } })).status,
    ).toBe(400)
    expect((await server.ask('POST', '/keys', { key, body: { name: 'none', role: 'none' } })).status).toBe(400)
  })

  it('tells a missing tool, source, key and approval apart from a fault', async () => {
    for (const [method, path, status] of [
      ['GET', '/tools/nobody', 404],
      ['GET', '/sources/nobody', 404],
      ['POST', '/sources/nobody/restart', 404],
      ['DELETE', '/sources/nobody', 404],
      ['DELETE', '/keys/nobody', 404],
      ['GET', '/profiles/nobody', 404],
    ] as const)
      expect((await server.ask(method, path, { key })).status, `${method} ${path}`).toBe(status)
    expect((await server.ask('POST', '/approvals', { key, body: { ids: ['nobody'] } })).status).toBe(404)
    expect((await server.ask('POST', '/search', { key, body: { words: 1 } })).status).toBe(400)
  })
})
