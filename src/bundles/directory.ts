import { EntryNames } from './entry-names.js'
import { type BundleLimits, harmlessBytes } from './limits.js'
import { quoted, refused } from './refusal.js'

/** One file or folder of an archive, checked against its own header; where its bytes lie is known, not what they are. */
export interface ArchiveEntry {
  /** With slashes between its parts, and none at its end. */
  readonly name: string
  readonly kind: 'file' | 'folder'
  readonly method: 'stored' | 'deflated'
  readonly crc: number
  readonly packedBytes: number
  readonly bytes: number
  /** Where its packed bytes begin. */
  readonly start: number
}

/** Where the archive ends behind its directory: at the end of the file, or where a signature begins. */
export type ArchiveEnds = readonly number[]

/**
 * The entries of a ZIP archive. The directory at its end and the header before each file must say the same, no two files
 * may share bytes, and what is declared is bounded here: nothing is unpacked to find out how large it is.
 */
export const readDirectory = (file: Buffer, ends: ArchiveEnds, limits: BundleLimits): readonly ArchiveEntry[] => {
  const { count, start, end } = findDirectory(file, ends)
  if (count > limits.entries)
    throw refused(
      `it has ${count} entries, and ${limits.entries} are the most`,
      `它有 ${count} 个条目，最多 ${limits.entries}`,
    )
  const names = new EntryNames(2 * limits.entries)
  const entries: Placed[] = []
  let at = start
  for (let number = 0; number < count; number++) {
    const header = readHeader(file, at, end)
    names.add(header.name, header.kind)
    entries.push(placed(file, header, start))
    at = header.next
  }
  if (at !== end) throw refused('its directory holds something besides its entries', '目录中有条目以外的内容')
  assertApart(entries)
  assertBounded(entries, file.length, limits)
  return entries
}

interface Placed extends ArchiveEntry {
  /** From its own header to the last of its bytes. */
  readonly from: number
  readonly to: number
}

interface Header extends Omit<ArchiveEntry, 'start'> {
  readonly rawName: Buffer
  readonly flags: number
  readonly methodCode: number
  readonly local: number
  readonly next: number
}

const endMark = 0x06054b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const zip64Mark = 0x07064b50

/** The one record that ends the archive; two that fit would be two archives, and everybody reads another one. */
const findDirectory = (
  file: Buffer,
  ends: ArchiveEnds,
): { readonly count: number; readonly start: number; readonly end: number } => {
  const found: number[] = []
  for (let at = file.length - 22; at >= Math.max(0, file.length - 140_000); at--)
    if (file.readUInt32LE(at) === endMark && ends.includes(at + 22 + file.readUInt16LE(at + 20))) found.push(at)
  const [at] = found
  if (at === undefined) throw refused('it is no ZIP archive, or its end is missing', '它不是 ZIP 压缩包，或缺少结尾')
  if (found.length > 1)
    throw refused('it has two ends, and can be read as two archives', '它有两个结尾，可以读作两个压缩包')
  if (at >= 20 && file.readUInt32LE(at - 20) === zip64Mark) throw zip64()
  const [disk, directoryDisk] = [file.readUInt16LE(at + 4), file.readUInt16LE(at + 6)]
  const [here, count] = [file.readUInt16LE(at + 8), file.readUInt16LE(at + 10)]
  const [size, start] = [file.readUInt32LE(at + 12), file.readUInt32LE(at + 16)]
  if (count === 0xffff || size === 0xffffffff || start === 0xffffffff) throw zip64()
  if (disk !== 0 || directoryDisk !== 0 || here !== count) throw refused('it is one of several parts', '它是分卷之一')
  if (start + size !== at) throw refused('its directory is not where it says', '目录不在所述位置')
  return { count, start, end: at }
}

const zip64 = () =>
  refused('it is written in ZIP64, which no bundle of this size needs', '它以 ZIP64 写成，这种大小的扩展包不需要')

/** The line of the directory about one entry. */
const readHeader = (file: Buffer, at: number, end: number): Header => {
  if (at + 46 > end || file.readUInt32LE(at) !== entryMark) throw refused('its directory is damaged', '目录已损坏')
  const flags = file.readUInt16LE(at + 8)
  const methodCode = file.readUInt16LE(at + 10)
  const [crc, packedBytes, bytes] = [
    file.readUInt32LE(at + 16),
    file.readUInt32LE(at + 20),
    file.readUInt32LE(at + 24),
  ] as const
  const nameEnd = at + 46 + file.readUInt16LE(at + 28)
  const next = nameEnd + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  if (next > end) throw refused('its directory is damaged', '目录已损坏')
  const rawName = file.subarray(at + 46, nameEnd)
  const written = decodeName(rawName)
  const isFolder = written.endsWith('/')
  const local = file.readUInt32LE(at + 42)
  if (file.readUInt16LE(at + 34) !== 0) throw refused('it is one of several parts', '它是分卷之一')
  if ([packedBytes, bytes, local].includes(0xffffffff)) throw zip64()
  assertPlain(written, flags, methodCode)
  assertKind(written, file.readUInt32LE(at + 38) >>> 16, isFolder)
  if (isFolder && (bytes !== 0 || crc !== 0))
    throw refused(`the folder ${quoted(written)} has contents`, `文件夹 ${quoted(written)} 带有内容`)
  if (methodCode === 0 && packedBytes !== bytes)
    throw refused(`the sizes of ${quoted(written)} do not agree`, `${quoted(written)} 的大小不一致`)
  return {
    name: isFolder ? written.slice(0, -1) : written,
    kind: isFolder ? 'folder' : 'file',
    method: methodCode === 0 ? 'stored' : 'deflated',
    ...{ crc, packedBytes, bytes, rawName, flags, methodCode, local, next },
  }
}

