import { copyFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseIn, editDatabase, fillDatabase, manyTools } from '../../../test/helpers/sqlite-samples.js'
import { sampleTool, temporaryFolders } from '../../../test/helpers/store-samples.js'
import { openSqliteStore } from './sqlite-store.js'

const newFolder = temporaryFolders()
const filled = async (count?: number) => fillDatabase(await newFolder(), count)

describe('a damaged database (F6)', () => {
  const refused = async (folder: string, code = 'STORE_CORRUPT') => {
    const before = await readFile(databaseIn(folder)).catch(() => undefined)
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code })
    expect(await readFile(databaseIn(folder)).catch(() => undefined)).toEqual(before)
  }

  it('of 0 bytes is refused where there were tools, and is new where there were none (D175)', async () => {
    const folder = await filled()
    await truncate(databaseIn(folder), 0)
    await refused(folder)
    const fresh = await newFolder()
    await writeFile(databaseIn(fresh), '')
    await using store = await openSqliteStore({ folder: fresh })
    await store.save(sampleTool('a'))
  })

  it('that is text, or shorter than a header, is refused (D176)', async () => {
    const folder = await filled()
    await writeFile(databaseIn(folder), 'these are not the bytes you are looking for'.repeat(200))
    await refused(folder)
    await writeFile(databaseIn(folder), 'SQLite format 3\0')
    await refused(folder)
  })

  it('that is missing is refused where there were tools', async () => {
    const folder = await filled()
    await rm(databaseIn(folder))
    await refused(folder)
  })

  it('with a flipped header is refused (D177)', async () => {
    const folder = await filled()
    const bytes = await readFile(databaseIn(folder))
    await writeFile(
      databaseIn(folder),
      Buffer.concat([bytes.subarray(0, 16).map((byte) => byte ^ 0xff), bytes.subarray(16)]),
    )
    await refused(folder)
  })

  it.each([
    ['half of it (D178)', (size: number) => Math.floor(size / 2 / 4096) * 4096],
    ['the middle of a page (D179)', (size: number) => size - 1000],
    ['all but the first page', () => 4096],
  ])('that was cut to %s is refused', async (_, cutTo) => {
    const folder = await filled(200)
    await truncate(databaseIn(folder), cutTo((await stat(databaseIn(folder))).size))
    await refused(folder)
  })

  it('with any one byte changed gives a named error or the right data, never wrong data (D180)', async () => {
    const source = await filled(40)
    const bytes = await readFile(databaseIn(source))
    const expected = manyTools(40)
    const outcomes = { refused: 0, right: 0 }
    const random = seededRandom(180)
    for (let round = 0; round < 200; round++) {
      const folder = await newFolder()
      const damaged = Buffer.from(bytes)
      const at = round < 100 ? round : Math.floor(random() * bytes.length)
      damaged[at] = damaged[at]! ^ (1 + Math.floor(random() * 255))
      await writeFile(databaseIn(folder), damaged)
      await copyFile(join(source, '.tools.db.used'), join(folder, '.tools.db.used'))
      outcomes[await readEverything(folder, expected, at)]++
    }
    expect(outcomes.refused).toBeGreaterThan(50)
    expect(outcomes.right).toBeGreaterThan(0)
  })

  it.each([
    ['a missing table', 'DROP TABLE tags'],
    ['a missing index', 'DROP INDEX tools_by_temperature'],
    ['another shape', 'ALTER TABLE tools ADD COLUMN more TEXT'],
    ['a trigger (D182)', 'CREATE TRIGGER t AFTER INSERT ON tools BEGIN DELETE FROM tags; END'],
    ['no id of its own', "DELETE FROM meta WHERE key = 'store_id'"],
    ['a version we never wrote', 'PRAGMA user_version = -3'],
  ])('with %s is refused', async (_, sql) => {
    const folder = await filled()
    editDatabase(folder, sql)
    await refused(folder)
  })

  it('of a newer version is refused as such, untouched (D182, F36)', async () => {
    const folder = await filled()
    editDatabase(folder, 'PRAGMA user_version = 99')
    await refused(folder, 'STORE_TOO_NEW')
  })

  it('of another program is refused as such', async () => {
    const folder = await newFolder()
    editDatabase(folder, 'CREATE TABLE notes (text TEXT)')
    await refused(folder, 'STORE_UNREADABLE')
  })

  it('whose rows were edited behind our back says so when read and in validate', async () => {
    const folder = await filled()
    editDatabase(
      folder,
      "UPDATE tools SET use_count = 1000 WHERE id = 'tool-3'",
      "DELETE FROM tags WHERE tool_id = 'tool-4'",
    )
    await using store = await openSqliteStore({ folder })
    await expect(store.load()).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('tool-3'),
    })
    const reasons = (await store.validate()).map((problem) => problem.reason).join('\n')
    expect(reasons).toMatch(/tool-3(.|\n)*tags of tool 'tool-4'/)
  })

  it('is kept beside with its log when the operator chooses to go on', async () => {
    const folder = await filled()
    const bytes = Buffer.from('no database at all')
    await writeFile(databaseIn(folder), bytes)
    await writeFile(`${databaseIn(folder)}-wal`, 'a log')
    {
      await using store = await openSqliteStore({ folder, onCorrupt: 'set-aside' })
      expect(await store.load()).toEqual([])
    }
    const aside = (await readdir(folder)).filter((name) => name.startsWith('tools.db.corrupt-')).sort()
    expect(aside).toHaveLength(2)
    expect(await readFile(join(folder, aside[0]!))).toEqual(bytes)
    await using _again = await openSqliteStore({ folder })
  })
})

