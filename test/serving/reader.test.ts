import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../src/model/caller.js'
import { rightsOfRole } from '../../src/model/role.js'
import { askModern } from '../helpers/ask-modern.js'
import { type OpenedAdmin, openAdminServer } from '../helpers/open-admin.js'

const program = fileURLToPath(new URL('../helpers/servers/annotated.mjs', import.meta.url))
const source = { command: process.execPath, args: [program] }
const config = (more: object = {}) =>
  JSON.stringify({
    auth: { required: true },
    profiles: { default: { expose: 'flat', readonly: ['desk.get_*'] } },
    sources: { desk: { ...source }, trusted: { ...source, annotations: 'trust' } },
    ...more,
  })

const slow = { timeout: 30_000 }

describe('a reader', () => {
  let server: OpenedAdmin
  let reader: string
  let caller: string
  let admin: string
  beforeAll(async () => {
    server = await openAdminServer(config())
    ;[reader, caller, admin] = await Promise.all([server.key('reader'), server.key('caller'), server.key('admin')])
    await vi.waitFor(() => {
      for (const name of ['desk', 'trusted'])
        expect(server.gateway.list().filter((each) => each.source === name).length).toBe(4)
    }, slow)
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  /** Every way to call a tool that there is; true where it was called. */
  const ways: Readonly<Record<string, (id: string, key: string) => Promise<boolean>>> = {
    'MCP, modern': async (id, key) => (await askModern(server.url, id.replace('.', '__'), key)).isError !== true,
    'MCP, legacy': async (id, key) => legacy(key, (client) => client.callTool({ name: id.replace('.', '__') })),
    call_tool: async (id, key) =>
      legacy(key, (client) => client.callTool({ name: 'call_tool', arguments: { tool_name: id, arguments: {} } })),
    REST: async (id, key) => (await rest('POST', `/api/v1/tools/${id}/call`, key, { args: {} })).status === 200,
    'REST, many at once': async (id, key) => {
      const { json } = await rest('POST', '/api/v1/calls', key, { calls: [{ tool: id }] })
      return json.results?.[0]?.ok === true
    },
    "REST, a model's message": async (id, key) => {
      const message = { tool_calls: [{ id: '1', type: 'function', function: { name: id, arguments: '{}' } }] }
      const { text } = await rest('POST', '/api/v1/tool-calls', key, { format: 'openai', message })
      return text.includes('desk says') || text.includes('trusted says')
    },
    recall: async (id, key) => {
      const [of, name] = id.split('.')
      const path = `/api/agent-retrieval/in/v1/mcp/proxy/${of}/tools/${name}/call`
      return (await rest('POST', path, key, {})).status === 200
    },
  }
  const rest = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, text, json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : {} }
  }
  const connect = async (key: string): Promise<Client> => {
    const client = new Client({ name: 'reader', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
    return client
  }
  const legacy = async (key: string, ask: (client: Client) => Promise<unknown>): Promise<boolean> => {
    const client = await connect(key)
    try {
      return ((await ask(client)) as { isError?: boolean }).isError !== true
    } catch {
      return false
    } finally {
      await client.close()
    }
  }
  const setEffect = (id: string, effect: string, key = admin) =>
    server.ask('POST', `/tools/${id}/effect`, { key, body: { effect } })

  it.each(Object.keys(ways))('calls what the operator calls read-only, and nothing else: %s', async (way) => {
    const go = ways[way]!
    expect({
      byPattern: await go('desk.get_note', reader),
      destructiveDespitePattern: await go('desk.get_rid', reader),
      hintAlone: await go('desk.peek', reader),
      unsaid: await go('desk.write', reader),
      hintOfTrusted: await go('trusted.peek', reader),
      unsaidOfTrusted: await go('trusted.write', reader),
      destructiveOfTrusted: await go('trusted.get_rid', reader),
      byCaller: await go('desk.write', caller),
    }).toEqual({
      byPattern: true,
      destructiveDespitePattern: false,
      hintAlone: false,
      unsaid: false,
      hintOfTrusted: true,
      unsaidOfTrusted: false,
      destructiveOfTrusted: false,
      byCaller: true,
    })
  })

  it('in our own process is decided about alike', async () => {
    const own: Caller = { id: 'own', rights: rightsOfRole('reader') }
    const call = async (tool: string) => (await server.gateway.call({ tool, args: {}, caller: own })).ok
    expect([await call('desk.get_note'), await call('desk.write'), await call('desk.get_rid')]).toEqual([
      true,
      false,
      false,
    ])
    expect(server.gateway.callSync({ tool: 'desk.write', args: {}, caller: own })).toMatchObject({
      error: { code: 'ACCESS_DENIED' },
    })
  })

  it('finds the same by list, search and description as a caller does, and is told why a call is refused', async () => {
    const lists = await Promise.all([reader, caller].map((key) => rest('GET', '/api/v1/tools?limit=100', key)))
    expect(lists[0]!.json).toEqual(lists[1]!.json)
    const searches = await Promise.all([reader, caller].map((key) => rest('GET', '/api/v1/search?q=note', key)))
    expect(searches.map(({ json }) => json.results?.map(({ id }: { id: string }) => id))[0]).toEqual(
      searches.map(({ json }) => json.results?.map(({ id }: { id: string }) => id))[1],
    )
    expect((await rest('GET', '/api/v1/tools/desk.write', reader)).status).toBe(200)
    const { status, text } = await rest('POST', '/api/v1/tools/desk.write/call', reader, { args: {} })
    expect(status).toBe(403)
    expect(text).toContain('pegboard approvals effect desk.write readonly')
  })

  it('reads resources and prompts, and registers nothing', async () => {
    const client = await connect(reader)
    const { resources } = await client.listResources()
    const { uri } = resources.find(({ name }) => name === 'one')!
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({ text: 'a note' })
    const { prompts } = await client.listPrompts()
    expect(prompts.length).toBeGreaterThan(0)
    expect((await client.getPrompt({ name: prompts[0]!.name })).messages.length).toBe(1)
    const made = await client
      .callTool({ name: 'register_tool', arguments: { name: 'mine', description: 'A tool' } })
      .catch((error: Error) => ({ isError: true, content: error.message }))
    expect(made.isError).toBe(true)
    await client.close()
  })

  it('has no door to the console, not even to call by hand', async () => {
    for (const [method, path] of [
      ['GET', '/overview'],
      ['GET', '/effects'],
      ['POST', '/tools/desk.get_note/call'],
      ['POST', '/tools/desk.write/effect'],
    ] as const)
      expect((await server.ask(method, path, { key: reader, body: undefined })).status, path).toBe(403)
    const operator = await server.key('operator')
    const tried = await server.ask('POST', '/tools/desk.write/call', { key: operator, body: { args: {} } })
    expect(tried.body).toMatchObject({ ok: true })
  })

  it('may call what an approver speaks for, until that is taken back', async () => {
    const go = ways.REST!
    const operator = await server.key('operator')
    expect((await setEffect('desk.write', 'readonly', await server.key('viewer'))).status).toBe(403)
    const { status, body } = await setEffect('desk.write', 'readonly', operator)
    expect({ status, body }).toMatchObject({ status: 200, body: { by: 'approver', stated: { by: 'operator' } } })
    expect(await go('desk.write', reader)).toBe(true)
    const { body: detail } = await server.ask('GET', '/tools/desk.write', { key: admin })
    expect(detail.effect).toMatchObject({ profiles: ['default'], stated: { by: 'operator' } })
    expect((await setEffect('desk.write', 'none', operator)).body.profiles).toEqual([])
    expect(await go('desk.write', reader)).toBe(false)
  })

  it('is not let in by a word about something else: a destructive tool, an old definition, none at all', async () => {
    expect((await setEffect('desk.get_rid', 'readonly')).status).toBe(409)
    const old = { effect: 'readonly', hash: 'f'.repeat(64) }
    expect((await server.ask('POST', '/tools/desk.write/effect', { key: admin, body: old })).status).toBe(409)
    expect((await setEffect('desk.nothing', 'readonly')).status).toBe(404)
    expect((await setEffect('desk.write', 'harmless')).status).toBe(400)
    const { body } = await server.ask('GET', '/effects', { key: admin })
    const rows = Object.fromEntries(body.tools.map((row: { id: string }) => [row.id, row]))
    expect(rows['desk.get_rid']).toMatchObject({ profiles: [], suggestion: 'destructive' })
    expect(rows['desk.peek']).toMatchObject({ profiles: [], suggestion: 'readonly' })
    expect(rows['trusted.peek']).toMatchObject({ profiles: ['default'], by: 'annotations' })
    expect(rows['desk.write']).toBeUndefined()
  })

  it('hears at once of patterns and trust that the file no longer has', async () => {
    const go = ways.REST!
    const text = readFileSync(server.file, 'utf8')
    writeFileSync(server.file, config({ profiles: { default: { expose: 'flat' } } }))
    await expect.poll(() => go('desk.get_note', reader), slow).toBe(false)
    writeFileSync(server.file, text)
    await expect.poll(() => go('desk.get_note', reader), slow).toBe(true)
  })
})
