import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { program } from '../../src/cli/program.js'
import type { AuditEntry } from '../../src/telemetry/audit-entry.js'
import { trailIn } from '../../src/telemetry/audit-pages.js'
import { verifyTrail } from '../../src/telemetry/audit-verify.js'
import { makeBundle, manifestOf } from '../helpers/bundle-file.js'
import { runCli } from '../helpers/run-cli.js'
import { hasScript, onTerminal } from '../helpers/terminal.js'
import { serveCli } from './serve-cli.js'
import { openShiftingBoard, time, weather } from './shifting-board.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-typed-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const data = () => join(home, 'data')
const config = (more: object = {}) =>
  writeFileSync(join(home, 'pegboard.json'), JSON.stringify({ storage: { path: './data' }, ...more }))
const typed = async (...args: readonly string[]) => {
  const run = await runCli(args, { cwd: home, home })
  expect(run.code, `${args.join(' ')}: ${run.stderr}`).toBe(0)
  return run
}
const linesIn = (folder: string): readonly AuditEntry[] => {
  try {
    const lines = readFileSync(trailIn(join(folder, 'audit')), 'utf8')
      .trim()
      .split('\n')
    return lines.map((line) => JSON.parse(line) as AuditEntry)
  } catch {
    return []
  }
}
const deeds = (folder = data()) =>
  linesIn(folder).filter(({ kind, action }) => kind !== 'system' || !['start', 'stop', 'checkpoint'].includes(action))
const me = () => ({ id: userInfo().username, type: 'local', via: 'cli' })

const module = `export default {
  listTools: () => [{ name: 'free', description: 'Free.', inputSchema: { type: 'object' } }],
  callTool: () => ({ content: [] }),
}
`
const withTool = () => {
  writeFileSync(join(home, 'home.mjs'), module)
  config({ sources: { home: { type: 'embedded', module: './home.mjs' } } })
}
const packaged = {
  sources: { docs: { type: 'stdio', command: 'npx', args: ['-y', 'docs-mcp@1.0.0'], enabled: false } },
}
const withBundle = () => {
  config()
  const user_config = { api_key: { type: 'string', sensitive: true, required: true } }
  writeFileSync(join(home, 'greeter.mcpb'), makeBundle(manifestOf({ name: 'greeter', user_config })))
}
const off = { docs: { type: 'stdio', command: 'node', enabled: false } }

interface Typed {
  readonly before?: () => void
  readonly type: readonly (readonly string[])[]
  /** What the last of them left behind. */
  readonly leaves: object
}

/** Every command that changes something by itself, and the line that it leaves. */
const changing: Readonly<Record<string, Typed>> = {
  add: {
    type: [['add', 'docs', '--disabled', '--no-try', '-e', 'TOKEN=canary-value', '--', 'node', 'canary-argument']],
    leaves: { kind: 'source', action: 'add', on: { type: 'source', id: 'docs' }, source: 'docs' },
  },
  remove: {
    before: () => config({ sources: off }),
    type: [['remove', 'docs']],
    leaves: { kind: 'source', action: 'remove', on: { id: 'docs' } },
  },
  enable: {
    before: () => config({ sources: off }),
    type: [['enable', 'docs']],
    leaves: { kind: 'source', action: 'enable', on: { id: 'docs' } },
  },
  disable: {
    before: () => config({ sources: off }),
    type: [['disable', 'docs']],
    leaves: { kind: 'source', action: 'disable', on: { id: 'docs' } },
  },
  import: {
    before: () => {
      config()
      const servers = { theirs: { command: 'node', args: ['x.mjs'], env: { TOKEN: 'canary-value' } } }
      writeFileSync(join(home, 'client.json'), JSON.stringify({ mcpServers: servers }))
    },
    type: [['import', './client.json', '--yes']],
    leaves: { kind: 'source', action: 'import', on: { id: 'theirs' }, after: 'disabled' },
  },
  init: {
    before: () => rmSync(join(home, 'pegboard.json')),
    type: [['init', '--yes', '--data-path', './data']],
    leaves: { kind: 'setting', action: 'create', on: { type: 'config' } },
  },
  'publish add': {
    before: () => config(packaged),
    type: [['publish', 'add', 'docs']],
    leaves: { kind: 'setting', action: 'publish', on: { type: 'server', id: 'docs' } },
  },
  'publish remove': {
    before: () => config({ ...packaged, publish: { servers: { docs: {} } } }),
    type: [['publish', 'remove', 'docs']],
    leaves: { kind: 'setting', action: 'unpublish', on: { type: 'server', id: 'docs' } },
  },
  'bundle install': {
    before: withBundle,
    type: [['bundle', 'install', './greeter.mcpb', '--set', 'api_key=canary-value', '--yes', '--disabled']],
    leaves: { kind: 'source', action: 'add', on: { type: 'source', id: 'greeter' } },
  },
  'bundle uninstall': {
    before: withBundle,
    type: [
      ['bundle', 'install', './greeter.mcpb', '--set', 'api_key=canary-value', '--yes', '--disabled'],
      ['bundle', 'uninstall', 'greeter'],
    ],
    leaves: { kind: 'source', action: 'remove', on: { type: 'source', id: 'greeter' } },
  },
  connect: {
    type: [['connect', 'cursor', '--yes', '--file', './cursor.json']],
    leaves: { kind: 'setting', action: 'connect', on: { type: 'client', id: 'cursor' } },
  },
  trust: {
    type: [['trust', './pegboard.json', '--yes', '--data-path', './data']],
    leaves: { kind: 'approval', action: 'trust', on: { type: 'config' }, after: expect.stringMatching(/^\w{16}$/) },
  },
  'key create': {
    type: [['key', 'create', 'ci', '--role', 'reader']],
    leaves: { kind: 'key', action: 'create' },
  },
  'lock write': {
    before: withTool,
    type: [['lock', 'write']],
    leaves: { kind: 'approval', action: 'lock', on: { type: 'config' } },
  },
  'lock approve': {
    before: () => {
      withTool()
      writeFileSync(join(home, 'pegboard.lock.json'), JSON.stringify({ version: 1, tools: {} }))
    },
    type: [['lock', 'approve', '--all']],
    leaves: { kind: 'approval', action: 'approve', on: { type: 'definition', id: 'home.free' } },
  },
  'approvals effect': {
    before: withTool,
    type: [['approvals', 'effect', 'home.free', 'readonly']],
    leaves: { kind: 'approval', action: 'effect', on: { type: 'tool', id: 'home.free' }, after: 'readonly' },
  },
  'storage move': {
    type: [
      ['key', 'create', 'ci', '--role', 'reader'],
      ['storage', 'move', '--to', 'sqlite', '--folder', './there'],
    ],
    leaves: { kind: 'system', action: 'move', before: 'json', after: 'sqlite' },
  },
  'vault rotate': {
    type: [['vault', 'rotate']],
    leaves: { kind: 'credential', action: 'rotate', on: { type: 'vault' } },
  },
}

