import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareEnv, cliPath, runCli } from '../helpers/run-cli.js'
import { greeted } from './greeted.js'

const hasScript = spawnSync('script', ['--version']).stdout?.toString().includes('util-linux') ?? false
if (!hasScript) console.log('Skipped: one test needs the program `script` of util-linux.')

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-told-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const adminKey = (): string => readFileSync(join(home, 'data', 'admin.key'), 'utf8').trim()

describe('the admin key (S17)', () => {
  it('is not told where no terminal is; the name of its file is', async () => {
    const said = await greeted(home, ['--data-path', join(home, 'data')])
    expect(said).toContain(`Admin key: in ${join(home, 'data', 'admin.key')}`)
    expect(said).not.toContain(adminKey())
    expect(said).not.toContain('rtk_')
  })

  it('is told nowhere by a gateway that keeps nothing', async () => {
    const said = await greeted(home, ['--storage-backend', 'memory'])
    expect(said).toContain('Admin key: made, and not shown')
    expect(said).not.toContain('rtk_')
  })

  it.runIf(hasScript)('is told on a terminal, with the link that has it', async () => {
    const words = [process.execPath, cliPath(), 'serve', '--port', '0', '--data-path', join(home, 'data')].map(
      (word) => `'${word}'`,
    )
    const child = spawn('script', ['-qefc', `stty cols 400; exec ${words.join(' ')}`, '/dev/null'], {
      cwd: home,
      env: bareEnv(home, { TERM: 'xterm', SHELL: '/bin/sh' }),
    })
    let screen = ''
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        screen += chunk.toString()
        if (screen.includes('Ctrl+C')) resolve()
      })
    })
    child.stdin.write('\x03')
    await once(child, 'close')
    expect(stripVTControlCharacters(screen)).toMatch(
      new RegExp(`Open the console: http://127.0.0.1:\\d+/#key=${adminKey()}`),
    )
  })
})

describe('a secret typed as a flag (S25)', () => {
  it('is warned about, with the variable to use instead', async () => {
    const token = 'canary-token-0123456789'
    const typed = await greeted(home, ['--token', token])
    expect(typed).toContain('--token can be read by every user of this machine')
    expect(typed).toContain('PEGBOARD_TOKEN')
    expect(typed).not.toContain(token)
    expect(await greeted(home, [], { PEGBOARD_TOKEN: token })).not.toContain('can be read by every user')
    const stats = await runCli(['stats', '--key', 'rtk_canary', '--port', '1', '--json'], { cwd: home, home })
    expect(JSON.parse(stats.stderr.split('\n')[0]!).warning).toContain('PEGBOARD_ADMIN_KEY')
    expect(stats.stderr).not.toContain('rtk_canary')
  })
})
