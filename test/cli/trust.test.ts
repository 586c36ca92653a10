import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { hasScript, onTerminal } from '../helpers/terminal.js'

const server = fileURLToPath(new URL('../helpers/servers/stdio-modern.mjs', import.meta.url))
const isRoot = process.getuid?.() === 0

let root: string
let home: string
let folder: string
let marker: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pegboard-trust-'))
  home = join(root, 'home')
  folder = join(root, 'work')
  marker = join(root, 'somebody-ran')
  for (const each of [home, folder]) mkdirSync(each)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const file = () => join(folder, 'pegboard.json')
const write = (config: object, where = file()) => writeFileSync(where, JSON.stringify(config))
const pegboard = (...args: readonly string[]) => runCli(args, { cwd: folder, home, trusts: false })
const pegboardJson = async (...args: readonly string[]) => JSON.parse((await pegboard(...args, '--json')).stdout)
const hasRun = () => existsSync(marker)

/** A server that leaves a trace of having been started. */
const traced = (...more: readonly string[]) => ({
  command: process.execPath,
  args: [
    '--import',
    `data:text/javascript,import('node:fs').then(f=>f.writeFileSync('${marker}',''))`,
    server,
    ...more,
  ],
})

describe('a configuration of the working folder that nobody named (S1)', () => {
  it.each([
    ['list'],
    ['search', 'anything'],
    ['inspect', 'x'],
    ['doctor'],
    ['lock', 'write'],
    ['lock', 'diff'],
    ['call', 'x.echo'],
    ['stdio'],
    ['serve', '--port', '0'],
    ['check'],
    ['config', 'show'],
    ['stats'],
    ['top'],
    ['export'],
    ['export', 'cursor'],
    ['connect', 'cursor', '--yes'],
    ['profile', 'list'],
    ['approvals'],
    ['auth'],
    ['key', 'create', 'mine'],
    ['xiaozhi', 'test'],
    ['restart', 'x'],
    ['trust'],
  ])('is not run by: pegboard %s %s', async (...args) => {
    write({ sources: { x: traced() } })
    const { code, stderr, stdout } = await pegboard(...args)
    expect(hasRun()).toBe(false)
    expect(existsSync(join(folder, 'pegboard.lock.json'))).toBe(false)
    if (args[0] === 'stdio') return expect([code, stderr.includes(folder)]).toEqual([0, false])
    expect(`${stdout}${stderr}`).toContain(args[0] === 'trust' ? 'would start:' : `pegboard trust ${file()}`)
    if (!['check', 'config'].includes(args[0]!)) expect(code).not.toBe(0)
  })

  it.each([
    ['a module', { m: { module: './evil.mjs' } }, {}],
    ['a search plug-in', {}, { search: { algorithms: { newest: './evil.mjs' } } }],
  ])('does not bring in %s', async (_what, sources, settings) => {
    writeFileSync(
      join(folder, 'evil.mjs'),
      `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')\nexport default () => []\n`,
    )
    write({ sources, ...settings })
    for (const args of [['list'], ['doctor'], ['check'], ['config', 'show']]) await pegboard(...args)
    expect(hasRun()).toBe(false)
    expect((await pegboard('trust', '--yes')).code).toBe(0)
    await pegboard('search', 'anything')
    expect(hasRun()).toBe(true)
  })

  it.each([
    ['a variable of a source', { x: { command: 'node', env: { API_KEY: '$' } } }, {}],
    ['its description', { x: { command: 'node', description: '$' } }, {}],
    ['a setting', {}, { server: { token: '$' } }],
    ['a harmless setting', {}, { logging: { level: '$' } }],
  ])('has no command run that %s refers to, not even to look at it', async (_where, sources, settings) => {
    const touch = `\${cmd:touch ${marker}}`
    const text = JSON.stringify({ sources, ...settings }).replace('"$"', JSON.stringify(touch))
    writeFileSync(file(), text)
    for (const args of [
      ['list'],
      ['check'],
      ['config', 'show'],
      ['doctor'],
      ['trust'],
      ['stats'],
      ['connect', 'cursor'],
    ])
      await pegboard(...args)
    expect(hasRun()).toBe(false)
    // Nor where it comes later to a file that was answered.
    writeFileSync(file(), text.replace(JSON.stringify(touch), '"info"'))
    await pegboard('trust', '--yes')
    writeFileSync(file(), text)
    for (const args of [['list'], ['check'], ['doctor']]) await pegboard(...args)
    expect(hasRun()).toBe(false)
  })

  it('does not bring its own answers along, nor a data folder', async () => {
    const evil = join(folder, 'data')
    write({ sources: { x: traced() }, storage: { path: './data' } })
    expect((await runCli(['trust', '--yes'], { cwd: folder, home: join(root, 'else'), trusts: false })).code).toBe(0)
    const answers = readFileSync(join(root, 'else/.local/share/pegboard/trust.json'))
    mkdirSync(evil)
    writeFileSync(join(evil, 'trust.json'), answers)
    expect((await pegboard('list')).code).toBe(3)
    expect((await pegboard('key', 'list')).code).toBe(3)
    expect(hasRun()).toBe(false)
  })

  it('is run after a yes, kept for its owner alone, until it is taken back', async () => {
    write({ sources: { x: traced() } })
    const shown = await pegboardJson('trust', '--yes')
    expect(shown).toMatchObject({ file: file(), trusted: true, sources: [{ name: 'x', keys: traced() }] })
    expect(statSync(join(home, '.local/share/pegboard/trust.json')).mode & 0o777).toBe(0o600)
    expect((await pegboard('list')).code).toBe(0)
    expect(hasRun()).toBe(true)
    expect((await pegboardJson('trust', '--list')).files).toMatchObject([{ file: file(), sources: ['x'] }])
    rmSync(marker)
    expect((await pegboard('trust', '--revoke')).code).toBe(0)
    expect((await pegboard('list')).code).toBe(3)
    expect((await pegboard('trust', '--remove')).code).toBe(2)
    expect(hasRun()).toBe(false)
  })

  it('is run where a flag or a variable names it', async () => {
    write({ sources: { x: traced() } })
    expect((await pegboard('list', '--config', 'pegboard.json')).code).toBe(0)
    expect(hasRun()).toBe(true)
    expect((await runCli(['list'], { cwd: folder, home })).code).toBe(0)
  })

  it('is not asked about where our own command wrote it: exactly what that wrote', async () => {
    expect((await pegboard('init', '--yes')).code).toBe(0)
    expect((await pegboard('add', 'mine', '--', ...Object.values(traced()).flat())).code).toBe(0)
    expect((await pegboard('list')).code).toBe(0)
    expect(hasRun()).toBe(true)
    // Somebody else's, with ours added: theirs waits, and their settings were never answered.
    rmSync(marker)
    rmSync(file())
    await pegboard('trust', '--revoke', file())
    write({ sources: { theirs: traced() } })
    expect((await pegboard('add', 'mine', '--', process.execPath, server)).code).toBe(0)
    const { stdout } = await pegboard('list', '--sources', '--json')
    const states = Object.fromEntries(
      (JSON.parse(stdout) as { name: string; status: { state: string } }[]).map(({ name, status }) => [
        name,
        status.state,
      ]),
    )
    expect(states).toEqual({ theirs: 'pending', mine: 'ready' })
    expect(hasRun()).toBe(false)
    // To switch it on is not to have seen what it runs; what was imported switched off was shown whole.
    await pegboard('enable', 'theirs')
    expect((await pegboard('list')).stderr).toContain("'theirs' is pending")
    write({ mcpServers: { imported: traced('--other') } }, join(folder, 'client.json'))
    expect((await pegboard('import', './client.json', '--yes')).code).toBe(0)
    await pegboard('enable', 'imported')
    expect((await pegboard('call', 'imported.echo')).stderr).not.toContain('pending')
    expect(hasRun()).toBe(true)
    write({ sources: { theirs: traced() }, server: { host: '0.0.0.0' } })
    await pegboard('add', 'more', '--', process.execPath, server)
    expect((await pegboard('list')).code).toBe(3)
  })
})

