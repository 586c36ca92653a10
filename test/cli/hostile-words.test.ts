import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'

// util-linux and BSD have programs of this name; only the first takes a command and ends with its code.
const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false
if (!hasScript) console.log('Skipped: the terminal tests need the program `script` of util-linux.')

let home: string
let config: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-words-'))
  config = join(home, 'pegboard.json')
  const server = fileURLToPath(new URL('servers/hostile-words.mjs', import.meta.url))
  writeFileSync(
    config,
    // The scanner would hold them; what is shown when somebody lets them in is the question here.
    JSON.stringify({ sources: { up: { type: 'stdio', command: process.execPath, args: [server], scan: 'note' } } }),
  )
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const onTerminal = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const words = [process.execPath, cliPath(), ...args].map((word) => `'${word}'`).join(' ')
    const child = spawn('script', ['-qefc', `stty cols 200 rows 40; exec ${words}`, '/dev/null'], {
      cwd: home,
      env: bareEnv(home, { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env }),
    })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.on('error', reject)
    child.on('close', () => resolve(Buffer.concat(parts).toString()))
  })

// What our own colours and the line that says whom we wait for are made of.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const own = /\u001b\[(?:1|2|22|3[1-6]|39|9\d)m|\r\u001b\[2K|\r\n/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f]/

const commands = [
  ['call', 'up.ansi'],
  ['call', 'up.fails'],
  ['call', 'up.ansi', 'a=1', '--json'],
  ['list'],
  ['list', '--json'],
  ['list', '--sources'],
  ['search', 'something'],
  ['search', 'something', '--json'],
  ['inspect', 'up.ansi'],
  ['inspect', 'up.ansi', '--json'],
  ['doctor'],
  ['doctor', '--json'],
  ['approvals'],
  ['profile'],
]

describe.runIf(hasScript)('words of a hostile server on a terminal (S11, T21)', () => {
  it.each(commands)('%s %s %s %s', async (...args) => {
    const given = args.filter((word) => word !== undefined)
    const screen = await onTerminal([...given, '--config', config])
    expect(screen.length).toBeGreaterThan(0)
    expect(steering.exec(screen.replace(own, ''))).toBeNull()
    // Without colours of ours there is no excuse for any.
    const colourless = await onTerminal([...given, '--config', config], { NO_COLOR: '1' })
    expect(steering.exec(colourless.replaceAll('\r\u001b[2K', '').replaceAll('\r\n', ''))).toBeNull()
    expect(screen).not.toContain('\u001b[31mred')
  })

  it('are the same value in JSON, only spelt another way', async () => {
    const args = ['call', 'up.ansi', '--json', '--config', config]
    const piped = await runCli(args, { cwd: home, home })
    const screen = await onTerminal(args)
    const shown = screen.slice(screen.indexOf('{'), screen.lastIndexOf('}') + 1)
    expect(JSON.parse(shown)).toEqual(JSON.parse(piped.stdout))
    expect(shown).toContain('\\u202e')
  })

  it('are raw in a pipe', async () => {
    const { stdout } = await runCli(['call', 'up.ansi', '--config', config], { cwd: home, home })
    expect(stdout).toContain('\u001b[31mred\u001b[2J')
    expect(stdout).toContain('\u202e')
    expect(stdout).toContain('\u009b')
  })
})
