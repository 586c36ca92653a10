import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import type { Config } from '../config/schema.js'
import { openStorage } from '../storage/open.js'
import { vaultFileIn } from '../storage/vault-keys.js'
import { silentLogger } from '../telemetry/logger.js'
import { openVault } from './vault.js'

const newFolder = temporaryFolders()
type Place = Config['vault']['key']

const open = async (
  path: string,
  vault: { key?: Place | undefined; previousKey?: Place | undefined },
  more: { env?: object | undefined; lazily?: true | undefined } = {},
) => {
  const storage = await openStorage({ backend: 'json', path })
  const config = { vault, fleet: { previousSecrets: [] }, storage: { backend: 'json', path } } as unknown as Config
  const secrets: string[] = []
  const opened = await openVault(config, {
    storage,
    logger: silentLogger,
    env: (more.env ?? {}) as Record<string, string>,
    fleetSecret: async () => 'of the fleet',
    onSecret: (secret) => void secrets.push(secret),
    when: more.lazily ? 'lazily' : 'at once',
  })
  return { vault: opened, secrets, sealed: opened.sealed(storage.shared('credentials'), 'credentials') }
}

const good = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE='
const better = 'a phrase that is long enough and hard to guess'

describe('vault.key', () => {
  it('is a variable, a file or what a command says, and the same key by any of them', async () => {
    const folder = await newFolder()
    const file = join(folder, 'key')
    writeFileSync(file, `${good}\n`)
    const ways: NonNullable<Place>[] = [
      { env: 'KEY' },
      { file },
      { command: [process.execPath, '-e', `process.stdout.write('${good}\\n')`] },
    ]
    const opened = await Promise.all(ways.map((key) => open(folder, { key }, { env: { KEY: good } })))
    await opened[0]!.sealed.put('a', 1)
    for (const { vault, sealed, secrets } of opened) {
      expect(vault.keyId).toBe(opened[0]!.vault.keyId)
      expect(await sealed.get('a')).toBe(1)
      expect(secrets).toContain(good)
    }
    expect(existsSync(vaultFileIn(folder))).toBe(false)
  })

  it.each([
    ['a variable that is not set', { env: 'MISSING' }, /MISSING is not set/],
    ['a short one', { env: 'SHORT' }, /32 are needed/],
    ['too little as hex', { env: 'HEX' }, /it has 16 bytes/],
    ['one letter again and again', { env: 'SAME' }, /handful of characters/],
    ['a file that is missing', { file: '/nowhere/key' }, /cannot be read/],
    ['a folder', { file: '/' }, /cannot be read/],
    ['a command that fails', { command: [process.execPath, '-e', "console.log('canary'); process.exit(3)"] }, /exit 3/],
    ['a command that is missing', { command: ['/nowhere/command', 'canary'] }, /ENOENT/],
    [
      'a command that says too much',
      { command: [process.execPath, '-e', "process.stdout.write('canary'.repeat(1e5))"] },
      /ENOBUFS/,
    ],
  ] as const)('is refused at the start: %s', async (_what, key, message) => {
    const folder = await newFolder()
    const env = { SHORT: 'short', HEX: 'a1b2c3d4'.repeat(4), SAME: 'a'.repeat(64) }
    const failed = await open(folder, { key: key as Place }, { env }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) })
    expect(String(failed)).toMatch(/vault\.key/)
    expect(String(failed)).not.toMatch(/canary|a1b2c3d4/)
    // Whoever seals nothing does not need it.
    await open(folder, { key: key as Place }, { env, lazily: true })
  })

  it('refuses a start with another key, and takes it with the earlier one beside it', async () => {
    const folder = await newFolder()
    const env = { OLD: good, NEW: better }
    const first = await open(folder, { key: { env: 'OLD' } }, { env })
    await first.sealed.put('a', 1)
    const unreadable = { code: 'CREDENTIAL_UNREADABLE', message: expect.stringContaining('vault.key') }
    await expect(open(folder, { key: { env: 'NEW' } }, { env })).rejects.toMatchObject(unreadable)
    await expect(open(folder, {}, { env })).rejects.toMatchObject(unreadable)
    expect(existsSync(vaultFileIn(folder))).toBe(false)
    const both = await open(folder, { key: { env: 'NEW' }, previousKey: { env: 'OLD' } }, { env })
    expect(await both.sealed.get('a')).toBe(1)
    await both.sealed.put('a', 2)
    await expect(first.sealed.get('a')).rejects.toMatchObject(unreadable)
    const back = await open(folder, { previousKey: { env: 'OLD' } }, { env }).catch((error: unknown) => error)
    expect(back).not.toBeInstanceOf(Error)
  })

  it('is refused at the start where the key of before is the same one', async () => {
    const vault = { key: { env: 'NEW' }, previousKey: { env: 'OLD' } }
    const failed = await open(await newFolder(), vault, { env: { OLD: good, NEW: good } }).catch((error) => error)
    expect(failed).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('vault.previousKey') })
    expect(String(failed)).not.toContain(good)
  })

  it('is by default a file of the data folder, that nobody makes before something is sealed', async () => {
    const folder = await newFolder()
    const { vault, sealed } = await open(folder, {})
    expect(await sealed.all()).toEqual([])
    expect(existsSync(vaultFileIn(folder))).toBe(false)
    await sealed.put('a', 1)
    expect(existsSync(vaultFileIn(folder))).toBe(true)
    expect(vault.derive('audit')).toHaveLength(32)
    expect(await (await open(folder, {})).sealed.get('a')).toBe(1)
  })
})