describe('a configuration that others may write (S1)', () => {
  const nobody = 65_534
  const refusedAt = async (): Promise<string> => {
    const { code, stderr } = await pegboard('list')
    expect([code, hasRun()]).toEqual([3, false])
    return stderr
  }
  beforeEach(() => write({ sources: { x: traced() } }))

  it.each([
    ['it can be changed by any user', () => chmodSync(file(), 0o666), /changed by any user/],
    ['its folder can', () => chmodSync(folder, 0o777), /work can be changed by any user/],
    ['a folder above it can', () => chmodSync(root, 0o777), /can be changed by any user/],
  ])('is refused though somebody said yes: %s', async (_what, open, words) => {
    expect((await pegboard('trust', '--yes')).code).toBe(0)
    open()
    expect(await refusedAt()).toMatch(words)
    expect((await pegboard('trust', '--yes')).code).toBe(3)
  })

  it('is not refused in a folder like /tmp, where others cannot replace it', async () => {
    chmodSync(folder, 0o1777)
    expect((await pegboard('trust', '--yes')).code).toBe(0)
    expect((await pegboard('list')).code).toBe(0)
  })

  it('is refused by name where any user may change it', async () => {
    chmodSync(file(), 0o666)
    expect((await pegboard('list', '--config', file())).code).toBe(3)
    expect(hasRun()).toBe(false)
  })

  it.runIf(isRoot).each([
    ['the file', () => chownSync(file(), nobody, nobody)],
    ['the folder', () => chownSync(folder, nobody, nobody)],
    ['a link to it', () => linked(nobody)],
    ['a group that nobody knows', () => sharedWith(54_321)],
  ])('is refused, also as root: somebody else has %s', async (_what, change) => {
    expect((await pegboard('trust', '--yes')).code).toBe(0)
    change()
    expect(await refusedAt()).toMatch(/another user|group/)
  })

  it('of the user is taken wherever one is, unless others may write it; a client of any folder gets it', async () => {
    rmSync(file())
    mkdirSync(join(home, '.config/pegboard'), { recursive: true })
    const own = join(home, '.config/pegboard/pegboard.json')
    write({ sources: { x: traced() } }, own)
    expect((await pegboardJson('check')).file).toBe(own)
    await pegboard('stdio', '--alone')
    expect(hasRun()).toBe(true)
    rmSync(marker)
    chmodSync(own, 0o666)
    expect(await refusedAt()).toContain(own)
  })

  const sharedWith = (group: number): void => {
    chownSync(file(), 0, group)
    chmodSync(file(), 0o664)
  }
  const linked = (owner: number): void => {
    const elsewhere = join(root, 'elsewhere.json')
    writeFileSync(elsewhere, readFileSync(file()))
    rmSync(file())
    symlinkSync(elsewhere, file())
    spawnSync('chown', ['-h', String(owner), file()])
  }
})

