import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openJsonDocuments } from '../../src/storage/json/json-documents.js'
import { runCli } from '../helpers/run-cli.js'
import { temporaryFolders } from '../helpers/store-samples.js'
import { testVault } from '../helpers/test-vault.js'

describe('a start with a key of the vault that does not fit', () => {
  const newFolder = temporaryFolders()

  it('is refused by its code and its setting, and nothing is changed', async () => {
    const home = await newFolder()
    const folder = join(home, 'data')
    await mkdir(folder, { mode: 0o700 })
    const vault = testVault('the key that sealed it, long enough', openJsonDocuments({ folder, kind: 'vault' }))
    await vault
      .sealed(openJsonDocuments({ folder, kind: 'caller-sign-ins' }), 'caller-sign-ins')
      .put('a', { t: 'canary' })
    const files = () => Promise.all(['vault.json', 'caller-sign-ins.json'].map((name) => readFile(join(folder, name))))
    const before = await files()
    await writeFile(join(home, 'key'), 'another key, which is long enough too\n')
    const config = join(home, 'pegboard.json')
    await writeFile(
      config,
      JSON.stringify({ storage: { path: folder }, vault: { key: { file: join(home, 'key') } }, server: { port: 0 } }),
    )
    const refused = await runCli(['serve', '--config', config], { cwd: home, home })
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toMatch(/vault\.key.*vault\.previousKey.*pegboard vault rotate/s)
    expect(refused.stderr + refused.stdout).not.toMatch(/canary|another key/)
    expect(await files()).toEqual(before)
    const shown = await runCli(['vault', '--config', config, '--json'], { cwd: home, home })
    expect(JSON.parse(shown.stdout).kinds).toEqual([expect.objectContaining({ unreadable: 1 })])
  })
})