describe('a write-ahead log (D181)', () => {
  /** A folder as kill -9 leaves it: copied while the store is open. */
  const killed = async () => {
    const folder = await newFolder()
    await using store = await openSqliteStore({ folder })
    await store.saveMany(manyTools(20))
    const copy = await newFolder()
    for (const name of ['tools.db', 'tools.db-wal', '.tools.db.used'])
      await copyFile(join(folder, name), join(copy, name))
    return copy
  }

  it('is replayed after a crash, with a stale index or none', async () => {
    const folder = await killed()
    await writeFile(join(folder, 'tools.db-shm'), Buffer.alloc(32768, 7))
    await using store = await openSqliteStore({ folder })
    expect(await store.load()).toHaveLength(20)
  })

  it('that is missing after a crash is not taken for an empty store', async () => {
    const folder = await killed()
    await rm(join(folder, 'tools.db-wal'))
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('write-ahead log'),
    })
  })

  it('that is missing after a crash is reported where older tools are left', async () => {
    const folder = await killed()
    await (await openSqliteStore({ folder }))[Symbol.asyncDispose]()
    editDatabase(folder, "UPDATE meta SET value = 'open' WHERE key = 'state'")
    const messages: string[] = []
    const logger = { log: (_: string, message: string) => void messages.push(message), child: () => logger }
    await using store = await openSqliteStore({ folder, logger })
    expect(messages.join()).toContain('write-ahead log is gone')
    expect(await store.load()).toHaveLength(20)
  })

  it('of another database is not taken for ours', async () => {
    const folder = await filled()
    const other = await killed()
    await rename(join(other, 'tools.db-wal'), join(folder, 'tools.db-wal'))
    const outcome = await readEverything(folder, manyTools(20), 0)
    expect(['refused', 'right']).toContain(outcome)
  })
})

const readEverything = async (folder: string, tools: ReturnType<typeof manyTools>, at: number) => {
  try {
    await using store = await openSqliteStore({ folder })
    const byId = [...tools].sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(await store.load(), `byte ${at}`).toEqual(byId)
    expect(await store.loadByTag('tag-1'), `byte ${at}`).toEqual(byId.filter((tool) => tool.tags.includes('tag-1')))
    const hot = tools.filter((tool) => tool.temperature === 'hot').sort((a, b) => b.useCount - a.useCount)
    expect(await store.loadByTemperature('hot', 5), `byte ${at}`).toEqual(hot.slice(0, 5))
    return 'right'
  } catch (error) {
    if (error instanceof Error && error.name === 'GatewayError') {
      expect(error, `byte ${at}`).toMatchObject({ code: expect.stringMatching(/^STORE_(CORRUPT|UNREADABLE|TOO_NEW)$/) })
      return 'refused'
    }
    throw error
  }
}

/** mulberry32: the same flips on every machine. */
const seededRandom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}
