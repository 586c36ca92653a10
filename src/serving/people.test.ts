import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '../../test/helpers/headless-browser.js'
import { startIdentityProvider, type TestProvider } from '../../test/helpers/identity-provider.js'
import { until } from '../../test/helpers/virtual-clock.js'
import { identityOf } from '../access/identity.js'
import { createKeys } from '../access/keys.js'
import { loadConfig } from '../config/load.js'
import { systemClock } from '../model/clock.js'
import { openStorage } from '../storage/open.js'
import type { Vault } from '../storage/vault.js'
import type { Deed } from '../telemetry/deed.js'
import { silentLogger } from '../telemetry/logger.js'
import { CurrentConfig } from './current.js'
import { openPeople } from './people.js'

let provider: TestProvider
beforeAll(async () => {
  provider = await startIdentityProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

const redirectUri = 'http://127.0.0.1:9/callback'
const grants = [
  { groups: ['eng'], role: 'caller' },
  { groups: ['ops'], role: 'admin' },
]
// What it seals is connect's to prove; here it only has to come from a vault.
const vault: Pick<Vault, 'sealed'> = { sealed: (documents) => ({ ...documents, unreadable: async () => [] }) }

const read = async (folder: string, auth: object) => {
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify({ server: { publicUrl: 'http://127.0.0.1:9' }, auth }))
  return (await loadConfig({ file, cwd: folder, env: {}, flags: { dataPath: join(folder, 'data') } })).config
}

const openTeam = async (people: object | undefined = {}, folder = mkdtempSync(join(tmpdir(), 'pegboard-people-'))) => {
  folders.push(folder)
  const { issuer, clientId, clientSecret } = provider
  provider.allowRedirect(redirectUri)
  const auth = { people: people && { issuer, clientId, clientSecret, ...people }, tokens: [{ issuer }], grants }
  const config = await read(folder, auth)
  const current = new CurrentConfig(config)
  const storage = await openStorage({ backend: 'json', path: join(folder, 'data') })
  const keys = await createKeys({ documents: storage.shared('keys'), clock: systemClock })
  const deeds: Deed[] = []
  const note = (deed: Deed) => void deeds.push(deed)
  const opened = await openPeople(current, { storage, vault, keys, logger: silentLogger, note, machines: () => [] })
  const left: string[] = []
  opened.onLeave((id) => void left.push(id))
  return {
    ...{ opened, keys, deeds, left, folder },
    reload: async (rows: readonly object[]) => current.change(await read(folder, { ...auth, grants: rows })),
    close: async () => {
      await opened[Symbol.asyncDispose]()
      await keys[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
    },
  }
}

const alice = identityOf({
  issuer: 'https://idp.example',
  subject: 'alice',
  email: 'alice@example.com',
  groups: ['eng'],
})
const hour = 60 * 60_000

describe('people of a configuration', () => {
  it('sign in at the provider it names, by a fetch that goes nowhere else', async () => {
    const team = await openTeam()
    provider.signsInAs = 'alice'
    const round = { redirectUri, state: 's'.repeat(16), nonce: 'n'.repeat(16), codeVerifier: 'v'.repeat(43) }
    const url = await team.opened.provider!.begin(round)
    const { url: back } = await createBrowser().open(url.href, (each) => each.startsWith(redirectUri))
    const { identity } = await team.opened.provider!.finish(new URL(back).searchParams, round)
    expect(identity).toMatchObject({ subject: 'alice', groups: ['eng'] })
    await team.close()
  })

  it('are asked by the provider what the configuration says', async () => {
    const round = { redirectUri, state: 's'.repeat(16), nonce: 'n'.repeat(16), codeVerifier: 'v'.repeat(43) }
    for (const prompt of [undefined, 'consent', 'select_account consent']) {
      const team = await openTeam({ prompt })
      expect((await team.opened.provider!.begin(round)).searchParams.get('prompt')).toBe(prompt ?? null)
      await team.close()
    }
    for (const prompt of ['none', '', 'consent&x=1', 'consent  login'])
      await expect(openTeam({ prompt }), prompt).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it('need no provider where they sign in with keys', async () => {
    const team = await openTeam({ issuer: undefined, clientId: undefined, clientSecret: undefined })
    expect(team.opened.provider).toBeUndefined()
    expect(team.opened.awaySince()).toBeUndefined()
    const { record } = await team.keys.create({ name: 'mine' })
    const { id } = await team.opened.sessions.begin({ kind: 'client', keyId: record.id, endsAt: Date.now() + hour })
    await team.keys.revoke(record.id)
    await until(() => team.opened.sessions.find(id) === undefined)
    await team.close()
  })

  it('are ended with all they have: sessions, keys they own; others hear of it', async () => {
    const here = await openTeam()
    const there = await openTeam({}, here.folder)
    here.opened.people.seen(alice)
    await here.opened.people.end('person:nobody')
    const { id } = await here.opened.sessions.begin({ kind: 'client', identity: alice, endsAt: Date.now() + hour })
    const owned = await here.keys.create({ name: 'hers', owner: alice.id })
    const byAddress = await here.keys.create({ name: 'hers too', owner: 'Alice@example.com' })
    const other = await here.keys.create({ name: 'his', owner: 'bob@example.com' })
    const ended: string[] = []
    here.opened.onEnd((who) => void ended.push(who))
    await there.opened.sessions.findFresh(id)
    await until(() => there.opened.people.find(alice.id) !== undefined)
    const actor = { id: 'key:a', type: 'key' } as const
    expect(await there.opened.end(alice.id, actor)).toBe(true)
    expect(await there.opened.end('person:nobody', actor)).toBe(false)
    expect(there.opened.sessions.find(id)).toBeUndefined()
    expect(there.deeds).toMatchObject([{ kind: 'person', action: 'end', actor, on: { id: alice.id } }])
    await until(() => here.left.includes(alice.id) && here.opened.sessions.find(id) === undefined)
    await until(() => here.keys.active().length === 1)
    expect(here.keys.verify(owned.key).ok || here.keys.verify(byAddress.key).ok).toBe(false)
    expect(here.keys.verify(other.key).ok).toBe(true)
    expect(ended).toEqual([alice.id])
    // Who signs in again after that is somebody the provider still vouches for.
    const again = await here.opened.sessions.begin({ kind: 'client', identity: alice, endsAt: Date.now() + hour })
    expect(here.opened.sessions.find(again.id)).toBeDefined()
    await here.close()
    await there.close()
  })

  it('are told apart when a row changes: whose rights are others, leaves what is open', async () => {
    const team = await openTeam()
    const bob = identityOf({ issuer: 'https://idp.example', subject: 'bob', groups: ['ops'] })
    for (const each of [alice, bob]) team.opened.people.seen(each)
    await team.opened.people.end('person:nobody')
    await team.reload([{ groups: ['eng'], role: 'reader' }, grants[1]!])
    expect(team.left).toEqual([alice.id])
    await team.reload([{ groups: ['eng'], role: 'reader' }])
    expect(team.left).toEqual([alice.id, bob.id])
    // Whatever stands above it: a row that says the same is the same.
    await team.reload([
      { people: ['carol@example.com'], role: 'none' },
      { groups: ['eng'], role: 'reader' },
    ])
    expect(team.left).toEqual([alice.id, bob.id])
    await team.close()
  })
})
