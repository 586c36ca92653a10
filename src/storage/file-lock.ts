import { createHash } from 'node:crypto'
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
const releaseAttempts = 3
let lockCount = 0
// The locks of this process by number. One with our name that is not among them could not be removed when it was
// released; whoever asks next takes it over, instead of waiting for a holder that is gone.
const held = new Set<number>()

/**
 * Lets one process at a time use `file` (F29), by a file `<file>.lock` that names its owner. Node has no flock, and a
 * lock by name alone would outlive `kill -9`; with pid and start time inside, a dead owner is recognised at once.
 * Processes in different containers do not see each other's pids: replicas that share data use the postgres backend.
 */
export const lockFile = async (file: string, disk: Disk, logger: Logger): Promise<FileLock> => {
  const path = `${file}.lock`
  const number = ++lockCount
  const mine = JSON.stringify({ ...ownIdentity(), number })
  const draft = `${path}.${process.pid}-${number}`
  held.add(number)
  try {
    await writeDraft(disk, draft, mine)
    await take({ disk, file, path, draft }, path)
  } catch (error) {
    held.delete(number)
    if (isGatewayError(error) || !cannotWrite.has(errnoOf(error) ?? '')) throw toOpenError(file, error)
    // Nobody can write here, so nobody can clash; reading what is stored must still work.
    logger.log('warn', 'store opened without a lock: its folder takes no new files', { file, errno: errnoOf(error) })
    return noLock
  } finally {
    await disk.remove(draft).catch(() => {})
  }
  await sweep(disk, path).catch(() => {})
  return {
    release: async () => {
      if (held.delete(number)) await release(disk, path, mine)
    },
  }
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

interface LockOwner extends ProcessIdentity {
  readonly number?: number | undefined
}

const isHeld = (owner: LockOwner): boolean => {
  if (!isRunning(owner)) return false
  return owner.pid !== process.pid || owner.number === undefined || held.has(owner.number)
}

interface Taking {
  readonly disk: Disk
  readonly file: string
  readonly path: string
  readonly draft: string
}

/** Makes our draft the lock called `name`, in place of a dead owner's if need be. */
const take = async (taking: Taking, name: string): Promise<void> => {
  const { disk, file, draft } = taking
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await disk.link(draft, name)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
    const found = await readLock(disk, name)
    const owner = found === undefined ? undefined : parseOwner(found)
    if (owner && isHeld(owner)) throw inUse(file, owner)
    if (found !== undefined && (await replaceDead(taking, name, found))) return
  }
  throw storeUnreadable(file, new Error(`${basename(name)} changes faster than it can be taken`))
}

/**
 * Many starters may see the same dead lock, and removing it by name could hit the lock of the one who was faster. So the
 * right to replace exactly this lock is itself a lock, named after its content, and the content is looked at again
 * once we have that right. Should its holder die as well, the same applies one level up.
 */
const replaceDead = async (taking: Taking, name: string, dead: string): Promise<boolean> => {
  const { disk, path, draft } = taking
  const claim = `${path}.${createHash('sha256').update(dead).digest('hex').slice(0, 16)}`
  await take(taking, claim)
  try {
    if ((await readLock(disk, name)) !== dead) return false
    const copy = `${draft}.copy`
    await disk.link(draft, copy)
    await disk.rename(copy, name)
    return true
  } finally {
    await disk.remove(claim).catch(() => {})
  }
}

// What starters left that were killed in the middle: drafts, copies and claims whose owner is gone.
const sweep = async (disk: Disk, path: string): Promise<void> => {
  const prefix = `${basename(path)}.`
  const ours = /^(?:\d{1,10}-\d{1,10}(?:\.copy)?|[0-9a-f]{16})$/
  for (const name of await disk.list(dirname(path))) {
    if (!name.startsWith(prefix) || !ours.test(name.slice(prefix.length))) continue
    const full = join(dirname(path), name)
    const owner = parseOwner((await readLock(disk, full)) ?? '') ?? pidInName(name.slice(prefix.length))
    if (owner && !isHeld(owner)) await disk.remove(full)
  }
}

// A draft whose writing was cut short names its owner only outside.
const pidInName = (name: string): LockOwner | undefined => {
  const pid = /^(\d+)-/.exec(name)?.[1]
  return pid === undefined ? undefined : { pid: Number(pid), start: '' }
}

const release = async (disk: Disk, path: string, mine: string): Promise<void> => {
  for (let attempt = 0; attempt < releaseAttempts; attempt++) {
    try {
      if ((await readLock(disk, path)) === mine) await disk.remove(path)
      return
    } catch {
      // Tried again: a lock left behind keeps other processes out for as long as this one lives.
    }
  }
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
const parseOwner = (content: string): LockOwner | undefined => {
  try {
    const value: unknown = JSON.parse(content)
    if (!isRecord(value) || !Number.isSafeInteger(value.pid) || (value.pid as number) <= 0) return undefined
    const { pid, start, number } = value
    return {
      pid: pid as number,
      start: typeof start === 'string' ? start : '',
      number: typeof number === 'number' ? number : undefined,
    }
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
          'Stop that process, or give this one another folder (storage.path, or --data-path).',
    { details: { file, pid } },
  )
