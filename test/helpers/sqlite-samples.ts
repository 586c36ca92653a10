import { join } from 'node:path'
import { loadDriver } from '../../src/storage/sqlite/driver.js'
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.js'
import type { StoredTool } from '../../src/storage/store.js'
import { sampleTool } from './store-samples.js'

export const driver = loadDriver()

export const databaseIn = (folder: string): string => join(folder, 'tools.db')

export const manyTools = (count: number): readonly StoredTool[] =>
  Array.from({ length: count }, (_, n) =>
    sampleTool(`tool-${n}`, { tags: ['all', `tag-${n % 5}`], useCount: n, temperature: n % 2 === 0 ? 'hot' : 'cold' }),
  )

/** A database with these tools, closed again. */
export const fillDatabase = async (folder: string, count = 20): Promise<string> => {
  await using store = await openSqliteStore({ folder })
  await store.saveMany(manyTools(count))
  return folder
}

/** What someone else does to the file while nobody has it open. */
export const editDatabase = (folder: string, ...statements: readonly string[]): void => {
  const db = driver.open(databaseIn(folder))
  for (const sql of statements) db.exec(sql)
  db.close()
}
