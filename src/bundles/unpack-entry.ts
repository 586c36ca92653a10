import { inflateRaw } from 'node:zlib'
import type { ArchiveEntry } from './directory.js'
import { quoted, refused } from './refusal.js'

/** The bytes of one file, exactly as many as were declared and with the sum that was declared. */
export const unpackEntry = async (file: Buffer, entry: ArchiveEntry): Promise<Buffer> => {
  const packed = file.subarray(entry.start, entry.start + entry.packedBytes)
  const bytes = entry.method === 'stored' ? packed : await inflate(packed, entry)
  if (bytes.length !== entry.bytes)
    throw refused(`${quoted(entry.name)} has another size than it says`, `${quoted(entry.name)} 的大小与所述不符`)
  if (crcOf(bytes) !== entry.crc)
    throw refused(`${quoted(entry.name)} is damaged: its sum is wrong`, `${quoted(entry.name)} 已损坏：校验和不符`)
  return bytes
}

const inflate = (packed: Buffer, { name, bytes }: ArchiveEntry): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // One byte more than declared ends it: a bomb never gets to unfold.
    inflateRaw(packed, { maxOutputLength: Math.max(1, bytes) }, (error, unpacked) => {
      if (error === null) resolve(unpacked)
      else
        reject(
          (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
            ? refused(`${quoted(name)} has another size than it says`, `${quoted(name)} 的大小与所述不符`, error)
            : refused(`${quoted(name)} cannot be unpacked`, `${quoted(name)} 无法解压`, error),
        )
    })
  })

// Node has one of its own, though not in every version that we run on.
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 as ZIP has it. */
export const crcOf = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (let at = 0; at < bytes.length; at++) crc = crcTable[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
