import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../src/storage/open.js'
import { loadDriver } from '../../src/storage/sqlite/driver.js'
import { bareEnv, cliPath } from '../helpers/run-cli.js'
import { sampleTool } from '../helpers/store-samples.js'

interface Server {
  ask(method: string, params?: object): Promise<any>
  /** The first text of a tool's answer, or its error's. */
  call(name: string, args: object): Promise<any>
  readonly log: () => string
  stop(signal?: NodeJS.Signals): Promise<void>
}

const explorer = {
  name: 'aws_cost_explorer',
  description: 'Check AWS billing and cost',
  mcp_server: null,
  defer_loading: true,
  tags: ['aws', 'cost'],
  category: 'cloud',
  use_frequency: 12,
  last_used: '2026-11-01T10:00:00',
  temperature: 'hot',
  input_schema: { type: 'object', properties: { start_date: { type: 'string' } } },
  output_schema: null,
}
const pullRequest = { ...explorer, name: 'github.create_pr', description: 'Create a pull request', category: null }

describe('by the name registry-tools', () => {
  let home: string
  let data: string
  const running: ChildProcess[] = []
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'pegboard-registry-'))
    data = join(home, '.RegistryTools')
    mkdirSync(data)
    const file = cliPath()
    chmodSync(file, 0o755)
    symlinkSync(file, join(home, 'registry-tools'))
  })
  afterEach(async () => {
    for (const child of running.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    rmSync(home, { recursive: true, force: true })
  })

  const start = async (args: readonly string[] = [], env: Record<string, string> = {}): Promise<Server> => {
    const child = spawn(process.execPath, [join(home, 'registry-tools'), ...args], {
      cwd: home,
      env: bareEnv(home, env),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    running.push(child)
    let log = ''
    child.stderr!.on('data', (chunk: Buffer) => {
      log += chunk
    })
    const waiting = new Map<number, (answer: any) => void>()
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const message = JSON.parse(line)
      waiting.get(message.id)?.(message)
    })
    let id = 0
    const ask = (method: string, params: object = {}): Promise<any> =>
      new Promise((resolve, reject) => {
        const mine = ++id
        waiting.set(mine, ({ result, error }) => resolve(result ?? { error }))
        child.once('exit', () => reject(new Error(`it ended: ${log}`)))
        child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id: mine, method, params })}\n`)
      })
    return {
      ask,
      call: async (name, given) => {
        const { content, isError, error } = await ask('tools/call', { name, arguments: given })
        if (error) throw Object.assign(new Error(error.message), { data: error.data })
        if (isError) throw new Error(content[0].text)
        return JSON.parse(content[0].text)
      },
      log: () => log,
      stop: async (signal = 'SIGTERM') => {
        const gone = once(child, 'exit')
        child.kill(signal)
        await gone
      },
    }
  }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

  const writeDatabase = (): void => {
    const db = loadDriver().open(join(data, 'tools.db'))
    db.exec('PRAGMA journal_mode = WAL')
    db.exec(
      'CREATE TABLE tools (name TEXT PRIMARY KEY, description TEXT NOT NULL, mcp_server TEXT, defer_loading INTEGER, tags TEXT, ' +
        'category TEXT, use_frequency INTEGER, last_used TEXT, temperature TEXT, input_schema TEXT, output_schema TEXT)',
    )
    const insert = db.prepare('INSERT INTO tools VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
    for (const tool of [explorer, pullRequest])
      insert.run(
        tool.name,
        tool.description,
        null,
        1,
        JSON.stringify(tool.tags),
        tool.category,
        tool.use_frequency,
        tool.last_used,
        tool.temperature,
        JSON.stringify(tool.input_schema),
        null,
      )
    // libsql closes when garbage is collected, and would empty the log into the file then.
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
    db.close()
  }

  it('lists the six tools and two resources over stdio, whatever there is (B4, 002-02, 002-04)', async () => {
    const server = await start()
    const { serverInfo, capabilities } = await server.ask('initialize', hello)
    expect(serverInfo.name).toBe('RegistryTools')
    expect(capabilities.resources).toBeDefined()
    const names = async () => (await server.ask('tools/list')).tools.map((tool: any) => tool.name).sort()
    const six = [
      'get_tool_definition',
      'list_tools_by_category',
      'register_tool',
      'search_hot_tools',
      'search_tools',
      'unregister_tool',
    ]
    expect(await names()).toEqual(six)
    await server.call('register_tool', { name: 'github.create_pr', description: 'Create a pull request' })
    // A definition is searched, and is not a tool that could be called.
    expect(await names()).toEqual(six)
    const { resources } = await server.ask('resources/list')
    expect(resources.map((each: any) => each.uri).sort()).toEqual(['registry://categories', 'registry://stats'])
    const { contents } = await server.ask('resources/read', { uri: 'registry://stats' })
    expect(JSON.parse(contents[0].text).total_tools).toBe(1)
  })

  it('searches with bm25 where nobody says it, and gives exact names back (002-14, 002-15, D6)', async () => {
    const server = await start()
    await server.ask('initialize', hello)
    await server.call('register_tool', { name: 'github.create_pr', description: 'Create a pull request' })
    const { structuredContent } = await server.ask('tools/call', {
      name: 'search_tools',
      arguments: { query: 'pull request' },
    })
    expect(structuredContent).toMatchObject({ method: 'bm25', results: [{ tool_name: 'github.create_pr' }] })
    expect((await server.call('get_tool_definition', { tool_name: 'github.create_pr' })).name).toBe('github.create_pr')
  })

  it.each(['json', 'sqlite'])(
    'finds what RegistryTools kept in %s, and leaves it as it was (D1, 002-02)',
    async (backend) => {
      if (backend === 'json') {
        const tools = { [explorer.name]: explorer, [pullRequest.name]: pullRequest }
        writeFileSync(join(data, 'tools.json'), JSON.stringify(tools, null, 2))
      } else writeDatabase()
      const file = join(data, backend === 'json' ? 'tools.json' : 'tools.db')
      const original = readFileSync(file)
      const env = { REGISTRYTOOLS_STORAGE_BACKEND: backend }
      const first = await start([], env)
      await first.ask('initialize', hello)
      const [hit] = await first.call('search_tools', { query: 'check aws billing cost' })
      expect(hit.tool_name).toBe('aws_cost_explorer')
      expect(await first.call('get_tool_definition', { tool_name: 'aws_cost_explorer' })).toMatchObject({
        name: 'aws_cost_explorer',
        category: 'cloud',
        use_frequency: 12,
        input_schema: explorer.input_schema,
      })
      expect((await first.call('list_tools_by_category', { category: 'cloud' })).tools[0].name).toBe(
        'aws_cost_explorer',
      )
      expect((await first.call('search_hot_tools', { query: 'cost' }))[0].tool_name).toBe('aws_cost_explorer')
      await first.call('register_tool', { name: 'mine', description: 'Made here', category: 'cloud' })
      await first.call('unregister_tool', { tool_name: 'github.create_pr' })
      await first.stop('SIGKILL')

      const second = await start([], env)
      await second.ask('initialize', hello)
      const { tools } = await second.call('list_tools_by_category', { category: 'cloud' })
      expect(tools.map((tool: any) => tool.name)).toEqual(['aws_cost_explorer', 'mine'])
      await expect(second.call('get_tool_definition', { tool_name: 'github.create_pr' })).rejects.toThrow('工具不存在')
      await second.stop()
      expect(readFileSync(file).equals(original)).toBe(true)
      expect(readdirSync(data).filter((name) => /tools\.(db|json)/.test(name) && name.includes('before'))).toEqual([])
    },
  )

  it('says so with a code where nothing can be written, and changes nothing (B2)', async () => {
    const owner = await start()
    await owner.ask('initialize', hello)
    const second = await start()
    await second.ask('initialize', hello)
    const refused = second.call('register_tool', { name: 'lost', description: 'x', category: 'c' })
    await expect(refused).rejects.toMatchObject({ data: { code: 'STORE_WRITE_FAILED' } })
    expect((await second.call('list_tools_by_category', { category: 'c' })).count).toBe(0)
  })

  it.each(['json', 'sqlite'] as const)(
    'has what is used often first, and the rest before it says that anything is absent, with %s (D12, 002-13)',
    async (backend) => {
      const count = 5000
      {
        await using store = await openStore({ backend, path: data })
        await store.saveMany(
          Array.from({ length: count }, (_, n) => ({
            ...sampleTool(`item.t${n}`, { source: 'registered', category: 'items' }),
            definition: { name: `item.t${n}`, description: `Item number ${n}`, inputSchema: { type: 'object' } },
            ...(n === 4321 ? { useCount: 20, lastUsed: Date.now(), temperature: 'hot' as const } : {}),
          })),
        )
      }
      const server = await start([], { REGISTRYTOOLS_STORAGE_BACKEND: backend })
      await server.ask('initialize', hello)
      // Asked in the first breath, and answered with it.
      const [[hit], definition, listed] = await Promise.all([
        server.call('search_tools', { query: 'item number 4321' }),
        server.call('get_tool_definition', { tool_name: 'item.t4999' }),
        server.call('list_tools_by_category', { category: 'items' }),
      ])
      expect(hit.tool_name).toBe('item.t4321')
      expect(definition).toMatchObject({ description: 'Item number 4999', temperature: 'cold' })
      expect(listed.count).toBe(count)
      await expect(server.call('register_tool', { name: 'item.t4998', description: 'x' })).rejects.toThrow('工具已存在')
      expect((await server.call('search_tools', { query: 'item number 4998' }))[0].tool_name).toBe('item.t4998')
    },
  )

  it('takes search methods from modules that the configuration names (D14, 002-21)', async () => {
    writeFileSync(
      join(home, 'newest.mjs'),
      'let all = []\nexport default () => ({ index: (tools) => { all = tools }, ' +
        'search: (query, tools, limit) => tools.slice(-limit).map((tool) => ({ tool, score: 1 })) })\n',
    )
    writeFileSync(join(home, 'board.json'), JSON.stringify({ search: { algorithms: { newest: './newest.mjs' } } }))
    const server = await start(['--config', 'board.json'])
    await server.ask('initialize', hello)
    await server.call('register_tool', { name: 'only', description: 'x' })
    const [hit] = await server.call('search_tools', { query: 'nothing like it', search_method: 'newest' })
    expect(hit.tool_name).toBe('only')
    await expect(server.call('search_tools', { query: 'x', search_method: 'oldest' })).rejects.toThrow('newest')
    await server.stop()
    writeFileSync(join(home, 'newest.mjs'), 'export default 7\n')
    await expect((await start(['--config', 'board.json'])).ask('initialize', hello)).rejects.toThrow(
      'search.algorithms.newest',
    )
  })

  it('starts from fastmcp.json as document 002 writes it (D8, 002-06)', async () => {
    writeFileSync(
      join(home, 'fastmcp.json'),
      JSON.stringify({
        $schema: 'https://gofastmcp.com/public/schemas/fastmcp.json/v1.json',
        source: { path: 'src/registrytools/__main__.py', entrypoint: 'main' },
        deployment: { transport: 'stdio', env: { REGISTRYTOOLS_STORAGE_BACKEND: 'sqlite' } },
      }),
    )
    const server = await start(['--config', 'fastmcp.json'])
    expect((await server.ask('initialize', hello)).serverInfo.name).toBe('RegistryTools')
    await server.call('register_tool', { name: 'kept', description: 'x' })
    expect(readdirSync(data)).toContain('tools.db')
  })

  it('is itself beside a gateway that runs by the other name (B4)', async () => {
    const gateway = spawn(process.execPath, [cliPath(), 'serve', '--port', '0', '--data-path', data], {
      cwd: home,
      env: bareEnv(home),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    running.push(gateway)
    await new Promise<void>((resolve) => {
      let log = ''
      gateway.stderr!.on('data', (chunk: Buffer) => {
        log += chunk
        if (log.includes('Listening')) resolve()
      })
    })
    await expect.poll(() => readdirSync(data)).toContain('running.json')
    const server = await start()
    expect((await server.ask('initialize', hello)).serverInfo.name).toBe('RegistryTools')
    expect((await server.ask('tools/list')).tools).toHaveLength(6)
  })

  it('gives back what an earlier version took over from RegistryTools and filed under nobody (D1)', async () => {
    {
      await using store = await openStore({ backend: 'json', path: data })
      await store.save({ ...sampleTool('old.one', { source: '', category: 'old' }), namespace: '' })
    }
    const server = await start()
    await server.ask('initialize', hello)
    expect((await server.call('list_tools_by_category', { category: 'old' })).tools[0].name).toBe('old.one')
    await server.call('unregister_tool', { tool_name: 'old.one' })
    expect((await server.call('list_tools_by_category', { category: 'old' })).count).toBe(0)
  })
})
