import { hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeDocuments } from '../../test/contracts/documents.js'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { testVault } from '../../test/helpers/test-vault.js'
import type { JsonValue } from '../model/json.js'
import { silentLogger } from '../telemetry/logger.js'
import { openJsonDocuments } from './json/json-documents.js'
import { createMemoryDocuments } from './memory/memory-documents.js'
import { createVault } from './open-vault.js'
import type { SharedDocuments } from './store.js'
import { givenKeys, keptKeys, vaultFileIn } from './vault-keys.js'
import { deriveFrom, openValue, sealedBy, sealValue, vaultRootOf } from './vault-seal.js'

const kind = 'credentials'
const unreadable = { code: 'CREDENTIAL_UNREADABLE' }

describeDocuments(
  'sealed documents',
  async () => {
    const vault = testVault('one root for all of it, long enough')
    const sets = new Map<string, SharedDocuments>()
    return {
      documents: (of) => {
        const set = sets.get(of) ?? vault.sealed(createMemoryDocuments(), of)
        sets.set(of, set)
        return set
      },
      close: async () => {
        for (const set of sets.values()) await set[Symbol.asyncDispose]()
      },
    }
  },
  { survives: false, runs: 20 },
)

describe('a sealed value', () => {
  const root = vaultRootOf(randomBytes(32))
  const place = { kind, id: 'alice github' }
  const value = fc.jsonValue() as fc.Arbitrary<JsonValue>
  const id = fc.string({ minLength: 1, maxLength: 60 })

  it('opens where it was put, whatever it is', () => {
    fc.assert(
      fc.property(value, id, (content, of) => {
        const stored = sealValue(root, { kind, id: of }, content)
        expect(stored.sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/)
        expect(sealedBy(stored)).toBe(root.keyId)
        expect(JSON.stringify(openValue(root, { kind, id: of }, stored))).toBe(JSON.stringify(content))
      }),
    )
  })

  it('opens at no other id, kind or root', () => {
    fc.assert(
      fc.property(value, id, id, (content, here, there) => {
        fc.pre(here !== there)
        const stored = sealValue(root, { kind, id: here }, content)
        expect(openValue(root, { kind, id: there }, stored)).toBeUndefined()
        expect(openValue(root, { kind: `${kind}s`, id: here }, stored)).toBeUndefined()
        expect(openValue({ ...vaultRootOf('another'), keyId: root.keyId }, { kind, id: here }, stored)).toBeUndefined()
      }),
    )
  })

  it('does not open once any of its characters is another', () => {
    const text = sealValue(root, place, { token: 'canary', at: 1 }).sealed as string
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= '
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...letters), (at, letter) => {
        fc.pre(text[at] !== letter)
        const sealed = text.slice(0, at) + letter + text.slice(at + 1)
        expect(openValue(root, place, { sealed })).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
    for (const sealed of ['v1.', 'v1....', text.slice(0, -1), `${text}A`, `${text}.A`, text.replace('v1', 'v2')])
      expect(openValue(root, place, { sealed })).toBeUndefined()
  })

  it('is under a key of its own, which is HKDF of the root', () => {
    const keyed = vaultRootOf('a root that we know')
    const expected = hkdfSync('sha256', 'a root that we know', '', 'pegboard vault for checkpoints', 32)
    expect(deriveFrom(keyed, 'checkpoints')).toEqual(Buffer.from(expected))
    expect(deriveFrom(keyed, 'another')).not.toEqual(Buffer.from(expected))
  })
})

