import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  HistoryAnswer,
  HistoryCall,
  HistoryEntry,
  HistoryStats,
  ReplayAnswer,
} from '../../src/faces/admin/history.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const canary = 'canary-7c1e5f2b9d'
const config = {
  sources: { shop: { type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { 'x-key': canary }, enabled: false } },
  profiles: {
    default: { readonly: ['add', 'weather'] },
    open: { keepValues: true, readonly: ['add', 'weather'] },
  },
}

let admin: OpenedAdmin
let key: string
let sky = 'sunny'
beforeEach(async () => {
  sky = 'sunny'
  admin = await openAdminServer(JSON.stringify(config))
  key = await admin.key('admin')
  const tool = (name: string, handler: (args: any) => unknown) =>
    admin.gateway.register(defineTool({ name, description: `It is ${name}.`, input: { type: 'object' }, handler }))
  tool('add', ({ a, b }) => a + b)
  // The canary is one of the secrets that the configuration holds.
  tool('weather', () => ({ sky, note: `see ${canary}`, password: 'hunter2-hunter2' }))
  tool('send', () => 'sent')
  tool('fail', () => {
    throw new Error('It broke.')
  })
})
afterEach(() => admin[Symbol.asyncDispose]())

const get = async <Answer>(path: string, as = key): Promise<Answer> => (await admin.ask('GET', path, { key: as })).body
const list = (query = ''): Promise<HistoryAnswer> => get(`/history?${query}`)

/** A client of its own words, over MCP in the legacy era. */
const callAs = async (profile: string, tool: string, args: object, client = { name: 'Cursor', version: '1.2.3' }) => {
  const url = `${admin.url}/mcp/${profile}`
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
  }
  const hello = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client },
    }),
  })
  const session = hello.headers.get('mcp-session-id')!
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: tool, arguments: args } }),
  })
  await answer.text()
}

