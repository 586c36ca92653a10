import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type MadeArchive,
  type MadeEntry,
  makeArchive,
  makeBundle,
  manifestOf,
  signatureBlock,
} from '../../test/helpers/bundle-file.js'
import { isGatewayError } from '../errors.js'
import { openBundle } from './bundle.js'
import { bundleLimits } from './limits.js'

const reasonOf = async (file: Buffer, ...rules: readonly Parameters<typeof openBundle>[1][]): Promise<string> => {
  try {
    const bundle = await openBundle(file, rules[0])
    for (const entry of bundle.entries) if (entry.kind === 'file') await bundle.unpack(entry)
    return 'taken'
  } catch (error) {
    if (!isGatewayError(error) || error.code !== 'SOURCE_INVALID') throw error
    return error.message
  }
}

const withEntries = (...entries: readonly MadeEntry[]): Buffer =>
  makeArchive([{ name: 'manifest.json', data: manifestOf() }, ...entries])

describe('a bundle that is as it should be (N17)', () => {
  it('is read: its manifest, its files, its hash', async () => {
    const file = makeBundle()
    const bundle = await openBundle(file, { sha256: createHash('sha256').update(file).digest('hex').toUpperCase() })
    expect(bundle.manifest).toMatchObject({ name: 'hello', version: '1.2.0', format: '0.3' })
    expect(bundle.entries.map(({ name }) => name)).toEqual(['manifest.json', 'server/index.mjs'])
    expect((await bundle.unpack(bundle.entries[1]!)).toString()).toBe('process.exit(0)')
    expect(bundle.isSigned).toBe(false)
  })

  it('may be stored as well as deflated, with folders named beside their files', async () => {
    const file = withEntries(
      { name: 'a/b.txt', data: 'x', method: 0 },
      { name: 'a/', mode: 0o040755, method: 0 },
      { name: '说明/读我.md', data: '你好' },
      { name: 'empty', data: '' },
    )
    expect(await reasonOf(file)).toBe('taken')
  })

  it('may carry a signature, behind the archive or in its comment; it is told and not believed', async () => {
    const plain = makeBundle()
    const behind = Buffer.concat([plain, signatureBlock()])
    const block = signatureBlock(4000)
    const inside = makeArchive([{ name: 'manifest.json', data: manifestOf() }], { comment: block })
    expect((await openBundle(behind)).isSigned).toBe(true)
    expect((await openBundle(inside)).isSigned).toBe(true)
  })

  it('may be of the format from before it was called MCPB', async () => {
    const manifest = JSON.stringify({ ...JSON.parse(manifestOf()), manifest_version: undefined, dxt_version: '0.1' })
    expect((await openBundle(makeBundle(manifest))).manifest.format).toBe('0.1')
  })
})

