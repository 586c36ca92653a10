import { GatewayError, isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { type Disk, errnoOf } from '../disk.js'
import { storeCorrupt, storeUnreadable, writeFailed } from '../problems.js'
import { freeName, type OnCorrupt } from '../set-aside.js'
import { applyChanges, type StoreChange, type ToolSet, toToolSet } from '../tool-set.js'
import { type UsedMarker, usedMarker } from '../used-marker.js'
import { decodeFile, encodeFile, encodeInTurns } from './format.js'
import { type Replaced, replaceFile } from './replace-file.js'

/** V8 holds no string above half a gigabyte; well before that the file stops being readable for people. */
export const maxFileBytes = 256 * 1024 * 1024

export interface JsonFileOptions {
  readonly path: string
  readonly disk: Disk
  readonly logger: Logger
  readonly clock: Clock
  readonly onCorrupt: OnCorrupt
}

/** The tools in memory and the file they came from, kept equal. */
export interface JsonFile {
  readonly path: string
  tools(): ToolSet
  /** Applies all changes with one write; on failure neither the file nor `tools()` has changed. */
  commit(changes: readonly StoreChange[]): Promise<readonly boolean[]>
}

interface Content {
  readonly set: ToolSet
  /** What the file looked like when we last read or wrote it; undefined: there was none. */
  readonly identity: string | undefined
}

export const openJsonFile = async (options: JsonFileOptions): Promise<JsonFile> => {
  const { path, disk, logger } = options
  const marker = usedMarker(path, disk, logger)
  let content = await readOrSetAside(options, marker)

  const commit = async (changes: readonly StoreChange[]): Promise<readonly boolean[]> => {
    const { next, effects } = applyChanges(content.set, changes)
    if (!effects.includes(true)) return effects
    const { bytes, tools } = encodeFile(await encodeInTurns(next.values()))
    const set = toToolSet(tools)
    await prepare(options, content, bytes)
    const outcome = await replaceFile(disk, path, bytes)
    if (!outcome.ok) {
      content = await restore(options, content, set, outcome)
      throw writeFailed(path, outcome.error)
    }
    content = { set, identity: outcome.identity }
    await marker.set()
    return effects
  }
  return { path, tools: () => content.set, commit }
}

const empty: Content = { set: new Map(), identity: undefined }

const readOrSetAside = async (options: JsonFileOptions, marker: UsedMarker): Promise<Content> => {
  try {
    return await read(options, marker)
  } catch (error) {
    if (!isGatewayError(error)) throw storeUnreadable(options.path, error)
    if (error.code !== 'STORE_CORRUPT' || options.onCorrupt !== 'set-aside') throw error
    await setAside(options, error)
    await marker.clear()
    return empty
  }
}

/** What is in the file now. Throws STORE_CORRUPT for one that is damaged or was lost; changes nothing. */
export const readJsonFile = async (path: string, disk: Disk, marker: UsedMarker): Promise<ToolSet> => {
  try {
    return (await read({ path, disk }, marker)).set
  } catch (error) {
    throw isGatewayError(error) ? error : storeUnreadable(path, error)
  }
}

const read = async ({ path, disk }: Pick<JsonFileOptions, 'path' | 'disk'>, marker: UsedMarker): Promise<Content> => {
  const identity = await disk.identity(path)
  const used = await marker.isSet()
  if (identity === undefined && used)
    throw storeCorrupt(path, 'it is missing, though tools were stored here', { fix: fix(marker) })
  if (identity === undefined) return empty
  const bytes = await disk.read(path, maxFileBytes)
  if (bytes.length === 0 && used)
    throw storeCorrupt(path, 'it is empty (0 bytes), though tools were stored here', { fix: fix(marker) })
  if (bytes.length === 0) return { ...empty, identity }
  const { tools } = decodeFile(bytes, path)
  return { set: toToolSet(tools), identity }
}

const fix = (marker: UsedMarker): string =>
  `Restore a backup, or delete ${marker.path} as well to begin afresh on purpose.`

const setAside = async ({ path, disk, logger, clock }: JsonFileOptions, error: GatewayError): Promise<void> => {
  const aside = await freeName(path, 'corrupt', disk, clock)
  try {
    await disk.rename(path, aside)
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw storeUnreadable(path, cause)
  }
  logger.log('warn', 'damaged store set aside, starting empty', { file: path, aside, reason: error.message })
}

const prepare = async ({ path, disk }: JsonFileOptions, content: Content, bytes: Buffer): Promise<void> => {
  if (bytes.length > maxFileBytes) throw writeFailed(path, Object.assign(new Error('too large'), { code: 'EFBIG' }))
  try {
    const identity = await disk.identity(path)
    // A file somebody removed is written again; one somebody edited holds work that we must not destroy.
    if (identity !== undefined && identity !== content.identity) throw editedByOthers(path)
  } catch (error) {
    throw isGatewayError(error) ? error : writeFailed(path, error)
  }
}

// The rename went through but its flush failed, so the caller will hear "not saved": put the old content back to keep
// that true. If even this fails, memory follows the disk; the one forbidden outcome is that the two disagree.
const restore = async (
  { path, disk, logger }: JsonFileOptions,
  before: Content,
  next: ToolSet,
  failure: Replaced & { readonly ok: false },
): Promise<Content> => {
  if (!failure.replaced) return before
  const undone = await undo(disk, path, before)
  if (undone) return undone
  logger.log('error', 'a save that was reported as failed is on disk and could not be undone', { file: path })
  return { set: next, identity: failure.identity }
}

const undo = async (disk: Disk, path: string, before: Content): Promise<Content | undefined> => {
  if (before.identity === undefined) {
    const removed = await disk.remove(path).then(
      () => true,
      () => false,
    )
    return removed ? before : undefined
  }
  const outcome = await replaceFile(disk, path, encodeFile(before.set.values()).bytes)
  const identity = outcome.identity
  return (outcome.ok || outcome.replaced) && identity !== undefined ? { set: before.set, identity } : undefined
}

const editedByOthers = (path: string) =>
  new GatewayError(
    'STORE_WRITE_FAILED',
    `Cannot save to ${path}: another program changed it since it was read, and saving would undo that change. ` +
      'Restart to read the file as it is now, or put the earlier file back.',
    { details: { file: path } },
  )
