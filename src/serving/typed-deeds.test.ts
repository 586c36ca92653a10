import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { trailIn } from '../telemetry/audit-pages.js'
import { searchTrail } from '../telemetry/audit-search.js'
import { noteEdited, noteOwn, sourceDeed } from './typed-deeds.js'

let folder: string
let cwd: ReturnType<typeof vi.spyOn>
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-typed-deeds-'))
  said = []
  cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  for (const name of ['PEGBOARD_CONFIG', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME']) vi.stubEnv(name, undefined)
  vi.stubEnv('HOME', join(folder, 'home'))
  mkdirSync(join(folder, 'home'))
})
afterEach(() => {
  cwd.mockRestore()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const deedsIn = async (data: string) => {
  const { entries } = await searchTrail(trailIn(join(folder, data, 'audit')), { limit: 10 })
  return entries.filter(({ kind }) => kind !== 'system').map(({ action, on }) => `${action} ${on?.id}`)
}
const own = 'home/.local/share/pegboard'
const write = (config: object) => writeFileSync(join(folder, 'pegboard.json'), JSON.stringify(config))

describe('what was typed', () => {
  it('is in the trail of a file that was named', async () => {
    write({ storage: { path: './data' } })
    await noteEdited({ config: join(folder, 'pegboard.json') }, sourceDeed('add', 'a'), sourceDeed('add', 'b'))
    expect(await deedsIn('data')).toEqual(['add b', 'add a'])
    expect(await deedsIn(own)).toEqual([])
  })

  it('goes nowhere that a stranger’s file says: not into its folder, not to its address (S1)', async () => {
    const audit = { to: ['file', { webhook: 'http://127.0.0.1:9/canary', secret: 'x'.repeat(32) }] }
    write({ storage: { path: './theirs' }, telemetry: { audit } })
    await noteEdited({}, sourceDeed('enable', 'a'))
    await noteOwn({}, { kind: 'approval', action: 'trust', on: { type: 'config', id: 'x' }, outcome: 'ok' })
    expect(await deedsIn(own)).toEqual(['trust x', 'enable a'])
    expect(await deedsIn('theirs')).toEqual([])
    expect(said).toEqual([])
  })

  it('is told to be missing where there is no trail to be had, and fails nothing', async () => {
    mkdirSync(join(folder, 'open'), { mode: 0o777 })
    chmodSync(join(folder, 'open'), 0o777)
    await noteEdited({ here: false, dataPath: join(folder, 'open') }, sourceDeed('add', 'a'))
    expect(said.join('')).toContain('not in the audit trail')
    await noteEdited({ here: false, dataPath: join(folder, 'open') })
    expect(said).toHaveLength(1)
  })
})
