import { dirname } from 'node:path'
import { isGatewayError } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { type Disk, realDisk } from '../disk.js'
import { lockFile } from '../file-lock.js'
import { withInherited } from '../inherited.js'
import { folderFailed, storeClosed, storeUnreadable } from '../problems.js'
import type { OnCorrupt } from '../set-aside.js'
import type { SharedDocuments, Store, StoreProblem } from '../store.js'
import { toStoredTool } from '../stored-tool.js'
import {
  pickSelection,
  pickTag,
  pickTemperature,
  type StoreChange,
  sortedOnce,
  sortedTools,
  usesIn,
} from '../tool-set.js'
import { createWriteQueue } from '../write-queue.js'
import { placeJson, readForeignJson } from './foreign-json.js'
import { decodeFile, encodeFile } from './format.js'
import { documentProblems, jsonKinds, openJsonDocuments } from './json-documents.js'
import { type JsonFile, maxFileBytes, openJsonFile } from './json-file.js'
import { sweepTemporaries } from './replace-file.js'

export interface JsonStoreOptions {
  /** The data folder; made with mode 0700 if missing. The tools are in `tools.json` in it (or beside one of RegistryTools). */
  readonly folder: string
  /** Default: 'refuse'. */
  readonly onCorrupt?: OnCorrupt | undefined
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
  /** For tests that let the disk fail. */
  readonly disk?: Disk | undefined
}

/**
 * One readable file, replaced as a whole by every write. Reads come from memory and show only what is on disk. A save
 * costs O(all tools) in bytes (10,000 tools: 8 MB, some tens of milliseconds), but saves that come while a write runs
 * share the next one, so a busy gateway writes at the disk's pace. From some thousands of tools on, prefer sqlite.
 */
export const openJsonStore = async (options: JsonStoreOptions): Promise<Store> => {
  const { folder, disk = realDisk, logger = silentLogger, clock = systemClock, onCorrupt = 'refuse' } = options
  await disk.makeFolder(folder).catch((error: unknown) => {
    throw folderFailed(folder, error)
  })
  const { path, foreign } = await placeJson(folder, disk)
  const lock = await lockFile(path, disk, logger)
  try {
    await sweepTemporaries(disk, path).catch(() => {})
    const file = await openJsonFile({ path, disk, logger, clock, onCorrupt })
    const documents = (kind: string) => openJsonDocuments({ folder, kind, disk, logger, clock, onCorrupt })
    const store = createStore(file, disk, documents, () => lock.release())
    return await withInherited(store, foreign === undefined ? [] : await readForeignJson(foreign, disk))
  } catch (error) {
    await lock.release()
    throw error
  }
}

const createStore = (
  file: JsonFile,
  disk: Disk,
  openDocuments: (kind: string) => SharedDocuments,
  release: () => Promise<void>,
): Store => {
  const kinds = new Map<string, SharedDocuments>()
  const closeAll = async () => {
    await queue.idle()
    await Promise.all([...kinds.values()].map((set) => set[Symbol.asyncDispose]()))
    await release()
  }
  const queue = createWriteQueue<StoreChange>(file.commit)
  let closing: Promise<void> | undefined
  const open = () => {
    if (closing) throw storeClosed(file.path)
    return file.tools()
  }
  const put = async (change: () => StoreChange) => {
    open()
    return queue.push(change())
  }

  return {
    load: async () => sortedTools(open().values()),
    save: async (tool) => void (await put(() => ({ type: 'put', tools: [toStoredTool(tool)] }))),
    saveMany: async (tools) => void (await put(() => ({ type: 'put', tools: tools.map(toStoredTool) }))),
    delete: async (id) => put(() => ({ type: 'delete', id })),
    validate: async () => {
      open()
      await queue.idle()
      return [...(await findProblems(file, disk)), ...(await documentProblems(dirname(file.path), disk))]
    },
    loadByTemperature: async (temperature, limit) => pickTemperature(open(), temperature, limit),
    loadByTag: async (tag) => pickTag(open(), tag),
    select: async (selection) => pickSelection(sortedOnce(open()), selection),
    uses: async () => usesIn(open()),
    merge: async (tools, uses) =>
      void (await put(() => ({ type: 'merge', tools: tools.map(toStoredTool), uses: [...uses] }))),
    kinds: async () => {
      open()
      return jsonKinds(dirname(file.path), disk)
    },
    documents: (kind) => {
      open()
      const set = kinds.get(kind) ?? openDocuments(kind)
      kinds.set(kind, set)
      return set
    },
    [Symbol.asyncDispose]: () => {
      closing ??= closeAll()
      return closing
    },
  }
}

const findProblems = async (file: JsonFile, disk: Disk): Promise<readonly StoreProblem[]> => {
  try {
    if ((await disk.identity(file.path)) === undefined)
      return file.tools().size === 0 ? [] : [{ file: file.path, reason: 'the file is missing' }]
    const { tools } = decodeFile(await disk.read(file.path, maxFileBytes), file.path)
    if (encodeFile(tools).bytes.equals(encodeFile(file.tools().values()).bytes)) return []
    return [{ file: file.path, reason: 'the file holds other tools than were last read or saved' }]
  } catch (error) {
    const problem = isGatewayError(error) ? error : storeUnreadable(file.path, error)
    return [{ file: file.path, reason: problem.message }]
  }
}
