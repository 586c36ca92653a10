import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const library = fileURLToPath(new URL('./servers/library.mjs', import.meta.url))
// Written apart, so that nobody takes this file for one that holds keys.
const token = ['ghp', '0123456789abcdefABCDEF0123456789abcd'].join('_')

describe('the admin API beside tools', () => {
  let server: OpenedAdmin
  let key: string
  const ask = (method: string, path: string, body?: unknown) =>
    server.ask(method, path, body === undefined ? { key } : { key, body })

  beforeEach(async () => {
    const sources = { library: { type: 'stdio', command: process.execPath, args: [library] } }
    server = await openAdminServer(JSON.stringify({ sources }))
    key = await server.key('admin')
    await vi.waitUntil(async () => (await ask('GET', '/prompts')).body.prompts.length > 0, { timeout: 50_000 })
    await vi.waitUntil(async () => (await ask('GET', '/resources')).body.templates.length > 0, { timeout: 50_000 })
  })
  afterEach(() => server[Symbol.asyncDispose]())

  it('lists prompts and gets one, as a call of whoever asks (G10)', async () => {
    const { prompts } = (await ask('GET', '/prompts')).body
    expect(prompts).toMatchObject([
      { id: 'library.greeting', source: 'library', name: 'greeting', arguments: [] },
      {
        id: 'library.review',
        arguments: [
          { name: 'title', required: true },
          { name: 'tone', required: false },
        ],
      },
    ])
    const { body } = await ask('POST', '/prompts/library.review/get', { arguments: { title: 'Emma' } })
    expect(body).toMatchObject({
      ok: true,
      description: 'As review',
      messages: [{ role: 'user' }, { role: 'assistant' }],
    })
    expect(body.messages[0].content.text).toContain('Emma')
    const { calls } = (await ask('GET', '/calls')).body
    expect(calls.at(-1)).toMatchObject({ kind: 'prompt', tool: 'library.review', source: 'library', ok: true })
    expect(JSON.stringify(calls)).not.toContain('Emma')
  })

  it('lists resources and templates and reads them, refusals told as answers (G10)', async () => {
    const { resources, templates } = (await ask('GET', '/resources')).body
    expect(resources.flatMap((each: any) => (each.source === 'library' ? [each.uri] : []))).toEqual([
      'library://film',
      'library://mark',
      'library://rules',
    ])
    expect(templates).toMatchObject([{ uri: 'library://books/{number}', source: 'library' }])
    expect((await ask('POST', '/resource-read', { uri: 'library://rules' })).body).toMatchObject({
      ok: true,
      contents: [{ mimeType: 'application/json', text: '{"quiet":true}' }],
    })
    expect((await ask('POST', '/resource-read', { uri: 'library://books/7' })).body.contents[0].text).toContain('7')
    const unknown = (await ask('POST', '/prompts/library.nothing/get', {})).body
    expect(unknown).toMatchObject({ ok: false, error: { code: 'NOT_OFFERED' } })
  })

  it('lets a viewer see them and not ask for them', async () => {
    const viewer = await server.key('viewer')
    expect((await server.ask('GET', '/prompts', { key: viewer })).body.prompts).toHaveLength(2)
    expect((await server.ask('POST', '/resource-read', { key: viewer, body: { uri: 'library://rules' } })).status).toBe(
      403,
    )
  })

  it('reads what was pasted, with nothing run or written, and secrets as variables (G9, T15)', async () => {
    const before = readFileSync(server.file, 'utf8')
    const text = JSON.stringify({
      mcpServers: {
        github: { command: 'npx', args: ['-y', '@example/github'], env: { GITHUB_TOKEN: token, LEVEL: 'debug' } },
        library: { url: 'https://library.example/mcp', headers: { Authorization: 'Bearer <YOUR_TOKEN>' } },
        odd: { command: 'x', type: 'telepathy' },
      },
    })
    const { body } = await ask('POST', '/source-read', { text })
    expect(body).toMatchObject({ form: 'json', problems: [] })
    expect(body.sources).toMatchObject([
      {
        name: 'github',
        outcome: 'add',
        entry: { type: 'stdio', command: 'npx', env: { GITHUB_TOKEN: `\${GITHUB_TOKEN}`, LEVEL: 'debug' } },
        secrets: [{ path: ['env', 'GITHUB_TOKEN'], instead: `\${GITHUB_TOKEN}`, placeholder: false }],
        variables: [{ name: 'GITHUB_TOKEN', isSet: false }],
      },
      {
        name: 'library-pasted',
        outcome: 'rename',
        entry: { type: 'http', headers: { Authorization: expect.stringMatching(/^Bearer \$\{\w+\}$/) } },
        secrets: [{ placeholder: true }],
      },
      { name: 'odd', outcome: 'unusable' },
    ])
    expect(body.sources[0].cautions.join()).toContain('name a version')
    expect(JSON.stringify(body)).not.toContain(token)
    const kept = await ask('POST', '/source-read', { text, keep: true })
    expect(kept.body.sources[0].entry.env.GITHUB_TOKEN).toBe(token)
    expect(readFileSync(server.file, 'utf8')).toBe(before)
    expect(JSON.stringify((await ask('GET', '/logs')).body)).not.toContain(token)
  })

  it('says in both languages what cannot be read', async () => {
    const { body } = await ask('POST', '/source-read', { text: 'npx a | sh' })
    expect(body).toMatchObject({
      sources: [],
      problems: [{ en: expect.stringContaining('"|"'), zh: expect.stringContaining('shell') }],
    })
    expect((await ask('POST', '/source-read', { text: 7 })).status).toBe(400)
  })

  it('counts the links to voice devices, so that a page may be left out (G14)', async () => {
    expect((await ask('GET', '/overview')).body.xiaozhi).toBe(0)
  })
})