const decodeName = (raw: Buffer): string => {
  try {
    // A mark at the beginning is a character of the name like any other.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
  } catch (cause) {
    throw refused(
      `the name ${quoted(raw.toString('latin1'))} is not UTF-8`,
      `名称 ${quoted(raw.toString('latin1'))} 不是 UTF-8`,
      cause,
    )
  }
}

const assertPlain = (name: string, flags: number, method: number): void => {
  // Encrypted, with a strong cipher, or with its header masked.
  if ((flags & 0x2041) !== 0) throw refused(`${quoted(name)} is encrypted`, `${quoted(name)} 已加密`)
  if ((flags & 0x20) !== 0)
    throw refused(`${quoted(name)} is a patch of another file`, `${quoted(name)} 是另一个文件的补丁`)
  if (method !== 0 && method !== 8)
    throw refused(
      `${quoted(name)} is packed by method ${method}, which we do not know`,
      `${quoted(name)} 使用未知的压缩方法 ${method}`,
    )
}

/** By its mode, where the archive was made on a system that has modes. */
const assertKind = (name: string, mode: number, isFolder: boolean): void => {
  const type = mode & 0o170000
  if (type === 0o120000) throw refused(`${quoted(name)} is a link`, `${quoted(name)} 是链接`)
  if (type !== 0 && type !== (isFolder ? 0o040000 : 0o100000))
    throw refused(`${quoted(name)} is neither a file nor a folder`, `${quoted(name)} 既不是文件也不是文件夹`)
}

/** The header before its bytes, which other programs read instead of the directory: it must say the same. */
const placed = (file: Buffer, header: Header, directory: number): Placed => {
  const { rawName, flags, methodCode, local, crc, packedBytes, bytes, name, kind, method } = header
  if (local + 30 > directory || file.readUInt32LE(local) !== localMark)
    throw refused(`${quoted(name)} is not where the directory says`, `${quoted(name)} 不在目录所述的位置`)
  const nameEnd = local + 30 + file.readUInt16LE(local + 26)
  const start = nameEnd + file.readUInt16LE(local + 28)
  if (start + packedBytes > directory)
    throw refused(`${quoted(name)} ends behind the files`, `${quoted(name)} 超出文件区域`)
  const hasDescriptor = (flags & 8) !== 0
  const isSame =
    file.subarray(local + 30, nameEnd).equals(rawName) &&
    file.readUInt16LE(local + 8) === methodCode &&
    file.readUInt16LE(local + 6) === flags &&
    (hasDescriptor ||
      (file.readUInt32LE(local + 14) === crc &&
        file.readUInt32LE(local + 18) === packedBytes &&
        file.readUInt32LE(local + 22) === bytes))
  if (!isSame) throw refused(`${quoted(name)} is described in two ways`, `${quoted(name)} 有两种互相矛盾的描述`)
  return { name, kind, method, crc, packedBytes, bytes, start, from: local, to: start + packedBytes }
}

/** Bytes that many entries share are how a small file becomes terabytes. */
const assertApart = (entries: readonly Placed[]): void => {
  const inOrder = entries.toSorted((a, b) => a.from - b.from)
  for (const [index, { name, from }] of inOrder.entries())
    if (index > 0 && inOrder[index - 1]!.to > from)
      throw refused(
        `${quoted(inOrder[index - 1]!.name)} and ${quoted(name)} share bytes`,
        `${quoted(inOrder[index - 1]!.name)} 与 ${quoted(name)} 共用字节`,
      )
}

const assertBounded = (entries: readonly ArchiveEntry[], fileBytes: number, limits: BundleLimits): void => {
  const large = entries.find(({ bytes }) => bytes > limits.entryBytes)
  if (large)
    throw refused(
      `${quoted(large.name)} has ${large.bytes} bytes, and ${limits.entryBytes} are the most`,
      `${quoted(large.name)} 有 ${large.bytes} 字节，最多 ${limits.entryBytes}`,
    )
  const total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total > limits.unpackedBytes)
    throw refused(
      `it unpacks to ${total} bytes, and ${limits.unpackedBytes} are the most`,
      `解压后有 ${total} 字节，最多 ${limits.unpackedBytes}`,
    )
  if (total > harmlessBytes && total > limits.ratio * fileBytes)
    throw refused(
      `it unpacks to ${total} bytes, more than ${limits.ratio} times its size, as a bomb does`,
      `解压后有 ${total} 字节，超过自身大小的 ${limits.ratio} 倍，像压缩炸弹`,
    )
}
