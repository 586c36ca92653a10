import type { Config } from '../config/schema.js'
import { GatewayError, isGatewayError } from '../errors.js'
import { createSeals } from '../model/seal.js'
import { sealedBefore } from '../sources/oauth/sealed.js'
import { markersKind } from '../storage/open-vault.js'
import { isSharedKind } from '../storage/shared-kinds.js'
import type { Storage } from '../storage/storage.js'
import type { DocumentReader, Store, StoredDocument, StoredTool } from '../storage/store.js'
import { isSealed } from '../storage/vault-seal.js'
import type { Logger } from '../telemetry/logger.js'
import { say } from './locale.js'
import { storageOf } from './storage.js'
import { openVault } from './vault.js'

type Kept = Config['storage']

export interface MoveOptions {
  readonly config: Config
  readonly to: Kept
  /** Adds to what is there: of one id, what comes stays. Without it a target that is not empty is refused. */
  readonly isMerge: boolean
  /** Looks at both ends, and neither makes nor writes anything at the target. */
  readonly isDry: boolean
  readonly logger: Logger
  onProgress(kind: string, done: number, total: number): void
}

/** How many of a kind there were to move, and how many were at the target before and after. */
export interface Moved {
  readonly kind: string
  readonly count: number
  readonly before: number
  readonly after: number
}

export interface MoveReport {
  readonly from: { readonly backend: string; readonly place: string }
  readonly to: { readonly backend: string; readonly place: string }
  readonly isDry: boolean
  readonly kinds: readonly Moved[]
}

const toolsKind = 'tools'
const atOnce = 500

/** Copies everything that is kept from one storage to another. Nothing is taken away where it comes from. */
export const moveStorage = async (options: MoveOptions): Promise<MoveReport> => {
  const { config, to, isDry, isMerge, logger } = options
  await using origin = await storageOf(config, logger)
  await using target = await storageOf({ storage: to }, logger)
  if (origin.backend === target.backend && origin.place === target.place && config.storage.schema === to.schema)
    throw refused(say('The target is where the data is already.', '目标就是数据现在的位置。'))
  await refuseLiving(origin)
  await using from = await ownStore(origin)
  // What says which key seals at the origin says nothing of the target's.
  const kinds = (await origin.kinds(from)).filter((kind) => kind !== markersKind)
  const there = await lookAtTarget(target, kinds)
  const isEmpty = [...there.values()].every((count) => count === 0)
  if (!isEmpty && !isMerge) throw notEmpty(target, there)
  const counts = await countsOf(from, origin, kinds)
  const moved = (after: (kind: string) => number): MoveReport => ({
    from: { backend: origin.backend, place: origin.place },
    to: { backend: target.backend, place: target.place },
    isDry,
    kinds: [toolsKind, ...kinds].map((kind) => ({
      kind,
      count: counts.get(kind) ?? 0,
      before: there.get(kind) ?? 0,
      after: after(kind),
    })),
  })
  if (isDry) return moved((kind) => there.get(kind) ?? 0)
  await using into = await ownStore(target)
  await copyTools(from, into, counts.get(toolsKind) ?? 0, options)
  for (const kind of kinds) await copyDocuments({ kind, from, origin, into, target, options })
  const after = await countsOf(into, target, kinds)
  const short = [toolsKind, ...kinds].filter((kind) => (after.get(kind) ?? 0) < (counts.get(kind) ?? 0))
  if (short.length > 0)
    throw refused(
      say(
        `Not everything arrived (${short.join(', ')}). Nothing was taken away at the origin: look at the target, empty it, and move again.`,
        `并非所有内容都已到达（${short.join('、')}）。原处未删除任何内容：请检查并清空目标后重试。`,
      ),
    )
  return moved((kind) => after.get(kind) ?? 0)
}

/** What is kept, by kind; for `pegboard storage` too. */
export const countsOf = async (
  store: Store,
  storage: Storage,
  kinds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>([[toolsKind, await countTools(store)]])
  for (const kind of kinds) counts.set(kind, (await readerOf(kind, store, storage).all()).length)
  return counts
}

const countTools = async (store: Pick<Store, 'load' | 'select'>): Promise<number> => {
  let count = 0
  for await (const page of pagesOf(store)) count += page.length
  return count
}

const pagesOf = async function* (store: Pick<Store, 'load' | 'select'>): AsyncGenerator<readonly StoredTool[]> {
  if (!store.select) return yield await store.load()
  for (let after: string | undefined; ; ) {
    const page: readonly StoredTool[] = await store.select({ after, limit: atOnce })
    if (page.length > 0) yield page
    if (page.length < atOnce) return
    after = page.at(-1)?.id
  }
}

/** Kinds that several processes write at once; a sqlite store keeps those in files beside it. */
const isBeside = (kind: string, storage: Storage): boolean => storage.backend === 'sqlite' && isSharedKind(kind)

const signInsKind = 'sign-ins'

const setOf = (kind: string, store: Store, storage: Storage) =>
  isBeside(kind, storage) ? storage.shared(kind) : store.documents(kind)

const readerOf = (kind: string, store: Store, storage: Storage): DocumentReader => setOf(kind, store, storage)

