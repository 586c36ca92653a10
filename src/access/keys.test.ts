import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { heldRoles, rightsOfRole } from '../model/role.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import { openSharedDocuments } from '../storage/open.js'
import { ensureAdminKey } from './admin-key.js'
import { identityId, identityOf } from './identity.js'
import { keyIdOf, parseStoredKey, toDocumentValue } from './key-record.js'
import { usageDelayMs } from './key-usage.js'
import { createKeys, forgetAfterMs, type Keys } from './keys.js'
import { generateKey } from './new-key.js'
import { createPeople } from './person-store.js'

const newFolder = temporaryFolders()
const openKeys = async (
  folder?: string,
  clock = new VirtualClock(),
): Promise<Keys & { readonly clock: VirtualClock }> => {
  const documents = openSharedDocuments('keys', {
    backend: folder ? 'json' : 'memory',
    path: folder,
  })
  return { ...(await createKeys({ documents, clock })), clock }
}
const problemOf = (check: ReturnType<Keys['verify']>) => (check.ok ? 'ok' : check.message)

describe('a key', () => {
  it('is rtk_ and 64 hexadecimal digits, shown once and kept as its SHA-256', async () => {
    const folder = await newFolder()
    await using keys = await openKeys(folder)
    const { key, record } = await keys.create({ name: 'ci', permission: 'write', owner: 'me', profile: 'small' })
    expect(key).toMatch(/^rtk_[0-9a-f]{64}$/)
    expect(record).toMatchObject({
      name: 'ci',
      role: 'publisher',
      permission: 'write',
      owner: 'me',
      profile: 'small',
      useCount: 0,
      lastUsed: null,
    })
    expect(record.hint).toBe(key.slice(0, 8))
    expect(JSON.stringify([record, await keys.list()])).not.toContain(key.slice(8))
    const stored = await readFile(join(folder, 'keys.json'), 'utf8')
    expect(stored).not.toContain(key.slice(8))
    expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600)
  })

  it.each(heldRoles)('has the rights of its role: %s', async (role) => {
    await using keys = await openKeys()
    const { key, record } = await keys.create({ name: 'a', role })
    const check = keys.verify(key)
    expect(check.ok && check.caller.rights).toEqual(rightsOfRole(role))
    expect(record.permission).toBe({ caller: 'read', publisher: 'write', admin: 'admin' }[role as string])
  })

  it('has one role: two words for it must agree', async () => {
    await using keys = await openKeys()
    expect((await keys.create({ name: 'a', role: 'caller', permission: 'read' })).record.role).toBe('caller')
    await expect(keys.create({ name: 'a', role: 'reader', permission: 'read' })).rejects.toThrow(
      "The permission 'read' is the role 'caller', not 'reader'",
    )
    await expect(keys.create({ name: 'a', role: 'none' as 'reader' })).rejects.toThrow('The role must be one of reader')
  })

  it('that an earlier version wrote is read as what it was; what it cannot say, it finds unreadable', () => {
    const stored = (words: Readonly<Record<string, unknown>>) => ({
      ...{ name: 'a', hint: 'rtk_1234', hash: 'a'.repeat(64), createdAt: 1, useCount: 0, lastUsed: null },
      ...words,
    })
    const roleOf = (words: Readonly<Record<string, unknown>>) => parseStoredKey('id', stored(words))?.role
    expect(roleOf({ permission: 'read' })).toBe('caller')
    expect(roleOf({ permission: 'write' })).toBe('publisher')
    expect(roleOf({ permission: 'admin' })).toBe('admin')
    expect(roleOf({ role: 'reader' })).toBe('reader')
    expect(roleOf({ role: 'caller', permission: 'read' })).toBe('caller')
    for (const wrong of [
      {},
      { role: 'none' },
      { role: 'root' },
      { role: 'reader', permission: 'admin' },
      { role: 'reader', permission: 'read' },
      { role: 'caller', permission: 'root' },
      { role: null, permission: 'read' },
    ])
      expect(roleOf(wrong), JSON.stringify(wrong)).toBeUndefined()
    // An earlier version asks for a permission: what has none opens nothing there.
    expect(toDocumentValue(generateKey({ name: 'a', role: 'reader' }, 1).stored).permission).toBeUndefined()
  })

  it.each([
    [undefined, ['discover', 'call']],
    ['read', ['discover', 'call']],
    ['write', ['discover', 'call', 'register']],
    ['admin', ['discover', 'call', 'register', 'look', 'operate', 'approve', 'admin', 'spawn']],
  ] as const)('of permission %s has the rights %j', async (permission, rights) => {
    await using keys = await openKeys()
    const { key, record } = await keys.create({ name: 'a', permission })
    expect(keys.verify(key)).toEqual({ ok: true, caller: { id: `key:${record.id}`, kind: 'key', name: 'a', rights } })
  })

  it('names its profile to whoever checks what it may see', async () => {
    await using keys = await openKeys()
    const { key } = await keys.create({ name: 'a', profile: 'small' })
    expect(keys.verify(key)).toMatchObject({ caller: { profile: 'small' } })
  })

  it.each([
    ['no name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(129) }],
    ['a line break in the name', { name: 'a\nb' }],
    ['an unknown permission', { name: 'a', permission: 'root' as 'read' }],
    ['no time', { name: 'a', expiresInSeconds: 0 }],
    ['half a second', { name: 'a', expiresInSeconds: 0.5 }],
    ['an age', { name: 'a', expiresInSeconds: 1e12 }],
    ['not a number', { name: 'a', expiresInSeconds: Number.NaN }],
    ['an empty profile', { name: 'a', profile: '' }],
  ])('is not made with %s', async (_, request) => {
    await using keys = await openKeys()
    await expect(keys.create(request)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
    expect(await keys.list()).toEqual([])
  })
})

describe('checking a key (002 compat 9)', () => {
  it('tells the cases apart, and never repeats the key', async () => {
    await using keys = await openKeys()
    const good = await keys.create({ name: 'good' })
    const short = await keys.create({ name: 'short', expiresInSeconds: 60 })
    const gone = await keys.create({ name: 'gone' })
    await keys.revoke(gone.record.id)
    await keys.clock.advance(60_000)
    const unknown = `rtk_${'0'.repeat(64)}`
    const answers = {
      missing: problemOf(keys.verify(undefined)),
      empty: problemOf(keys.verify('')),
      badFormat: problemOf(keys.verify('rtk_secret-of-mine')),
      unknown: problemOf(keys.verify(unknown)),
      expired: problemOf(keys.verify(short.key)),
      inactive: problemOf(keys.verify(gone.key)),
      readOnWrite: problemOf(keys.verify(good.key, 'register')),
    }
    expect(answers.missing).toMatch(/^API Key is required/)
    expect(answers.empty).toBe(answers.missing)
    for (const answer of [answers.badFormat, answers.unknown, answers.inactive])
      expect(answer).toMatch(/^Invalid API Key: /)
    expect(answers.expired).toMatch(/^API Key has expired: .*2026-11-15T00:01:00/)
    expect(answers.readOnWrite).toBe("Insufficient permissions: the right 'register' is required")
    expect(new Set(Object.values(answers)).size).toBe(6)
    for (const key of [good.key, short.key, gone.key, unknown, 'rtk_secret-of-mine'])
      expect(JSON.stringify(answers)).not.toContain(key)
  })

  it('accepts nothing that is not exactly a key it made', async () => {
    await using keys = await openKeys()
    const { key } = await keys.create({ name: 'a' })
    const near = [
      key.toUpperCase(),
      ` ${key}`,
      `${key} `,
      `${key}\n`,
      key.slice(0, -1),
      `${key}0`,
      key.replace('rtk_', 'gw_'),
    ]
    for (const text of near) expect(keys.verify(text)).toMatchObject({ ok: false, problem: 'invalid' })
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^rtk_[0-9a-f]{64}$/)), (text) => {
        fc.pre(text !== key && text !== '')
        expect(keys.verify(text)).toMatchObject({ ok: false, problem: 'invalid' })
      }),
    )
    expect(keys.verify(key)).toMatchObject({ ok: true })
  })
})

