import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { identityOf } from '../../access/identity.js'
import { createPeople } from '../../access/person-store.js'
import { systemClock } from '../../model/clock.js'
import { openKeys } from '../../serving/access.js'
import { readConfig } from '../../serving/read-config.js'
import { storageOf } from '../../serving/storage.js'
import { silentLogger } from '../../telemetry/logger.js'
import { who } from './who.js'

const issuer = 'https://idp.example.com'
const config = {
  server: { publicUrl: 'https://tools.example.com' },
  auth: {
    tokens: [{ issuer }, { issuer: 'https://jobs.example.com', subjects: 'machines', claims: { groups: 'roles' } }],
    grants: [
      { groups: ['platform'], role: 'admin', profiles: ['*'] },
      { groups: ['eng', 'sre'], role: 'caller', profiles: ['eng', 'default'], limits: { callsPerMinute: 120 } },
      { clients: ['ci-bot'], role: 'reader', profiles: ['eng'] },
      { people: ['eve@example.com'], role: 'none' },
    ],
  },
  profiles: { eng: {} },
}

let folder: string
let written: string
let flags: { readonly config: string; readonly dataPath: string }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-who-'))
  flags = { config: join(folder, 'pegboard.json'), dataPath: join(folder, 'data') }
  writeFileSync(flags.config, JSON.stringify(config))
  written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (name: string | undefined, more: object = {}): Promise<any> => {
  written = ''
  await who(name, { ...flags, json: true, ...more })
  return JSON.parse(written)
}
const askClaims = (claims: unknown, more: object = {}): Promise<any> => {
  const file = join(folder, 'claims.json')
  writeFileSync(file, typeof claims === 'string' ? claims : JSON.stringify(claims))
  return ask(undefined, { claims: file, ...more })
}

describe('pegboard who', () => {
  it('takes the claims as they are typed, for somebody who is still to come', async () => {
    expect(await ask(undefined, { claims: '{"groups":["sre"]}' })).toMatchObject({
      role: 'caller',
      who: { kind: 'person' },
    })
    expect(await ask(undefined, { claims: ' {"email":"eve@example.com","email_verified":true}' })).toMatchObject({
      role: 'none',
    })
    await expect(ask(undefined, { claims: '{groups' })).rejects.toMatchObject({
      code: 'ARGUMENTS_INVALID',
      message: expect.stringContaining('--claims holds no claims'),
    })
    await expect(ask('nobody@example.com')).rejects.toThrow(`pegboard who --claims '{"groups":["eng"]}'`)
  })

  it('says which row counts for these claims, why earlier ones do not, and what follows', async () => {
    const told = await askClaims({ iss: issuer, sub: 'ann', preferred_username: 'Ann', groups: ['sre'] })
    expect(told).toMatchObject({
      who: { kind: 'person', name: 'Ann' },
      role: 'caller',
      rights: ['discover', 'call'],
      profiles: ['eng', 'default'],
      endpoints: [
        'https://tools.example.com/mcp',
        'https://tools.example.com/mcp/eng',
        'https://tools.example.com/mcp/default',
      ],
      limits: { callsPerMinute: 120 },
      steps: [
        { row: 0, missed: [{ condition: 'groups', why: 'not-named' }] },
        { row: 1, by: { condition: 'groups', entry: 'sre' } },
      ],
    })
  })

  it('says it in words, for people', async () => {
    const file = join(folder, 'claims.json')
    writeFileSync(file, JSON.stringify({ iss: issuer, sub: 'eve', email: 'eve@example.com', email_verified: false }))
    await who(undefined, { ...flags, claims: file })
    expect(written).toContain('row 1 → admin  groups [platform]: no groups are known of them')
    expect(written).toContain('row 3 → reader  clients [ci-bot]: for machines')
    expect(written).toContain('row 4 → none  people [eve@example.com]: the issuer has not verified an address')
    expect(written).toContain('No row fits')
    expect(written).toContain('May do nothing here.')
    written = ''
    writeFileSync(file, JSON.stringify({ iss: issuer, sub: 'eve', email: 'eve@example.com', email_verified: true }))
    await who(undefined, { ...flags, claims: file })
    expect(written).toContain('row 4 → none  fits by people: eve@example.com')
    expect(written).toContain('May do nothing here.')
  })

  it('takes the claims by the names of their issuer, tells machines from people, and narrows by scopes', async () => {
    const bot = await askClaims({ iss: 'https://jobs.example.com', sub: 'ci-bot' })
    expect(bot).toMatchObject({ who: { kind: 'machine' }, role: 'reader', rights: ['discover', 'call:readonly'] })
    const narrow = { iss: issuer, sub: 'root', groups: 'platform', scope: 'mcp:read openid' }
    expect(await askClaims(narrow)).toMatchObject({ role: 'admin', rights: ['discover', 'call:readonly'] })
    expect(await askClaims(narrow, { scopes: 'board:view' })).toMatchObject({ rights: ['look'] })
    expect((await askClaims(narrow)).endpoints).toContain('https://tools.example.com/mcp/eng')
  })

  it('knows who was here, and keys by name', async () => {
    const { config: loaded } = await readConfig(flags)
    {
      await using storage = await storageOf(loaded, silentLogger)
      await using people = await createPeople({ documents: storage.shared('people'), clock: systemClock })
      people.seen(identityOf({ issuer, subject: 'ann', name: 'Ann', email: 'ann@example.com', groups: ['eng'] }))
      await using keys = await openKeys(storage, silentLogger)
      await keys.create({ name: 'ci', role: 'reader', profile: 'eng' })
      await keys.create({ name: 'two' })
      await keys.create({ name: 'two', role: 'viewer' })
    }
    expect(await ask('ann@example.com')).toMatchObject({ who: { name: 'Ann' }, role: 'caller' })
    expect(await ask(undefined, { claims: 'Ann' })).toMatchObject({ role: 'caller' })
    expect(await ask('ci')).toMatchObject({
      who: { kind: 'key', name: 'ci' },
      role: 'reader',
      profiles: ['eng'],
      steps: [],
      endpoints: ['https://tools.example.com/mcp', 'https://tools.example.com/mcp/eng'],
    })
    await expect(ask('two')).rejects.toThrow("2 keys are called 'two'")
    await expect(ask('nobody')).rejects.toMatchObject({ exitCode: 2 })
  })

  it('says what is wrong with what it is given', async () => {
    await expect(ask(undefined)).rejects.toThrow('Say who')
    await expect(ask('ann', { claims: 'x' })).rejects.toThrow('Say who')
    await expect(askClaims('not json')).rejects.toThrow('holds no claims')
    await expect(askClaims(['a'])).rejects.toThrow('holds no claims')
    await expect(askClaims({ iss: issuer })).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' })
  })
})
