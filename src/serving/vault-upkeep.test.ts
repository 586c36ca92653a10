import { readFileSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import type { Config } from '../config/schema.js'
import { openStorage } from '../storage/open.js'
import { vaultFileIn } from '../storage/vault-keys.js'
import { silentLogger } from '../telemetry/logger.js'
import { openVault } from './vault.js'
import { openVaultUpkeep } from './vault-upkeep.js'

const newFolder = temporaryFolders()
type Keys = Partial<Config['vault']>

const env = {
  A: 'the first of the keys, long enough for anybody',
  B: 'the second key, which is longer than thirty-two bytes',
}
const configOf = (path: string, vault: Keys): Config =>
  ({
    vault,
    fleet: { previousSecrets: [] },
    storage: { backend: 'json', path, onCorrupt: 'refuse', connections: 1 },
  }) as unknown as Config

/** A gateway that runs, as far as its credentials go. */
const running = async (path: string, vault: Keys = {}) => {
  const storage = await openStorage({ backend: 'json', path })
  const around = { storage, logger: silentLogger, env, fleetSecret: async () => undefined, onSecret: () => {} }
  const opened = await openVault(configOf(path, vault), { ...around, when: 'at once' })
  const raw = storage.shared('credentials')
  return { vault: opened, raw, sealed: opened.sealed(raw, 'credentials'), signIns: storage.shared('sign-ins') }
}
const upkeep = (path: string, vault: Keys = {}, fromDefault = false) =>
  openVaultUpkeep(configOf(path, vault), { logger: silentLogger, env, fromDefault })
const rotate = async (
  path: string,
  vault: Keys = {},
  more: { readonly fromDefault?: true | undefined; readonly forget?: true | undefined } = {},
) => {
  await using opened = await upkeep(path, vault, more.fromDefault === true)
  return await opened.rotate({ forget: more.forget === true, onProgress: () => {} })
}

describe('pegboard vault', () => {
  it('says that nothing is sealed, and makes nothing', async () => {
    const folder = await newFolder()
    await using opened = await upkeep(folder)
    expect(await opened.status()).toMatchObject({ keyId: undefined, kinds: [] })
    expect(() => readFileSync(vaultFileIn(folder))).toThrow(/ENOENT/)
  })

  it('changes the key of a data folder beside a gateway that runs, which reads and writes on', async () => {
    const folder = await newFolder()
    const gateway = await running(folder)
    await gateway.sealed.putMany(Array.from({ length: 1200 }, (_, at) => ({ id: `c${at}`, value: at })))
    await gateway.signIns.put('docs 1', { token: 'in clear' })
    const old = gateway.vault.keyId
    const rotated = await rotate(folder)
    expect(rotated).toMatchObject({ before: old, resealed: 1201, forgotten: 0 })
    expect(rotated.keyId).not.toBe(old)
    expect(rotated.kinds).toEqual([
      { kind: 'credentials', count: 1200, current: 1200, earlier: 0, clear: 0, unreadable: 0 },
      { kind: 'sign-ins', count: 1, current: 1, earlier: 0, clear: 0, unreadable: 0 },
    ])
    expect(await gateway.sealed.get('c7')).toBe(7)
    await gateway.sealed.put('c7', 'again')
    expect(gateway.vault.keyId).toBe(rotated.keyId)
    expect(JSON.stringify(await gateway.signIns.all())).not.toContain('in clear')
    expect(await (await running(folder)).sealed.get('c7')).toBe('again')
    expect((await rotate(folder)).before).toBe(rotated.keyId)
    expect((await (await running(folder)).sealed.all()).length).toBe(1200)
  })

  it('goes on where it was interrupted, with rows left or with markers alone', async () => {
    const folder = await newFolder()
    const gateway = await running(folder)
    await gateway.sealed.putMany(Array.from({ length: 20 }, (_, at) => ({ id: `c${at}`, value: at })))
    const made = gateway.vault.keys.renew!()
    await gateway.sealed.put('c3', 'by the new one')
    expect(await rotate(folder)).toMatchObject({ before: undefined, keyId: made.keyId, resealed: 19 })
    const next = gateway.vault.keys.renew!()
    for (const { id, value } of await gateway.raw.all())
      await gateway.raw.put(id, gateway.vault.resealed('credentials', id, value)!)
    expect(await rotate(folder)).toMatchObject({ before: undefined, keyId: next.keyId, resealed: 0 })
    expect(await (await running(folder)).sealed.get('c3')).toBe('by the new one')
  })

  it('is one at a time: a second is refused, and nothing is lost whoever was first', async () => {
    const folder = await newFolder()
    const gateway = await running(folder)
    await gateway.sealed.putMany(Array.from({ length: 1200 }, (_, at) => ({ id: `c${at}`, value: at })))
    const ends = await Promise.allSettled(Array.from({ length: 4 }, () => rotate(folder)))
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    expect(ends.some(({ status }) => status === 'fulfilled')).toBe(true)
    for (const reason of refused)
      expect(reason).toMatchObject({ code: 'STORE_UNREADABLE', message: expect.stringContaining('vault rotate') })
    expect((await (await running(folder)).sealed.all()).length).toBe(1200)
    expect(await rotate(folder)).toMatchObject({ kinds: [{ current: 1200, unreadable: 0 }] })
  })

  it('goes from one configured key to another, after which the earlier one is not needed', async () => {
    const folder = await newFolder()
    const first = { key: { env: 'A' } }
    const both = { key: { env: 'B' }, previousKey: { env: 'A' } }
    await (await running(folder, first)).sealed.put('a', 1)
    expect(await rotate(folder, both)).toMatchObject({ before: undefined, resealed: 1 })
    const { sealed } = await running(folder, { key: { env: 'B' } })
    expect(await sealed.get('a')).toBe(1)
    await expect(running(folder, first)).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' })
  })

  it('goes from the key of the folder to a configured one when it is told to, and not by itself', async () => {
    const folder = await newFolder()
    await (await running(folder)).sealed.put('a', 1)
    const key = { key: { env: 'A' } }
    await expect(running(folder, key)).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' })
    expect(await rotate(folder, key)).toMatchObject({ resealed: 0, kinds: [{ unreadable: 1 }] })
    await expect(running(folder, key)).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' })
    expect(await rotate(folder, key, { fromDefault: true })).toMatchObject({ resealed: 1, kinds: [{ unreadable: 0 }] })
    expect(await (await running(folder, key)).sealed.get('a')).toBe(1)
  })

  it('makes no key in the place of one that is missing, unless what it sealed shall be forgotten', async () => {
    const folder = await newFolder()
    const gateway = await running(folder)
    await gateway.sealed.put('a', 1)
    rmSync(vaultFileIn(folder))
    await expect(rotate(folder)).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' })
    expect(() => readFileSync(vaultFileIn(folder))).toThrow(/ENOENT/)
    expect(await rotate(folder, {}, { forget: true })).toMatchObject({ forgotten: 1, kinds: [] })
    const after = await running(folder)
    await after.sealed.put('a', 2)
    expect(await after.sealed.get('a')).toBe(2)
  })
})
