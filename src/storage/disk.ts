import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../model/make-folder.js'

/** An open file, in the steps that can fail one by one. */
export interface DiskFile {
  write(data: Uint8Array): Promise<void>
  sync(): Promise<void>
  /** Changes whenever somebody else writes or replaces the file. */
  identity(): Promise<string>
  close(): Promise<void>
}

/** The few things a store asks of a file system. A port, so that tests can let the n-th step fail. */
export interface Disk {
  /** Creates a file that must not exist yet, readable by its owner only. */
  create(path: string): Promise<DiskFile>
  /** The whole file. Anything but a regular file of at most `maxBytes` is refused before it is opened: a FIFO would block. */
  read(path: string, maxBytes: number): Promise<Uint8Array>
  /** See {@link DiskFile.identity}; undefined when there is no such file. */
  identity(path: string): Promise<string | undefined>
  rename(from: string, to: string): Promise<void>
  /** Fails when `to` exists; this is what makes it a lock. */
  link(from: string, to: string): Promise<void>
  /** Fails when `to` exists, so that a backup never replaces another. */
  copy(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  list(folder: string): Promise<readonly string[]>
  makeFolder(path: string): Promise<void>
  /** Makes renames in the folder of `path` survive a power loss. */
  syncFolderOf(path: string): Promise<void>
}

export const realDisk: Disk = {
  create: async (path) => toDiskFile(await open(path, 'wx', 0o600)),
  read: async (path, maxBytes) => {
    const { size } = await regularFile(path)
    if (size > maxBytes) throw fileError('EFBIG', `${size} bytes, more than the ${maxBytes} that are read`)
    return readFile(path)
  },
  identity: async (path) => {
    try {
      return identityOf(await stat(path, { bigint: true }))
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined
      throw error
    }
  },
  rename,
  link,
  copy: (from, to) => copyFile(from, to, constants.COPYFILE_EXCL),
  remove: unlink,
  list: (folder) => readdir(folder),
  makeFolder,
  syncFolderOf: async (path) => {
    // Windows opens no folders; there a rename is as durable as the file system makes it.
    if (process.platform === 'win32') return
    const folder = await open(dirname(path), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  },
}

/** `ENOSPC`, `EACCES` … of whatever a file operation threw. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const toDiskFile = (handle: FileHandle): DiskFile => ({
  write: (data) => handle.writeFile(data),
  sync: () => handle.sync(),
  identity: async () => identityOf(await handle.stat({ bigint: true })),
  close: () => handle.close(),
})

const identityOf = (stats: { readonly ino: bigint; readonly size: bigint; readonly mtimeNs: bigint }): string =>
  `${stats.ino}:${stats.size}:${stats.mtimeNs}`

const regularFile = async (path: string) => {
  const stats = await stat(path)
  if (!stats.isFile()) throw fileError(stats.isDirectory() ? 'EISDIR' : 'EINVAL', 'not a regular file')
  return stats
}

const fileError = (code: string, message: string): Error => Object.assign(new Error(message), { code })
