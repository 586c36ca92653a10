import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesTowards, safeNaming } from '../../src/catalog/names.js'
import { createGateway, type Gateway } from '../../src/gateway.js'
import { localCaller } from '../../src/model/caller.js'
import type { ToolResult } from '../../src/model/result.js'
import { createEmbeddedSource } from '../../src/sources/embedded/embedded.js'
import { createRegisteredSource } from '../../src/sources/registry/registered.js'
import { createRegistrySource } from '../../src/sources/registry/registry.js'
import { runCli } from '../helpers/run-cli.js'
import { type Served, serveRest } from '../helpers/serve-rest.js'

const tools = [
  { name: 'list_issues', description: 'Lists issues of a repository, open or closed' },
  { name: 'count_issues', description: 'Counts open issues' },
  { name: 'post_message', description: 'Posts a message to a Slack channel' },
  { name: 'get_forecast', description: 'The weather forecast of a place' },
  { name: 'send_email', description: 'Sends an email' },
].map((tool) => ({ ...tool, inputSchema: { type: 'object' } }))

/** A wish, its parts, and which tool is for which. */
const wishes = [
  [
    'find the open issues and post a message to slack',
    ['find the open issues', 'post a message to slack'],
    ['list_issues', 'post_message'],
  ],
  ['查天气预报，然后发邮件给小王', ['查天气预报', '发邮件给小王'], ['get_forecast', 'send_email']],
] as const
const single = 'list the open issues'

type Shown = readonly { readonly tool: string; readonly part?: string | undefined }[]

const expectParts = (results: Shown, parts: readonly string[], names: readonly string[]): void => {
  for (const [at, name] of names.entries())
    expect(results.find(({ tool }) => tool.endsWith(name))?.part, name).toBe(parts[at])
}

describe('the parts of a wish in the answers of a gateway', () => {
  let gateway: Gateway
  let served: Served
  let scripts = false
  beforeAll(async () => {
    gateway = createGateway()
    const registered = createRegisteredSource()
    const names = namesTowards(gateway.shown, () => safeNaming)
    const registry = createRegistrySource({ board: gateway, registered, names, declares: () => scripts })
    await gateway.addSource('registry', registry, { namespace: '' })
    await gateway.addSource(
      'office',
      createEmbeddedSource({ module: { listTools: () => tools, callTool: () => null } }),
    )
    served = await serveRest({ gateway })
  })
  afterAll(() => served.close())

  const search = async (args: object): Promise<ToolResult> => {
    const outcome = await gateway.call({ tool: 'search_tools', args: { ...args }, caller: localCaller })
    if (!outcome.ok) throw outcome.error
    return (outcome.answer as unknown as { readonly result: ToolResult }).result
  }
  const shownIn = (results: unknown): Shown =>
    (results as { tool_name: string; part?: string }[]).map(({ tool_name, part }) => ({ tool: tool_name, part }))
  const textsOf = ({ content }: ToolResult): string[] => content.map((block) => (block as { text: string }).text)

  it.each(wishes)('are in the structure and the text of search_tools: %s', async (query, parts, names) => {
    const result = await search({ query })
    const { results, parts: said } = result.structuredContent as { results: unknown; parts: unknown }
    expect(said).toEqual(parts)
    expectParts(shownIn(results), parts, names)
    const [list = '', ...beside] = textsOf(result)
    expectParts(shownIn(JSON.parse(list)), parts, names)
    expect(beside).toContain(`Taken as 2 parts: ${parts.join('; ')}. "part" says which one a tool serves.`)
  })

  it.each(wishes)('stand beside declarations for who writes scripts: %s', async (query, parts, names) => {
    scripts = true
    const { structuredContent } = await search({ query }).finally(() => (scripts = false))
    const { results } = structuredContent as { results: { declaration: string }[] }
    expect(results[0]!.declaration).toContain('tools.office.')
    expectParts(shownIn(results), parts, names)
  })

  it.each(wishes)('are with each of several queries: %s', async (query, parts) => {
    const { searches } = (await search({ queries: [query, single] })).structuredContent as { searches: any[] }
    expect(searches.map((each) => each.parts)).toEqual([parts, undefined])
  })

  it.each(wishes)('are in the answer of REST: %s', async (query, parts, names) => {
    const { json } = await served.ask('POST', '/api/v1/search', { query })
    expect(json.parts).toEqual(parts)
    const shown = json.results.map(({ tool, part }: any) => ({ tool: tool.id, part }))
    expectParts(shown, parts, names)
  })

  it('are nowhere where one thing is asked for', async () => {
    const result = await search({ query: single })
    const { json } = await served.ask('POST', '/api/v1/search', { query: single })
    expect(JSON.stringify([result, json])).not.toMatch(/"parts?\\?"/)
    expect(json.results.length).toBeGreaterThan(0)
  })
})

describe('the parts of a wish on the command line', () => {
  const home = mkdtempSync(join(tmpdir(), 'pegboard-parts-'))
  beforeAll(() => {
    writeFileSync(join(home, 'catalog.json'), JSON.stringify({ tools }))
    const sources = { office: { type: 'catalog', path: './catalog.json' } }
    writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ sources }))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCli(['search', ...args], { cwd: home, home })
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }

  it.each(wishes)('are in its JSON: %s', async (query, parts, names) => {
    const answer = JSON.parse(await run(query, '--json'))
    expect(answer.parts).toEqual(parts)
    expectParts(answer.results, parts, names)
  })

  it('are a column of its table, in both languages, and none where one thing is asked for', async () => {
    const [[english, parts, names], [chinese]] = wishes
    const [head = '', ...rows] = (await run(english, '--wide')).split('\n')
    expect(head).toMatch(/^TOOL +SCORE +FOR +DESCRIPTION +MATCHED$/)
    for (const [at, name] of names.entries())
      expect(rows.find((row) => row.startsWith(`office.${name} `))).toContain(` ${parts[at]} `)
    expect(await run(single)).toMatch(/^TOOL +SCORE +DESCRIPTION/)
    const zh = await runCli(['search', chinese], { cwd: home, home, env: { LANG: 'zh_CN.UTF-8' } })
    expect(zh).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^工具.*对应部分[\s\S]*send_email.* 发邮件给小王 /),
    })
  })
})
