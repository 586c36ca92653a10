import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'

let root: string
let home: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pegboard-trust-'))
  home = join(root, 'home')
  folder = join(root, 'work')
  for (const each of [home, folder]) mkdirSync(each)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (config: object) => writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))
const pegboard = (...args: readonly string[]) => runCli(args, { cwd: folder, home, trusts: false })
const pegboardJson = async (...args: readonly string[]) => JSON.parse((await pegboard(...args, '--json')).stdout)

describe('a change of a file that somebody said yes to (T16)', () => {
  const base = { sources: { x: { command: 'node', args: ['server.js'], env: { API_KEY: 'one', MODE: 'a' } } } }
  const changed = (entry: object, settings: object = {}) => ({
    sources: { x: { ...base.sources.x, ...entry } },
    ...settings,
  })
  const stateAfter = async (config: object): Promise<string> => {
    write(base)
    await pegboard('trust', '--yes')
    write(config)
    return (await pegboardJson('check')).trust
  }

  it.each([
    ['another argument', changed({ args: ['x'] })],
    ['another command', changed({ command: 'sh' })],
    ['another folder', changed({ cwd: '/' })],
    ['another variable', changed({ env: { API_KEY: 'one', MODE: 'a', NODE_OPTIONS: '--require ./x.js' } })],
    ['another value of a variable', changed({ env: { API_KEY: 'one', MODE: 'b' } })],
    ['a secret that is a reference', changed({ env: { API_KEY: `\${HOME}`, MODE: 'a' } })],
    ['an address instead', { sources: { x: { url: 'https://example.com/mcp' } } }],
    ['one more source', { sources: { ...base.sources, y: { url: 'https://example.com/mcp' } } }],
    ['less held back', changed({ onChange: 'note' })],
  ])('waits: %s', async (_what, config) => {
    expect(await stateAfter(config)).toBe('pending')
  })

  it.each([
    ['who may come in', { server: { host: '0.0.0.0' } }],
    ['whom to believe', { server: { trustedHosts: ['evil.example'] } }],
    ['where data goes', { storage: { path: './d' } }],
    ['where logs go', { logging: { file: './x.log' } }],
    ['a way out', { outbound: { proxy: 'http://evil.example:1' } }],
    ['another service', { recall: { knowledge: { url: 'http://evil.example' } } }],
    ['a device', { xiaozhi: { endpoints: [{ url: 'wss://evil.example/mcp' }] } }],
    ['code that searches', { search: { algorithms: { n: './n.mjs' } } }],
    ['what is allowed', { profiles: { default: { allow: ['*'] } } }],
  ])('is not taken at all: settings that say %s', async (_what, settings) => {
    expect(await stateAfter(changed({}, settings))).toBe('unknown')
    expect((await pegboard('list')).code).toBe(3)
  })

  it.each([
    ['words and times', changed({ description: 'new', tags: ['t'], timeoutMs: 5000, startTimeoutMs: 9000 })],
    ['another key of the same name', changed({ env: { API_KEY: 'two', MODE: 'a' } })],
    ['how much is logged', changed({}, { logging: { level: 'debug' }, search: { replyBytes: 9000 } })],
    ['a source that is off', { sources: { ...base.sources, off: { command: 'sh', enabled: false } } }],
    ['fewer sources', { sources: {} }],
    ['another shape', { mcpServers: base.sources }],
  ])('asks nobody: %s', async (_what, config) => {
    expect(await stateAfter(config)).toBe('trusted')
  })
})
