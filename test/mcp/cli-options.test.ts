import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtCli } from '../helpers/built-cli.js'
import { fixtureCommand } from '../helpers/fixture-servers.js'

let folder: string
let config: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-cli-'))
  config = join(folder, 'pegboard.json')
  writeFileSync(config, JSON.stringify({ sources: { raw: { type: 'stdio', ...fixtureCommand('stdio-raw') } } }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('options of the command line', () => {
  it.each([
    ['behind', (file: string) => ['call', '--config', file, 'raw.add', 'a=19', 'b=23']],
    ['before', (file: string) => ['--config', file, 'call', 'raw.add', 'a=19', 'b=23']],
  ])('may stand %s the command', (_where, args) => {
    const stdout = execFileSync(process.execPath, [builtCli(), ...args(config), '--data-path', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(stdout.trim()).toBe('42')
  })
})
