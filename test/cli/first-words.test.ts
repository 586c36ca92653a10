import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bareEnv, cliPath } from '../helpers/run-cli.js'
import { greeted } from './greeted.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pegboard-words-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the first words of serve', () => {
  it('are true of a board with a source: nothing of the examples, and the configuration that was named', async () => {
    writeFileSync(
      join(home, 'team.json'),
      JSON.stringify({ sources: { asleep: { command: 'x', startOnDemand: true } } }),
    )
    const said = await greeted(home, ['--config', 'team.json'])
    expect(said).toContain('npx pegboard list --config team.json')
    expect(said).not.toContain('calculator')
  })

  it('carry the key where callers are asked for one, in Chinese where the shell speaks it', async () => {
    const said = await greeted(home, ['--enable-auth'], { LC_ALL: 'zh_CN.UTF-8' })
    expect(said).toContain('控制台')
    expect(said).toContain('export PEGBOARD_KEY=$(npx pegboard key create me)')
    expect(said).toMatch(/claude mcp add --transport http pegboard \S+ --header "Authorization: Bearer \$PEGBOARD_KEY"/)
  })
})

describe('a reader that leaves early', () => {
  it.each(['list', 'export', 'doctor', 'config schema'])('of %s is no failure', async (command) => {
    const words = command.split(' ').join("' '")
    const line = `set -o pipefail; '${process.execPath}' '${cliPath()}' '${words}' | head -c 1 > /dev/null`
    const child = spawn('bash', ['-c', line], { cwd: home, env: bareEnv(home) })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()))
    const [code] = (await once(child, 'close')) as [number]
    expect({ code, said }).toEqual({ code: 0, said: '' })
  })
})
