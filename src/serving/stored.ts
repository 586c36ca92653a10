import type { Config } from '../config/schema.js'
import { isGatewayError, messageOf } from '../errors.js'
import type { ToolSpec } from '../model/tool.js'
import type { Storage } from '../storage/storage.js'
import {
  type DocumentReader,
  type DocumentSet,
  registeredSource,
  type Store,
  type StoreReader,
  toSpec,
} from '../storage/store.js'
import { type Logger, silentLogger } from '../telemetry/logger.js'
import { say } from './locale.js'
import { storageOf } from './storage.js'

/**
 * `always` for the gateway itself; `if-free` for a client's child, of which several may run, so that the second only reads;
 * `never` for a single command, which reads too.
 */
export type Persist = 'always' | 'if-free' | 'never'

/** What earlier runs left in the data folder. */
export interface Stored {
  /** Ours to write; undefined where another process has the folder, or nothing is to be kept. */
  readonly store: Store | undefined
  /** The same to be read, whoever owns it. Where it is not ours, what cannot be read is told and counts as nothing. */
  readonly reader: StoreReader
  /** What was approved; where it cannot be read that is said, and never taken for nothing. */
  readonly approvals: DocumentReader | DocumentSet
  /** Several replicas keep what they have there. */
  readonly isShared: boolean
}

export const openStored = async (storage: Storage, persist: Persist, logger: Logger): Promise<Stored> => {
  const isShared = storage.commons !== undefined
  const onlyRead = (): Stored => {
    const reader = storage.reader()
    return { store: undefined, reader: forgiving(reader, logger), approvals: reader.documents(approvalsKind), isShared }
  }
  if (persist === 'never') return onlyRead()
  try {
    const store = await storage.store()
    return { store, reader: store, approvals: store.documents(approvalsKind), isShared }
  } catch (error) {
    if (persist === 'always' || !isInUse(error)) throw error
    logger.log(
      'warn',
      `${messageOf(error)} ${say('Going on with what it knows: what is registered or counted here is not kept.', '将沿用其已知内容继续：在此注册或统计的内容不会保存。')}`,
    )
    return onlyRead()
  }
}

/** Opens what is stored and closes it again; throws what would keep a gateway from its data. */
export const tryStored = async ({ storage: kept }: Pick<Config, 'storage'>): Promise<void> => {
  await using storage = await storageOf({ storage: { ...kept, onCorrupt: 'refuse' } }, silentLogger)
  const store = await storage.store()
  await store[Symbol.asyncDispose]()
}

const approvalsKind = 'approvals'

/** The stored tools by source, without what was registered: that may be much, and comes part by part. */
export const knownTools = async (reader: StoreReader): Promise<Map<string, ToolSpec[]>> => {
  const bySource = new Map<string, ToolSpec[]>()
  const stored = reader.select ? await reader.select({ notSource: registeredSource }) : await reader.load()
  for (const tool of stored) {
    if (tool.source === registeredSource) continue
    const specs = bySource.get(tool.source) ?? []
    specs.push(toSpec(tool))
    bySource.set(tool.source, specs)
  }
  return bySource
}

const isInUse = (error: unknown): boolean => isGatewayError(error) && typeof error.details?.pid === 'number'

/** Whoever only looks does not mend: its owner refuses a damaged file, or sets it aside. */
const forgiving = (reader: StoreReader, logger: Logger): StoreReader => {
  const or = async <T>(reading: Promise<T>, nothing: T): Promise<T> => {
    try {
      return await reading
    } catch (error) {
      logger.log(
        'warn',
        `${say('Going on without what is stored:', '不使用已存储的内容，继续运行：')} ${messageOf(error)}`,
        isGatewayError(error) ? { code: error.code } : {},
      )
      return nothing
    }
  }
  return {
    load: () => or(reader.load(), []),
    documents: (kind) => {
      const set = reader.documents(kind)
      return { all: () => or(set.all(), []), get: (id) => or(set.get(id), undefined) }
    },
  }
}
