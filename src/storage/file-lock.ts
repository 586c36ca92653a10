import { basename, dirname, join } from 'node:path'
import { GatewayError, isGatewayError } from '../errors.js'
import { isRecord } from '../model/json.js'
import type { Logger } from '../telemetry/logger.js'
import { type Disk, errnoOf } from './disk.js'
import { storeUnreadable } from './problems.js'
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.js'

/** Held from open to close; idempotent to release. */
export interface FileLock {
  release(): Promise<void>
}

const noLock: FileLock = { release: async () => {} }
const attempts = 20
let lockCount = 0

/**
 * Lets one process at a time use `file` (F29), by a file `<file>.lock` that names its owner. Node has no flock, and a
 * lock by name alone would outlive `kill -9`; with pid and start time inside, a dead owner is recognised at once.
 * Processes in different containers do not see each other's pids: replicas that share data use the postgres backend.
 */
export const lockFile = async (file: string, disk: Disk, logger: Logger): Promise<FileLock> => {
  const path = `${file}.lock`
  const mine = JSON.stringify(ownIdentity())
  const draft = `${path}.${process.pid}-${++lockCount}`
  try {
    await writeDraft(disk, draft, mine)
    await acquire(disk, path, draft, file)
  } catch (error) {
    if (isGatewayError(error) || !cannotWrite.has(errnoOf(error) ?? '')) throw toOpenError(file, error)
    // Nobody can write here, so nobody can clash; reading what is stored must still work.
    logger.log('warn', 'store opened without a lock: its folder takes no new files', { file, errno: errnoOf(error) })
    return noLock
  } finally {
    await disk.remove(draft).catch(() => {})
  }
  await sweepDrafts(disk, path).catch(() => {})
  return { release: () => release(disk, path, mine) }
}

const cannotWrite = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'])

const toOpenError = (file: string, error: unknown): unknown =>
  isGatewayError(error) ? error : storeUnreadable(file, error)

// Written whole before it gets the lock's name: nobody ever reads half a lock.
const writeDraft = async (disk: Disk, draft: string, content: string): Promise<void> => {
  const handle = await disk.create(draft)
  try {
    await handle.write(Buffer.from(content))
  } finally {
    await handle.close()
  }
}

const acquire = async (disk: Disk, path: string, draft: string, file: string): Promise<void> => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await disk.link(draft, path)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
    const found = await readLock(disk, path)
    const owner = found === undefined ? undefined : parseOwner(found)
    if (owner && isRunning(owner)) throw inUse(file, owner)
    if (found !== undefined) await takeAway(disk, path, found, draft)
  }
  throw storeUnreadable(file, new Error(`${basename(path)} changes faster than it can be taken`))
}

// Two starters may both see the same dead owner. Renaming is atomic, so only one takes the dead lock away; the other
// might catch the winner's new lock instead, notices that by its content and puts it back.
const takeAway = async (disk: Disk, path: string, expected: string, draft: string): Promise<void> => {
  const aside = `${draft}.stale`
  try {
    await disk.rename(path, aside)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return
    throw error
  }
  if ((await readLock(disk, aside)) !== expected) await disk.link(aside, path).catch(() => {})
  await disk.remove(aside).catch(() => {})
}

// Left by starters that were killed between writing a draft and removing it.
const sweepDrafts = async (disk: Disk, path: string): Promise<void> => {
  const prefix = `${basename(path)}.`
  for (const name of await disk.list(dirname(path))) {
    const pid = name.startsWith(prefix) ? /^(\d{1,10})-\d+(\.stale)?$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid !== undefined && !isRunning({ pid: Number(pid), start: '' })) await disk.remove(join(dirname(path), name))
  }
}

const release = async (disk: Disk, path: string, mine: string): Promise<void> => {
  if ((await readLock(disk, path).catch(() => undefined)) === mine) await disk.remove(path).catch(() => {})
}

const readLock = async (disk: Disk, path: string): Promise<string | undefined> => {
  try {
    return Buffer.from(await disk.read(path, 4096)).toString('utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}

// A lock that names nobody can only come from a power loss; nothing alive holds it.
const parseOwner = (content: string): ProcessIdentity | undefined => {
  try {
    const value: unknown = JSON.parse(content)
    if (!isRecord(value) || !Number.isSafeInteger(value.pid) || (value.pid as number) <= 0) return undefined
    return { pid: value.pid as number, start: typeof value.start === 'string' ? value.start : '' }
  } catch {
    return undefined
  }
}

const inUse = (file: string, { pid }: ProcessIdentity) =>
  new GatewayError(
    'STORE_UNREADABLE',
    pid === process.pid
      ? `${file} is already open in this process (pid ${pid}). Close it first, or share the open store.`
      : `${file} is in use: another process (pid ${pid}) uses the folder ${dirname(file)}. ` +
          'Stop that process, or give this one another storage path.',
    { details: { file, pid } },
  )
