import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { storeCorrupt, storeTooNew } from '../problems.js'
import { applicationId, schemaVersion } from './schema.js'

const magic = 'SQLite format 3\0'
const headerBytes = 100

/**
 * Judges a database by its first bytes (sqlite.org/fileformat2.html, section 1.3), before SQLite opens it: opening alone may
 * already replay and remove a write-ahead log, and what we cannot read we must not touch. Returns false for an empty file.
 */
export const checkHeader = (path: string): boolean => {
  const header = readHeader(path)
  if (header.length === 0) return false
  if (header.length < headerBytes || header.toString('latin1', 0, magic.length) !== magic)
    throw storeCorrupt(path, 'it is no SQLite database')
  const version = header.readInt32BE(60)
  if (header.readInt32BE(68) === applicationId && version > schemaVersion)
    throw storeTooNew(path, version, schemaVersion)
  return true
}

/** Whether it is a database of ours, or nothing yet that could be anybody's. */
export const isOwnHeader = (path: string): boolean => {
  const header = readHeader(path)
  return header.length === 0 || (header.length === headerBytes && header.readInt32BE(68) === applicationId)
}

const readHeader = (path: string): Buffer => {
  // Opening a FIFO would wait for somebody to write into it.
  if (!statSync(path).isFile()) throw Object.assign(new Error('not a regular file'), { code: 'EINVAL' })
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(headerBytes)
    return bytes.subarray(0, readSync(file, bytes, 0, headerBytes, 0))
  } finally {
    closeSync(file)
  }
}
