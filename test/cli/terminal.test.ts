import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { hasScript, onTerminal as runOnTerminal } from '../helpers/terminal.js'

if (!hasScript) console.log('Skipped: the terminal tests need the program `script` of util-linux.')

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-terminal-'))
  mkdirSync(join(home, '.cursor'))
  const cursor = { mcpServers: { notes: { command: 'node', args: ['notes.js'] } } }
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify(cursor, null, 2))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const onTerminal = (args: readonly string[], answers: readonly (readonly [RegExp, string])[] = []) =>
  runOnTerminal(args, answers, { cwd: home, home })

const plain = (text: string): string => stripVTControlCharacters(text).replaceAll('\r\n', '\n').replaceAll(home, '~')
const hasColour = (text: string): boolean => text !== stripVTControlCharacters(text)

describe.runIf(hasScript)('on a terminal', () => {
  it('pegboard alone explains itself', async () => {
    const { code, screen } = await onTerminal([])
    expect(code).toBe(0)
    expect(plain(screen)).toMatchSnapshot()
  })

  it('doctor has colours, unless --no-color says otherwise', async () => {
    expect(hasColour((await onTerminal(['doctor'])).screen)).toBe(true)
    expect(hasColour((await onTerminal(['doctor', '--no-color'])).screen)).toBe(false)
    expect(hasColour((await runCli(['doctor'], { cwd: home, home })).stdout)).toBe(false)
    expect(hasColour((await runCli(['doctor'], { cwd: home, home, env: { FORCE_COLOR: '1' } })).stdout)).toBe(true)
  })

  it('call asks for the arguments that are missing', async () => {
    const { code, screen } = await onTerminal(['call', 'text_stats'], [[/text \(.*\): $/s, 'three small words\r']])
    expect(code).toBe(0)
    expect(plain(screen)).toMatch(/words\D+3/)
  })

  it('import asks before it writes; no is no', async () => {
    const file = join(home, 'pegboard.json')
    const refused = await onTerminal(['import'], [[/\[y\/N\] $/, 'n\r']])
    expect(plain(refused.screen)).toContain('Nothing was written.')
    expect(existsSync(file)).toBe(false)
    const accepted = await onTerminal(['import'], [[/\[y\/N\] $/, 'y\r']])
    expect(plain(accepted.screen)).toContain('Added 1 source, switched off.')
    expect(JSON.parse(readFileSync(file, 'utf8')).sources.notes.enabled).toBe(false)
    rmSync(file)
  })

  it('init counts the servers that it would bring in, this program not among them (U10)', async () => {
    const cursor = join(home, '.cursor', 'mcp.json')
    const before = readFileSync(cursor)
    const notes = { command: 'node', args: ['notes.js'] }
    const mcpServers = { notes, more: { command: 'node' }, pegboard: { command: 'npx', args: ['-y', 'pegboard'] } }
    writeFileSync(cursor, JSON.stringify({ mcpServers }))
    const { screen } = await onTerminal(
      ['init'],
      [
        [/Bring these 2 servers/, '\r'],
        [/Which clients shall use the board/, '\r'],
      ],
    )
    expect(plain(screen)).toContain('Added 2 sources, switched off.')
    rmSync(join(home, 'pegboard.json'))
    writeFileSync(cursor, before)
  })

  it('init guides by questions', async () => {
    const file = join(home, 'pegboard.json')
    const { code, screen } = await onTerminal(
      ['init'],
      [
        [/Bring this server/, '\r'],
        [/Which clients shall use the board/, '\r'],
      ],
    )
    expect({ code, screen: plain(screen) }).toMatchObject({
      code: 0,
      screen: expect.stringContaining(`Made ~/pegboard.json`),
    })
    expect(readFileSync(file, 'utf8')).toContain('"notes"')
    rmSync(file)
  })
})

describe('in a pipe', () => {
  const run = (...args: readonly string[]) => runCli(args, { cwd: home, home })

  it('list is a plain table', async () => {
    const { stdout } = await run('list')
    expect(hasColour(stdout)).toBe(false)
    expect(stdout).toMatchSnapshot()
  })

  it('import shows and writes nothing', async () => {
    expect((await run('import')).stdout.replaceAll(home, '~')).toMatchSnapshot()
  })

  it('export prints what to paste and nothing else on standard output', async () => {
    const { stdout, stderr } = await run('export', 'claude-code', '--http')
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { pegboard: { type: 'http', url: 'http://127.0.0.1:8000/mcp' } } })
    expect(stderr.replaceAll(home, '~')).toMatchSnapshot()
    expect((await run('export', 'cursor', '--http', '--port', '9001')).stdout).toContain(':9001/mcp')
    expect((await run('export', 'codex', '--http')).stdout).toBe(
      '[mcp_servers.pegboard]\nurl = "http://127.0.0.1:8000/mcp"\n',
    )
  })

  it('help lists the commands by what one wants to do', async () => {
    const { stdout } = await run('--help')
    const groups = ['Begin:', 'Serve:', 'Use tools:', 'Change sources:', 'Decide who sees what:', 'A running gateway:']
    expect(groups.filter((group) => !stdout.includes(`\n${group}\n`))).toEqual([])
  })
})
