import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isGatewayError } from '../errors.js'
import { makeFolderSync } from '../model/make-folder.js'
import type { Logger } from '../telemetry/logger.js'
import { errnoOf } from './disk.js'
import { keepOnce, syncFolderOf, tighten } from './kept-secret.js'
import { folderFailed, storeCorrupt, storeUnreadable, writeFailed } from './problems.js'
import { type VaultRoot, vaultRootOf } from './vault-seal.js'

/** The roots of a vault: one that seals, and those that still open. */
export interface VaultKeys {
  /** Where the sealing root comes from, for people: `vault.key`, a file … */
  readonly place: string
  sealing(): VaultRoot
  /** The root of this name; undefined where it is none of ours. */
  opening(keyId: string): VaultRoot | undefined
  /** Those that open, the sealing one first; empty where none was made yet. */
  known(): readonly VaultRoot[]
  /** Makes another root, by which everything is sealed from now on; missing where the operator keeps the root. */
  readonly renew?: (() => VaultRoot) | undefined
}

/** Roots that somebody else keeps, the first of which seals; `again` reads them anew when one is met that is not known. */
export const givenKeys = (place: string, roots: readonly VaultRoot[], again = () => roots): VaultKeys => {
  let known = roots
  return {
    place,
    sealing: () => known[0]!,
    known: () => known,
    opening: (keyId) => {
      const found = find(known, keyId)
      if (found) return found
      const read = again()
      // What we knew still opens: nobody has said that it shall not.
      known = [...read, ...known.filter((root) => !find(read, root.keyId))].slice(0, 8)
      return find(known, keyId)
    },
  }
}

const find = (roots: readonly VaultRoot[], keyId: string): VaultRoot | undefined =>
  roots.find((root) => root.keyId === keyId)

/** Where a process that was given no root keeps its own. */
export const vaultFileIn = (folder: string): string => join(folder, 'vault.key')

/**
 * The root of a data folder, made once by the first who seals. One line per root, the sealing one first: who makes another
 * leaves the one before for those who have not looked yet, and they look before they seal.
 */
export const keptKeys = (folder: string, logger: Logger): VaultKeys => {
  const file = vaultFileIn(folder)
  let seen: { readonly identity: string; readonly roots: readonly VaultRoot[] } | undefined
  const look = (): readonly VaultRoot[] => {
    const identity = identityOf(file)
    // Gone while we run: what we have still fits what is stored.
    if (identity === undefined || identity === seen?.identity) return seen?.roots ?? []
    const lines = read(file, logger)
    seen = { identity, roots: lines.map(vaultRootOf) }
    return seen.roots
  }
  const made = (): VaultRoot => {
    makeFolder(folder)
    try {
      keepOnce(file, newRoot())
    } catch (error) {
      throw writeFailed(file, error)
    }
    const [root] = look()
    if (!root) throw noRoot(file)
    return root
  }
  return {
    place: file,
    known: look,
    sealing: () => look()[0] ?? made(),
    opening: (keyId) => find(seen?.roots ?? [], keyId) ?? find(look(), keyId),
    renew: () => {
      const [current] = identityOf(file) === undefined ? [] : read(file, logger)
      if (current === undefined) return made()
      replace(file, `${newRoot()}\n${current}\n`)
      return look()[0]!
    },
  }
}

const newRoot = (): string => randomBytes(32).toString('base64url')

const form = /^(?:[A-Za-z0-9_-]{43}\n?){1,2}$/

const identityOf = (file: string): string | undefined => {
  try {
    const { ino, size, mtimeMs } = lstatSync(file)
    return `${ino} ${size} ${mtimeMs}`
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw storeUnreadable(file, error)
  }
}

const read = (file: string, logger: Logger): readonly string[] => {
  try {
    const stats = lstatSync(file)
    if (!stats.isFile() || stats.size > 4096) throw noRoot(file)
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      tighten(file, stats.mode, () =>
        logger.log(
          'warn',
          'Every user of this machine could read the key of the vault; make another: pegboard vault rotate',
          {
            file,
          },
        ),
      )
    const text = readFileSync(file, 'utf8')
    if (!form.test(text)) throw noRoot(file)
    return text.split('\n').filter((line) => line !== '')
  } catch (error) {
    throw isGatewayError(error) ? error : storeUnreadable(file, error)
  }
}

const makeFolder = (folder: string): void => {
  try {
    makeFolderSync(folder)
  } catch (error) {
    throw folderFailed(folder, error)
  }
}

/** Whole or not at all: a root that is half written opens nothing. */
const replace = (file: string, text: string): void => {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  try {
    const handle = openSync(draft, 'wx', 0o600)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(draft, file)
    syncFolderOf(file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw writeFailed(file, error)
  }
}

const noRoot = (file: string) =>
  storeCorrupt(file, 'it does not hold the key that was put there', {
    fix: 'Restore a backup of it; without it what it sealed is lost, and everybody signs in again (pegboard vault rotate --forget-unreadable).',
  })