const copyTools = async (from: Store, into: Store, total: number, { onProgress }: MoveOptions): Promise<void> => {
  let done = 0
  for await (const page of pagesOf(from)) {
    await into.saveMany(page)
    done += page.length
    onProgress(toolsKind, done, total)
  }
}

interface Copying {
  readonly kind: string
  readonly from: Store
  readonly origin: Storage
  readonly into: Store
  readonly target: Storage
  readonly options: MoveOptions
}

const copyDocuments = async ({ kind, from, origin, into, target, options }: Copying): Promise<void> => {
  const { onProgress } = options
  const all = await readerOf(kind, from, origin).all()
  const isKeptSealed = kind === signInsKind || all.some(({ value }) => isSealed(value))
  const put = (part: readonly StoredDocument[]): Promise<void> =>
    isKeptSealed ? putSealed(kind, part, target, options) : setOf(kind, into, target).putMany(part)
  const opened = isKeptSealed ? await opening(kind, origin, options) : all
  for (let done = 0; done < opened.length; ) {
    const part = opened.slice(done, done + atOnce)
    await put(part)
    done += part.length
    onProgress(kind, done, opened.length)
  }
}

/** What is sealed is opened by the key of the origin and sealed by that of the target: they may be the same. */
const opening = async (
  kind: string,
  origin: Storage,
  { config, logger }: MoveOptions,
): Promise<readonly StoredDocument[]> => {
  await using vault = await vaultOf(origin, config, logger)
  await using sealed = vault.sealed(origin.shared(kind), kind)
  const lost = [...(await sealed.unreadable())]
  const seals = origin.commons && kind === signInsKind ? await sealsOf(origin, config) : undefined
  const reader = seals ? sealedBefore(sealed, seals.of('rest'), (id) => void lost.push(id)) : sealed
  const opened = await reader.all()
  if (lost.length === 0) return opened
  throw refused(
    say(
      `${lost.length} credentials (${kind}) were sealed by a key that is gone. Set vault.previousKey, or fleet.previousSecrets, to it, or sign out of them first (pegboard vault).`,
      `有 ${lost.length} 个凭据（${kind}）用已丢失的密钥加密。请在 vault.previousKey 或 fleet.previousSecrets 中设置该密钥，或先注销它们（pegboard vault）。`,
    ),
  )
}

const putSealed = async (
  kind: string,
  part: readonly StoredDocument[],
  target: Storage,
  { config, to, logger }: MoveOptions,
): Promise<void> => {
  await using vault = await vaultOf(target, { ...config, storage: to }, logger)
  await using sealed = vault.sealed(target.shared(kind), kind)
  await sealed.putMany(part)
}

const vaultOf = (storage: Storage, config: Config, logger: Logger) =>
  openVault(config, {
    ...{ storage, logger, env: process.env, onSecret: () => {}, when: 'lazily' },
    fleetSecret: async () => config.fleet.secret ?? storage.commons?.secret(),
  })

const sealsOf = async (storage: Storage, { fleet }: Config) =>
  createSeals(fleet.secret ?? (await storage.commons!.secret()), fleet.previousSecrets)

/** A process that has it for itself is named. */
const ownStore = async (storage: Storage): Promise<Store> => {
  try {
    return await storage.store()
  } catch (error) {
    const pid = isGatewayError(error) ? error.details?.pid : undefined
    if (typeof pid !== 'number') throw error
    throw refused(
      say(
        `A gateway runs on ${storage.place} (pid ${pid}). Stop it, move, and start it with the new storage.`,
        `${storage.place} 上有网关正在运行（pid ${pid}）。请先停止它，迁移后再用新的存储启动。`,
      ),
    )
  }
}

/** Replicas that live would write on at the origin, and nobody would miss it until later. */
const refuseLiving = async (origin: Storage): Promise<void> => {
  const heard = await origin.commons?.leases.read(3000).catch((error: unknown) => {
    throw error
  })
  const living = (heard?.replicas ?? []).filter(({ silentMs }) => silentMs < 10_000).map(({ name }) => name)
  if (living.length > 0)
    throw refused(
      say(
        `Replicas run on ${origin.place}: ${living.join(', ')}. Stop them, move, and start them with the new storage.`,
        `${origin.place} 上有副本正在运行：${living.join('、')}。请先停止，迁移后再用新的存储启动。`,
      ),
    )
}

/** Without making anything there. */
const lookAtTarget = async (target: Storage, kinds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const reader = target.reader()
  const counts = new Map<string, number>([[toolsKind, (await reader.load()).length]])
  for (const kind of kinds) {
    if (!isBeside(kind, target)) counts.set(kind, (await reader.documents(kind).all()).length)
    else {
      await using set = target.shared(kind)
      counts.set(kind, (await set.all()).length)
    }
  }
  return counts
}

const notEmpty = (target: Storage, there: ReadonlyMap<string, number>): GatewayError => {
  const words = [...there].filter(([, count]) => count > 0).map(([kind, count]) => `${kind} ${count}`)
  return refused(
    say(
      `The target ${target.place} is not empty (${words.join(', ')}). Choose an empty one, or add to it with --merge: of one id, what comes stays.`,
      `目标 ${target.place} 不为空（${words.join('、')}）。请选择空的目标，或用 --merge 合并：同一 id 以迁入的为准。`,
    ),
  )
}

const refused = (words: string): GatewayError => new GatewayError('STORE_WRITE_FAILED', words)
