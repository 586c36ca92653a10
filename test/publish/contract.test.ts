import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'
import { breaches } from '../helpers/registry-contract.js'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz'

const config = {
  server: { publicUrl: 'http://127.0.0.1:1/' },
  profiles: { work: {} },
  sources: {
    files: {
      command: 'npx',
      args: [
        '-y',
        '@example/files@1.4.2',
        '--root=/home/ada/notes',
        '--depth',
        '3',
        '/home/ada',
        `--key=\${FILES_KEY:-x}`,
        `--zone=\${ZONE:-x}`,
      ],
      env: { API_TOKEN: secret, MODE: 'fast' },
      description: 'Reads files',
      enabled: false,
    },
    fetch: { command: 'uvx', args: ['mcp-fetch==2025.4.7'], enabled: false },
    time: { command: 'docker', args: ['run', '-i', '--rm', '-e', 'TZ', `mcp/time@${digest}`], enabled: false },
    docs: { url: 'https://docs.example.com/mcp', headers: { Authorization: `Bearer ${secret}` }, enabled: false },
    local: { command: 'node', args: ['./server.mjs', secret], enabled: false },
    leaky: { command: 'npx', args: ['-y', 'leaky@1.0.0', `--token=${secret}`], enabled: false },
    loose: { command: 'npx', args: ['-y', 'loose'], enabled: false },
  },
  publish: {
    namespace: 'com.example',
    servers: {
      ...{ files: {}, fetch: { version: '7.0.0' }, time: {}, docs: { title: 'Docs' } },
      ...{ local: { profile: 'work' }, leaky: {}, loose: { as: 'own' }, absent: {} },
      'old@1': {
        server: { name: 'com.example/old', description: 'Old', version: '1.9.0', websiteUrl: 'https://example.com' },
      },
      'old@2': {
        server: {
          name: 'com.example/old',
          description: 'Old',
          version: '1.10.0',
          extra: { kept: `$5 \${NOT_READ:-x}` },
        },
      },
      'old@3': {
        server: { name: 'com.example/old', description: 'Old', version: '2.0.0-rc.1' },
        status: 'deprecated',
        statusMessage: 'Too early',
      },
    },
  },
}

