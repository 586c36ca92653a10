import type { Config } from '../config/schema.js'
import { GatewayError, isGatewayError } from '../errors.js'
import { makeFolder } from '../model/make-folder.js'
import { realDisk } from '../storage/disk.js'
import { type FileLock, lockFile } from '../storage/file-lock.js'
import { type KeyedVault, onceClear } from '../storage/open-vault.js'
import type { Storage } from '../storage/storage.js'
import type { SharedDocuments, StoredDocument } from '../storage/store.js'
import { vaultFileIn } from '../storage/vault-keys.js'
import { isSealed, sealedBy } from '../storage/vault-seal.js'
import type { Logger } from '../telemetry/logger.js'
import { say } from './locale.js'
import { storageOf } from './storage.js'
import { type OpenedVault, openVault } from './vault.js'

/** What lies in the vault, of one kind. */
export interface SealedKind {
  readonly kind: string
  readonly count: number
  /** By the key of now. */
  readonly current: number
  /** By an earlier key that is still here. */
  readonly earlier: number
  /** In clear text since before there was a vault. */
  readonly clear: number
  /** By a key that is not here, or changed since. */
  readonly unreadable: number
}

export interface VaultStatus {
  /** Undefined where no key was made yet: nothing is sealed. */
  readonly keyId: string | undefined
  /** Where the key is, for people. */
  readonly place: string
  readonly opens: readonly string[]
  readonly kinds: readonly SealedKind[]
}

export interface RotateOptions {
  /** Deletes what no key here opens. */
  readonly forget: boolean
  onProgress(kind: string, done: number, total: number): void
}

export interface Rotated extends VaultStatus {
  /** By which key everything was sealed before; undefined where this made none. */
  readonly before: string | undefined
  readonly resealed: number
  readonly forgotten: number
}

/** What a command asks of the vault, beside a gateway that may run. */
export interface VaultUpkeep extends AsyncDisposable {
  status(): Promise<VaultStatus>
  /**
   * Seals everything by the key of now; where we keep the key ourselves and nothing is left of the time before, by a new one.
   * Ended half-way, the next one goes on. Rejects with STORE_UNREADABLE while another one rotates in the same folder.
   */
  rotate(options: RotateOptions): Promise<Rotated>
}

/** Written together: each write of a file is a write of the whole of it. */
const atOnce = 500

export const openVaultUpkeep = async (
  config: Config,
  {
    logger,
    env,
    fromDefault,
  }: { logger: Logger; env: Readonly<Record<string, string | undefined>>; fromDefault: boolean },
): Promise<VaultUpkeep> => {
  const storage = await storageOf(config, logger)
  let vault: OpenedVault
  try {
    vault = await openVault(config, {
      ...{ storage, logger, env, fromDefault, onSecret: () => {}, when: 'lazily' },
      fleetSecret: async () => config.fleet.secret ?? storage.commons?.secret(),
    })
  } catch (error) {
    await storage[Symbol.asyncDispose]()
    throw error
  }
  const status = (): Promise<VaultStatus> => statusOf(vault, storage)
  return {
    status,
    rotate: async (options) => {
      const lock = await lockRotation(config, logger)
      try {
        const seen = await status()
        const marked = await vault.marked()
        // A key that is only missing is looked for, not replaced by another.
        if (seen.keyId === undefined && !options.forget) await vault.check()
        const isHalfWay = seen.kinds.some(({ earlier }) => earlier > 0) || marked.some(({ by }) => by !== seen.keyId)
        const before = vault.keys.renew && seen.keyId !== undefined && !isHalfWay ? seen.keyId : undefined
        if (before !== undefined) vault.keys.renew!()
        const sums = { resealed: 0, forgotten: 0 }
        for (const kind of await vault.kinds()) await rotateKind(vault, storage, kind, options, sums)
        return { ...(await status()), before, ...sums }
      } finally {
        await lock?.release()
      }
    },
    [Symbol.asyncDispose]: async () => {
      await vault[Symbol.asyncDispose]()
      await storage[Symbol.asyncDispose]()
    },
  }
}