/** Where else their lines are tried. */
const elsewhere: Readonly<Record<string, string>> = {
  'key revoke': 'below',
  'approvals approve': 'below',
  'approvals reject': 'below',
  approve: 'test/cli/answer-call.test.ts',
  deny: 'test/cli/answer-call.test.ts',
  'people end': 'src/cli/commands/people.test.ts',
  auth: 'test/cli/auth.test.ts',
  'config reset': 'test/audit/replicas.test.ts',
  'fleet release': 'test/audit/replicas.test.ts',
  'tool set': 'test/overrides/command.test.ts',
  'tool reset': 'test/overrides/command.test.ts',
  'registry update': 'test/cli/registry.test.ts',
  'service install': 'test/cli/service/service.test.ts',
  'service uninstall': 'test/cli/service/service.test.ts',
}

/** The gateway that runs does it, and writes it down: test/audit/deeds.test.ts. */
const askTheGateway = ['restart', 'waiting']

/** These serve or call; what goes through them are lines of their own. */
const carryCalls = ['', 'serve', 'stdio', 'script run', 'call', 'calls replay', 'xiaozhi test']

const changeNothing = (
  'list,search,inspect,export,check,config check,config schema,config show,config diff,key list,who,people list,' +
  'people show,storage show,vault status,audit list,audit verify,audit export,profile list,profile show,scan,lock diff,' +
  'logs,stats,fleet list,approvals list,approvals show,approvals calls,top,xiaozhi status,tool list,tool show,' +
  'rules check,rules explain,doctor,completion,registry search,registry show,registry updates,plugins,webhooks list,' +
  // A message that says of itself that it is a test, and what a gateway that starts and stops writes down itself.
  'webhooks test,bundle list,bundle inspect,publish list,calls list,calls show,calls export,service status,' +
  'service logs,service start,service stop,service restart,upgrade'
).split(',')

const leaves = (command: Command, path: readonly string[] = []): readonly string[] => [
  ...(command === program || command.commands.length === 0 ? [path.join(' ')] : []),
  ...command.commands.flatMap((each) => leaves(each as Command, [...path, each.name()])),
]