describe('a key with an owner', () => {
  it('acts as that person, as far as one is known', async () => {
    const clock = new VirtualClock()
    const people = await createPeople({ documents: createMemoryDocuments(), clock })
    const documents = createMemoryDocuments()
    await using keys = await createKeys({ documents, clock, ownerOf: (owner) => people.ownerOf(owner) })
    const [byAddress, byId, other] = [
      await keys.create({ name: 'a', owner: 'Alice@example.com' }),
      await keys.create({ name: 'b', owner: identityId('https://idp.example', 'alice') }),
      await keys.create({ name: 'c', owner: 'the night shift' }),
    ]
    const whoShows = (key: string) => {
      const check = keys.verify(key)
      return check.ok ? check.caller : undefined
    }
    expect(whoShows(byAddress.key)?.identity).toBeUndefined()
    const alice = identityOf({ issuer: 'https://idp.example', subject: 'alice', email: 'alice@example.com' })
    people.seen(alice)
    await people.end('person:nobody')
    for (const { key, record } of [byAddress, byId]) {
      expect(whoShows(key)).toMatchObject({ id: `key:${record.id}`, kind: 'key', identity: alice })
      // Whoever came in with it, and shows something else since.
      expect(keys.holderOf(record.id)).toBe(whoShows(key))
    }
    expect(whoShows(byId.key)).toBe(whoShows(byId.key))
    expect(whoShows(other.key)?.identity).toBeUndefined()
    // Of two who have the address neither is meant.
    people.seen(identityOf({ issuer: 'https://other.example', subject: 'mallory', email: 'ALICE@example.com' }))
    await people.end('person:nobody')
    expect(whoShows(byAddress.key)?.identity).toBeUndefined()
    expect(whoShows(byId.key)?.identity?.id).toBe(alice.id)
    expect(keys.holderOf(byAddress.record.id)?.identity).toBeUndefined()
    await keys.revoke(byId.record.id)
    expect(keys.holderOf(byId.record.id)).toBeUndefined()
    await people[Symbol.asyncDispose]()
  })
})

