import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeArchive, makeBundle, manifestOf } from '../../test/helpers/bundle-file.js'
import { isGatewayError } from '../errors.js'
import { openBundle } from './bundle.js'
import { assertVersion, BundleShelf, toBundleName } from './shelf.js'

let root: string
let data: string
let shelf: BundleShelf
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pegboard-shelf-'))
  data = join(root, 'data')
  shelf = new BundleShelf(data, 'linux')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const record = { sha256: '', from: './hello.mcpb', installedAt: '2026-01-01T00:00:00.000Z', isSigned: false }
const put = async (file: Buffer, version = '1.2.0') => {
  const bundle = await openBundle(file)
  return shelf.put('hello', version, bundle, { ...record, sha256: bundle.sha256 })
}
const modeOf = (path: string): number => statSync(path).mode & 0o777
const binary = manifestOf({
  server: { type: 'binary', entry_point: 'bin/run', mcp_config: { command: 'bin/run' } },
})

describe('the shelf of bundles', () => {
  it('keeps what was unpacked for its owner alone, and makes nothing a program but what is started', async () => {
    const entries = [
      { name: 'bin/run', data: '#!', mode: 0o100644 },
      { name: 'bin/other', data: '#!', mode: 0o104777 },
    ]
    expect(await put(makeBundle(binary, entries))).toBe('unpacked')
    const folder = shelf.folderOf('hello', '1.2.0')
    expect([folder, join(folder, 'bin')].map(modeOf)).toEqual([0o700, 0o700])
    expect(modeOf(join(folder, 'bin/run'))).toBe(0o700)
    expect(modeOf(join(folder, 'bin/other'))).toBe(0o600)
    expect((await shelf.list()).map(({ name, version }) => `${name} ${version}`)).toEqual(['hello 1.2.0'])
  })

  it('leaves what lies there when the same comes again, and refuses another of the same version', async () => {
    const file = makeBundle()
    await put(file)
    expect(await put(file)).toBe('present')
    await expect(put(makeBundle(manifestOf({ description: 'another' })))).rejects.toThrow('with other contents')
    expect((await shelf.list())[0]!.manifest.description).toBe('Says hello')
  })

  it('has nothing of a bundle whose last file is damaged', async () => {
    const damaged = makeArchive([
      { name: 'manifest.json', data: manifestOf() },
      { name: 'server/index.mjs', data: 'fine' },
      { name: 'z', data: 'abc', crc: 1 },
    ])
    await expect(put(damaged)).rejects.toThrow('its sum is wrong')
    expect(readdirSync(join(data, 'bundles'))).toEqual([])
  })

  it('keeps secrets for their owner alone, whatever their keys are', async () => {
    await shelf.keepSecret('hello', 'api_key', 'hunter2')
    await shelf.keepSecret('hello', '..', 'hunter3')
    const file = shelf.secretFile('hello', 'api_key')
    expect([modeOf(file), readFileSync(file, 'utf8')]).toEqual([0o600, 'hunter2'])
    expect(shelf.secretFile('hello', '..')).toMatch(/secrets\/[0-9a-f]{32}$/)
    await shelf.keepSecret('hello', 'api_key', 'hunter4')
    expect(readFileSync(file, 'utf8')).toBe('hunter4')
    await shelf.remove('hello')
    expect(existsSync(file)).toBe(false)
  })

  it('writes nothing outside of its folder, whatever is done to the archive', async () => {
    const original = makeArchive([
      { name: 'manifest.json', data: manifestOf() },
      { name: 'server/index.mjs', data: 'export const a = 1\n'.repeat(20), method: 0 },
      { name: 'a/b/c', data: 'x' },
    ])
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(original.length - 1), fc.constantFrom(46, 47, 92, 58, 0, 255, 65)), {
          minLength: 1,
          maxLength: 8,
        }),
        async (changes) => {
          const file = Buffer.from(original)
          for (const [at, byte] of changes) file[at] = byte
          await put(file).catch((error: unknown) => {
            if (!isGatewayError(error)) throw error
          })
          expect(readdirSync(root).filter((name) => name !== 'data')).toEqual([])
          if (existsSync(data)) expect(readdirSync(data)).toEqual(['bundles'])
          if (existsSync(join(data, 'bundles'))) expect(readdirSync(join(data, 'bundles'))).toSatisfy(onlyHello)
          await shelf.remove('hello')
        },
      ),
      { numRuns: Number(process.env.FUZZ ?? 200) },
    )
  })
})

const onlyHello = (names: readonly string[]): boolean => names.every((name) => name === 'hello')

describe('the name of a bundle here', () => {
  it.each([
    ['My Nice Extension', 'my-nice-extension'],
    ['@scope/name', 'scope-name'],
    ['../../etc', 'etc'],
    ['a__b', 'a_b'],
    ['Café', 'cafe'],
  ])('of %s is %s', (own, here) => {
    expect(toBundleName(own)).toBe(here)
  })
  it('of one without plain letters is a hash, and never empty', () => {
    expect(toBundleName('你好')).toMatch(/^bundle-[0-9a-f]{8}$/)
    expect(toBundleName('..')).toMatch(/^bundle-[0-9a-f]{8}$/)
  })
  it.each(['..', '.', '', 'a/b', '1.0.json', 'secrets', '-1', 'x'.repeat(65)])('has no version %s', (version) => {
    expect(() => assertVersion(version)).toThrow('cannot be the name of a folder')
  })
})