describe.runIf(hasScript)('the question on a terminal (S1)', () => {
  const ask = async (args: readonly string[], answer: string) => {
    const run = await onTerminal(args, [[/\[y\/N\] $/, answer]], { cwd: folder, home, columns: 1000, named: false })
    return { ...run, plain: stripVTControlCharacters(run.screen) }
  }

  it('shows what would start, and starts it after one yes', async () => {
    write({ sources: { x: traced() } })
    const { code, plain: screen } = await ask(['list'], 'y\r')
    expect(code).toBe(0)
    expect(screen).toContain('It would start:')
    expect(screen.replace(/\r?\n/g, '')).toContain(JSON.stringify(Object.values(traced()).flat()))
    expect(hasRun()).toBe(true)
    expect((await pegboard('list')).code).toBe(0)
  })

  it('takes anything else for no', async () => {
    write({ sources: { x: traced() } })
    expect((await ask(['list'], '\r')).code).toBe(3)
    expect(hasRun()).toBe(false)
    expect((await pegboard('list')).code).toBe(3)
  })

  it('prints nothing of the file that a terminal would act on', async () => {
    const evil = '\u001b[2J\u001b]52;c;eA==\u0007\u202e\u009b31m\r\nIt would start: nothing\u200b'
    write({ sources: { x: { command: 'sh', args: ['-c', evil], env: { A: evil }, description: evil } } })
    const { screen } = await ask(['trust'], 'n\r')
    const printed = screen.replaceAll('\r\n', '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(printed).not.toMatch(/\u001b\[2J|\u001b\]|\u0007|\u202e|\u009b|\u200b|^It would start: nothing/m)
    expect(printed).toContain('\\u001b[2J')
  })

  it('asks again only about what changed', async () => {
    write({ sources: { x: traced(), quiet: { url: 'http://127.0.0.1:9/mcp' } } })
    await pegboard('trust', '--yes')
    write({ sources: { x: traced('--more'), quiet: { url: 'http://127.0.0.1:9/mcp' } } })
    const { plain: screen } = await ask(['list', '--sources'], 'n\r')
    expect(screen).toContain('--more')
    expect(screen.split('[y/N]')[0]).not.toContain('quiet')
    expect(screen).toMatch(/x +stdio +pending/)
    expect(hasRun()).toBe(false)
  })
})
