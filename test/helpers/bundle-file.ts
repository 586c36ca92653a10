import { deflateRawSync } from 'node:zlib'
import { crcOf } from '../../src/bundles/unpack-entry.js'

/** One entry of an archive, with whatever shall be wrong with it. */
export interface MadeEntry {
  readonly name: string | Buffer
  readonly data?: string | Buffer | undefined
  readonly method?: number | undefined
  readonly mode?: number | undefined
  readonly flags?: number | undefined
  readonly crc?: number | undefined
  /** What it says it unpacks to. */
  readonly size?: number | undefined
  readonly packedSize?: number | undefined
  /** Another name in the header before its bytes. */
  readonly localName?: string | undefined
  /** Points at the header of an earlier entry. */
  readonly offset?: number | undefined
}

export interface MadeArchive {
  readonly comment?: Buffer | undefined
  readonly count?: number | undefined
  readonly disk?: number | undefined
  readonly directoryOffset?: number | undefined
}

/** A ZIP archive, written out by hand so that each field can be a lie. */
export const makeArchive = (entries: readonly MadeEntry[], archive: MadeArchive = {}): Buffer => {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const data = Buffer.from(entry.data ?? '')
    const name = Buffer.from(entry.name)
    const method = entry.method ?? 8
    const packed = method === 8 ? deflateRawSync(data) : data
    const fields = Buffer.alloc(16)
    fields.writeUInt16LE(entry.flags ?? 0x800, 0)
    fields.writeUInt16LE(method, 2)
    const sums = Buffer.alloc(12)
    sums.writeUInt32LE(entry.crc ?? crcOf(data), 0)
    sums.writeUInt32LE(entry.packedSize ?? packed.length, 4)
    sums.writeUInt32LE(entry.size ?? data.length, 8)
    const localName = Buffer.from(entry.localName ?? name)
    const local = Buffer.concat([
      word(0x04034b50),
      Buffer.from([20, 0]),
      fields.subarray(0, 4),
      Buffer.alloc(4),
      sums,
      half(localName.length),
      half(0),
      localName,
      packed,
    ])
    directory.push(
      Buffer.concat([
        word(0x02014b50),
        Buffer.from([20, 3, 20, 0]),
        fields.subarray(0, 4),
        Buffer.alloc(4),
        sums,
        half(name.length),
        half(0),
        half(0),
        half(0),
        half(0),
        word(((entry.mode ?? 0o100644) << 16) >>> 0),
        word(entry.offset ?? at),
        name,
      ]),
    )
    files.push(local)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const comment = archive.comment ?? Buffer.alloc(0)
  const count = archive.count ?? entries.length
  return Buffer.concat([
    ...files,
    listed,
    word(0x06054b50),
    half(archive.disk ?? 0),
    half(0),
    half(count),
    half(count),
    word(listed.length),
    word(archive.directoryOffset ?? at),
    half(comment.length),
    comment,
  ])
}

const half = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A manifest with all it needs, and what shall be different. */
export const manifestOf = (more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    manifest_version: '0.3',
    name: 'hello',
    version: '1.2.0',
    description: 'Says hello',
    author: { name: 'Somebody' },
    server: {
      type: 'node',
      entry_point: 'server/index.mjs',
      mcp_config: { command: 'node', args: [`\${__dirname}/server/index.mjs`] },
    },
    ...more,
  })

/** A bundle that installs: this manifest, and a server that is there. */
export const makeBundle = (
  manifest: string = manifestOf(),
  entries: readonly MadeEntry[] = [{ name: 'server/index.mjs', data: 'process.exit(0)' }],
): Buffer => makeArchive([{ name: 'manifest.json', data: manifest }, ...entries])

/** The block that `mcpb sign` leaves at the end; what is in it is no signature. */
export const signatureBlock = (bytes = 64): Buffer =>
  Buffer.concat([Buffer.from('MCPB_SIG_V1'), word(bytes), Buffer.alloc(bytes, 7), Buffer.from('MCPB_SIG_END')])
