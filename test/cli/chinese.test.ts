import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../helpers/run-cli.js'
import { greeted } from './greeted.js'
import { mistakes, writeMistakenFiles } from './mistakes.js'

const chinese = { LANG: 'zh_CN.UTF-8' }
const root = fileURLToPath(new URL('../..', import.meta.url))

let home: string
let careless: string
beforeAll(() => {
  careless = mkdtempSync(join(tmpdir(), 'pegboard-careless-'))
  writeMistakenFiles(careless)
  home = mkdtempSync(join(tmpdir(), 'pegboard-chinese-'))
  mkdirSync(join(home, '.cursor'))
  const notes = { command: 'node', args: ['notes.js'] }
  writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { notes } }, null, 2))
  const sources = {
    gone: { command: 'no-such-program-at-all' },
    crashes: { command: 'node', args: ['-e', 'process.exit(3)'] },
  }
  writeFileSync(join(home, 'sources.json'), JSON.stringify({ sources }))
})
afterAll(() => {
  for (const folder of [home, careless]) rmSync(folder, { recursive: true, force: true })
})

const han = /\p{Script=Han}/u

/**
 * Lines that say something in words. Left out are commands to be typed, and lines behind the first of an error of the
 * rooms, whose own words follow what their code means.
 */
const sentences = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /(?:[A-Za-z]{2,}[ ,;]+){2}[A-Za-z]{2,}/.test(withoutCommands(line)))

const withoutCommands = (line: string): string =>
  /^ {2}\S+:\d+:\d+/.test(line) ? '' : line.replace(/(?:pegboard|claude|code|codex) (?:[a-z-]+ ?)+/g, '')

const englishIn = (text: string): readonly string[] => sentences(text).filter((line) => !han.test(line))

const commands = [
  'doctor',
  'doctor -c sources.json',
  'list',
  'list -c sources.json',
  'list --sources -c sources.json',
  'search time --wide',
  'inspect calculator',
  'inspect gone -c sources.json',
  'check',
  'check -c sources.json',
  'config check',
  'profile list',
  'profile show default',
  'lock write',
  'lock diff',
  'import',
  'import --dry-run',
  'init --yes -c made.json',
  'connect cursor --dry-run',
  'add files -c added.json -- npx -y server',
  'disable files -c added.json',
  'remove files -c added.json',
  'export cursor',
  'key create me',
  'key list',
  'xiaozhi status',
  'webhooks',
  'plugins',
  'xiaozhi test --local',
  'auth',
  'version',
  'service status',
  'service logs',
  'service install --name ../x',
  'service install --env NOT_SET_HERE',
  'trust --list',
  'rules check',
  'scan',
  'tool list',
  'approvals',
  'approvals calls',
  'approve 3f2a',
  'deny 3f2a',
  'stats',
  'waiting',
  'fleet',
  'audit verify',
  'who nobody',
  'script run no-such-file.js',
]

describe('in a Chinese shell (U9)', () => {
  it.each(commands)('pegboard %s says every sentence in Chinese', async (words) => {
    const run = await runCli(words.split(' '), { cwd: home, home, env: chinese })
    const said = `${run.stdout}${run.stderr}`
    expect(englishIn(said)).toEqual([])
    expect(said).toMatch(han)
  })

  it.each(mistakes)('pegboard %s is told in Chinese, with the same code', async (args, code) => {
    const run = await runCli(args.split(' '), { cwd: careless, home: careless, env: chinese })
    expect({ code: run.code, english: englishIn(`${run.stderr}${run.stdout}`) }).toEqual({ code, english: [] })
    expect(run.stderr + run.stdout).toMatch(han)
  })

  it('doctor finds the same hop as in English', async () => {
    const { stdout } = await runCli(['doctor', '-c', 'sources.json'], { cwd: home, home, env: chinese })
    expect(stdout).toContain('crashes 在“启动”这一环失败')
    expect(stdout).toContain('gone 在“命令”这一环失败')
  })

  it('what programs read stays English, with its code', async () => {
    const failed = await runCli(['call', 'no.such', '--json'], { cwd: home, home, env: chinese })
    expect(failed.stderr).not.toMatch(han)
    expect(JSON.parse(failed.stderr).error).toMatchObject({ code: 'TOOL_NOT_FOUND' })
    const found = await runCli(['doctor', '--json'], { cwd: home, home, env: chinese })
    expect(found.stdout).not.toMatch(han)
  })

  it('the first words of serve, its key and the link to its console included, are Chinese', async () => {
    const said = await greeted(home, [], chinese)
    expect(said).toMatch(/管理密钥：在 \S+admin\.key 中/)
    expect(said).toMatch(/打开控制台：http:\/\/\S+\/ 并粘贴密钥/)
    expect(englishIn(said)).toEqual([])
  })

  it('the pages that are made from the program are English all the same', () => {
    const env = { ...process.env, ...chinese, LC_ALL: '' }
    const { status, stderr } = spawnSync('node', ['scripts/docs.mjs', '--check'], { cwd: root, env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})
