import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { localCaller } from '../../src/model/caller.js'
import { openXiaozhi, type XiaozhiLinks } from '../../src/serving/xiaozhi-links.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { rawOverHttp } from '../helpers/clients/raw-http.js'
import { type FarSide, startFarSide } from '../helpers/far-side.js'
import { openScriptBoard, type ScriptBoardFixture } from '../helpers/script-board.js'
import { serveEmbedded } from '../helpers/serve-recall.js'
import { ask as askAt } from '../helpers/serve-rest.js'

const server = fileURLToPath(new URL('../helpers/servers/tools-from-file.mjs', import.meta.url))
const sent: unknown[] = []
const folder = mkdtempSync(join(tmpdir(), 'pegboard-ways-'))
const toolsFile = join(folder, 'office.json')
const memo = (more: object = {}) => ({
  name: 'memo',
  description: 'Writes a memo that somebody will read in a while.',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' }, room: { type: 'string' }, ...more },
    required: ['text', 'room'],
  },
})
const desk = { 'office.memo': { name: 'letter' }, list: { result: { drop: ['/0'], maxBytes: 200 } } }
const offer = (tool: object) => writeFileSync(toolsFile, JSON.stringify([tool]))

/** What overrides change is seen in whatever way one comes in; what they are about stays the upstream tool. */
describe('an overridden tool', () => {
  let fixture: ScriptBoardFixture
  let device: FarSide
  const rest = (method: string, path: string, body?: object) => askAt(`${fixture.url}/api/v1${path}`, method, body)
  beforeAll(async () => {
    offer(memo())
    const office = { command: process.execPath, args: [server, toolsFile] }
    device = await startFarSide()
    fixture = await openScriptBoard({
      profiles: { default: { scripts: true }, desk: { overrides: desk } },
      sources: { office: { ...office, overrides: { memo: { name: 'jot', arguments: { room: { set: 'attic' } } } } } },
      xiaozhi: { endpoints: [{ url: device.url('an-agent') }] },
      overrides: {
        'office.memo': { description: 'Jots it down.', tags: ['notes'] },
        log: {
          name: 'note_down',
          description: 'Notes it.',
          arguments: {
            who: { set: '$caller.id' },
            seen_as: { set: '$caller.profile' },
            run: { set: '$run' },
            at: { set: '$now' },
            ms: { set: '$now' },
            key: { set: '$uuid' },
          },
        },
        list: { name: 'issues', description: 'The issues.', result: { pick: ['/*/number'], maxBytes: 4096 } },
        close: { enabled: false },
      },
    })
    const text = { type: 'string' }
    const properties = { text, who: text, seen_as: text, run: text, at: text, ms: { type: 'integer' }, key: text }
    const input = { type: 'object', properties, required: ['text', 'who'] }
    const handler = (args: unknown) => {
      sent.push(args)
      return 'noted'
    }
    fixture.board.gateway.register(defineTool({ name: 'log', description: 'Logs.', input, handler } as never))
    await fixture.board.settled()
  }, 60_000)
  afterAll(async () => {
    await fixture[Symbol.asyncDispose]()
    await device.close()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => void sent.splice(0))

  it('by an entry of its source, for everybody and for a profile: the nearer word counts, member by member', () => {
    const { gateway } = fixture.board
    const tool = gateway.find('office.jot')
    expect(tool).toMatchObject({ tags: ['notes'], definition: { description: 'Jots it down.' } })
    expect(Object.keys(tool?.definition.inputSchema.properties as object)).toEqual(['text'])
    const desk = gateway.find('office.letter', { ...localCaller, profile: 'desk' })
    expect(desk).toMatchObject({ definition: { name: 'letter', description: 'Jots it down.' } })
    expect(gateway.find('office.memo')).toBeUndefined()
  })

  it('is listed and called over MCP, and is off where that is said', async () => {
    const client = await rawOverHttp('legacy', `${fixture.url}/mcp`)
    const names = await client.list()
    expect(names).toEqual(expect.arrayContaining(['office__jot', 'note_down', 'issues', 'delete']))
    for (const gone of ['office__memo', 'log', 'list', 'close']) expect(names).not.toContain(gone)
    const { text } = await client.call('office__jot', { text: 'hello' })
    expect(JSON.parse(text)).toEqual({ name: 'memo', args: { text: 'hello', room: 'attic' } })
    await expect(client.call('close', { number: 1 })).rejects.toThrow(/Unknown tool/)
    await client.close()
  })

  it('is what providers, REST and searches are told', async () => {
    const { json: list } = await rest('GET', '/tools?format=openai')
    const names = JSON.stringify(list)
    expect(names).toContain('office__jot')
    expect(names).not.toMatch(/office__memo|attic|Writes a memo/)
    for (const format of ['openai', 'anthropic', 'gemini', 'kwargs'] as const) {
      const told = JSON.stringify(fixture.board.gateway.toolsFor(format))
      expect(told, format).toContain('note_down')
      expect(told, format).not.toContain('"seen_as"')
    }
    expect((await rest('GET', '/tools/office.jot')).json).toMatchObject({ description: 'Jots it down.' })
    expect((await rest('GET', '/tools/office.memo')).status).toBe(404)
    expect((await rest('POST', '/tools/note_down/call', { text: 'x' })).status).toBe(200)
    const { json: found } = await rest('POST', '/search', { query: 'jot something down', method: 'bm25' })
    expect(found.results[0]).toMatchObject({ tool: { id: 'office.jot' } })
  })

  it('hands on what is picked and not dropped of its results, and no more than so many bytes', async () => {
    const resultFor = async (profile: string) =>
      (await rest('POST', `/tools/issues/call?profile=${profile}`, { page: 1 })).json
    const whole = JSON.stringify(await resultFor('default'))
    expect(whole).toMatch(/"number\W+1\W/)
    expect(whole).not.toContain('labels')
    const less = await resultFor('desk')
    const { text } = less.result?.content?.[0] ?? less.content[0]
    expect(text).toContain('"number":2')
    expect(text).not.toContain('"number":1}')
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200)
  })

  it('has what each call fills in: who calls, by which profile, when, and a name of its own', async () => {
    const before = Date.now()
    await rest('POST', '/tools/note_down/call', { text: 'one' })
    await rest('POST', '/tools/note_down/call', { text: 'two' })
    const [one, two] = sent as any[]
    expect(one).toMatchObject({ text: 'one', seen_as: 'default' })
    expect(one.who.length).toBeGreaterThan(0)
    // Outside of a script there is no run: nothing is sent for it.
    expect(one).not.toHaveProperty('run')
    expect(one.ms).toBeGreaterThanOrEqual(before)
    expect(new Date(one.at).toISOString()).toBe(one.at)
    expect(one.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(two.key).not.toBe(one.key)
    expect((await rest('POST', '/tools/note_down/call', { text: 'x', who: 'me' })).status).toBe(400)
  })

  it('is declared to scripts and called by them under its name, with the run that it is a part of', async () => {
    const { json } = await rest('POST', '/scripts', {
      script: `const found = (await tools.search_tools({ query: 'notes it' })).results
        const whole = await tools.get_tool_definition({ tool_name: 'note_down', format: 'typescript' })
        await tools.note_down({ text: 'from a script' })
        const jotted = await tools.office.jot({ text: 'y' })
        const numbers = await tools.issues({ page: 1 })
        const old = await tools.log({ text: 'z' }).catch((error) => error.code)
        return [found.map(({ declaration }) => declaration), whole.declaration, jotted, numbers.slice(0, 2), old]`,
    })
    const [declarations, whole, jotted, numbers, old] = json.result
    expect(declarations.join('\n')).toContain('tools.note_down(args: { text: string }')
    expect(whole).toContain('tools.note_down(args: { text: string }')
    expect(whole).not.toContain('who')
    expect(jotted).toMatchObject({ name: 'memo', args: { text: 'y', room: 'attic' } })
    expect(numbers).toEqual([{ number: 1 }, { number: 2 }])
    expect(old).toBe('TOOL_NOT_FOUND')
    expect(sent).toEqual([expect.objectContaining({ text: 'from a script', run: json.run })])
  })

  it('is recalled as it is shown', async () => {
    const action = (at_id: string, tool_name: string) => ({
      ...{ kn_id: 'kn', at_id, actions: [{ parameters: {} }] },
      action_source: { type: 'mcp', mcp_id: 'office', tool_name },
    })
    const served = await serveEmbedded(fixture.board.gateway, [action('new', 'jot'), action('old', 'memo')] as never)
    const [tool] = (await served.recall({ kn_id: 'kn', at_id: 'new' })).json._dynamic_tools
    expect(tool).toMatchObject({ name: 'jot', description: 'Jots it down.' })
    expect(JSON.stringify(tool.parameters)).not.toContain('room')
    const answer = await askAt(tool.api_url, 'POST', { text: 'z' })
    expect(JSON.parse(answer.json.content[0].text)).toMatchObject({ args: { room: 'attic' } })
    expect((await served.recall({ kn_id: 'kn', at_id: 'old' })).status).toBe(404)
    await served.close()
  })

  it('is listed and called by a voice device', async () => {
    const links: XiaozhiLinks = await openXiaozhi(fixture.board, silentLogger)
    links.start()
    const visit = await device.visit()
    const { tools } = (await visit.ask('tools/list')).result
    const names = tools.map(({ name }: { name: string }) => name)
    // Devices are shown short names.
    expect(names).toContain('office_jot')
    expect(names).not.toContain('office_memo')
    const { content } = await visit.call('office_jot', { text: 'spoken' })
    expect(JSON.parse(content[0].text)).toMatchObject({ name: 'memo', args: { text: 'spoken', room: 'attic' } })
    await links.close()
  })

  it('is approved as its source says it: an override changes nothing of that, a change upstream is held back', async () => {
    const { gateway } = fixture.board
    expect(gateway.catalog.held()).toEqual([])
    offer({ ...memo({ cc: { type: 'string' } }), description: 'Writes a memo, and sends it to everybody.' })
    await gateway.supervised('office')!.restart()
    await expect.poll(() => gateway.catalog.held().map(({ id }) => id)).toEqual(['office.memo'])
    expect(gateway.find('office.jot')).toBeUndefined()
  })
})
