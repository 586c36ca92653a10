import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, secret, startReceiver } from '../helpers/approval-board.js'
import { makeBundle, manifestOf } from '../helpers/bundle-file.js'
import { npmServer, openTestRegistry, type TestRegistry } from '../helpers/registry-server.js'
import { bareEnv, cliPath } from '../helpers/run-cli.js'
import { snippetsOf } from '../helpers/snippets.js'
import { type ServedCli, serveCli } from './serve-cli.js'

/** A server with the tools that the pages speak of. */
const server = `
import { createInterface } from 'node:readline'
const tool = (name) => ({ name, description: name, inputSchema: { type: 'object' } })
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'github', version: '1' } }),
  'tools/list': () => ({ tools: ['create_issue', 'get_issue'].map(tool) }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
  ping: () => ({}),
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = answers[method]
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'no such method' } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
})`

const config = {
  sources: { github: { command: process.execPath, args: ['server.mjs'] } },
  profiles: { work: {}, home: {}, review: {}, research: {}, eng: {} },
}

const team = {
  server: { publicUrl: 'https://tools.example.com' },
  profiles: { work: {} },
  sources: {
    github: { command: 'npx', args: ['-y', 'github-mcp@1.0.0'], enabled: false },
    notes: { command: 'node', args: ['notes.mjs'], enabled: false },
  },
}

const greeter = manifestOf({
  name: 'greeter',
  user_config: { api_key: { type: 'string', sensitive: true, required: true } },
})

/**
 * Four places, since no one board has everything that pages tell of: `fresh` has nothing but the examples, `board` a
 * source and a running gateway, `edit` sources that are written and never started, `team` some that are
 * published, and a bundle.
 */
const placeOf = (line: string): 'fresh' | 'board' | 'edit' | 'team' => {
  if (/pegboard (?:bundle|publish)\b/.test(line)) return 'team'
  if (/pegboard (?:add|remove|enable|disable|registry)\b/.test(line)) return 'edit'
  return /\b(?:lock|trust|approvals|profile|key|auth|restart|logs|stats|top|waiting|xiaozhi|github|stdio|team\.json|claims|audit|vault|people|webhooks|calls)\b/.test(
    line,
  )
    ? 'board'
    : 'fresh'
}

/** Ends otherwise than with 0, and rightly so. */
const endings: readonly (readonly [line: RegExp, code: number])[] = [
  [/key revoke|waiting --cancel/, 2], // such an id is somebody else's
  [/approvals (?:show|approve|reject) github/, 2], // nothing has changed there
  [/pegboard who --claims/, 0],
  [/pegboard who|people (?:show|end)/, 2], // nobody was here yet
  [/pegboard (?:approve|deny) 3f2a/, 3], // nobody asks for that
  [/pegboard script run/, 1], // there is no such file here
  [/pegboard trust$/, 3], // nobody is there to say yes
  [/xiaozhi test$/, 6], // no endpoint is configured
  [/pegboard fleet|--to postgres/, 6], // there is no database here
  [/service install(?!.*--dry-run)/, 1], // no manager answers here
  [/service (?:status|logs|start|stop|restart|uninstall)/, 2], // so it is not installed
  [/pegboard upgrade/, 4], // nobody can be asked
  [/config reset sources/, 2], // nothing was changed from a browser
  [/registry update /, 2], // no source came from there yet
  [/calls show /, 2], // such a call was made elsewhere
  [/calls replay /, 1], // so it cannot be made again
]
// Runs until it is stopped, wants a person at a browser or a terminal, or is a line for another shell.
const left = /^(?:npx )?pegboard serve|pegboard auth \w|--follow|fish \| source|^export |^npm |^curl |^#/

