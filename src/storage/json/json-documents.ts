import { basename, join } from 'node:path'
import { isGatewayError, messageOf } from '../../errors.js'
import { type Clock, systemClock } from '../../model/clock.js'
import { type Logger, silentLogger } from '../../telemetry/logger.js'
import { type Disk, realDisk } from '../disk.js'
import { checkKind, createDocumentSet, type DocumentChange, sortedDocuments } from '../documents.js'
import { storeClosed } from '../problems.js'
import type { OnCorrupt } from '../set-aside.js'
import type { SharedDocuments, StoreProblem } from '../store.js'
import { createWriteQueue } from '../write-queue.js'
import { createDocumentsFile } from './documents-file.js'

export interface JsonDocumentsOptions {
  /** The data folder; made with mode 0700 by the first write. */
  readonly folder: string
  /** The documents are in `<kind>.json`. */
  readonly kind: string
  /** Default: 'refuse'. */
  readonly onCorrupt?: OnCorrupt | undefined
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
  /** For tests that let the disk fail. */
  readonly disk?: Disk | undefined
}

/**
 * Documents in a readable file beside the tools. Unlike the tools they are not one process's own: `pegboard key revoke`
 * must work while a gateway runs, and reach it. So the lock is held for a write only, every write builds on what is on
 * disk by then, and every read looks at the file first (one stat).
 */
export const openJsonDocuments = (options: JsonDocumentsOptions): SharedDocuments => {
  const { folder, disk = realDisk, logger = silentLogger, clock = systemClock, onCorrupt = 'refuse' } = options
  const kind = checkKind(options.kind)
  const file = createDocumentsFile({ path: join(folder, `${kind}.json`), kind, disk, logger, clock, onCorrupt })
  const queue = createWriteQueue<DocumentChange>(file.commit)
  let closing: Promise<void> | undefined
  const checkOpen = () => {
    if (closing) throw storeClosed(file.path)
  }
  const read = async () => {
    checkOpen()
    return file.read()
  }

  return {
    ...createDocumentSet({
      get: async (id) => (await read()).get(id),
      all: async () => sortedDocuments(await read()),
      push: async (change) => {
        checkOpen()
        return queue.push(change)
      },
    }),
    refresh: async () => {
      checkOpen()
      return file.refresh()
    },
    [Symbol.asyncDispose]: () => {
      closing ??= queue.idle()
      return closing
    },
  }
}

/** The kinds whose files are in a folder. It may hold other JSON; ours have a marker. */
export const jsonKinds = async (folder: string, disk: Disk = realDisk): Promise<readonly string[]> => {
  const names = await disk.list(folder).catch(() => [])
  const kinds = names.flatMap((name) => /^\.([a-z][a-z0-9-]{0,63})\.json\.used$/.exec(name)?.[1] ?? [])
  return kinds.filter((kind) => kind !== 'tools').sort()
}

/** What is wrong with the document files of a folder. */
export const documentProblems = async (folder: string, disk: Disk): Promise<readonly StoreProblem[]> => {
  const kinds = await jsonKinds(folder, disk)
  const found = await Promise.all(kinds.map((kind) => problemOf(join(folder, `${kind}.json`), kind, disk)))
  return found.flat()
}

const problemOf = async (path: string, kind: string, disk: Disk): Promise<readonly StoreProblem[]> => {
  try {
    const file = createDocumentsFile({
      path,
      kind,
      disk,
      logger: silentLogger,
      clock: systemClock,
      onCorrupt: 'refuse',
    })
    await file.read()
    return []
  } catch (error) {
    return [{ file: path, reason: isGatewayError(error) ? error.message : `${basename(path)}: ${messageOf(error)}` }]
  }
}