/** The file of keys has room for two: a third, by somebody else at the same time, would push out one that is still needed. */
const lockRotation = async (
  { storage: { backend, path } }: Pick<Config, 'storage'>,
  logger: Logger,
): Promise<FileLock | undefined> => {
  if (backend !== 'json' && backend !== 'sqlite') return undefined
  // Nothing was kept there yet.
  await makeFolder(path)
  try {
    return await lockFile(vaultFileIn(path), realDisk, logger)
  } catch (error) {
    if (!isGatewayError(error) || error.details?.pid === undefined) throw error
    const { pid } = error.details
    throw new GatewayError(
      'STORE_UNREADABLE',
      say(
        `Another 'pegboard vault rotate' runs in ${path} (pid ${pid}), and this one changed nothing. Wait for it; if it was ended half-way, run it again.`,
        `${path} 中已有一个 pegboard vault rotate 在运行（pid ${pid}），本次没有做任何改动。请等它结束；若它中途被终止，请重新运行。`,
      ),
      { details: error.details },
    )
  }
}

const statusOf = async (vault: KeyedVault, storage: Storage): Promise<VaultStatus> => {
  const kinds: SealedKind[] = []
  for (const kind of await vault.kinds()) {
    await using documents = storage.shared(kind)
    kinds.push(kindOf(vault, kind, await documents.all()))
  }
  const opens = vault.keys.known().map(({ keyId }) => keyId)
  return { keyId: opens[0], place: vault.keys.place, opens, kinds: kinds.filter(({ count }) => count > 0) }
}

const kindOf = (vault: KeyedVault, kind: string, all: readonly StoredDocument[]): SealedKind => {
  const [now] = vault.keys.known()
  const sums = { current: 0, earlier: 0, clear: 0, unreadable: 0 }
  for (const { id, value } of all) {
    if (!isSealed(value) && onceClear.has(kind)) sums.clear += 1
    else if (now === undefined || vault.resealed(kind, id, value) === undefined) sums.unreadable += 1
    else if (sealedBy(value) === now.keyId) sums.current += 1
    else sums.earlier += 1
  }
  return { kind, count: all.length, ...sums }
}

const rotateKind = async (
  vault: KeyedVault,
  storage: Storage,
  kind: string,
  { forget, onProgress }: RotateOptions,
  sums: { resealed: number; forgotten: number },
): Promise<void> => {
  await using documents = storage.shared(kind)
  const all = await documents.all()
  if (all.length === 0 && onceClear.has(kind) && !(await isMarked(vault, kind))) return
  let unreadable = 0
  for (let done = 0; done < all.length; done += atOnce) {
    const part = all.slice(done, done + atOnce)
    const ends = await Promise.all(part.map(({ id }) => reseal(vault, documents, kind, id, forget)))
    sums.resealed += ends.filter((end) => end === 'resealed').length
    sums.forgotten += ends.filter((end) => end === 'forgotten').length
    unreadable += ends.filter((end) => end === 'unreadable').length
    onProgress(kind, Math.min(done + atOnce, all.length), all.length)
  }
  // While something is left that another key sealed, a start without that key is refused.
  if (unreadable === 0) await vault.mark(kind)
}

const isMarked = async (vault: KeyedVault, kind: string): Promise<boolean> =>
  (await vault.marked()).some((each) => each.kind === kind)

const reseal = async (
  vault: KeyedVault,
  documents: SharedDocuments,
  kind: string,
  id: string,
  forget: boolean,
): Promise<'unchanged' | 'resealed' | 'unreadable' | 'forgotten'> => {
  let end: 'unchanged' | 'resealed' | 'unreadable' = 'unchanged'
  // In one write with the look, so that what a gateway writes meanwhile is not lost.
  await documents.update(id, (stored) => {
    const next = vault.resealed(kind, id, stored)
    end = next === undefined ? 'unreadable' : next === stored ? 'unchanged' : 'resealed'
    return next ?? stored
  })
  if ((end as string) !== 'unreadable' || !forget) return end
  return (await documents.delete(id)) ? 'forgotten' : 'unchanged'
}
