import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CliRun, runCli } from '../helpers/run-cli.js'
import { makeNewcomerHome, type NewcomerHome } from './newcomer-home.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))
let place: NewcomerHome
let originals: ReadonlyMap<string, Buffer>

beforeAll(() => {
  place = makeNewcomerHome(server)
  const files = [...Object.values(place.files), join(place.project, '.mcp.json')]
  originals = new Map(files.map((file) => [file, readFileSync(file)]))
})
afterAll(() => place.remove())

const pegboard = (...args: readonly string[]): Promise<CliRun> => runCli(args, { cwd: place.project, home: place.home })
const board = () => JSON.parse(readFileSync(join(place.project, 'pegboard.json'), 'utf8'))
const changedFiles = (): readonly string[] =>
  [...originals].filter(([file, bytes]) => !readFileSync(file).equals(bytes)).map(([file]) => file)

// Told in order, as a person would live it: each step stands on the one before.
describe('a newcomer with eight client configurations', () => {
  it('sees what import would add; nothing is written and no secret is shown', async () => {
    const { code, stdout } = await pegboard('import')
    expect(code).toBe(0)
    expect(stdout).toContain('Codex: 1 server')
    expect(stdout).toContain("becomes 'github-cursor'")
    expect(stdout).toContain("'notes' is in 2 places")
    expect(stdout).toContain("! 'wiki' runs a shell")
    expect(stdout).toContain('Add them switched off with --yes')
    expect(stdout).not.toContain('pa$')
    expect(() => board()).toThrow('ENOENT')
  })

  it('T15: imports all of them switched off, with their argv as it was and references as references', async () => {
    const { code } = await pegboard('import', '--yes')
    expect(code).toBe(0)
    const { sources } = board()
    expect(Object.keys(sources).sort()).toEqual(
      ['db', 'docs', 'figma', 'github', 'github-cursor', 'local', 'maps', 'notes', 'search', 'wiki'].sort(),
    )
    expect(Object.values<{ enabled: boolean }>(sources).every(({ enabled }) => enabled === false)).toBe(true)
    expect(sources.notes).toMatchObject({ command: process.execPath, args: [server] })
    expect(sources.wiki).toMatchObject({ command: 'sh', args: ['-c', 'wiki-server'] })
    expect(sources.local).toMatchObject({ args: ['--port', '$' + '{PORT:-9000}'], cwd: place.project })
    expect(sources.search.headers).toEqual({ 'X-Api-Key': '$' + '{SEARCH_KEY}' })
    expect(sources.maps).toMatchObject({ type: 'http', headers: { key: '$' + '{MAPS_KEY}' }, timeoutMs: 5000 })
    expect(sources.docs.env).toEqual({ DOCS_TOKEN: '$' + '{DOCS_TOKEN}', MODE: 'fast' })
    expect(sources.figma.type).toBe('sse')
    expect(changedFiles()).toEqual([])
  })

  it('imports nothing twice', async () => {
    const { code, stdout } = await pegboard('import', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing to add')
  })

  it('switches on what it wants and hears from doctor how it is', async () => {
    expect((await pegboard('enable', 'notes')).stdout).toContain("'notes' is enabled")
    const { code, stdout } = await pegboard('doctor', '--json')
    const { findings } = JSON.parse(stdout) as { findings: { area: string; state: string; message: string }[] }
    expect(code, stdout).toBe(0)
    expect(findings.find(({ message }) => message.startsWith('notes: ready'))?.state).toBe('ok')
    expect(findings.filter(({ area }) => area === 'client').length).toBeGreaterThanOrEqual(8)
  })

  it('connects every client; only our entry is new in each file, and undo restores their bytes exactly', async () => {
    const check = async ([id, file]: readonly [string, string]): Promise<void> => {
      const isAsBefore = (): boolean => readFileSync(file).equals(originals.get(file)!)
      const dry = await pegboard('connect', id, '--dry-run')
      expect({ id, shown: dry.stdout.includes('pegboard'), same: isAsBefore() }).toEqual({
        id,
        shown: true,
        same: true,
      })
      const { code, stderr } = await pegboard('connect', id, '--yes')
      expect({ id, code, stderr, same: isAsBefore() }).toEqual({ id, code: 0, stderr: '', same: false })
      const now = readFileSync(file, 'utf8')
      for (const line of linesOf(originals.get(file)!.toString())) expect(now, id).toContain(line)
      expect((await pegboard('connect', id, '--yes')).stdout).toContain('has it already')
      expect((await pegboard('connect', id, '--undo')).code).toBe(0)
      expect({ id, same: isAsBefore() }).toEqual({ id, same: true })
    }
    await Promise.all(Object.entries(place.files).map(check))
    expect(changedFiles()).toEqual([])
  }, 60_000)

  it('takes only its entry out when the client changed the file in between', async () => {
    const { cursor } = place.files as { cursor: string }
    await pegboard('connect', 'cursor', '--yes')
    const edited = readFileSync(cursor, 'utf8').replace('// my tools', '// my own tools')
    writeFileSync(cursor, edited)
    const { stdout } = await pegboard('connect', 'cursor', '--undo')
    expect(stdout).toContain('changed since by somebody else')
    expect(readFileSync(cursor, 'utf8')).toBe(
      originals.get(cursor)!.toString().replace('// my tools', '// my own tools'),
    )
    writeFileSync(cursor, originals.get(cursor)!)
  })

  it('makes the file where a client has none yet, and undo takes it away again', async () => {
    const file = join(place.home, 'fresh', 'mcp.json')
    expect((await pegboard('connect', 'cursor', '--file', file, '--yes')).code).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.pegboard.args).toContain('stdio')
    await pegboard('connect', 'cursor', '--file', file, '--undo')
    expect(existsSync(file)).toBe(false)
  })

  it('the entry that connect writes starts a gateway that answers MCP', async () => {
    const { stdout } = await pegboard('connect', 'claude-code', '--dry-run', '--json')
    const { entry } = JSON.parse(stdout) as { entry: { args: readonly string[] } }
    const [, ...args] = entry.args
    const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: helloParams }
    const run = await runCli(args, { cwd: '/', home: place.home, input: `${JSON.stringify(hello)}\n` })
    expect(JSON.parse(run.stdout.split('\n')[0]!).result.serverInfo.name).toBe('pegboard')
  })

  it('calls a tool of an imported server', async () => {
    const listed = JSON.parse((await pegboard('list', '--json')).stdout) as { id: string }[]
    expect(listed.map(({ id }) => id)).toContain('notes.echo')
    const { code, stdout } = await pegboard('call', 'notes.echo', 'text=hello')
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: expect.stringContaining('hello') })
  })

  it('T23: shows no value of the servers beside ours', async () => {
    const file = join(place.home, 'secrets.json')
    const other = { command: 'x', args: ['--token', 'canary-1'], env: { A: 'canary-2' } }
    for (const indent of [0, 2]) {
      writeFileSync(file, JSON.stringify({ mcpServers: { other } }, null, indent))
      const { stdout } = await pegboard('connect', 'cursor', '--file', file, '--dry-run')
      expect(stdout).toContain('"stdio"')
      expect(stdout).not.toContain('canary')
    }
  })

  it('leaves a file alone that is not text', async () => {
    const file = join(place.home, 'latin1.json')
    writeFileSync(file, Buffer.from('{ "name": "caf\u00e9" }', 'latin1'))
    const { code, stderr } = await pegboard('connect', 'cursor', '--file', file, '--yes')
    expect({ code, stderr }).toEqual({ code: 6, stderr: expect.stringContaining('Save it as UTF-8 first') })
    expect(readFileSync(file, 'latin1')).toContain('caf\u00e9')
  })

  it('init does it in one step, and says so in one JSON document', async () => {
    const folder = join(place.home, 'elsewhere')
    mkdirSync(folder)
    const args = ['init', '--yes', '--import', '--connect', 'cursor', '--json']
    const { code, stdout } = await runCli(args, { cwd: folder, home: place.home })
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      created: true,
      import: 'off',
      connect: ['cursor'],
    })
    expect(readFileSync(join(folder, 'pegboard.json'), 'utf8')).toContain('// Where tools come from')
    expect((await pegboard('connect', 'cursor', '--undo')).code).toBe(0)
  })

  it('leaves every client file as it was', () => {
    expect(changedFiles()).toEqual([])
  })
})

const helloParams = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }

/** A line may get a comma behind it where ours follows. */
const linesOf = (text: string): readonly string[] => text.split(/\r?\n/).map((line) => line.trimEnd())
