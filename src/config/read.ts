import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { GatewayError } from '../errors.js'

/** No configuration is larger; an endless file must not fill the memory (corpus K30). */
export const maxConfigBytes = 8 * 1024 * 1024

/** The bytes of a configuration file. Throws CONFIG_UNREADABLE with the reason when there is no such regular file. */
export const readConfigBytes = async (file: string): Promise<Buffer> => {
  try {
    // Before opening: to open a FIFO is to wait for its writer.
    refuseUnlessFile(file, await stat(file))
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      refuseUnlessFile(file, await handle.stat())
      return await readBounded(file, handle)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw error instanceof GatewayError ? error : unreadable(file, error)
  }
}

/** Names a content, so that a save without a change is not taken for one. */
export const contentHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const refuseUnlessFile = (file: string, stats: Stats): void => {
  if (stats.isFile()) return
  const kind = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a FIFO' : 'not a regular file'
  throw new GatewayError('CONFIG_UNREADABLE', `${file} is ${kind}; name a configuration file instead`, {
    details: { file },
  })
}

const readBounded = async (file: string, handle: Awaited<ReturnType<typeof open>>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let total = 0
  for (;;) {
    // Not by the size that stat told: files that are being written grow, and some special ones claim to be empty.
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(64 * 1024))
    if (bytesRead === 0) return Buffer.concat(chunks, total)
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
    if (total > maxConfigBytes) throw tooLarge(file)
  }
}

const tooLarge = (file: string): GatewayError =>
  new GatewayError(
    'CONFIG_UNREADABLE',
    `${file} is larger than ${maxConfigBytes} bytes; a configuration is a small file, move data out of it`,
    { details: { file, limit: maxConfigBytes } },
  )

const hints: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path, or run `pegboard init` to make one',
  EACCES: 'this user may not read it; change its owner or mode',
  EPERM: 'this user may not read it; change its owner or mode',
  ELOOP: 'its symbolic links form a loop',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENAMETOOLONG: 'its path is too long',
}

const unreadable = (file: string, cause: unknown): GatewayError => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error'
  const shown = file.length > 512 ? `${file.slice(0, 509)}...` : file
  return new GatewayError('CONFIG_UNREADABLE', `cannot read ${shown}: ${hints[code] ?? code}`, {
    cause,
    details: { file: shown, reason: code },
  })
}