describe('revoking a key', () => {
  it('counts at once, is told, and happens once', async () => {
    await using keys = await openKeys()
    const { key, record } = await keys.create({ name: 'a' })
    const told: string[] = []
    keys.onRevoke((id) => void told.push(id))
    expect(await keys.revoke(record.id)).toBe(true)
    expect(await keys.revoke(record.id)).toBe(false)
    expect(await keys.revoke('nobody')).toBe(false)
    expect(keys.verify(key)).toMatchObject({ ok: false })
    expect(told).toEqual([record.id])
    expect(keys.active()).toEqual([])
  })

  it('by another process reaches the running one within a second (A8)', async () => {
    const folder = await newFolder()
    await using running = await openKeys(folder)
    const { key, record } = await running.create({ name: 'a' })
    // A use that is not written yet: writing it must not swallow the news.
    expect(running.verify(key).ok).toBe(true)
    let told: string | undefined
    running.onRevoke((id) => {
      told = id
    })
    {
      await using shell = await openKeys(folder)
      expect(await shell.revoke(record.id)).toBe(true)
    }
    // A second of the clock, and however long the disk takes to answer whoever looked in it.
    await running.clock.advance(1000)
    await expect.poll(() => told).toBe(record.id)
    expect(problemOf(running.verify(key))).toContain('revoked')
  })

  it('is not undone by a use that is counted later', async () => {
    const folder = await newFolder()
    await using running = await openKeys(folder)
    const { key, record } = await running.create({ name: 'a' })
    running.verify(key)
    {
      await using shell = await openKeys(folder)
      await shell.revoke(record.id)
    }
    expect(await running.list()).toMatchObject([{ useCount: 1, revokedAt: expect.any(Number) }])
  })

  it('is also told of a key whose time is up', async () => {
    await using keys = await openKeys()
    const { record } = await keys.create({ name: 'a', expiresInSeconds: 10 })
    const told: string[] = []
    keys.onRevoke((id) => void told.push(id))
    await keys.clock.advance(9_000)
    expect(told).toEqual([])
    await keys.clock.advance(2_000)
    expect(told).toEqual([record.id])
  })

  it('is remembered for a month, then forgotten', async () => {
    const clock = new VirtualClock()
    await using keys = await createKeys({ documents: createMemoryDocuments(), clock, followMs: forgetAfterMs })
    const { key, record } = await keys.create({ name: 'a' })
    await keys.revoke(record.id)
    await clock.advance(forgetAfterMs - 1000)
    await keys.create({ name: 'b' })
    expect(problemOf(keys.verify(key))).toContain('revoked')
    await clock.advance(2000)
    await keys.create({ name: 'c' })
    expect((await keys.list()).map(({ name }) => name)).toEqual(['b', 'c'])
  })
})

