import { dirname } from 'node:path'
import { type GatewayError, isGatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { isRecord, type JsonValue, kindOf } from '../../model/json.js'
import type { Logger } from '../../telemetry/logger.js'
import { type Disk, errnoOf } from '../disk.js'
import {
  applyDocumentChanges,
  type DocumentChange,
  type Documents,
  isDocumentId,
  isShallow,
  maxDocumentDepth,
  sortedDocuments,
} from '../documents.js'
import { storeCorrupt, storeUnreadable, writeFailed } from '../problems.js'
import { freeName, type OnCorrupt } from '../set-aside.js'
import { withShortLock } from '../short-lock.js'
import { type UsedMarker, usedMarker } from '../used-marker.js'
import { maxFileBytes } from './json-file.js'
import { checkVersion, parseFile } from './parse-file.js'
import { findDuplicateKey } from './position.js'
import { type Replaced, replaceFile, sweepTemporaries } from './replace-file.js'

export interface DocumentsFileOptions {
  readonly path: string
  readonly kind: string
  readonly disk: Disk
  readonly logger: Logger
  readonly clock: Clock
  readonly onCorrupt: OnCorrupt
}

/** One file of documents that several processes may use: read anew when it changed, locked only while it is written. */
export interface DocumentsFile {
  readonly path: string
  /** What is on disk now. */
  read(): Promise<Documents>
  /** Applies all changes with one write on top of what is on disk by then; on failure the file is as it was. */
  commit(changes: readonly DocumentChange[]): Promise<readonly boolean[]>
  /** True if anybody, ourselves included, has written since the last call. */
  refresh(): Promise<boolean>
}

interface Content {
  readonly documents: Documents
  readonly identity: string | undefined
}

export const createDocumentsFile = (options: DocumentsFileOptions): DocumentsFile => {
  const { path, disk, logger, kind } = options
  const marker = usedMarker(path, disk, logger, 'documents')
  // Only for as long as somebody uses it: what tools were when they were approved can be megabytes that nobody asks for again.
  let content: WeakRef<Content> | undefined
  // Apart from `content`: a write of ours takes over what others wrote, and that must still be noticed.
  let seen: Content | undefined
  let swept = false

  const current = async (): Promise<Content> => {
    const identity = await identityOf(options)
    const known = content?.deref()
    if (known && known.identity === identity) return known
    const loaded = await load(options, marker, identity)
    content = new WeakRef(loaded)
    return loaded
  }
  const read = async (): Promise<Content> => {
    try {
      return await current()
    } catch (error) {
      if (!isGatewayError(error) || error.code !== 'STORE_CORRUPT' || options.onCorrupt !== 'set-aside') throw error
      return locked(() => currentOrSetAside())
    }
  }
  // Looked at again under the lock: another process may have put the file right, or aside, in the meantime.
  const currentOrSetAside = async (): Promise<Content> => {
    try {
      return await current()
    } catch (error) {
      if (!isGatewayError(error) || error.code !== 'STORE_CORRUPT' || options.onCorrupt !== 'set-aside') throw error
      await setAside(options, error)
      await marker.clear()
      content = undefined
      return current()
    }
  }
  const locked = async <T>(work: () => Promise<T>): Promise<T> => {
    await disk.makeFolder(dirname(path)).catch((error: unknown) => {
      throw writeFailed(path, error)
    })
    return withShortLock(path, options, async () => {
      // Only with the lock: a temporary file with our own pid may belong to another set of this process.
      if (!swept) await sweepTemporaries(disk, path).catch(() => {})
      swept = true
      return work()
    })
  }
  const commit = (changes: readonly DocumentChange[]): Promise<readonly boolean[]> =>
    locked(async () => {
      const before = await currentOrSetAside()
      const { next, effects } = applyDocumentChanges(before.documents, changes)
      if (!effects.includes(true)) return effects
      const outcome = await write(options, encodeDocuments(kind, next))
      if (!outcome.ok) {
        content = undefined
        await undo(options, before, outcome)
        throw writeFailed(path, outcome.error)
      }
      content = new WeakRef({ documents: next, identity: outcome.identity })
      await marker.set()
      return effects
    })

  return {
    path,
    read: async () => (await read()).documents,
    commit,
    refresh: async () => {
      const before = seen
      seen = await read()
      return seen !== before
    },
  }
}

const identityOf = async ({ path, disk }: DocumentsFileOptions): Promise<string | undefined> => {
  try {
    return await disk.identity(path)
  } catch (error) {
    throw storeUnreadable(path, error)
  }
}

const load = async (
  { path, disk, kind }: DocumentsFileOptions,
  marker: UsedMarker,
  identity: string | undefined,
): Promise<Content> => {
  try {
    const bytes = identity === undefined ? undefined : await disk.read(path, maxFileBytes)
    if (bytes !== undefined && bytes.length > 0) return { documents: decodeDocuments(bytes, kind, path), identity }
    if (await marker.isSet()) throw lost(path, bytes === undefined ? 'missing' : 'empty (0 bytes)', marker)
    return { documents: new Map(), identity }
  } catch (error) {
    throw isGatewayError(error) ? error : storeUnreadable(path, error)
  }
}

const lost = (path: string, how: string, marker: UsedMarker): GatewayError =>
  storeCorrupt(path, `it is ${how}, though documents were stored here`, {
    fix: `Restore a backup, or delete ${marker.path} as well to begin afresh on purpose.`,
  })

const write = async ({ path, disk }: DocumentsFileOptions, text: string): Promise<Replaced> => {
  if (Buffer.byteLength(text) > maxFileBytes)
    return { ok: false, error: Object.assign(new Error('too large'), { code: 'EFBIG' }), replaced: false }
  return replaceFile(disk, path, text)
}

// The rename went through but its flush failed, so the caller will hear "not saved": put the old content back to keep
// that true. The next read looks at the disk in any case.
const undo = async (
  { path, disk, kind, logger }: DocumentsFileOptions,
  before: Content,
  failure: Replaced & { readonly ok: false },
): Promise<void> => {
  if (!failure.replaced) return
  const undone =
    before.identity === undefined
      ? await disk.remove(path).then(
          () => true,
          () => false,
        )
      : await replaceFile(disk, path, encodeDocuments(kind, before.documents)).then(
          (outcome) => outcome.ok || outcome.replaced,
        )
  if (!undone)
    logger.log('error', 'a save that was reported as failed is on disk and could not be undone', { file: path })
}

const setAside = async ({ path, disk, logger, clock }: DocumentsFileOptions, error: GatewayError): Promise<void> => {
  const aside = await freeName(path, 'corrupt', disk, clock)
  try {
    await disk.rename(path, aside)
  } catch (cause) {
    if (errnoOf(cause) !== 'ENOENT') throw storeUnreadable(path, cause)
  }
  logger.log('warn', 'damaged documents set aside, starting empty', { file: path, aside, reason: error.message })
}

const format = 'pegboard-documents'
const version = 1

/** One document a line, sorted, so that a diff shows what changed and a vector stays one line. */
const encodeDocuments = (kind: string, documents: Documents): string => {
  const lines = sortedDocuments(documents).map(({ id, value }) => `    ${JSON.stringify(id)}: ${JSON.stringify(value)}`)
  const body = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`
  return `{\n  "format": "${format}",\n  "version": ${version},\n  "kind": "${kind}",\n  "documents": ${body}\n}\n`
}

/** Also reads what people made of it with an editor, as long as nothing in it is ambiguous. */
const decodeDocuments = (bytes: Uint8Array, kind: string, file: string): Documents => {
  const { text, value } = parseFile(bytes, file)
  if (!isRecord(value) || value.format !== format) throw storeCorrupt(file, `it is no file of "${format}"`)
  checkVersion(value.version, version, file)
  if (value.kind !== kind) throw storeCorrupt(file, `it must hold documents of the kind "${kind}"`)
  if (!isRecord(value.documents))
    throw storeCorrupt(file, `"documents" must be an object, found ${kindOf(value.documents)}`)
  const entries = Object.entries(value.documents)
  if (countLines(text) !== entries.length) refuseDuplicates(text, file)
  for (const [id, document] of entries) checkEntry(id, document, file)
  return new Map(entries as [string, JsonValue][])
}

// A repeated id shows as more lines than documents.
const countLines = (text: string): number => text.match(/^ {4}"/gm)?.length ?? 0

const refuseDuplicates = (text: string, file: string): void => {
  const name = findDuplicateKey(text)
  if (name !== undefined) throw storeCorrupt(file, `'${name.slice(0, 128)}' occurs twice`)
}

const checkEntry = (id: string, value: unknown, file: string): void => {
  if (!isDocumentId(id)) throw storeCorrupt(file, 'a document has an id that none of ours can have')
  if (!isShallow(value, maxDocumentDepth)) throw storeCorrupt(file, `document '${id.slice(0, 128)}' is nested too deep`)
}
