import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../config/edit.js'
import { isRecord } from '../../model/json.js'
import { makeFolder } from '../../model/make-folder.js'

/** What is kept so that a change of a client's file can be taken back. */
export interface Backup {
  /** The bytes before our first change; undefined when there was no file. */
  readonly before: Buffer | undefined
  /** SHA-256 of the bytes that we wrote. */
  readonly after: string
  readonly entryName: string
}

export interface BackupShelf {
  read(file: string): Promise<Backup | undefined>
  write(file: string, backup: Backup): Promise<void>
  drop(file: string): Promise<void>
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** In our own data folder and not beside the client's file: some clients read every file they find there. */
export const openBackups = (dataFolder: string): BackupShelf => {
  const folder = join(dataFolder, 'client-backups')
  const nameOf = (file: string): string => join(folder, hashOf(Buffer.from(file)).slice(0, 16))
  return {
    read: async (file) => {
      const record = await readFile(`${nameOf(file)}.json`, 'utf8').then(parseRecord, () => undefined)
      if (!record) return undefined
      const before = record.existed ? await readFile(`${nameOf(file)}.before`) : undefined
      return { before, after: record.after, entryName: record.entryName }
    },
    write: async (file, { before, after, entryName }) => {
      await makeFolder(folder)
      // The bytes first: a record without them would promise what it cannot keep.
      if (before) await replaceFile(`${nameOf(file)}.before`, before)
      const record = { file, existed: before !== undefined, after, entryName }
      await replaceFile(`${nameOf(file)}.json`, `${JSON.stringify(record, null, 2)}\n`)
    },
    drop: async (file) => {
      await rm(`${nameOf(file)}.json`, { force: true })
      await rm(`${nameOf(file)}.before`, { force: true })
    },
  }
}

const parseRecord = (text: string) => {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value) || typeof value.after !== 'string' || typeof value.entryName !== 'string') return undefined
  return { existed: value.existed === true, after: value.after, entryName: value.entryName }
}