describe('the vault (I12)', () => {
  const open = (secrets: string | readonly string[], documents = createMemoryDocuments(), markers = documents) => {
    const vault = testVault(secrets, markers)
    return { vault, documents, sealed: vault.sealed(documents, kind) }
  }

  it('keeps nothing in the clear, and leaves the same content as it lies', async () => {
    const { documents, sealed } = open('first', createMemoryDocuments(), createMemoryDocuments())
    await sealed.put('alice github', { token: 'canary' })
    const lies = await documents.get('alice github')
    expect(JSON.stringify(lies)).not.toContain('canary')
    await sealed.update('alice github', (current) => current)
    expect(await documents.get('alice github')).toEqual(lies)
    await sealed.update('alice github', (current) => ({ ...(current as object), more: 1 }))
    expect(await sealed.get('alice github')).toEqual({ token: 'canary', more: 1 })
  })

  it('refuses a row that was put in the place of another, a changed one, and one in clear text, and writes over none', async () => {
    const { vault, documents, sealed } = open('first', createMemoryDocuments(), createMemoryDocuments())
    await sealed.put('alice github', { token: 'a' })
    await sealed.put('bob github', { token: 'b' })
    const alices = (await documents.get('alice github')) as { sealed: string }
    const planted: Record<string, JsonValue> = {
      'bob github': alices,
      'carol github': { sealed: `${alices.sealed.slice(0, -2)}AA` },
      'dave github': { token: 'planted' },
    }
    for (const [id, value] of Object.entries(planted)) await documents.put(id, value)
    for (const [id, value] of Object.entries(planted)) {
      await expect(sealed.get(id)).rejects.toMatchObject(unreadable)
      await expect(sealed.put(id, { token: 'new' })).rejects.toMatchObject(unreadable)
      await expect(sealed.putMany([{ id, value: 1 }])).rejects.toMatchObject(unreadable)
      await expect(sealed.update(id, () => 1)).rejects.toMatchObject(unreadable)
      await expect(sealed.addUnless(id, 1, () => false)).rejects.toMatchObject(unreadable)
      expect(await documents.get(id)).toEqual(value)
    }
    expect((await sealed.all()).map(({ id }) => id)).toEqual(['alice github'])
    expect(await sealed.unreadable()).toEqual(Object.keys(planted).sort())
    expect(await sealed.delete('dave github')).toBe(true)
    await sealed.put('dave github', { token: 'again' })
    expect(await sealed.get('dave github')).toEqual({ token: 'again' })
    expect(await vault.sealed(documents, 'other').all()).toEqual([])
  })

  it('reads sign-ins that lie in clear text, and seals them when they are next written', async () => {
    const documents = createMemoryDocuments()
    await documents.put('docs 1', { token: 'canary' })
    const sealed = testVault('first').sealed(documents, 'sign-ins')
    expect(await sealed.get('docs 1')).toEqual({ token: 'canary' })
    await sealed.update('docs 1', (current) => ({ ...(current as object), n: 2 }))
    expect(JSON.stringify(await documents.all())).not.toContain('canary')
  })

  it('puts down by which root it seals, and a start with another is refused', async () => {
    const markers = createMemoryDocuments()
    const { vault, sealed, documents } = open('first', createMemoryDocuments(), markers)
    await vault.check()
    expect(await markers.all()).toEqual([])
    await sealed.put('a', 1)
    await sealed.put('b', 2)
    expect((await markers.all()).map(({ id }) => id)).toEqual([kind])
    const before = await documents.all()
    const other = open('second', documents, markers)
    await expect(other.vault.check()).rejects.toMatchObject({
      ...unreadable,
      message: expect.stringMatching(/vault\.key.*vault\.previousKey.*pegboard vault rotate/s),
      details: { sealedBy: vault.keyId, known: [other.vault.keyId] },
    })
    for (const write of [
      () => other.sealed.put('c', 3),
      () => other.sealed.putMany([{ id: 'c', value: 3 }]),
      () => other.sealed.addUnless('c', 3, () => false),
      () => other.vault.sealed(createMemoryDocuments(), 'fresh').put('c', 3),
    ])
      await expect(write()).rejects.toMatchObject(unreadable)
    expect(await documents.all()).toEqual(before)
    expect((await markers.all()).length).toBe(1)
    const both = open(['second', 'first'], documents, markers)
    await both.vault.check()
    expect(await both.sealed.get('a')).toBe(1)
  })

  it('lets one of two roots win that begin at the same time', async () => {
    const markers = createMemoryDocuments()
    const ends = await Promise.allSettled(
      ['first', 'second'].map((secret) => open(secret, createMemoryDocuments(), markers).sealed.put('a', 1)),
    )
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('the key of a data folder', () => {
  const newFolder = temporaryFolders()
  const openAt = (folder: string) => {
    const markers = openJsonDocuments({ folder, kind: 'vault' })
    const vault = createVault({ keys: keptKeys(folder, silentLogger), markers, logger: silentLogger })
    return { vault, sealed: vault.sealed(openJsonDocuments({ folder, kind }), kind) }
  }

  it('is made when something is first sealed, for its owner alone, and is the same for all', async () => {
    const folder = await newFolder()
    const { vault, sealed } = openAt(folder)
    await vault.check()
    expect(await sealed.all()).toEqual([])
    expect(await sealed.get('a')).toBeUndefined()
    expect(existsSync(vaultFileIn(folder))).toBe(false)
    const others = Array.from({ length: 5 }, () => openAt(folder))
    await Promise.all(others.map((each, at) => each.sealed.put(`a${at}`, at)))
    expect(statSync(vaultFileIn(folder)).mode & 0o777).toBe(0o600)
    expect((await sealed.all()).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4])
  })

  it('is missed, not made anew, where something was sealed by it', async () => {
    const folder = await newFolder()
    await openAt(folder).sealed.put('a', 1)
    const key = readFileSync(vaultFileIn(folder))
    rmSync(vaultFileIn(folder))
    const { vault, sealed } = openAt(folder)
    await expect(vault.check()).rejects.toMatchObject(unreadable)
    await expect(sealed.put('b', 2)).rejects.toMatchObject(unreadable)
    expect(existsSync(vaultFileIn(folder))).toBe(false)
    writeFileSync(vaultFileIn(folder), key)
    expect(await openAt(folder).sealed.get('a')).toBe(1)
  })

  it('can be changed beside others who have not looked yet, and they seal by the new one from then on', async () => {
    const folder = await newFolder()
    const [running, command] = [openAt(folder), openAt(folder)]
    await running.sealed.put('a', 1)
    const old = running.vault.keyId
    const { keyId } = command.vault.keys.renew!()
    expect(keyId).not.toBe(old)
    await command.sealed.put('b', 2)
    expect(await running.sealed.get('b')).toBe(2)
    expect(running.vault.keyId).toBe(keyId)
    expect(await command.sealed.get('a')).toBe(1)
  })

  it('is refused where the file holds something else, and left as it is', async () => {
    const folder = await newFolder()
    const file = vaultFileIn(folder)
    for (const text of ['', 'short\n', `${'a'.repeat(43)}\n`.repeat(3), 'x'.repeat(5000)]) {
      writeFileSync(file, text)
      expect(() => keptKeys(folder, silentLogger).sealing()).toThrow(/does not hold the key/)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
    rmSync(file)
    writeFileSync(join(folder, 'elsewhere'), `${'a'.repeat(43)}\n`)
    symlinkSync(join(folder, 'elsewhere'), file)
    expect(() => keptKeys(folder, silentLogger).sealing()).toThrow(/does not hold the key/)
  })

  it.skipIf(process.platform === 'win32')('is told of and closed where everybody could read it', async () => {
    const folder = await newFolder()
    keptKeys(folder, silentLogger).sealing()
    chmodSync(vaultFileIn(folder), 0o644)
    const lines: string[] = []
    const logger = { ...silentLogger, log: (_level: string, text: string) => void lines.push(text) }
    keptKeys(folder, logger as typeof silentLogger).sealing()
    expect(lines).toEqual([expect.stringContaining('pegboard vault rotate')])
    expect(statSync(vaultFileIn(folder)).mode & 0o777).toBe(0o600)
  })
})

describe('keys that somebody else keeps', () => {
  it('are read again where one is met that is not known, and those before still open', () => {
    const [a, b] = [vaultRootOf('a'), vaultRootOf('b')]
    let file = [a]
    const keys = givenKeys('vault.key', file, () => file)
    file = [b]
    expect(keys.opening('nobodys')).toBeUndefined()
    expect(keys.sealing()).toBe(b)
    expect(keys.opening(a.keyId)).toBe(a)
  })
})