let home: string
let gateway: ServedCli
let registry: TestRegistry
let receiver: Receiver
const folderOf = (place: string): string => join(home, place)

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-pages-'))
  for (const place of ['fresh', 'board', 'edit', 'team', 'bin', '.cursor', '.config/fish/completions'])
    mkdirSync(join(home, place), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(home, name), text)
  write('.cursor/mcp.json', JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['notes.js'] } } }))
  write('board/server.mjs', server)
  write('board/claims.json', JSON.stringify({ iss: 'https://auth.example.com', sub: 'ann', groups: ['sre'] }))
  receiver = await startReceiver()
  const webhooks = ['', '2'].map((more) => ({ url: `${receiver.url}${more}`, secret }))
  for (const name of ['pegboard.json', 'team.json']) write(`board/${name}`, JSON.stringify({ ...config, webhooks }))
  const programs = {
    pegboard: `exec '${process.execPath}' '${cliPath()}' "$@"`,
    npx: 'shift; exec pegboard "$@"',
    // No service of this machine is ever asked.
    systemctl: 'echo "Failed to connect to bus: none here" >&2; exit 1',
    npm: 'exit 1',
    ...Object.fromEntries(['claude', 'code', 'codex', 'git'].map((name) => [name, 'exit 0'])),
  }
  for (const [name, text] of Object.entries(programs)) {
    write(`bin/${name}`, `#!/bin/sh\n${text}\n`)
    chmodSync(join(home, 'bin', name), 0o755)
  }
  write('team/pegboard.json', JSON.stringify(team))
  writeFileSync(join(home, 'team', 'greeter.mcpb'), makeBundle(greeter))
  gateway = await serveCli(folderOf('board'))
  registry = await openTestRegistry([
    ...['1.0.0', '1.1.0'].map((version) =>
      npmServer('io.github.someone/weather', version, { environmentVariables: [{ name: 'WEATHER_API_KEY' }] }),
    ),
    npmServer('io.github.someone/filesystem', '1.0.0'),
  ])
  write('edit/pegboard.json', JSON.stringify({ registries: [registry.url] }))
}, 120_000)
afterAll(async () => {
  await gateway?.stop()
  await registry?.close()
  await receiver?.[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

const run = (line: string): Promise<{ code: number | null; stdout: string; said: string }> =>
  new Promise((resolve, reject) => {
    const place = placeOf(line)
    const cwd = /pegboard (?:init|import)/.test(line) ? mkdtempSync(join(home, 'init-')) : folderOf(place)
    writeFileSync(join(cwd, 'exported.json'), JSON.stringify({ mcpServers: { more: { command: 'node' } } }))
    const named = place === 'edit' || place === 'team' ? { PEGBOARD_CONFIG: join(cwd, 'pegboard.json') } : {}
    const env = bareEnv(place === 'board' ? cwd : home, { DOCS_TOKEN: 'x', PEGBOARD_PORT: gateway.port, ...named })
    const child = spawn('bash', ['-c', line], { cwd, env: { ...env, PATH: `${join(home, 'bin')}:${env.PATH}` } })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, said: `${stderr}${stdout}` }))
    child.stdin.end()
  })

const pages = [
  ...['README.md', 'README.zh.md', 'docs/cookbook.md', 'docs/cli.md'],
  ...['docs/identity.md', 'docs/roles.md', 'docs/audit.md', 'docs/bundles.md', 'docs/publish.md', 'docs/service.md'],
]

describe.each(pages)('%s', (page) => {
  const lines = snippetsOf(page, 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.trim() !== '' && !left.test(line))

  // In their order: what one adds, a later one switches off.
  it.each(lines)(
    '%s',
    async (line) => {
      const { code, stdout, said } = await run(line)
      const expected = endings.find(([which]) => which.test(line))?.[1] ?? 0
      expect({ code, said }).toEqual({ code: expected, said: expect.any(String) })
      const promised = /# (\{.*\})$/.exec(line)?.[1]
      if (promised !== undefined) expect(JSON.parse(stdout)).toEqual(JSON.parse(promised))
    },
    60_000,
  )

  it('has commands', () => expect(lines.length).toBeGreaterThan(0))
})
