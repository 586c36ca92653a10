import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { safeNaming } from '../../src/catalog/names.js'
import { createRegisteredSource, type RegisteredSource } from '../../src/faces/mcp/discovery/registered.js'
import { createRegistrySource } from '../../src/faces/mcp/discovery/registry-source.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { type Caller, localCaller } from '../../src/model/caller.js'
import type { ToolResult } from '../../src/model/result.js'
import { createEmbeddedSource } from '../../src/sources/embedded/embedded.js'

const reader: Caller = { id: 'reader', rights: ['discover', 'call'] }

describe('002 registry tools', () => {
  let gateway: Gateway
  let registered: RegisteredSource
  beforeEach(async () => {
    gateway = createGateway({ rules: { profiles: { narrow: { deny: ['*.secret'] } } } })
    registered = createRegisteredSource()
    await gateway.addSource('registered', registered, { namespace: '' })
    await gateway.addSource('registry', createRegistrySource({ gateway, registered, namingOf: () => safeNaming }), {
      namespace: '',
    })
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

  it('002-17 compat 8: lists by category, "all" gives the names, an empty one has none', async () => {
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

  it('002-18 compat 8: registers, finds, refuses a second of the name, unregisters', async () => {
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

  it('keeps its reply within a budget by leaving results out, never by cutting', async () => {
    for (let index = 0; index < 100; index++)
      registered.add({
        definition: {
          name: `report_${index}`,
          description: `Write report number ${index}. ${'Long words. '.repeat(60)}`,
          inputSchema: { type: 'object' },
        },
      })
    const text = textOf(await ask('search_tools', { query: 'write report', limit: 100 }))
    expect(Buffer.byteLength(text)).toBeLessThan(7000)
    expect(JSON.parse(text).length).toBeGreaterThan(3)
  })
})