describe("this gateway's own registry (N5)", () => {
  let server: OpenedAdmin
  beforeAll(async () => {
    server = await openAdminServer(JSON.stringify(config))
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}/v0.1/servers${path}`, { headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  const named = (body: any): readonly string[] =>
    body.servers.map((each: any) => `${each.server.name}@${each.server.version}`)

  it('lists what an operator chose, as the document of the official one has it', async () => {
    const { status, body } = await get('?limit=100')
    expect([status, breaches('list', body)]).toEqual([200, ''])
    expect(named(body)).toEqual([
      'com.example/docs@1.0.0',
      'com.example/fetch@7.0.0',
      'com.example/files@1.4.2',
      'com.example/leaky@1.0.0',
      'com.example/local@1.0.0',
      'com.example/old@1.9.0',
      'com.example/old@1.10.0',
      'com.example/old@2.0.0-rc.1',
      'com.example/time@1.0.0',
    ])
    expect(body.metadata).toEqual({ count: 9 })
  })

  it('names variables, headers and paths, and tells no value of any', async () => {
    const { text } = await get('?limit=100')
    for (const word of [secret, '/home', 'fast', 'server.mjs']) expect(text).not.toContain(word)
    const files = await get('/com.example%2Ffiles/versions/latest')
    expect(breaches('version', files.body)).toBe('')
    expect(files.body.server.packages).toEqual([
      {
        registryType: 'npm',
        identifier: '@example/files',
        version: '1.4.2',
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'named', name: '--root', format: 'filepath', isRequired: true },
          { type: 'positional', value: '--depth' },
          { type: 'positional', value: '3' },
          { type: 'positional', valueHint: 'path_4', format: 'filepath', isRequired: true },
          { type: 'named', name: '--key', isRequired: true, isSecret: true },
          {
            type: 'named',
            name: '--zone',
            value: '{ZONE}',
            variables: { ZONE: { isRequired: true, isSecret: false } },
          },
        ],
        environmentVariables: [
          { name: 'API_TOKEN', isRequired: true, isSecret: true },
          { name: 'MODE', isRequired: true, isSecret: false },
        ],
      },
    ])
    const docs = await get('/com.example%2Fdocs/versions/1.0.0')
    expect(docs.body.server.remotes).toEqual([
      {
        type: 'streamable-http',
        url: 'https://docs.example.com/mcp',
        headers: [{ name: 'Authorization', isRequired: true, isSecret: true }],
      },
    ])
    const time = await get('/com.example%2Ftime/versions/latest')
    expect(time.body.server.packages[0]).toMatchObject({ registryType: 'oci', identifier: `mcp/time@${digest}` })
  })

  it('gives what nobody else can run as this gateway itself', async () => {
    const { body } = await get('/com.example%2Flocal/versions/latest')
    expect(body.server).toMatchObject({ remotes: [{ type: 'streamable-http', url: 'http://127.0.0.1:1/mcp/work' }] })
    expect(body.server.packages).toBeUndefined()
    expect((await get('/com.example%2Fleaky/versions/latest')).body.server.remotes[0].url).toBe(
      'http://127.0.0.1:1/mcp',
    )
  })

  it('takes a server.json that was written whole as it is, and reads nothing into it', async () => {
    const { body } = await get('/com.example%2Fold/versions/1.10.0')
    expect(body.server.extra).toEqual({ kept: `$5 \${NOT_READ:-x}` })
  })

  it('orders versions, newest first, and knows the latest', async () => {
    const { body } = await get('/com.example%2Fold/versions')
    expect(breaches('list', body)).toBe('')
    const rows = body.servers.map(({ server: { version }, _meta }: any) => {
      const { isLatest, status } = _meta['io.modelcontextprotocol.registry/official']
      return [version, isLatest, status]
    })
    expect(rows).toEqual([
      ['2.0.0-rc.1', true, 'deprecated'],
      ['1.10.0', false, 'active'],
      ['1.9.0', false, 'active'],
    ])
    expect((await get('/com.example%2Fold/versions/latest')).body.server.version).toBe('2.0.0-rc.1')
    expect(named((await get('?version=latest&search=OLD')).body)).toEqual(['com.example/old@2.0.0-rc.1'])
    expect(named((await get('?version=1.9.0')).body)).toEqual(['com.example/old@1.9.0'])
  })

  it.each([1, 2, 4, 100])('is walked page by page, %i at a time, each server once', async (limit) => {
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 20; page++) {
      const { body } = await get(`?limit=${limit}${cursor}`)
      expect(breaches('list', body)).toBe('')
      expect(body.metadata.count).toBe(body.servers.length)
      seen.push(...named(body))
      if (body.metadata.nextCursor === undefined) break
      cursor = `&cursor=${encodeURIComponent(body.metadata.nextCursor)}`
    }
    expect(seen).toEqual(named((await get('?limit=100')).body))
  })

  it('says that nothing has changed to who has it already', async () => {
    const first = await get('')
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('', { 'if-none-match': known })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await get('', { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await get('?limit=1')).headers.get('etag')).not.toBe(etag)
  })

  it.each([
    ['/com.example%2Fnothing/versions', 404, 'Server not found'],
    ['/com.example%2Ffiles/versions/9.9.9', 404, 'Server version not found'],
    ['?cursor=bm9uZQ', 400, '`cursor` is none of ours'],
    ['?updated_since=yesterday', 400, '`updated_since` is a time'],
    ['?limit=0', 400, 'limit'],
    ['?limit=1000000', 400, 'limit'],
  ])('refuses %s in the words of the document', async (path, status, words) => {
    const answer = await get(path)
    expect([answer.status, breaches('error', answer.body)]).toEqual([status, ''])
    expect(answer.body.error).toContain(words)
  })

  it('tells operators what is not listed, and why; follows what they change; and remembers what was taken back', async () => {
    const key = await server.key('admin')
    const before = await server.ask('GET', '/publish', { key })
    const problems = before.body.servers
      .filter(({ problem }: any) => problem)
      .map((each: any) => [each.key, each.problem.en])
    expect(problems).toEqual([
      ['loose', expect.stringContaining('without one exact version')],
      ['absent', "There is no source named 'absent'."],
    ])
    const since = new Date().toISOString()
    expect((await server.ask('DELETE', '/publish/time', { key })).status).toBe(200)
    expect((await server.ask('DELETE', '/publish/time', { key })).status).toBe(404)
    expect((await server.ask('PUT', '/publish/nobody', { key, body: {} })).status).toBe(404)
    expect((await server.ask('PUT', '/publish/fetch', { key, body: { status: 'gone' } })).status).toBe(400)
    expect((await get('/com.example%2Ftime/versions')).status).toBe(404)
    expect((await get('/com.example%2Ftime/versions?include_deleted=true')).body.servers).toHaveLength(1)
    const changed = await get(`?updated_since=${encodeURIComponent(since)}`)
    expect(named(changed.body)).toEqual(['com.example/time@1.0.0'])
    expect(changed.body.servers[0]._meta['io.modelcontextprotocol.registry/official'].status).toBe('deleted')
    expect((await server.ask('PUT', '/publish/time', { key, body: { title: 'Time' } })).status).toBe(200)
    expect((await get('/com.example%2Ftime/versions/latest')).body.server.title).toBe('Time')
    expect((await server.ask('PUT', '/publish/fetch', { body: {} })).status).toBe(401)
  })

  it('is never made from what a file says that is not in force', async () => {
    const text = readFileSync(server.file, 'utf8')
    writeFileSync(server.file, '{ "publish": { "servers": { "evil": ')
    expect((await get('?search=evil')).body.servers).toEqual([])
    expect(named((await get('?search=docs')).body)).toEqual(['com.example/docs@1.0.0'])
    writeFileSync(server.file, text)
  })
})
