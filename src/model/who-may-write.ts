import { readFileSync, type Stats, statfsSync } from 'node:fs'
import { lstat, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Somebody besides us and root who may change what is at a path. */
export interface Stranger {
  readonly path: string
  /** Whose it is, who is in a group that may write, or anybody. */
  readonly who: 'owner' | 'group' | 'anybody'
  /** The number of the owner or the group. */
  readonly id: number
}

/** Who besides us and root may change this file or folder; undefined where nobody may, and on systems without owners. */
export const strangerAt = (path: string, stats: Stats): Stranger | undefined => {
  const us = process.getuid?.()
  if (us === undefined) return undefined
  if (stats.uid !== us && stats.uid !== 0) return { path, who: 'owner', id: stats.uid }
  // What a link may be done to is decided by the folder that it is in.
  if (stats.isSymbolicLink() || (stats.mode & 0o022) === 0 || hasNoModes(path)) return undefined
  if ((stats.mode & 0o002) !== 0) return { path, who: 'anybody', id: stats.gid }
  return isOwnGroup(stats.gid, us) ? undefined : { path, who: 'group', id: stats.gid }
}

/**
 * The same for a file by its name: also who may put another in its place, through a folder above it or through a link.
 * In a folder with the sticky bit, as /tmp, only the owners of what is in it may, so that their own owners count.
 */
export const strangerOnPath = async (file: string): Promise<Stranger | undefined> => {
  let at = resolve(file)
  for (let hops = 0; hops < mostHops; hops += 1) {
    const folder = await realpath(dirname(at))
    at = join(folder, basename(at))
    const stats = await lstat(at)
    const found = strangerAt(at, stats) ?? (await strangerAbove(folder))
    if (found || !stats.isSymbolicLink()) return found
    at = resolve(folder, await readlink(at))
  }
  // The system gives up at a loop as well.
  return undefined
}

const mostHops = 40

const strangerAbove = async (folder: string): Promise<Stranger | undefined> => {
  for (let at = folder; ; at = dirname(at)) {
    const stats = await stat(at)
    const found = strangerAt(at, stats)
    if (found && (found.who === 'owner' || (stats.mode & sticky) === 0)) return found
    if (dirname(at) === at) return undefined
  }
}

const sticky = 0o1000

/**
 * A group that nobody else is in, as many systems make one for each user, with files that it may write. Read from the
 * files, since Node cannot ask the system; a group that they do not know is taken for one of several.
 */
const isOwnGroup = (gid: number, us: number): boolean => {
  const groups = linesOf('/etc/group').filter(([, , id]) => id === String(gid))
  if (groups.length === 0) return false
  const users = linesOf('/etc/passwd')
  const ours = new Set(users.flatMap(([name = '', , uid]) => (uid === String(us) || uid === '0' ? [name] : [])))
  const members = groups.flatMap(([, , , names = '']) => names.split(',').filter(Boolean))
  const primary = users.flatMap(([name = '', , , group]) => (group === String(gid) ? [name] : []))
  return [...members, ...primary].every((name) => ours.has(name))
}

const linesOf = (file: string): readonly (readonly string[])[] => {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
  } catch {
    return []
  }
}

/** File systems that invent the modes of their files, the same for all, as those of Windows in WSL and Docker Desktop. */
const hasNoModes = (path: string): boolean => {
  try {
    return inventing.has(Number(statfsSync(path).type))
  } catch {
    return false
  }
}

// 9p, FUSE (ntfs-3g, virtiofs, sshfs), CIFS, SMB2, FAT, exFAT, NTFS, vboxsf: from `man 2 statfs` and the kernel's magic.h.
const inventing = new Set([
  0x01021997, 0x65735546, 0xff534d42, 0xfe534d42, 0x4d44, 0x2011bab0, 0x5346544e, 0x7366746e, 0x786f4256,
])
