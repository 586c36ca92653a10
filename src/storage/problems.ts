import { GatewayError } from '../errors.js'
import { errnoOf } from './disk.js'

/** What is on disk is not what a store wrote. The file itself is never touched by this error. */
export const storeCorrupt = (
  file: string,
  reason: string,
  extras: { readonly cause?: unknown; readonly fix?: string | undefined } = {},
) =>
  new GatewayError(
    'STORE_CORRUPT',
    `${file} is damaged: ${reason}. It was left as it is. ${extras.fix ?? restoreOrSetAside}`,
    { details: { file, reason }, cause: extras.cause },
  )

/** A newer Pegboard wrote this; reading it with older eyes could lose what they do not know. */
export const storeTooNew = (file: string, found: number, known: number) =>
  new GatewayError(
    'STORE_TOO_NEW',
    `${file} has format version ${found}, this program knows versions up to ${known}. It was left as it is. ` +
      'Use the newer Pegboard that wrote it, or restore the backup made before the upgrade.',
    { details: { file, found, known } },
  )

/** Nothing is known to be wrong with the data, but we cannot get at it. */
export const storeUnreadable = (file: string, cause: unknown) => {
  const errno = errnoOf(cause)
  return new GatewayError('STORE_UNREADABLE', `Cannot open ${file}: ${explain(readAdvice, errno, cause)}`, {
    details: { file, errno },
    cause,
  })
}

/** The data folder is not there and cannot be made. */
export const folderFailed = (folder: string, cause: unknown) => {
  const errno = errnoOf(cause)
  return new GatewayError(
    'STORE_UNREADABLE',
    `Cannot make the folder ${folder}: ${explain(makeAdvice, errno, cause)}`,
    {
      details: { folder, errno },
      cause,
    },
  )
}

/** The change did not reach the disk; what was there before still is. */
export const writeFailed = (file: string, cause: unknown) => {
  const errno = errnoOf(cause)
  return new GatewayError(
    'STORE_WRITE_FAILED',
    `Cannot save to ${file}: ${explain(writeAdvice, errno, cause)} What was stored before is unchanged.`,
    { details: { file, errno }, cause },
  )
}

/** Calls after disposal. */
export const storeClosed = (file: string) =>
  new GatewayError('STORE_UNREADABLE', `The store ${file} is closed. Open it again to use it.`, { details: { file } })

const restoreOrSetAside =
  'Restore a backup, or set onCorrupt ("storage" in the configuration) to "set-aside", which keeps the damaged file beside and begins empty.'

const notAllowed = 'this user may not write there. Change the owner or the mode of the folder, or choose another path.'

const writeAdvice: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space, then try again.',
  EDQUOT: 'the disk quota is used up. Free some space, then try again.',
  EROFS: 'the file or its file system is read-only. Make it writable, or choose another path.',
  EACCES: notAllowed,
  EPERM: notAllowed,
  EIO: 'the disk reported an input/output error. Check the disk, then try again.',
  ENOENT: 'its folder is gone. Create it again, then try again.',
  ENOTDIR: 'a part of its path is a file. Choose another path.',
  EMFILE: 'too many files are open. Raise the limit (ulimit -n), then try again.',
  ENFILE: 'too many files are open on this machine. Close some, then try again.',
  EFBIG: 'the file would grow too large. Use the sqlite backend.',
}

const mayNotMake =
  'this user may not write there. Change the owner or the mode of the folder above it, or choose another path (--data-path).'

const makeAdvice: Readonly<Record<string, string>> = {
  ...writeAdvice,
  EACCES: mayNotMake,
  EPERM: mayNotMake,
  EROFS: 'its file system is read-only. Make it writable, or choose another path (--data-path).',
  ENOENT: 'the file system there takes no new folders. Choose another path (--data-path).',
  ENOTDIR: 'a part of its path is a file. Choose another path (--data-path).',
  EEXIST: 'a part of its path is a file. Choose another path (--data-path).',
}

const readAdvice: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read it. Change its owner or mode, or choose another path.',
  EPERM: 'this user may not read it. Change its owner or mode, or choose another path.',
  EISDIR: 'it is a folder. Move it away, or choose another path.',
  ENOTDIR: 'a part of its path is a file. Choose another path.',
  EEXIST: 'a part of its path is a file. Choose another path.',
  EINVAL: 'it is not a regular file. Move it away, or choose another path.',
  EFBIG: 'it is too large for this backend. Use the sqlite backend.',
  EROFS: 'the file or its file system is read-only. Make it writable, or choose another path.',
  ENOSPC: 'the disk is full. Free some space, then try again.',
  EIO: 'the disk reported an input/output error. Check the disk, then try again.',
}

// The message of an errno error may repeat paths but never contents, so it is safe to show where we have no better words.
const explain = (advice: Readonly<Record<string, string>>, errno: string | undefined, cause: unknown): string =>
  (errno !== undefined && Object.hasOwn(advice, errno) ? advice[errno] : undefined) ??
  `${cause instanceof Error ? cause.message : 'unknown cause'}.`
