import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { GatewayError, messageOf } from '../errors.js'
import { makeFolder } from '../model/make-folder.js'
import type { Keys } from './keys.js'

export interface AdminKeyOptions {
  readonly keys: Keys
  /** The data folder, where `admin.key` is written; undefined where nothing is kept, and the key is only returned. */
  readonly folder: string | undefined
}

export interface AdminKey {
  readonly key: string
  readonly id: string
  readonly file: string | undefined
}

export const adminKeyFile = (folder: string): string => join(folder, 'admin.key')

/**
 * Makes the key for administration at the first start, so that admin routes never have to be open (T2). Undefined when
 * somebody holds one already: then this program no longer knows it, and its file may have been put elsewhere on purpose.
 */
export const ensureAdminKey = async ({ keys, folder }: AdminKeyOptions): Promise<AdminKey | undefined> => {
  // Looked at first, since what is only read needs no lock.
  if (keys.active().some(({ role }) => role === 'admin')) return undefined
  const made = await keys.createFirst({ name: 'admin', role: 'admin' })
  if (!made) return undefined
  const { key, record } = made
  const { id } = record
  if (folder === undefined) return { key, id, file: undefined }
  const file = adminKeyFile(folder)
  try {
    await writePrivate(file, `${key}\n`)
  } catch (cause) {
    // A key that nobody can read is only a risk.
    await keys.revoke(id)
    throw new GatewayError('STORE_WRITE_FAILED', `Cannot write ${file}: ${messageOf(cause)}`, {
      details: { file },
      cause,
    })
  }
  return { key, id, file }
}

// A file of its own that is renamed: an earlier one may have another mode, which writing into it would keep.
const writePrivate = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.${process.pid}.tmp`
  await makeFolder(dirname(file))
  await rm(temporary, { force: true })
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
