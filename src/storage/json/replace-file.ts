import { basename, dirname, join } from 'node:path'
import type { Disk } from '../disk.js'
import { isRunning, ownIdentity } from '../process-identity.js'

export type Replaced =
  | { readonly ok: true; readonly identity: string }
  /** `replaced`: the new content is in place, but a power loss might still bring the old one back. */
  | { readonly ok: false; readonly error: unknown; readonly replaced: boolean; readonly identity?: string | undefined }

let replacements = 0

/**
 * Puts `content` in the place of `file` so that a reader, a crash or a full disk finds either the old or the new whole:
 * a file of its own, flushed, renamed over, and the folder flushed so that the rename itself survives.
 */
export const replaceFile = async (disk: Disk, file: string, content: string | Buffer): Promise<Replaced> => {
  const temporary = temporaryName(file)
  let identity: string | undefined
  let replaced = false
  try {
    identity = await writeWhole(disk, temporary, content)
    await disk.rename(temporary, file)
    replaced = true
    await disk.syncFolderOf(file)
    return { ok: true, identity }
  } catch (error) {
    if (!replaced) await disk.remove(temporary).catch(() => {})
    return { ok: false, error, replaced, identity }
  }
}

/** Removes what killed writers left behind. A temporary file of a process that still runs is left alone. */
export const sweepTemporaries = async (disk: Disk, file: string): Promise<void> => {
  for (const name of await disk.list(dirname(file))) {
    const owner = ownerOf(name, basename(file))
    const ours = owner?.pid === process.pid
    // We hold the lock and have not written yet, so one with our own pid is from an earlier store of this process.
    if (owner && (ours || !isRunning(owner))) await disk.remove(join(dirname(file), name)).catch(() => {})
  }
}

const writeWhole = async (disk: Disk, path: string, content: string | Buffer): Promise<string> => {
  const handle = await disk.create(path)
  try {
    await handle.write(typeof content === 'string' ? Buffer.from(content) : content)
    await handle.sync()
    return await handle.identity()
  } finally {
    await handle.close()
  }
}

const temporaryName = (file: string): string => {
  const { pid, start } = ownIdentity()
  return `${file}.${pid}.${start.replace(':', '_')}.${++replacements}.tmp`
}

const ownerOf = (name: string, file: string): { readonly pid: number; readonly start: string } | undefined => {
  if (!name.startsWith(`${file}.`)) return undefined
  const parts = /^(\d{1,10})\.([0-9a-f-]*(?:_\d+)?)\.\d+\.tmp$/.exec(name.slice(file.length + 1))
  return parts ? { pid: Number(parts[1]), start: parts[2]!.replace('_', ':') } : undefined
}
