import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))
let home: string
let marker: string
/** Notes its arguments, then is an MCP server. */
let honest: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-hostile-'))
  marker = join(home, 'somebody-ran')
  honest = join(home, 'honest.mjs')
  writeFileSync(
    honest,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(home, 'argv.json'))}, JSON.stringify(process.argv.slice(2)))\nawait import(${JSON.stringify(server)})\n`,
  )
  mkdirSync(join(home, '.cursor'))
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: servers() }))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Nothing in these may be read by a shell, split or expanded. */
const oddArgs = ['a b', '', '$HOME', '`id`', '; touch x', '&&', '"', "'", '\\', '*', '~', '\u00e9\u4e2d', '--', '-e']

const servers = (): Record<string, object> => {
  const touch = `touch ${marker}`
  const code = `require('fs').writeFileSync(${JSON.stringify(marker)},'')`
  return {
    shell: { command: 'sh', args: ['-c', touch] },
    bash: { command: '/bin/bash', args: ['-c', touch] },
    joined: { command: `sh -c "${touch}"` },
    chained: { command: 'npx', args: ['-y', `x && ${touch}`] },
    node: { command: 'node', args: ['-e', code] },
    python: { command: 'python3', args: ['-c', `open(${JSON.stringify(marker)},'w')`] },
    env: { command: 'env', args: ['sh', '-c', touch] },
    upward: { command: '../../../../../../../usr/bin/touch', args: [marker] },
    preload: { command: 'node', args: [server], env: { LD_PRELOAD: './evil.so' } },
    options: { command: 'node', args: [server], env: { NODE_OPTIONS: `--require ${marker}.js` } },
    path: { command: 'ls', env: { PATH: home } },
    url: { url: `file://${marker}` },
    '../escape': { command: 'touch', args: [marker] },
    constructor: { command: 'touch', args: [marker] },
    honest: { command: process.execPath, args: [honest, ...oddArgs] },
  }
}

const pegboard = (...args: readonly string[]) => runCli(args, { cwd: home, home })
const board = () =>
  JSON.parse(readFileSync(join(home, 'pegboard.json'), 'utf8')).sources as Record<string, { args?: string[] }>

describe("a client's file with a key that would change what objects are", () => {
  it.each([
    ['at its top', '{"__proto__":{"a":1},"mcpServers":{"a":{"command":"x"}}}'],
    ['among its servers', '{"mcpServers":{"__proto__":{"command":"x"},"a":{"command":"x"}}}'],
    ['in one of them', '{"mcpServers":{"a":{"command":"x","env":{\n"__proto__":{"command":"x"}}}}}'],
    ["written by its letters' numbers", '{"mcpServers":{"\\u005f_proto__":{"command":"x"}}}'],
  ])('is refused by name instead of being read as empty: %s (S23)', async (_where, text) => {
    const file = join(home, 'odd.json')
    writeFileSync(file, text)
    const { stdout } = await pegboard('import', './odd.json')
    expect(stdout).toContain(`${file}:${text.includes('\n') ? 2 : 1}: the key "__proto__" is not allowed in it`)
    expect(stdout).not.toMatch(/✓|0 servers/)
  })
})

describe('T15: importing what somebody else wrote', () => {
  it('starts nothing, whatever is in it, until it is switched on', async () => {
    const { code, stdout } = await pegboard('import', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain("! 'shell' runs a shell")
    expect(stdout).toContain("! 'node' runs code that is written in its arguments")
    expect(stdout).toContain('sets LD_PRELOAD')
    expect(stdout).toContain("'url' of Cursor")
    await pegboard('list')
    await pegboard('doctor')
    expect(existsSync(marker)).toBe(false)
    expect(existsSync(join(home, 'argv.json'))).toBe(false)
    expect(Object.keys(board())).not.toContain('../escape')
  })

  it('starts what is switched on with the very arguments that were written', async () => {
    expect(board().honest!.args!.slice(1)).toEqual(oddArgs.map((word) => word))
    expect((await pegboard('enable', 'honest')).code).toBe(0)
    expect((await pegboard('list', '--json')).stdout).toContain('honest.echo')
    expect(JSON.parse(readFileSync(join(home, 'argv.json'), 'utf8'))).toEqual(oddArgs)
    expect(existsSync(marker)).toBe(false)
  })
})
