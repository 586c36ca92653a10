import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { HistoryCall, HistoryEntry, HistoryStats } from '../../src/faces/admin/history.js'
import { readHistory } from '../../src/history/history.js'
import { type GatewayProcess, startGateway } from '../helpers/gateway-process.js'
import { runCli } from '../helpers/run-cli.js'

const opened: (() => unknown)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-calls-'))
  opened.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

// A child of its own with one tool, in the least of MCP.
const server = `
import { createInterface } from 'node:readline'
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  const say = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
  if (method === 'initialize') say({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'calc', version: '1' } })
  else if (method === 'tools/list') say({ tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }] })
  else if (method === 'tools/call') say({ content: [{ type: 'text', text: String(params.arguments.a + params.arguments.b) }] })
  else if (id !== undefined) say({})
})
`

const start = async (folder: string): Promise<GatewayProcess> => {
  const file = join(folder, 'calc.mjs')
  writeFileSync(file, server)
  const gateway = await startGateway(
    {
      sources: { calc: { type: 'stdio', command: process.execPath, args: [file] } },
      profiles: { default: { expose: 'flat', keepValues: true, readonly: ['calc.*'] } },
    },
    { folder },
  )
  opened.push(() => gateway.dispose())
  await expect.poll(async () => (await gateway.client.list()).length, { timeout: 60_000 }).toBe(1)
  return gateway
}

const historyIn = (folder: string): string => join(folder, 'data', 'history')

describe('the history of a gateway that is killed', () => {
  it('has all calls but those of the last moment, and the next gateway goes on beside it', async () => {
    const folder = newFolder()
    const first = await start(folder)
    for (let a = 0; a < 5; a++) await first.client.call('calc.add', { a, b: 1 })
    const kept = () => readHistory(historyIn(folder)).find({ limit: 100, tool: 'calc.add' })
    // On the disk within a second, whatever becomes of the process.
    await expect.poll(async () => (await kept()).calls.length, { timeout: 60_000 }).toBe(5)
    first.child.kill('SIGKILL')
    await first.exited
    const second = await start(folder)
    await second.client.call('calc.add', { a: 9, b: 1 })
    await expect.poll(async () => (await kept()).calls.length, { timeout: 60_000 }).toBe(6)
    expect(new Set((await kept()).calls.map(({ id }) => id.slice(0, 18))).size).toBe(2)
  })

  it('has the one call of a command that runs no gateway', async () => {
    const home = newFolder()
    const run = (...args: readonly string[]) => runCli(args, { cwd: home, home })
    expect((await run('calls')).stderr).toContain('No calls are kept yet.')
    expect((await run('call', 'calculator', 'expression=6*7')).code).toBe(0)
    const { stdout } = await run('calls', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ tool: expect.stringContaining('calculator'), ok: true, face: 'local' })
    expect((await run('calls', '--tool', 'nobody')).stderr).toContain('No kept call fits that.')
  })

  it('loses nothing where it ends by itself', async () => {
    const folder = newFolder()
    const gateway = await start(folder)
    for (let a = 0; a < 3; a++) await gateway.client.call('calc.add', { a, b: 1 })
    gateway.child.kill('SIGTERM')
    await gateway.exited
    expect((await readHistory(historyIn(folder)).find({ limit: 100, tool: 'calc.add' })).calls).toHaveLength(3)
  })
})

describe('pegboard calls', () => {
  it('asks the gateway that runs, and reads its files when none does (N4)', async () => {
    const folder = newFolder()
    const gateway = await start(folder)
    const cli = async (...args: readonly string[]) =>
      runCli([...args, '--config', gateway.file, '--data-path', join(folder, 'data')], { cwd: folder, home: folder })
    for (let a = 0; a < 3; a++) await gateway.client.call('calc.add', { a, b: 1 })
    await gateway.client.call('calc.nothing', {}).catch(() => {})
    const listed = await cli('calls', '--tool', 'calc.add', '--json')
    expect(listed.stderr).toBe('')
    const calls = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as HistoryCall)
    expect(calls.map(({ tool, source, face }) => [tool, source, face])).toEqual(
      Array.from({ length: 3 }, () => ['calc.add', 'calc', 'mcp']),
    )
    const { id } = calls[0]!
    const shown = JSON.parse((await cli('calls', 'show', id, '--json')).stdout) as HistoryEntry
    expect(shown).toMatchObject({ call: { id }, values: 'shown', arguments: { value: { a: 0, b: 1 } } })
    const replayed = await cli('calls', 'replay', id)
    expect([replayed.code, replayed.stderr]).toEqual([0, ''])
    expect(replayed.stdout).toMatch(/^same calc\.add/)
    expect((await cli('calls', '--failed')).stdout).toContain('calc.nothing')
    gateway.child.kill('SIGTERM')
    await gateway.exited
    const stats = JSON.parse((await cli('stats', '--since', '1h', '--by', 'tool', '--json')).stdout) as HistoryStats
    expect(stats.split).toMatchObject([
      { name: 'calc.add', calls: 4, errors: 0 },
      { name: 'calc.nothing', errors: 1 },
    ])
    expect((await cli('stats', '--since', '1h')).stdout).toMatch(/\n5\s+1\s/)
    const table = (await cli('calls', 'export', '--format', 'csv')).stdout.trim().split('\r\n')
    expect(table).toHaveLength(6)
    expect((await cli('calls', 'show', '0aaaaaaaa-bbbbbbbb-0')).code).toBe(2)
    expect((await cli('calls', '--since', 'yesterday')).code).not.toBe(0)
    expect((await cli('calls', 'replay', id)).stderr).toContain('No gateway answers')
    expect(readdirSync(historyIn(folder)).every((name) => /\.(?:calls|values)$|^id$/.test(name))).toBe(true)
  })
})