describe('what is typed (T40)', () => {
  it('has a row here, whichever command it is: one that changes something leaves a line', () => {
    const known = [changing, elsewhere].flatMap(Object.keys).concat(askTheGateway, carryCalls, changeNothing)
    expect(leaves(program).filter((name) => !known.includes(name))).toEqual([])
    expect(known.filter((name) => !leaves(program).includes(name))).toEqual([])
  })

  it.each(Object.entries(changing))('%s is a line by whoever typed it', async (_name, { before, type, leaves }) => {
    config()
    before?.()
    for (const args of type) await typed(...args)
    const own = deeds().filter(({ kind }) => kind !== 'call')
    expect(own.at(-1), JSON.stringify(own)).toMatchObject({ v: 1, actor: me(), outcome: 'ok', ...leaves })
    expect(own).toHaveLength(type.length)
    expect(readFileSync(trailIn(join(data(), 'audit')), 'utf8')).not.toContain('canary')
    expect(await verifyTrail(trailIn(join(data(), 'audit')))).toMatchObject({ ok: true })
  })

  it('is one line for each name, and none where nothing was done', async () => {
    config({ sources: { a: off.docs, b: off.docs } })
    expect((await runCli(['remove', 'a', 'nobody'], { cwd: home, home })).code).not.toBe(0)
    expect((await runCli(['add', 'a', '--', 'node'], { cwd: home, home })).code).not.toBe(0)
    expect(deeds()).toEqual([])
    await typed('remove', 'a', 'b')
    expect(deeds().map(({ on }) => on?.id)).toEqual(['a', 'b'])
    const { stdout } = await typed('key', 'create', 'ci', '--role', 'reader', '--json')
    const { id } = JSON.parse(stdout)
    await typed('key', 'revoke', id)
    expect(deeds().at(-1)).toMatchObject({ kind: 'key', action: 'revoke', on: { type: 'key', id }, actor: me() })
    expect(JSON.stringify(linesIn(data()))).not.toContain(JSON.parse(stdout).key)
  })

  it('is a decision about a definition, with its hash', async () => {
    const board = await openShiftingBoard()
    try {
      await (await board.serve()).stop()
      board.say([{ ...weather, description: 'Another.' }, time])
      expect(await board.run('approvals', 'approve', '--all')).toMatchObject({ code: 0 })
      board.say([{ ...weather, description: 'One more.' }, time])
      expect(await board.run('approvals', 'reject', '--all')).toMatchObject({ code: 0 })
      const { stdout } = await board.run('audit', '--kind', 'approval', '--json')
      const told = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditEntry)
      const on = { type: 'definition', id: 'rug.weather' }
      expect(told).toMatchObject([
        { action: 'approve', on, actor: me(), after: expect.any(String) },
        { action: 'reject', on, actor: me(), after: expect.any(String) },
      ])
    } finally {
      await board.dispose()
    }
  })

  it('beside a gateway that runs is told by both: who typed it, and what runs since', async () => {
    config({ sources: {} })
    const { stop } = await serveCli(home)
    try {
      await typed('add', 'docs', '--disabled', '--no-try', '--', 'node')
      await vi.waitUntil(() => deeds().filter(({ source }) => source === 'docs').length === 2, { timeout: 60_000 })
    } finally {
      await stop()
    }
    const added = deeds().filter(({ source }) => source === 'docs')
    expect(added.map(({ action }) => action)).toEqual(['add', 'add'])
    expect(new Set(added.map(({ actor }) => actor.type))).toEqual(new Set(['local', 'system']))
    expect(await verifyTrail(trailIn(join(data(), 'audit')))).toMatchObject({ ok: true })
  })
})

describe('an answer about a file that lies here (S1)', () => {
  const place = () => ({ cwd: join(home, 'work'), home })
  const file = () => join(home, 'work', 'pegboard.json')
  const own = () => join(home, '.local', 'share', 'pegboard')
  const stranger = { storage: { path: './theirs' }, telemetry: { audit: { to: ['file'] } }, sources: off }
  beforeEach(() => {
    mkdirSync(join(home, 'work'))
    writeFileSync(file(), JSON.stringify(stranger))
  })

  it('is in the trail of who gave it, never where that file says; taken back as well', async () => {
    const trust = (...args: readonly string[]) => runCli(['trust', ...args], { ...place(), trusts: false })
    expect((await trust('--yes')).code).toBe(0)
    expect((await trust('--revoke')).code).toBe(0)
    expect((await trust('--revoke')).code).not.toBe(0)
    expect(deeds(own())).toMatchObject([
      { kind: 'approval', action: 'trust', on: { type: 'config', id: file() }, outcome: 'ok', actor: me() },
      { kind: 'approval', action: 'revoke', on: { type: 'config', id: file() }, outcome: 'ok', actor: me() },
    ])
    // What is changed in a file that nobody said yes to is told there too.
    await runCli(['enable', 'docs'], { ...place(), trusts: false })
    expect(deeds(own()).at(-1)).toMatchObject({ kind: 'source', action: 'enable', source: 'docs' })
    expect(linesIn(join(home, 'work', 'theirs'))).toEqual([])
  })

  it.skipIf(!hasScript)('is a line where it was no', async () => {
    await onTerminal(['trust'], [[/May it run\?/, 'n\r']], { ...place(), named: false })
    expect(deeds(own())).toMatchObject([{ kind: 'approval', action: 'trust', outcome: 'refused', actor: me() }])
  })
})
