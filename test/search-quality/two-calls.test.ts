import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/model/json.js'
import { createEmbeddedSource } from '../../src/sources/embedded/embedded.js'
import { v1OverHttp } from '../helpers/clients/sdk-v1.js'
import { v2OverHttp } from '../helpers/clients/sdk-v2.js'
import { openScriptBoard, type ScriptBoardFixture } from '../helpers/script-board.js'
import { naturalTools } from './natural/tools.js'
import { toolsOf } from './tool-table.js'

interface Listed {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** By server: tools of reference servers and popular public ones, by their real names and parameters. */
const described = (): ReadonlyMap<string, readonly Listed[]> => {
  const servers = new Map<string, Listed[]>()
  for (const { source, definition } of toolsOf(naturalTools))
    servers.set(source, [...(servers.get(source) ?? []), definition as Listed])
  return servers
}

/** The same with real definitions of a public set, where it lies beside the checkout. */
const published = fileURLToPath(new URL('../../../shared/eval/livemcpbench/tools.jsonl', import.meta.url))
const withPublished = (): ReadonlyMap<string, readonly Listed[]> => {
  const servers = new Map<string, readonly Listed[]>([['github', described().get('github') ?? []]])
  for (const line of readFileSync(published, 'utf8').trim().split('\n').slice(0, 200)) {
    const { server, name, description, input_schema: inputSchema } = JSON.parse(line)
    servers.set(server, [...(servers.get(server) ?? []), { name, description, inputSchema }])
  }
  return servers
}

const issues = Array.from({ length: 40 }, (_, at) => ({
  number: at + 1,
  labels: at % 4 === 0 ? ['bug'] : ['idea'],
  assignee: at % 3 === 0 ? null : { login: `user${at % 2}` },
  body: 'The list is drawn over the toolbar, and nobody can scroll it any more. '.repeat(8),
}))

const mount = async (
  { board }: ScriptBoardFixture,
  servers: ReadonlyMap<string, readonly Listed[]>,
): Promise<number> => {
  for (const [source, tools] of servers)
    await board.gateway.addSource(
      source,
      createEmbeddedSource({
        module: { listTools: () => tools, callTool: (name: string) => (name === 'list_issues' ? issues : { name }) },
      }),
    )
  return [...servers.values()].flat().length
}

/** What a model makes of a declaration: where the tool is, and which arguments it takes. */
const read = (declaration: string) => {
  const [, path = '', args = ''] = /(tools\.[\w.]+)\(args: \{(.*?)\}\)/s.exec(declaration) ?? []
  return { path, parameters: [...args.matchAll(/(\w+)\??:/g)].map(([, name]) => name) }
}

const clients = {
  'SDK v1, with sessions': (url: string) => v1OverHttp(url),
  'SDK v2, modern': (url: string) => v2OverHttp('auto', url),
} as const

const boards = { 'described in our words': { servers: described, is: true } } as Record<
  string,
  { servers: () => ReadonlyMap<string, readonly Listed[]>; is: boolean }
>
boards['as published'] = { servers: withPublished, is: existsSync(published) }
if (!existsSync(published)) console.log('skipped: no published definitions beside this checkout (shared/eval)')

describe.each(Object.entries(boards))(
  'a profile with scripts and search on many real tools, %s',
  (_, { servers, is }) => {
    let fixture: ScriptBoardFixture
    let count = 0
    beforeAll(async () => {
      if (!is) return
      fixture = await openScriptBoard({ profiles: { default: { scripts: true, expose: 'search' } } })
      count = await mount(fixture, servers())
    })
    afterAll(() => fixture?.[Symbol.asyncDispose]())

    it.skipIf(!is).each(Object.entries(clients))('is asked, told and answers in two calls, by %s', async (__, open) => {
      expect(count).toBeGreaterThan(170)
      const client = await open(`${fixture.url}/mcp`)
      const listed = await client.list()
      expect(listed).toContain('run_script')
      expect(listed.length).toBeLessThan(12)

      const found = (await client.call('search_tools', { query: 'list the issues of a repository' })) as any
      const [{ declaration }] = JSON.parse(String(found.text))
      const { path, parameters } = read(declaration)
      expect(path).toBe('tools.github.list_issues')
      expect(parameters).toEqual(expect.arrayContaining(['owner', 'repo']))

      const script = `const list = await ${path}({ owner: input.owner, repo: input.repo })
const count = {}
for (const i of list) if (i.labels.includes('bug')) { const who = i.assignee?.login ?? 'nobody'; count[who] = (count[who] ?? 0) + 1 }
return count`
      const ran = (await client.call('run_script', { script, input: { owner: 'acme', repo: 'web' } })) as any
      const report = JSON.parse(String(ran.text))
      expect(report).toMatchObject({ result: { nobody: 4, user0: 6 }, calls: { made: 1, failed: 0 } })
      // Both answers together are a small part of what the issues alone would have taken.
      expect(String(found.text).length + String(ran.text).length).toBeLessThan(JSON.stringify(issues).length / 4)
      await client.close()
    })
  },
)
