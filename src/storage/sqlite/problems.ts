import { type GatewayError, isGatewayError } from '../../errors.js'
import { storeCorrupt, storeUnreadable, writeFailed } from '../problems.js'

/** SQLite's primary result codes that mean something to us. */
const primary = {
  busy: 5,
  locked: 6,
  readonly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const

export const isBusy = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === primary.busy || code === primary.locked
}

/** No change can be made here at the moment, though reading may work: read-only, full, or no room for a journal. */
export const isUnwritable = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === primary.readonly || code === primary.full || code === primary.cantOpen
}

/** While opening or reading. */
export const readProblem = (file: string, error: unknown): GatewayError => {
  if (isGatewayError(error)) return error
  const code = resultCode(error)
  if (code === primary.corrupt || code === primary.notADatabase)
    return storeCorrupt(
      file,
      code === primary.corrupt ? 'SQLite finds its pages malformed' : 'it is no SQLite database',
      { cause: error },
    )
  return storeUnreadable(file, toErrno(error, code))
}

/** While writing. */
export const writeProblem = (file: string, error: unknown): GatewayError => {
  if (isGatewayError(error)) return error
  const code = resultCode(error)
  if (code === primary.corrupt || code === primary.notADatabase) return readProblem(file, error)
  return writeFailed(file, toErrno(error, code))
}

// node:sqlite says `errcode`, libsql `rawCode`; the low byte of an extended code is its primary one. When libsql cannot
// even open the file, the number is only in its message.
const resultCode = (error: unknown): number | undefined => {
  if (!(error instanceof Error)) return undefined
  const { errcode, rawCode } = error as { errcode?: unknown; rawCode?: unknown }
  const code = typeof errcode === 'number' ? errcode : rawCode
  if (typeof code === 'number') return code & 0xff
  const inMessage = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message)?.[1]
  return inMessage === undefined ? undefined : Number(inMessage) & 0xff
}

const errnos: Readonly<Record<number, string>> = {
  [primary.readonly]: 'EROFS',
  [primary.io]: 'EIO',
  [primary.full]: 'ENOSPC',
}

/** The same words for the same trouble, whichever backend meets it. */
const toErrno = (error: unknown, code: number | undefined): unknown => {
  if (code === primary.busy || code === primary.locked)
    return new Error('another program keeps the database locked. Close it, then try again', { cause: error })
  if (code === primary.cantOpen)
    return new Error('SQLite cannot open it or its journal. Make the file and its folder writable for this user', {
      cause: error,
    })
  const errno = code === undefined ? undefined : errnos[code]
  return errno === undefined
    ? error
    : Object.assign(new Error(`SQLite result ${code}`, { cause: error }), { code: errno })
}