describe('uses of a key', () => {
  it('are written together, not one by one', async () => {
    const folder = await newFolder()
    await using keys = await openKeys(folder)
    const { key } = await keys.create({ name: 'a' })
    const file = join(folder, 'keys.json')
    const before = await readFile(file, 'utf8')
    for (let n = 0; n < 100; n++) keys.verify(key)
    keys.verify(key, 'admin')
    await keys.clock.advance(usageDelayMs - 1)
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await keys.list()).toMatchObject([{ useCount: 100, lastUsed: keys.clock.wall() - usageDelayMs + 1 }])
  })

  it('of two gateways add up', async () => {
    const folder = await newFolder()
    await using first = await openKeys(folder)
    const { key } = await first.create({ name: 'a' })
    {
      await using second = await openKeys(folder)
      second.verify(key)
      first.verify(key)
    }
    expect(await first.list()).toMatchObject([{ useCount: 2 }])
  })
})

describe('stored keys', () => {
  it('that are damaged keep a gateway from starting (F27)', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'keys.json'), '{"keys": [')
    await expect(openKeys(folder)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  it.each([
    ['an unreadable end', { expiresAt: 'never' }],
    ['an unreadable revocation', { revokedAt: true }],
    ['an unknown permission', { permission: 'root' }],
    ['an unreadable profile', { profile: 5 }],
  ])('with %s open nothing', async (_, change) => {
    const folder = await newFolder()
    await using keys = await openKeys(folder)
    const { key, record } = await keys.create({ name: 'a' })
    const documents = openSharedDocuments('keys', { backend: 'json', path: folder })
    await documents.update(record.id, (current) => ({ ...(current as object), ...change }) as never)
    await using again = await openKeys(folder)
    expect(again.verify(key)).toMatchObject({ ok: false })
    expect(await again.list()).toEqual([])
  })

  it('that vanish while running stay good, since nobody revoked them', async () => {
    const folder = await newFolder()
    await using keys = await openKeys(folder)
    const { key } = await keys.create({ name: 'a' })
    await writeFile(join(folder, 'keys.json'), 'garbage')
    for (let n = 0; n < 5; n++) await keys.clock.advance(500)
    expect(keys.verify(key)).toMatchObject({ ok: true })
  })
})

describe('the admin key', () => {
  it('is made once, in a file for its owner only (A3)', async () => {
    const folder = await newFolder()
    await using keys = await openKeys(folder)
    const made = await ensureAdminKey({ keys, folder })
    expect(made?.file).toBe(join(folder, 'admin.key'))
    expect((await stat(made!.file!)).mode & 0o777).toBe(0o600)
    expect((await readFile(made!.file!, 'utf8')).trim()).toBe(made!.key)
    expect(keys.verify(made!.key, 'admin')).toMatchObject({ ok: true })
    expect(await ensureAdminKey({ keys, folder })).toBeUndefined()
    await keys.revoke(made!.id)
    const next = await ensureAdminKey({ keys, folder })
    expect(next?.key).not.toBe(made!.key)
    expect((await readFile(next!.file!, 'utf8')).trim()).toBe(next!.key)
  })

  it('is one, whoever starts at the same moment (O6)', async () => {
    const folder = await newFolder()
    const boards = await Promise.all(Array.from({ length: 6 }, () => openKeys(folder)))
    const made = await Promise.all(boards.map((keys) => ensureAdminKey({ keys, folder })))
    const [winner, ...others] = made.filter((each) => each !== undefined)
    expect(others).toEqual([])
    expect((await readFile(join(folder, 'admin.key'), 'utf8')).trim()).toBe(winner!.key)
    await using late = await openKeys(folder)
    expect(late.active()).toHaveLength(1)
    await Promise.all(boards.map((keys) => keys[Symbol.asyncDispose]()))
  })

  it('that cannot be written is not kept', async () => {
    const folder = await newFolder()
    const file = join(folder, 'file')
    await writeFile(file, '')
    await using keys = await openKeys()
    await expect(ensureAdminKey({ keys, folder: file })).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect(keys.active()).toEqual([])
  })
})

describe('the caller of a key', () => {
  it('can be told from others', () => {
    expect(keyIdOf({ id: 'key:abc', rights: [] })).toBe('abc')
    for (const id of ['anonymous', 'token', 'local']) expect(keyIdOf({ id, rights: [] })).toBeUndefined()
  })
})
