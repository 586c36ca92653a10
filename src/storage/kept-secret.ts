import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isGatewayError } from '../errors.js'
import { makeFolderSync } from '../model/make-folder.js'
import type { Logger } from '../telemetry/logger.js'
import { errnoOf } from './disk.js'
import { folderFailed, storeCorrupt, storeUnreadable, writeFailed } from './problems.js'

/** Where a process that shares its data with nobody keeps what it seals by. */
export const secretFileIn = (folder: string): string => join(folder, 'secret')

/**
 * The secret of a data folder, made once by the first who asks, also where two ask at once. Not awaited: a command that
 * never seals anything neither reads nor makes it. In a folder that takes no files it lasts as long as the process.
 */
export const keptSecret = (folder: string, logger: Logger): string => {
  const file = secretFileIn(folder)
  const kept = read(file, logger)
  if (kept !== undefined) return kept
  const made = randomBytes(32).toString('base64url')
  try {
    makeFolderSync(folder)
  } catch (error) {
    throw folderFailed(folder, error)
  }
  try {
    keepOnce(file, made)
  } catch (error) {
    if (!cannotWrite.has(errnoOf(error) ?? '')) throw writeFailed(file, error)
    logger.log('warn', 'The secret of sessions cannot be kept, they end with this process', {
      file,
      errno: errnoOf(error),
    })
    return made
  }
  // Whoever came first has made it.
  return read(file, logger) ?? made
}

const cannotWrite = new Set(['EACCES', 'EPERM', 'EROFS'])

const form = /^[A-Za-z0-9_-]{43}\n?$/

const read = (file: string, logger: Logger): string | undefined => {
  let text: string
  try {
    const stats = lstatSync(file)
    if (!stats.isFile() || stats.size > 4096) throw noSecret(file)
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      tighten(file, stats.mode, () =>
        logger.log(
          'warn',
          'Every user of this machine could read the secret of sessions; remove the file to make another',
          {
            file,
          },
        ),
      )
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw isGatewayError(error) ? error : storeUnreadable(file, error)
  }
  if (!form.test(text)) throw noSecret(file)
  return text.trim()
}

/** A backup or a volume's owner may have widened it; told where everybody could read it. */
export const tighten = (file: string, mode: number, onOpen: () => void): void => {
  try {
    chmodSync(file, 0o600)
  } catch {
    // Another's file, or a file system without modes: what we could say is said below.
  }
  if ((mode & 0o007) !== 0) onOpen()
}

/** Written whole before it gets its name, and the name is given once. */
export const keepOnce = (file: string, secret: string): void => {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, `${secret}\n`)
    fsyncSync(handle)
    linkSync(draft, file)
    syncFolderOf(file)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  } finally {
    closeSync(handle)
    rmSync(draft, { force: true })
  }
}

export const syncFolderOf = (file: string): void => {
  if (process.platform === 'win32') return
  const handle = openSync(dirname(file), 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const noSecret = (file: string) =>
  storeCorrupt(file, 'it does not hold the secret that was put there', {
    fix: 'Restore a backup, or remove it: another is made, clients begin new sessions, and sign-ins at remote servers are asked for again.',
  })
