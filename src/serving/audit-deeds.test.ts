import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../config/load.js'
import type { Config } from '../config/schema.js'
import { trailIn } from '../telemetry/audit-pages.js'
import { searchTrail } from '../telemetry/audit-search.js'
import type { Deed } from '../telemetry/deed.js'
import { noteReload, noteTyped } from './audit-deeds.js'
import { auditFolder } from './audit-trail.js'

const folder = mkdtempSync(join(tmpdir(), 'pegboard-deeds-'))
const config = async (): Promise<Config> =>
  (await loadConfig({ cwd: folder, env: {}, flags: { dataPath: join(folder, 'data') } })).config

describe('what a reload changes', () => {
  it('is told by name, of grants by hash, and not at all where nothing did', async () => {
    const before = await config()
    const told: Deed[] = []
    noteReload((deed) => void told.push(deed), before, before)
    expect(told).toEqual([])
    const source = { type: 'stdio', command: 'canary-command' }
    const now = {
      ...before,
      sources: { files: source },
      auth: { ...before.auth, grants: [{ groups: ['canary-group'], role: 'caller' }] },
    } as unknown as Config
    noteReload((deed) => void told.push(deed), before, now)
    noteReload((deed) => void told.push(deed), now, before)
    const names = told.map(({ kind, action, on }) => [kind, action, on?.id])
    expect(names).toEqual([
      ['source', 'add', 'files'],
      ['grant', 'change', 'auth.grants'],
      ['setting', 'reload', 'auth'],
      ['source', 'remove', 'files'],
      ['grant', 'change', 'auth.grants'],
      ['setting', 'reload', 'auth'],
    ])
    expect([told[1]!.before, told[1]!.after]).toEqual([told[4]!.after, told[4]!.before])
    expect(JSON.stringify(told)).not.toContain('canary')
  })
})

describe('links to voice devices', () => {
  it('are told when they come, change and go; one without a name by a hash of its address', async () => {
    const before = await config()
    const device = { url: 'wss://devices.example/mcp?token=canary-token', profile: 'default' }
    const having = (...endpoints: readonly object[]): Config =>
      ({ ...before, xiaozhi: { ...before.xiaozhi, endpoints } }) as unknown as Config
    const told: Deed[] = []
    const note = (deed: Deed) => void told.push(deed)
    noteReload(note, having(), having(device, { ...device, name: 'kitchen' }))
    noteReload(note, having({ ...device, name: 'kitchen' }), having({ ...device, name: 'kitchen', profile: 'home' }))
    noteReload(note, having({ ...device, name: 'kitchen' }), having())
    const names = told
      .filter(({ on }) => on?.type === 'xiaozhi')
      .map(({ action, on, profile }) => [action, on?.id, profile])
    expect(names).toEqual([
      ['add', expect.stringMatching(/^[0-9a-f]{12}$/), 'default'],
      ['add', 'kitchen', 'default'],
      ['change', 'kitchen', 'home'],
      ['remove', 'kitchen', 'default'],
    ])
    expect(told.every(({ kind, outcome }) => kind === 'setting' && outcome === 'ok')).toBe(true)
    expect(JSON.stringify(told)).not.toContain('canary')
  })
})

describe('a command that changes what is kept', () => {
  it('is in the trail under the name of whoever typed it', async () => {
    const own = await config()
    await noteTyped(own, { kind: 'key', action: 'create', on: { type: 'key', id: 'k1' }, outcome: 'ok' })
    const { entries } = await searchTrail(trailIn(auditFolder(own)), { limit: 5, kind: 'key' })
    expect(entries).toMatchObject([{ action: 'create', actor: { type: 'local', via: 'cli' }, on: { id: 'k1' } }])
    rmSync(folder, { recursive: true, force: true })
  })
})
