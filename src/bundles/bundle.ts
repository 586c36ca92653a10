import { createHash } from 'node:crypto'
import { type ArchiveEntry, readDirectory } from './directory.js'
import { type BundleLimits, bundleLimits } from './limits.js'
import { type Manifest, parseManifest } from './manifest.js'
import { refused } from './refusal.js'
import { signatureOf } from './signature.js'
import { unpackEntry } from './unpack-entry.js'

/** An MCPB file that was looked into: nothing of it is written anywhere, and of its files only the manifest was unpacked. */
export interface Bundle {
  readonly manifest: Manifest
  /** Of the whole file, a signature included. */
  readonly sha256: string
  readonly bytes: number
  readonly unpackedBytes: number
  readonly entries: readonly ArchiveEntry[]
  /** A signature stands at its end. Whose it is, and whether it is any good, is not checked. */
  readonly isSigned: boolean
  /** One file of it, checked. */
  unpack(entry: ArchiveEntry): Promise<Buffer>
}

export interface BundleRules {
  /** What the file must hash to, in hex; compared before anything in it is read. */
  readonly sha256?: string | undefined
  readonly limits?: BundleLimits | undefined
}

/** Opens a bundle, or says why it is none that we take. */
export const openBundle = async (
  file: Buffer,
  { sha256: wanted, limits = bundleLimits }: BundleRules = {},
): Promise<Bundle> => {
  if (file.length > limits.fileBytes)
    throw refused(
      `it has ${file.length} bytes, and ${limits.fileBytes} are the most`,
      `它有 ${file.length} 字节，最多 ${limits.fileBytes}`,
    )
  const sha256 = createHash('sha256').update(file).digest('hex')
  assertHash(sha256, wanted)
  const signature = signatureOf(file)
  // Older signatures stand behind the archive, those of now in its comment.
  const ends = signature ? [file.length, signature.start] : [file.length]
  const entries = readDirectory(file, ends, limits)
  const manifest = entries.find(({ name, kind }) => name === 'manifest.json' && kind === 'file')
  if (!manifest) throw refused('it has no manifest.json at its top', '顶层没有 manifest.json')
  if (manifest.bytes > limits.manifestBytes)
    throw refused(
      `its manifest.json has ${manifest.bytes} bytes, and ${limits.manifestBytes} are the most`,
      `manifest.json 有 ${manifest.bytes} 字节，最多 ${limits.manifestBytes}`,
    )
  return {
    manifest: parseManifest(await unpackEntry(file, manifest)),
    ...{ sha256, entries, bytes: file.length, isSigned: signature !== undefined },
    unpackedBytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    unpack: (entry) => unpackEntry(file, entry),
  }
}

const assertHash = (is: string, wanted: string | undefined): void => {
  if (wanted === undefined) return
  if (!/^[0-9a-f]{64}$/i.test(wanted))
    throw refused(
      'the SHA-256 that was given for it is none: 64 hex digits',
      '给出的 SHA-256 无效：应为 64 位十六进制数字',
    )
  if (is !== wanted.toLowerCase())
    throw refused(
      `its SHA-256 is ${is}, and ${wanted.toLowerCase()} was expected`,
      `其 SHA-256 为 ${is}，应为 ${wanted.toLowerCase()}`,
    )
}
