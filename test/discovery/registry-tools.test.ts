import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { namesTowards, safeNaming } from '../../src/catalog/names.js'
import { GatewayError } from '../../src/errors.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { type Caller, localCaller } from '../../src/model/caller.js'
import type { ToolResult } from '../../src/model/result.js'
import { openRegistered } from '../../src/serving/sources/kept-registered.js'
import { createEmbeddedSource } from '../../src/sources/embedded/embedded.js'
import { defineTool } from '../../src/sources/functions/define-tool.js'
import { createRegisteredSource, type RegisteredSource } from '../../src/sources/registry/registered.js'
import { createRegistrySource } from '../../src/sources/registry/registry.js'
import { openJsonStore } from '../../src/storage/json/json-store.js'
import type { CallRecord } from '../../src/telemetry/calls.js'
import { createFaultyDisk } from '../helpers/faulty-disk.js'
import { temporaryFolders } from '../helpers/store-samples.js'

const newFolder = temporaryFolders()
const reader: Caller = { id: 'reader', rights: ['discover', 'call'] }

describe('002 registry tools', () => {
  let gateway: Gateway
  let registered: RegisteredSource
  beforeEach(async () => {
    gateway = createGateway({ rules: { profiles: { narrow: { deny: ['*.secret'] } } } })
    registered = createRegisteredSource()
    await gateway.addSource('registered', registered, { namespace: '' })
    await gateway.addSource(
      'registry',
      createRegistrySource({ board: gateway, registered, names: namesTowards(gateway.shown, () => safeNaming) }),
      {
        namespace: '',
      },
    )
    const tools = [
      {
        name: 'create_issue',
        description: 'Create an issue in a repository',
        inputSchema: {
          type: 'object',
          properties: { title: { type: 'string' }, labels: { type: 'array', items: { type: 'string' } } },
          required: ['title'],
        },
      },
      { name: 'merge', description: 'Merge a pull request' },
      { name: 'secret', description: 'Create a secret issue' },
    ]
    await gateway.addSource(
      'github',
      createEmbeddedSource({
        module: {
          listTools: () => tools,
          callTool: (name: string, args: object) => ({
            content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }],
          }),
        },
      }),
      { tags: ['git'] },
    )
  })
  afterEach(() => gateway.close())

  const ask = async (tool: string, args: object, caller: Caller = localCaller): Promise<ToolResult> => {
    const outcome = await gateway.call({ tool, args, caller })
    if (!outcome.ok) throw outcome.error
    return (outcome.answer as { result: ToolResult }).result
  }
  const textOf = (result: ToolResult) => result.content[0]!.text!
  const refusal = async (tool: string, args: object, caller?: Caller) => {
    const result = await ask(tool, args, caller)
    expect(result.isError).toBe(true)
    return textOf(result)
  }

  it('002-15 search_tools answers with two-space JSON, the same structured, and how to call each', async () => {
    const result = await ask('search_tools', { query: 'create issue', limit: 1 })
    const [hit] = JSON.parse(textOf(result))
    expect(hit).toMatchObject({
      tool_name: 'github__create_issue',
      description: 'Create an issue in a repository',
      score: expect.any(Number),
      match_reason: expect.stringContaining('name'),
    })
    expect(hit.signature).toBe('github__create_issue(title: string, labels?: string[])')
    expect(textOf(result)).toContain('\n  {\n    "tool_name"')
    expect(result.structuredContent).toMatchObject({ results: [hit] })
  })

  it('002-18 takes both spellings of the method', async () => {
    for (const spelling of [{ search_method: 'bm25' }, { method: 'BM25 ' }])
      expect((await ask('search_tools', { query: 'merge', ...spelling })).structuredContent).toMatchObject({
        method: 'bm25',
      })
  })

  it('says so when nothing matches', async () => {
    const result = await ask('search_tools', { query: 'qwertyuiop' })
    expect(textOf(result)).toBe('[]')
    expect(result.content[1]!.text).toMatch(/No tool matches/)
  })

  it('says what there is to ask for when nothing matches, and nothing that the caller may not see', async () => {
    const narrow: Caller = { ...reader, profile: 'narrow' }
    const all = await ask('search_tools', { query: 'qwertyuiop' })
    expect(all.content[2]!.text).toBe(
      'There is, to ask for: github (3: github__create_issue, github__merge, github__secret).',
    )
    const result = await ask('search_tools', { query: 'qwertyuiop' }, narrow)
    expect(result.content[2]!.text).toBe('There is, to ask for: github (2: github__create_issue, github__merge).')
    expect(result.structuredContent).toMatchObject({
      results: [],
      areas: [{ category: 'github', tools: 2, examples: ['github__create_issue', 'github__merge'] }],
    })
    const many = JSON.parse(textOf(await ask('search_tools', { queries: ['merge', 'qwertyuiop'] }, narrow)))
    expect(many.map(({ areas }: { areas?: unknown[] }) => areas?.length)).toEqual([undefined, 1])
  })

  it('says of a match that it is too weak to trust', async () => {
    const weak = await ask('search_tools', { query: 'the request of a barber who repairs bicycles in the rain' })
    expect(JSON.parse(textOf(weak))[0]).toMatchObject({ tool_name: 'github__merge', match: 'weak' })
    expect(weak.structuredContent).toMatchObject({ match: 'weak', notice: expect.stringMatching(/Only weak matches/) })
    const sure = await ask('search_tools', { query: 'merge a pull request', limit: 1 })
    expect(sure.structuredContent).not.toHaveProperty('match')
    expect(textOf(sure)).not.toContain('weak')
  })

  it.each([
    [{ query: 'x'.repeat(1001) }, '查询长度超过限制 (1000 字符)'],
    [{ query: 'x', limit: 101 }, '返回数量超过限制 (100)'],
    [{ query: 'x', limit: 0 }, '返回数量必须大于 0'],
    [{ query: 'x', search_method: 'magic' }, '无效的搜索方法: magic。支持的方法: regex, bm25, embedding, auto'],
  ])('refuses %j in 002’s words', async (args, words) => {
    expect(await refusal('search_tools', args)).toBe(`Error calling tool 'search_tools': ${words}`)
  })

  it('002-16 get_tool_definition gives all that is known, by shown name or id', async () => {
    for (const tool_name of ['github__create_issue', 'github.create_issue'])
      expect(JSON.parse(textOf(await ask('get_tool_definition', { tool_name })))).toMatchObject({
        name: 'github__create_issue',
        mcp_server: 'github',
        tags: ['git'],
        category: 'github',
        use_frequency: 0,
        temperature: 'cold',
        input_schema: { required: ['title'] },
      })
    expect(await refusal('get_tool_definition', { tool_name: 'absent' })).toContain('工具不存在: absent')
    expect(await refusal('get_tool_definition', { tool_name: '' })).toContain('工具名称不能为空')
  })

  it('002-03 the whole loop: search, read, call', async () => {
    const [hit] = JSON.parse(textOf(await ask('search_tools', { query: '创建 issue' })))
    expect(hit.tool_name).toBe('github__create_issue')
    const called = await ask('call_tool', { tool_name: hit.tool_name, arguments: { title: 'Bug' } })
    expect(textOf(called)).toBe('create_issue {"title":"Bug"}')
    expect(gateway.catalog.usage.of('github.create_issue').count).toBe(1)
  })

  it('validates the arguments of what it calls, and counts nested calls against loops', async () => {
    const outcome = await gateway.call({
      tool: 'call_tool',
      args: { tool_name: 'github.create_issue', arguments: { title: 7 } },
      caller: localCaller,
    })
    expect(outcome.ok || outcome.error).toMatchObject({ code: 'ARGUMENTS_INVALID' })
    expect(await refusal('call_tool', { tool_name: 'call_tool' })).toContain('工具不存在')
  })

  const records = () => {
    const heard: (Pick<CallRecord, 'tool' | 'source' | 'ok' | 'code' | 'attempts'> & { readonly args: unknown })[] = []
    gateway.onCall(({ tool, source, ok, code, attempts }, { args }) =>
      heard.push({ tool, source, ok, code, attempts, args }),
    )
    return heard
  }
  const called = { tool: 'github.create_issue', source: 'github', code: undefined, attempts: 1 }
  const carried = { tool: 'call_tool', source: 'registry', code: undefined, attempts: 1 }

  it('tells of both, of the tool that was called and of call_tool, each with its own arguments', async () => {
    const heard = records()
    const args = { tool_name: 'github__create_issue', arguments: { title: 'Bug' } }
    await ask('call_tool', args)
    expect(heard).toEqual([
      { ...called, ok: true, args: { title: 'Bug' } },
      { ...carried, ok: true, args },
    ])
  })

  it('tells of both when the tool is refused, and of call_tool alone when there is no such tool', async () => {
    const heard = records()
    await gateway.call({ tool: 'call_tool', args: { tool_name: 'github.create_issue' }, caller: localCaller })
    await refusal('call_tool', { tool_name: 'absent' })
    await gateway.call({ tool: 'call_tool', args: {}, caller: localCaller })
    expect(heard).toMatchObject([
      { ...called, ok: false, code: 'ARGUMENTS_INVALID', attempts: 0, args: {} },
      { ...carried, ok: false, code: 'ARGUMENTS_INVALID' },
      { ...carried, ok: true, args: { tool_name: 'absent' } },
      { ...carried, ok: false, code: 'ARGUMENTS_INVALID', attempts: 0 },
    ])
  })

  it('answers in MCP’s words, whatever a function gave back', async () => {
    gateway.register(defineTool({ name: 'seven', handler: () => '7' }))
    gateway.register(defineTool({ name: 'endless', handler: () => 7n }))
    expect(await ask('call_tool', { tool_name: 'seven' })).toEqual({ content: [{ type: 'text', text: '7' }] })
    await expect(ask('call_tool', { tool_name: 'endless' })).rejects.toMatchObject({ code: 'RESULT_INVALID' })
  })

  it('takes the place, the rate and the circuit of the tool it calls, and none of its own', async () => {
    gateway.tune({ limits: { rate: { calls: 8, perMs: 60_000 }, concurrency: 1 }, breaker: { failures: 2 } })
    const down = { ...reader, id: 'elsewhere' }
    gateway.register(
      defineTool({
        name: 'unreachable',
        handler: () => {
          throw new GatewayError('SOURCE_START_FAILED', 'Nobody there.', { notSent: true })
        },
      }),
    )
    for (let times = 0; times < 3; times++)
      await gateway.call({ tool: 'call_tool', args: { tool_name: 'unreachable' }, caller: down })
    // Before, the failures of any tool closed the way to all of them.
    for (let times = 0; times < 8; times++)
      await ask('call_tool', { tool_name: 'github.create_issue', arguments: { title: 'x' } })
    await expect(ask('call_tool', { tool_name: 'github.merge' })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('counts once for the share of its caller', async () => {
    gateway.tune({ limits: { quotaOf: () => ({ callsPerMinute: 2, concurrency: 1 }) } })
    for (let times = 0; times < 2; times++) await ask('call_tool', { tool_name: 'github.merge' })
    await expect(ask('call_tool', { tool_name: 'github.merge' })).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('ends tools that call themselves through it', async () => {
    gateway.register(
      defineTool({
        name: 'ouroboros',
        handler: (_, context) => context.callTool('call_tool', { tool_name: 'ouroboros' }),
      }),
    )
    await expect(ask('call_tool', { tool_name: 'ouroboros' })).rejects.toMatchObject({ code: 'LOOP_DETECTED' })
  })

  it('T6 hides what a profile hides from search, definition, category and call alike', async () => {
    const narrow: Caller = { ...reader, profile: 'narrow' }
    expect(textOf(await ask('search_tools', { query: 'secret issue' }, narrow))).not.toContain('secret')
    expect(await refusal('get_tool_definition', { tool_name: 'github.secret' }, narrow)).toContain(
      '工具不存在: github.secret',
    )
    expect(await refusal('call_tool', { tool_name: 'github.secret' }, narrow)).toContain('工具不存在: github.secret')
    expect(JSON.parse(textOf(await ask('list_tools_by_category', { category: 'github' }, narrow))).count).toBe(2)
    expect(JSON.parse(textOf(await ask('list_tools_by_category', { category: 'github' }))).count).toBe(3)
  })

  it('002-17 002 compat 8: lists by category, "all" gives the names, an empty one has none', async () => {
    expect(JSON.parse(textOf(await ask('list_tools_by_category', { category: 'all' })))).toEqual({
      categories: ['github'],
    })
    expect(JSON.parse(textOf(await ask('list_tools_by_category', { category: 'empty' })))).toEqual({
      category: 'empty',
      count: 0,
      tools: [],
    })
    const listed = JSON.parse(textOf(await ask('list_tools_by_category', { category: 'github', limit: 1 })))
    expect(listed).toMatchObject({ count: 3, tools: [{ name: 'github__create_issue', tags: ['git'] }] })
    expect(await refusal('list_tools_by_category', { category: ' ' })).toContain('类别名称不能为空')
  })

  it('002-18 002 compat 8: registers, finds, refuses a second of the name, unregisters', async () => {
    const made = JSON.parse(
      textOf(
        await ask('register_tool', {
          name: 'jira.create',
          description: 'Create a ticket in Jira',
          category: 'work',
          tags: ['x'],
          input_schema: { type: 'object', properties: { summary: { type: 'string' } } },
          examples: ['file a bug'],
        }),
      ),
    )
    expect(made).toEqual({
      success: true,
      message: '工具已注册: jira.create',
      tool: { name: 'jira.create', description: 'Create a ticket in Jira', category: 'work', tags: ['x'] },
    })
    expect(JSON.parse(textOf(await ask('search_tools', { query: 'file a bug' })))[0].description).toBe(
      'Create a ticket in Jira',
    )
    expect(
      JSON.parse(textOf(await ask('get_tool_definition', { tool_name: 'jira.create' }))).input_schema.properties,
    ).toEqual({ summary: { type: 'string' } })
    expect(await refusal('register_tool', { name: 'jira.create', description: 'again' })).toContain(
      '工具已存在: jira.create',
    )
    expect(JSON.parse(textOf(await ask('unregister_tool', { tool_name: 'jira.create' })))).toEqual({
      success: true,
      tool_name: 'jira.create',
      message: "工具 'jira.create' 已成功注销",
    })
    expect(await refusal('unregister_tool', { tool_name: 'jira.create' })).toContain('工具不存在: jira.create')
  })

  it('002-18 takes everything in one object too, and a minimal or empty rest', async () => {
    await ask('register_tool', { tool_def: { name: 'whole', description: 'from one object', tags: [] } })
    await ask('register_tool', { name: 'minimal', description: 'm' })
    expect(gateway.find('whole')?.definition.description).toBe('from one object')
  })

  it.each([
    [{ description: 'd' }, '工具名称不能为空'],
    [{ name: 'n' }, '工具描述不能为空'],
    [{ name: 'n', description: 'd'.repeat(1001) }, '工具描述长度超过限制 (1000 字符)'],
    [{ name: 'n', description: 'd', input_schema: { type: 'string' } }, 'object'],
  ])('refuses to register %j', async (args, words) => {
    expect(await refusal('register_tool', args)).toContain(words)
  })

  it('002-20 needs the right to register', async () => {
    expect(await refusal('register_tool', { name: 'x', description: 'y' }, reader)).toContain(
      'Insufficient permissions',
    )
    expect(gateway.find('x')).toBeUndefined()
  })

  it('search_hot_tools finds what calls made warm', async () => {
    expect(textOf(await ask('search_hot_tools', { query: 'create issue' }))).toBe('[]')
    for (let times = 0; times < 3; times++)
      await ask('call_tool', { tool_name: 'github.create_issue', arguments: { title: 'x' } })
    expect(JSON.parse(textOf(await ask('search_hot_tools', { query: 'create issue' })))[0].tool_name).toBe(
      'github__create_issue',
    )
  })

  const reports = (count: number, words = 60) =>
    registered.add(
      Array.from({ length: count }, (_, index) => ({
        definition: {
          name: `report.${index}`,
          description: `Write report number ${index}. ${'Long words. '.repeat(words)}`,
          inputSchema: { type: 'object' },
        },
        category: 'reports',
      })),
    )
  const sizeOf = (result: ToolResult) => Buffer.byteLength(JSON.stringify(result))

  it('keeps every reply within one budget, and says how to read on (D5)', async () => {
    await reports(120, 340)
    const seen = new Set<string>()
    let cursor: string | undefined = '0'
    while (cursor !== undefined) {
      const result: ToolResult = await ask('search_tools', { query: 'write report', limit: 100, cursor })
      expect(sizeOf(result)).toBeLessThan(7500)
      for (const { tool_name } of JSON.parse(textOf(result))) seen.add(tool_name)
      cursor = /cursor "(\d+)"/.exec(result.content.at(-1)!.text!)?.[1]
    }
    expect(seen.size).toBeGreaterThanOrEqual(120)
    seen.clear()
    cursor = '0'
    while (cursor !== undefined) {
      const result: ToolResult = await ask('list_tools_by_category', { category: 'reports', limit: 100, cursor })
      expect(sizeOf(result)).toBeLessThan(7500)
      const page = JSON.parse(textOf(result))
      expect(page.count).toBe(120)
      for (const { name } of page.tools) seen.add(name)
      cursor = page.next_cursor
      if (cursor !== undefined) expect(page.truncated).toBe(true)
    }
    expect(seen.size).toBe(120)
  })

  it('gives a long definition as an outline, and whole in parts that join to its JSON (D5)', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `field_${n}`,
        { type: 'string', description: `“${'引号 "x" '.repeat(60)}` },
      ]),
    )
    await registered.add([
      {
        definition: {
          name: 'huge',
          description: 'h '.repeat(500),
          inputSchema: { type: 'object', properties, required: ['field_7'] },
        },
      },
    ])
    const first = await ask('get_tool_definition', { tool_name: 'huge' })
    expect(sizeOf(first)).toBeLessThan(7500)
    const outline = JSON.parse(textOf(first))
    expect(outline).toMatchObject({ name: 'huge', truncated: true, next_cursor: '0' })
    expect(Object.keys(outline.input_schema.properties)[0]).toBe('field_7')
    let joined = ''
    for (let cursor: string | undefined = outline.next_cursor; cursor !== undefined; ) {
      const part = await ask('get_tool_definition', { tool_name: 'huge', cursor })
      expect(sizeOf(part)).toBeLessThan(9000)
      expect(Buffer.byteLength(textOf(part))).toBeLessThan(6000)
      joined += JSON.parse(textOf(part)).part
      cursor = JSON.parse(textOf(part)).next_cursor
    }
    expect(JSON.parse(joined).input_schema).toEqual({ type: 'object', properties, required: ['field_7'] })
  })

  it('pages the categories, bounds the resources, and refuses a cursor that is none (D5)', async () => {
    await registered.add(
      Array.from({ length: 900 }, (_, n) => ({
        definition: { name: `t${n}`, description: 'x', inputSchema: { type: 'object' } },
        category: `category number ${String(n).padStart(3, '0')}`,
      })),
    )
    const all: string[] = []
    for (let cursor: string | undefined = '0'; cursor !== undefined; ) {
      const result: ToolResult = await ask('list_tools_by_category', { category: 'all', cursor })
      expect(sizeOf(result)).toBeLessThan(8000)
      const page = JSON.parse(textOf(result))
      all.push(...page.categories)
      cursor = page.next_cursor
    }
    expect(all.length).toBe(901)
    expect(await refusal('search_tools', { query: 'x', cursor: 'next' })).toContain('无效的游标')
  })

  it('keeps both text and structure where both fit (D5)', async () => {
    const small = await ask('search_tools', { query: 'merge' })
    expect(small.structuredContent).toMatchObject({ results: JSON.parse(textOf(small)) })
    await reports(40)
    expect((await ask('search_tools', { query: 'write report', limit: 40 })).structuredContent).toBeUndefined()
  })

  it('registers and searches many at once (002-19)', async () => {
    const tools = Array.from({ length: 300 }, (_, n) => ({ name: `bulk.${n}`, description: `Bulk number ${n}` }))
    expect(JSON.parse(textOf(await ask('register_tool', { tools })))).toEqual({
      success: true,
      message: '已注册 300 个工具',
      registered: 300,
    })
    const again = [
      { name: 'fresh', description: 'x' },
      { name: 'bulk.7', description: 'again' },
    ]
    expect(await refusal('register_tool', { tools: again })).toContain('工具已存在: bulk.7')
    expect(gateway.find('fresh')).toBeUndefined()
    expect(await refusal('register_tool', { tools: [again[0], again[0]] })).toContain('工具已存在: fresh')
    const searches = JSON.parse(
      textOf(await ask('search_tools', { queries: ['merge a request', 'bulk number 12'], limit: 2 })),
    )
    expect(searches.map(({ query, results }: any) => [query, results[0].tool_name])).toEqual([
      ['merge a request', 'github__merge'],
      ['bulk number 12', 'bulk.12'],
    ])
    expect(await refusal('search_tools', { queries: [] })).toContain('查询不能为空')
  })

  it('gives dotted names back as they were registered, wherever it shows them (D6, B4)', async () => {
    await ask('register_tool', {
      name: 'jira.create',
      description: 'Create a ticket',
      category: 'work',
      mcp_server: 'jira',
    })
    expect(JSON.parse(textOf(await ask('search_tools', { query: 'create ticket' })))[0].tool_name).toBe('jira.create')
    expect(JSON.parse(textOf(await ask('list_tools_by_category', { category: 'work' }))).tools[0].name).toBe(
      'jira.create',
    )
    expect(JSON.parse(textOf(await ask('get_tool_definition', { tool_name: 'jira.create' })))).toMatchObject({
      name: 'jira.create',
      mcp_server: 'jira',
    })
  })

  it('refuses names inside a source that the caller sees (S7)', async () => {
    expect(await refusal('register_tool', { name: 'github.free', description: 'x' })).toContain("属于来源 'github'")
    // However it is spelt: a model cannot tell these from what the source has.
    for (const name of ['github__free', 'GitHub.free', 'github:free', 'github/free', 'ｇｉｔｈｕｂ．free', 'GITHUB__x'])
      expect(await refusal('register_tool', { name, description: 'x' }), name).toContain("属于来源 'github'")
    expect(await refusal('register_tool', { name: 'x@other', description: 'x' })).toContain('@')
  })

  it('keeps what a profile registers to that profile (D7, 002-20)', async () => {
    gateway.policy.update({ profiles: { a: { allow: ['github.merge'] }, b: { allow: ['docs.*'] } } })
    const as = (profile: string): Caller => ({ id: profile, rights: ['discover', 'call', 'register'], profile })
    const search = async (caller?: Caller) =>
      JSON.parse(textOf(await ask('search_tools', { query: 'secret plan' }, caller))).map((hit: any) => hit.tool_name)
    await ask('register_tool', { name: 'plan', description: 'The secret plan' }, as('a'))
    expect(await search(as('a'))).toContain('plan')
    expect(await search(as('b'))).toEqual([])
    expect(await search(reader)).not.toContain('plan')
    expect(await refusal('get_tool_definition', { tool_name: 'plan' }, as('b'))).toContain('工具不存在: plan')
    expect(await refusal('get_tool_definition', { tool_name: 'plan@a' }, as('b'))).toContain('工具不存在')
    expect(await refusal('unregister_tool', { tool_name: 'plan' }, as('b'))).toContain('工具不存在: plan')
    expect(await refusal('unregister_tool', { tool_name: 'plan@a' }, as('b'))).toContain('工具不存在')
    // The same name again tells nothing of the first, and each has its own.
    await ask('register_tool', { name: 'plan', description: 'Another secret plan' }, as('b'))
    expect(JSON.parse(textOf(await ask('get_tool_definition', { tool_name: 'plan' }, as('b')))).description).toBe(
      'Another secret plan',
    )
    // Nor does a hidden source: what lies in its namespace stays with the one who put it there.
    await ask('register_tool', { name: 'github.create_issue', description: 'A secret plan' }, as('b'))
    expect(JSON.parse(textOf(await ask('get_tool_definition', { tool_name: 'github.create_issue' }))).mcp_server).toBe(
      'github',
    )
    expect(await search(as('a'))).toEqual(['plan'])
    await ask('unregister_tool', { tool_name: 'plan' }, as('a'))
    expect(await search(as('a'))).toEqual([])
    expect((await search(as('b'))).sort()).toEqual(['github.create_issue', 'plan'])
    // Who looks after the whole board sees all of it.
    await ask('unregister_tool', { tool_name: 'plan@b' }, localCaller)
    expect(await search(as('b'))).toEqual(['github.create_issue'])
  })

  it('lets a source’s own tool win over a registered one, whichever came first (S7)', async () => {
    await ask('register_tool', { name: 'late.pub', description: 'Not the real one' })
    await gateway.addSource(
      'late',
      createEmbeddedSource({
        module: { listTools: () => [{ name: 'pub', description: 'Real' }], callTool: () => ({}) },
      }),
    )
    expect(gateway.find('late.pub')).toMatchObject({ source: 'late', definition: { description: 'Real' } })
    await gateway.removeSource('late')
    registered.refresh()
    expect(gateway.find('late.pub')?.source).toBe('registered')
  })

  it('takes the name of a plug-in algorithm, and names it among the methods (D14, 002-21)', async () => {
    await using other = createGateway({
      search: {
        algorithms: {
          newest: { index: () => {}, search: (_query, tools) => tools.map((tool) => ({ tool, score: 1 })) },
        },
      },
    })
    const shelf = createRegisteredSource()
    await other.addSource('registered', shelf, { namespace: '' })
    await other.addSource(
      'registry',
      createRegistrySource({ board: other, registered: shelf, names: namesTowards(other.shown, () => safeNaming) }),
      { namespace: '' },
    )
    await shelf.add([{ definition: { name: 'only', description: 'x', inputSchema: { type: 'object' } } }])
    const run = async (search_method: string) => {
      const outcome = await other.call({
        tool: 'search_tools',
        args: { query: 'zzz', search_method },
        caller: localCaller,
      })
      return (outcome as any).answer.result as ToolResult
    }
    expect((await run('newest')).structuredContent).toMatchObject({
      method: 'newest',
      results: [{ tool_name: 'only' }],
    })
    expect(textOf(await run('oldest'))).toContain('支持的方法: regex, bm25, embedding, auto, newest')
  })

  it('changes nothing where the disk fails, and says so with a code (B2)', async () => {
    const disk = createFaultyDisk()
    await using store = await openJsonStore({ folder: await newFolder(), disk })
    await using other = createGateway()
    const { registered: shelf } = await openRegistered({ reader: store, store })
    await other.addSource('registered', shelf, { namespace: '' })
    const own = createRegistrySource({
      board: other,
      registered: shelf,
      names: namesTowards(other.shown, () => safeNaming),
    })
    await other.addSource('registry', own, { namespace: '' })
    const attempt = async (tool: string, args: object) => {
      const outcome = await other.call({ tool, args, caller: localCaller })
      return outcome.ok ? 'ok' : outcome.error.code
    }
    expect(await attempt('register_tool', { name: 'kept', description: 'x' })).toBe('ok')
    disk.failAt(1, 'ENOSPC', true)
    expect(await attempt('register_tool', { name: 'lost', description: 'x' })).toBe('STORE_WRITE_FAILED')
    expect(await attempt('unregister_tool', { tool_name: 'kept' })).toBe('STORE_WRITE_FAILED')
    expect([other.find('lost'), other.find('kept')?.name]).toEqual([undefined, 'kept'])
    disk.heal()
    expect(await attempt('register_tool', { name: 'lost', description: 'x' })).toBe('ok')
    expect((await store.load()).map(({ id }) => id)).toEqual(['kept', 'lost'])
  })

  it('registers one of two that come at the same moment (B2)', async () => {
    const both = await Promise.all([
      ask('register_tool', { name: 'twin', description: 'one' }),
      ask('register_tool', { name: 'twin', description: 'other' }),
    ])
    expect(both.filter((result) => result.isError).map(textOf)).toEqual([
      "Error calling tool 'register_tool': 工具已存在: twin",
    ])
  })
})