describe('a bundle that is refused', () => {
  it.each<[string, MadeEntry]>([
    ['leads out of its folder', { name: '../evil' }],
    ['leads out of its folder', { name: 'a/../../evil' }],
    ['leads out of its folder', { name: 'a/./b' }],
    ['begins at the root', { name: '/etc/passwd' }],
    ['has a colon', { name: 'C:/evil' }],
    ['has a colon', { name: 'file.txt:stream' }],
    ['has a backslash', { name: '..\\evil' }],
    ['has an empty part', { name: 'a//b' }],
    ['nobody sees', { name: 'a\u0000b' }],
    ['nobody sees', { name: 'a\u001b[2Jb' }],
    ['nobody sees', { name: 'gpj.\u202eexe' }],
    ['not UTF-8', { name: Buffer.from([0x61, 0xff]) }],
    ['a device', { name: 'server/NUL.txt' }],
    ['a dot or a space', { name: 'manifest.json.' }],
    ['is empty', { name: '/', mode: 0o040755, method: 0 }],
    ['deep', { name: `${'a/'.repeat(40)}b` }],
    ['longer than', { name: `${'a/'.repeat(600)}b` }],
    ['is a link', { name: 'link', data: '/etc/passwd', mode: 0o120777 }],
    ['neither a file nor a folder', { name: 'pipe', mode: 0o010644 }],
    ['is encrypted', { name: 'x', flags: 0x801 }],
    ['by method 12', { name: 'x', method: 12 }],
    ['sum is wrong', { name: 'x', data: 'abc', crc: 1 }],
    ['another size', { name: 'x', data: 'abcdef', size: 3 }],
    ['another size', { name: 'x', data: 'abc', size: 6 }],
    ['do not agree', { name: 'x', data: 'abc', method: 0, size: 6 }],
    ['two ways', { name: 'x', data: 'abc', localName: 'y' }],
    ['ends behind', { name: 'x', data: 'abc', packedSize: 100_000_000, size: 3 }],
    ['ZIP64', { name: 'x', data: 'abc', size: 0xffffffff }],
    ['has contents', { name: 'folder/', data: 'abc', mode: 0o040755 }],
    ['stands in it twice', { name: 'manifest.json', data: '{}' }],
    ['are one name', { name: 'MANIFEST.json', data: '{}' }],
    ['both a file and a folder', { name: 'manifest.json/x' }],
  ])('because it %s', async (reason, entry) => {
    expect(await reasonOf(withEntries(entry))).toContain(reason)
  })

  it('because two of its files share bytes, which is how a small one becomes terabytes', async () => {
    const inner = { name: 'inner', data: 'abc' }
    const whole = makeArchive([inner])
    const outer = { name: 'outer', data: whole.subarray(0, whole.indexOf('PK\u0001\u0002')), method: 0 }
    const file = makeArchive([outer, { ...inner, offset: 30 + outer.name.length }])
    expect(await reasonOf(file)).toContain("'outer' and 'inner' share bytes")
  })

  it('because two spellings of one letter are one name on some disks', async () => {
    expect(await reasonOf(withEntries({ name: 'caf\u00e9' }, { name: 'cafe\u0301' }))).toContain('are one name')
    expect(await reasonOf(withEntries({ name: 'stra\u00dfe' }, { name: 'STRASSE' }))).toContain('are one name')
    expect(await reasonOf(withEntries({ name: 'A/x' }, { name: 'a/y' }))).toContain('are one name')
  })

  it.each<[string, MadeArchive]>([
    ['directory is damaged', { count: 9 }],
    ['something besides its entries', { count: 0 }],
    ['several parts', { disk: 1 }],
    ['not where it says', { directoryOffset: 3 }],
    ['ZIP64', { count: 0xffff }],
    ['ZIP64', { directoryOffset: 0xffffffff }],
  ])('because its %s', async (reason, archive) => {
    expect(await reasonOf(makeArchive([{ name: 'manifest.json', data: manifestOf() }], archive))).toContain(reason)
  })

  it('because it can be read as two archives', async () => {
    const inner = makeBundle()
    const end = Buffer.concat([inner.subarray(-22)])
    const outer = makeArchive([{ name: 'manifest.json', data: manifestOf() }], { comment: end })
    expect(await reasonOf(outer)).toContain('two archives')
  })

  it('because it is a bomb, by its own word or in truth', async () => {
    const zeros = Buffer.alloc(20 * 1024 * 1024)
    expect(await reasonOf(withEntries({ name: 'zeros', data: zeros }))).toContain('as a bomb does')
    expect(await reasonOf(withEntries({ name: 'zeros', data: zeros, size: 10 }))).toContain('another size')
    const small = { ...bundleLimits, unpackedBytes: 1000, entryBytes: 800, entries: 3 }
    expect(await reasonOf(withEntries({ name: 'x', data: 'y'.repeat(801) }), { limits: small })).toContain('800 are')
    const two = withEntries({ name: 'x', data: 'y'.repeat(700) }, { name: 'z', data: 'y'.repeat(700) })
    expect(await reasonOf(two, { limits: small })).toContain('1000 are the most')
    const many = withEntries({ name: 'a' }, { name: 'b' }, { name: 'c' })
    expect(await reasonOf(many, { limits: small })).toContain('3 are the most')
    const deep = withEntries({ name: 'a/b/c/d/e/f/g' })
    expect(await reasonOf(deep, { limits: small })).toContain('files and folders')
    expect(await reasonOf(makeBundle(), { limits: { ...bundleLimits, fileBytes: 10 } })).toContain('10 are the most')
  })

  it('because its bytes are not those that were promised', async () => {
    expect(await reasonOf(makeBundle(), { sha256: 'a'.repeat(64) })).toContain('was expected')
    expect(await reasonOf(makeBundle(), { sha256: 'abc' })).toContain('64 hex digits')
  })

  it('because it is no archive, or has no manifest', async () => {
    expect(await reasonOf(Buffer.from('hello'))).toContain('no ZIP archive')
    expect(await reasonOf(Buffer.alloc(0))).toContain('no ZIP archive')
    expect(await reasonOf(makeArchive([{ name: 'x' }]))).toContain('no manifest.json')
  })

  it.each([
    ['not JSON', '{'],
    ['no object', '[]'],
    ['duplicate-key', '{"name":"a","name":"b"}'],
    ['depth', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
    ["'/name' is required", '{"version":"1","server":{"type":"node","entry_point":"a"}}'],
    ['/version', manifestOf({ version: '../1' })],
    ['/server/type', manifestOf({ server: { type: 'shell', entry_point: 'a' } })],
    ['mcp_config', manifestOf({ server: { type: 'node', entry_point: 'a' } })],
    ['begin with 0', manifestOf({ manifest_version: '7.0' })],
    ['manifest_version', JSON.stringify({ ...JSON.parse(manifestOf()), manifest_version: undefined })],
    ['/user_config', manifestOf({ user_config: { 'a b': { type: 'string' } } })],
  ])('because its manifest is wrong: %s', async (reason, manifest) => {
    expect(await reasonOf(makeBundle(manifest))).toContain(reason)
  })

  it('because its manifest is too large', async () => {
    const manifest = manifestOf({ long: 'x'.repeat(bundleLimits.manifestBytes) })
    expect(await reasonOf(makeBundle(manifest))).toContain('its manifest.json has')
  })
})

describe('a bundle that was altered', () => {
  const original = makeArchive([
    { name: 'manifest.json', data: manifestOf() },
    { name: 'server/index.mjs', data: 'export const a = 1\n'.repeat(50) },
    { name: 'server/', mode: 0o040755, method: 0 },
    { name: 'data.bin', data: Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256)), method: 0 },
  ])

  it('is taken or refused with a reason, and nothing else, wherever its bytes differ', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(original.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        fc.nat(original.length),
        fc.boolean(),
        async (changes, cut, isCut) => {
          const file = Buffer.from(original)
          for (const [at, byte] of changes) file[at] = byte
          expect(await reasonOf(isCut ? file.subarray(0, cut) : file)).toMatch(/^taken$|^The bundle is refused: /)
        },
      ),
      { numRuns: Number(process.env.FUZZ ?? 600) },
    )
  })

  it('never gives a name that leads out of its folder', async () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', 'a', 'B', '~', 'C:', '\\', '..\\', 'nul', ' '), fc.string())
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), fc.boolean(), async (parts, atRoot) => {
        const name = `${atRoot ? '/' : ''}${parts.join('/')}`
        if (name === '' || Buffer.byteLength(name) > 60_000) return
        const bundle = await openBundle(withEntries({ name })).catch(() => undefined)
        for (const entry of bundle?.entries ?? []) {
          const resolved = new URL(entry.name.split('/').map(encodeURIComponent).join('/'), 'file:///base/')
          expect(resolved.pathname.startsWith('/base/')).toBe(true)
          expect(entry.name).not.toMatch(/(?:^|\/)\.\.(?:\/|$)|^\/|\\|:/)
        }
      }),
      { numRuns: 400 },
    )
  })
})
