import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { driver, editDatabase, fillDatabase } from '../../../test/helpers/sqlite-samples.js'
import { temporaryFolders } from '../../../test/helpers/store-samples.js'
import { openSqliteStore } from './sqlite-store.js'

const newFolder = temporaryFolders()
const filled = async (count?: number) => fillDatabase(await newFolder(), count)

describe('a database of version 1 (F36)', () => {
  const version1 = async () => {
    const folder = await filled(5)
    editDatabase(folder, 'DROP TABLE documents', 'PRAGMA user_version = 1')
    return folder
  }

  it('gets a place for documents, and a copy is kept', async () => {
    const folder = await version1()
    await using store = await openSqliteStore({ folder })
    expect(await store.load()).toHaveLength(5)
    await store.documents('notes').put('a', { b: 1 })
    expect(await store.documents('notes').all()).toEqual([{ id: 'a', value: { b: 1 } }])
    expect(await store.validate()).toEqual([])
    const [copy] = (await readdir(folder)).filter((name) => name.startsWith('tools.db.before-v2-'))
    const db = driver.open(join(folder, copy!))
    expect(db.prepare('PRAGMA user_version').all()[0]?.user_version).toBe(1)
    expect(db.prepare('SELECT count(*) AS n FROM tools').all()[0]?.n).toBe(5)
    db.close()
  })

  it('is upgraded once', async () => {
    const folder = await version1()
    for (let round = 0; round < 2; round++) await (await openSqliteStore({ folder }))[Symbol.asyncDispose]()
    expect((await readdir(folder)).filter((name) => name.includes('before-v2'))).toHaveLength(1)
  })
})

describe('a row of documents edited behind our back', () => {
  it('says so when read and in validate', async () => {
    const folder = await newFolder()
    {
      await using store = await openSqliteStore({ folder })
      await store.documents('notes').put('a', { allowed: false })
    }
    editDatabase(folder, `UPDATE documents SET value = '{"allowed":true}'`)
    await using store = await openSqliteStore({ folder })
    await expect(store.documents('notes').get('a')).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    expect(await store.validate()).toHaveLength(1)
  })
})
