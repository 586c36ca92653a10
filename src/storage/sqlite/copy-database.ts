import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Clock } from '../../model/clock.js'
import { type Disk, errnoOf } from '../disk.js'
import { pause } from '../pause.js'
import { storeUnreadable } from '../problems.js'

/**
 * Hands a copy of a database and its log to `use`, and removes it. A connection of our own to somebody else's database would
 * take part in its locks and tidy up its log; a copy can do neither.
 */
export const withCopy = async <T>(
  path: string,
  disk: Disk,
  clock: Clock,
  use: (copy: string, identity: string) => T | Promise<T>,
): Promise<T> => {
  const own = await mkdtemp(join(tmpdir(), 'pegboard-read-'))
  try {
    const copy = join(own, basename(path))
    return await use(copy, await copyWhole(path, copy, disk, clock))
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

const parts = ['', '-wal', '-journal'] as const
const mostCopies = 20
// A bound on memory, not on use: past it the file is read by its owner alone.
const maxCopyBytes = 256 * 1024 * 1024

/** What database and log look like now: changes whenever somebody writes. */
export const identityWithLog = async (disk: Disk, path: string): Promise<string> =>
  (await Promise.all(parts.map((part) => disk.identity(`${path}${part}`)))).join(' ')

/**
 * The database first, then its log, until the database was the same before and after: half of a checkpoint would be a
 * database that never was. A log that grows or begins anew meanwhile is no harm, since what does not fit in it is skipped.
 */
const copyWhole = async (path: string, copy: string, disk: Disk, clock: Clock): Promise<string> => {
  for (let count = 0; count < mostCopies; count++) {
    const identity = await identityWithLog(disk, path)
    const before = await disk.identity(path)
    for (const part of parts) await copyOrRemove(`${path}${part}`, `${copy}${part}`, disk)
    if ((await disk.identity(path)) === before) return identity
    await pause(clock)
  }
  throw storeUnreadable(path, new Error('it is being written to all the time. Try again in a moment'))
}

const copyOrRemove = async (from: string, to: string, disk: Disk): Promise<void> => {
  try {
    await writeFile(to, await disk.read(from, maxCopyBytes), { mode: 0o600 })
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    await rm(to, { force: true })
  }
}
