import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { identityOf } from '../../access/identity.js'
import { createKeys } from '../../access/keys.js'
import { createPeople } from '../../access/person-store.js'
import { createSessions } from '../../access/session-store.js'
import { loadConfig } from '../../config/load.js'
import { systemClock } from '../../model/clock.js'
import { auditFolder } from '../../serving/audit-trail.js'
import { openStorage } from '../../storage/open.js'
import { trailIn } from '../../telemetry/audit-pages.js'
import { searchTrail } from '../../telemetry/audit-search.js'
import { endPerson, listPeople, showPerson } from './people.js'

const issuer = 'https://idp.example'
const alice = identityOf({ issuer, subject: 'a1', name: 'alice', email: 'alice@example.com', groups: ['eng'] })
const [bob, twin] = ['b1', 'b2'].map((subject) => identityOf({ issuer, subject, name: 'bob' }))

let folder: string
let said: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-people-'))
  writeFileSync(join(folder, 'pegboard.json'), '{}')
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += String(text)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const flags = (json?: true) => ({ config: join(folder, 'pegboard.json'), dataPath: join(folder, 'data'), json })

const open = async () => {
  const storage = await openStorage({ backend: 'json', path: join(folder, 'data') })
  const clock = systemClock
  const people = await createPeople({ documents: storage.shared('people'), clock })
  const sessions = await createSessions({
    documents: storage.shared('sessions'),
    secrets: storage.shared('session-secrets'),
    clock,
  })
  const keys = await createKeys({ documents: storage.shared('keys'), clock })
  return {
    ...{ people, sessions, keys },
    [Symbol.asyncDispose]: async () => {
      for (const each of [people, sessions, keys, storage]) await each[Symbol.asyncDispose]()
    },
  }
}

const fill = async () => {
  await using opened = await open()
  for (const each of [alice, bob!, twin!]) opened.people.seen(each)
  await opened.people.end('person:nobody')
  const client = { id: 'https://claude.ai/client', name: 'Claude' }
  const endsAt = Date.now() + 60_000
  const session = await opened.sessions.begin({
    ...{ kind: 'client', identity: alice, client, endsAt, secrets: { refreshToken: 'canary' } },
  })
  const { key } = await opened.keys.create({ name: 'hers', owner: 'alice@example.com' })
  return { session, key }
}

describe('pegboard people', () => {
  it('lists who was here and shows one of them, without what opens anything', async () => {
    const { session } = await fill()
    await listPeople(flags(true))
    expect(JSON.parse(said)).toHaveLength(3)
    expect(JSON.parse(said)).toContainEqual(
      expect.objectContaining({ id: alice.id, email: 'alice@example.com', state: 'signed-in', sessions: 1 }),
    )
    said = ''
    await showPerson('Alice@example.com', flags(true))
    expect(JSON.parse(said)).toMatchObject({
      ...{ id: alice.id, groups: ['eng'] },
      signedIn: [{ kind: 'client', client: 'Claude' }],
      keys: [{ name: 'hers', state: 'active' }],
    })
    said = ''
    await showPerson(alice.id, flags())
    await listPeople(flags())
    expect(said).toContain('Claude')
    expect(said).toContain('signed in')
    expect(said).not.toContain(session.id)
    expect(said).not.toContain('canary')
  })

  it('says that nobody was here', async () => {
    await listPeople(flags())
    expect(said).toContain('Nobody has signed in yet.')
  })

  it('ends one of them: sessions, tokens of the provider, keys they own', async () => {
    const { session, key } = await fill()
    await endPerson('alice', flags(true))
    expect(JSON.parse(said)).toEqual({ id: alice.id, state: 'ended', sessions: 1, keys: 1 })
    {
      await using opened = await open()
      expect(opened.sessions.find(session.id)).toBeUndefined()
      expect(await opened.sessions.secretsOf(session.id)).toBeUndefined()
      expect(opened.keys.verify(key)).toMatchObject({ ok: false })
      expect(opened.people.isEnded(alice.id, session.createdAt)).toBe(true)
    }
    // Who did it stands in the trail, although no gateway ran.
    const { config } = await loadConfig({ file: flags().config, cwd: folder, env: {}, flags: flags() })
    const { entries } = await searchTrail(trailIn(auditFolder(config)), { limit: 5, kind: 'person' })
    expect(entries).toMatchObject([
      { action: 'end', actor: { type: 'local', via: 'cli' }, on: { type: 'person', id: alice.id }, outcome: 'ok' },
    ])
    said = ''
    await endPerson(alice.id, flags())
    expect(said).toContain('"role": "none"')
    said = ''
    await listPeople(flags(true))
    expect(JSON.parse(said)).toContainEqual(expect.objectContaining({ id: alice.id, state: 'ended' }))
  })

  it.each([
    ['nobody', "Nobody called 'nobody' was here. See them with: pegboard people list"],
    ['alice@example.con', 'did you mean "alice@example.com"?'],
    ['bob', `2 people are called 'bob'. Say which, by id: `],
  ])('ends nobody by a word that could be anybody: %s', async (who, told) => {
    await fill()
    await expect(endPerson(who, flags())).rejects.toMatchObject({ message: expect.stringContaining(told) })
  })

  it('has nobody in memory', async () => {
    await expect(listPeople({ ...flags(), storageBackend: 'memory' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })
})