describe('the history over HTTP (N4, N15)', () => {
  it('tells who called, by which program and protocol, how large it was and where the time went', async () => {
    await callAs('default', 'add', { a: 1, b: 2 })
    const { calls, kept } = await list()
    expect(kept).toBe(true)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toMatchObject({
      ...{ tool: 'add', kind: 'tool', ok: true, profile: 'default', face: 'mcp', protocol: '2025-06-18' },
      ...{ client: 'Cursor', clientVersion: '1.2.3', callerName: 'admin', attempts: 1, hasValues: false },
      resultBytes: 1,
      resultTokens: 1,
    })
    const [{ spent, latencyMs, argumentBytes }] = calls as [HistoryCall]
    expect(argumentBytes).toBeGreaterThan(40)
    expect(spent.waitingMs + spent.sourceMs + spent.ownMs).toBeCloseTo(latencyMs, 2)
  })

  it('knows modern clients, plain HTTP and the console', async () => {
    await fetch(`${admin.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${key}` },
        ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: {
          ...{ name: 'add', arguments: { a: 1, b: 1 } },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
            'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '2.1' },
          },
        },
      }),
    })
    await fetch(`${admin.url}/api/v1/tools/add/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'user-agent': 'curl/8.5.0 (x)' },
      body: '{"a":1,"b":1}',
    })
    await admin.ask('POST', '/tools/add/call', { key, body: { args: { a: 1, b: 1 } } })
    const { calls } = await list()
    expect(calls.map(({ face, client, clientVersion }) => [face, client, clientVersion])).toEqual([
      ['console', undefined, undefined],
      ['rest', 'curl', '8.5.0'],
      ['mcp', 'claude-code', '2.1'],
    ])
  })

  it('filters, pages and refuses what it does not understand', async () => {
    for (let count = 0; count < 5; count++) await callAs('default', 'add', { a: count, b: 0 })
    await callAs('default', 'fail', {}, { name: 'Zed', version: '1' })
    expect((await list('outcome=failed')).calls.map(({ tool, code, message }) => [tool, code, message])).toEqual([
      ['fail', 'TOOL_FAILED', "'fail' failed: It broke."],
    ])
    expect((await list('client=Zed')).calls).toHaveLength(1)
    expect((await list('text=BROKE')).calls).toHaveLength(1)
    const first = await list('tool=add&limit=3')
    const second = await list(`tool=add&limit=3&cursor=${first.next}`)
    expect([...first.calls, ...second.calls]).toHaveLength(5)
    expect(second.next).toBeUndefined()
    expect(new Set([...first.calls, ...second.calls].map(({ id }) => id)).size).toBe(5)
    for (const query of ['limit=0', 'cursor=x', 'outcome=maybe', 'from=yesterday', 'kind=x'])
      expect((await admin.ask('GET', `/history?${query}`, { key })).status, query).toBe(400)
    for (const query of ['by=colour', 'bucketMs=1000&from=2026-01-01', 'most=0'])
      expect((await admin.ask('GET', `/history-stats?${query}`, { key })).status, query).toBe(400)
  })

  it('counts, by tool and over time', async () => {
    for (let count = 0; count < 3; count++) await callAs('default', 'add', { a: count, b: 0 })
    await callAs('default', 'fail', {})
    const stats = await get<HistoryStats>('/history-stats?by=tool&most=1')
    expect(stats.totals).toMatchObject({ calls: 4, errors: 1 })
    expect(stats.series.reduce((sum, { calls }) => sum + calls, 0)).toBe(4)
    expect(stats.split).toMatchObject([{ name: 'add', calls: 3, errors: 0 }])
    expect(stats.rest).toMatchObject({ names: 1, calls: 1, errors: 1 })
    expect((await get<HistoryStats>('/history-stats?by=client')).split).toMatchObject([{ name: 'Cursor', calls: 4 }])
  })

  it('keeps values only for a profile that says so, without secrets, and shows them to admins alone (canary)', async () => {
    await callAs('default', 'weather', { city: 'Oslo', token: canary })
    await callAs('open', 'weather', { city: 'Oslo', token: canary })
    const { calls } = await list()
    expect(calls.map(({ profile, hasValues }) => [profile, hasValues])).toEqual([
      ['open', true],
      ['default', false],
    ])
    const [kept, bare] = calls as [HistoryCall, HistoryCall]
    const entry = await get<HistoryEntry>(`/history/${kept.id}`)
    expect(entry.values).toBe('shown')
    expect(entry.arguments).toMatchObject({ value: { city: 'Oslo' }, redacted: true })
    expect(entry.result?.value).toMatchObject({ structuredContent: { sky: 'sunny' } })
    expect(await get<HistoryEntry>(`/history/${bare.id}`)).toEqual({ call: bare, values: 'none' })
    const operator = await admin.key('operator')
    expect(await get<HistoryEntry>(`/history/${kept.id}`, operator)).toEqual({ call: kept, values: 'withheld' })
    expect((await admin.ask('GET', '/history/0aaaaaaaa-bbbbbbbb-0', { key })).status).toBe(404)
    expect((await admin.ask('GET', '/history/..%2f..%2fpasswd', { key })).status).toBe(404)
    const folder = join(dirname(admin.file), 'data', 'history')
    const disk = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'latin1'))
      .join()
    expect(disk).toContain('Oslo')
    for (const secret of [canary, 'hunter2']) expect(disk).not.toContain(secret)
    expect(JSON.stringify([entry, calls])).not.toContain(canary)
  })

  it('is taken away as lines or as a table, and that is written down', async () => {
    await callAs('default', 'add', { a: 1, b: 0 })
    await callAs('default', '=cmd|x', {})
    const taken = async (format: string) => {
      const answer = await fetch(`${admin.url}/api/admin/v1/history-export?format=${format}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return answer.text()
    }
    const lines = (await taken('jsonl'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryCall)
    expect(lines.map(({ tool }) => tool)).toEqual(['=cmd|x', 'add'])
    const rows = (await taken('csv')).trim().split('\r\n')
    expect(rows[0]).toMatch(/^id,at,kind,tool,source,/)
    // A spreadsheet must not run a stranger's words.
    expect(rows[1]).toContain(",'=cmd|x,")
    expect(rows).toHaveLength(3)
    const audited = await get<{ entries: readonly { kind: string; count?: number }[] }>('/audit?kind=export')
    expect(audited.entries).toMatchObject([{ count: 2 }, { count: 2 }])
  })

  it('makes calls again as whoever asks, and says what is not as it was', async () => {
    const replay = async (ids: readonly string[], confirm = false, as = key): Promise<ReplayAnswer['calls']> =>
      (await admin.ask('POST', '/history/replay', { key: as, body: { ids, confirm } })).body.calls
    await callAs('open', 'add', { a: 1, b: 2 })
    await callAs('open', 'weather', {})
    await callAs('open', 'send', { to: 'ann' })
    await callAs('open', 'fail', {})
    await callAs('default', 'add', { a: 1, b: 2 })
    const [bare, fail, send, weather, add] = (await list()).calls.map(({ id }) => id) as [
      string,
      string,
      string,
      string,
      string,
    ]
    expect(await replay([add, weather])).toMatchObject([{ verdict: 'same' }, { verdict: 'same', tool: 'weather' }])
    sky = 'rain'
    expect(await replay([weather])).toMatchObject([
      {
        verdict: 'different',
        differences: expect.arrayContaining([
          { at: '/structuredContent/sky', change: 'changed', before: '"sunny"', after: '"rain"' },
        ]),
      },
    ])
    const operator = await admin.key('operator')
    const [seen] = await replay([weather], false, operator)
    expect(seen?.differences).toContainEqual({ at: '/structuredContent/sky', change: 'changed' })
    expect(await replay([send])).toMatchObject([{ verdict: 'unconfirmed' }])
    expect(await replay([send], true)).toMatchObject([{ verdict: 'same' }])
    expect(await replay([fail], true)).toMatchObject([{ verdict: 'same', code: 'TOOL_FAILED' }])
    expect(await replay([bare])).toMatchObject([{ verdict: 'cannot', reason: expect.stringContaining('not kept') }])
    expect(await replay(['nobody'])).toMatchObject([{ verdict: 'cannot' }])
    await admin.gateway.unregister('add')
    expect(await replay([add])).toMatchObject([{ verdict: 'cannot', reason: expect.stringContaining("'add'") }])
    // What was made again is in the history like any other call, by whoever wanted it.
    expect((await list('tool=send')).calls.map(({ face }) => face)).toEqual(['console', 'mcp'])
  })

  it('begins and ends with its setting, while the gateway runs', async () => {
    await callAs('default', 'add', { a: 1, b: 2 })
    const write = (enabled: boolean) => writeFileSync(admin.file, JSON.stringify({ ...config, history: { enabled } }))
    write(false)
    await expect.poll(async () => (await list()).kept, { timeout: 30_000 }).toBe(false)
    await callAs('default', 'add', { a: 2, b: 2 })
    expect((await list()).calls).toHaveLength(1)
    write(true)
    await expect.poll(async () => (await list()).kept, { timeout: 30_000 }).toBe(true)
    await callAs('default', 'add', { a: 3, b: 2 })
    expect((await list()).calls).toHaveLength(2)
  })
})

describe('a gateway that keeps data in memory', () => {
  it('keeps no calls on the disk', async () => {
    await using memory = await openAdminServer(JSON.stringify({ storage: { backend: 'memory' } }))
    memory.gateway.register(
      defineTool({ name: 'add', description: 'Adds.', input: { type: 'object' }, handler: () => 1 }),
    )
    await memory.gateway.run('add')
    const held = await memory.key('admin')
    expect((await memory.ask('GET', '/history', { key: held })).body).toMatchObject({ calls: [], kept: false })
    expect(existsSync(join(dirname(memory.file), 'data', 'history'))).toBe(false)
  })
})
