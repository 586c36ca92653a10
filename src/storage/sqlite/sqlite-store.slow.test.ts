import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databaseIn, driver, editDatabase, fillDatabase, manyTools } from '../../../test/helpers/sqlite-samples.js'
import { sampleTool, temporaryFolders } from '../../../test/helpers/store-samples.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { StoreReader } from '../store.js'
import { busyTimeoutMs } from './busy.js'
import { type Database, type Driver, loadDriver } from './driver.js'
import { readSqliteStore } from './read-sqlite.js'
import { openSqliteStore, quietMs } from './sqlite-store.js'
import { queries } from './statements.js'

const newFolder = temporaryFolders()
const filled = async (count?: number) => fillDatabase(await newFolder(), count)

describe('the database', () => {
  it('is one file at rest, for its owner only', async () => {
    const folder = await filled()
    expect((await stat(databaseIn(folder))).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).sort()).toEqual(['.tools.db.used', 'tools.db'])
  })

  it('has its log and index for its owner only as well', async () => {
    const folder = await filled()
    await using _store = await openSqliteStore({ folder })
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
  })

  it('finds tags and temperatures by index (002-10)', async () => {
    const folder = await filled()
    const db = driver.open(databaseIn(folder))
    const plan = (sql: string, ...values: readonly (string | number)[]) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map((row) => String(row.detail))
        .join('; ')
    expect(plan(queries.byTag, 'x')).not.toMatch(/SCAN|TEMP B-TREE/)
    expect(plan(queries.byTemperature, 'hot', 5)).toContain('USING INDEX tools_by_temperature')
    expect(plan(queries.byTemperature, 'hot', 5)).not.toMatch(/SCAN|TEMP B-TREE/)
    db.close()
  })

  it('empties its log into itself when nobody saves for a while', async () => {
    const folder = await newFolder()
    const clock = new VirtualClock()
    await using store = await openSqliteStore({ folder, clock })
    const logSize = async () => (await stat(`${databaseIn(folder)}-wal`)).size
    await store.save(sampleTool('a'))
    await clock.advance(quietMs - 1)
    await store.save(sampleTool('b'))
    await clock.advance(quietMs - 1)
    expect(await logSize()).toBeGreaterThan(0)
    await clock.advance(1)
    expect(await logSize()).toBe(0)
    expect(await store.load()).toHaveLength(2)
  })

  it('flushes every commit before it is reported', async () => {
    const folder = await newFolder()
    const sql: string[] = []
    const spy = (exec: (text: string) => void) => (text: string) => {
      sql.push(text)
      exec(text)
    }
    const spying = {
      ...driver,
      open: (file: string) => {
        const db = driver.open(file)
        return { ...db, exec: spy(db.exec) }
      },
    }
    await using store = await openSqliteStore({ folder, driver: spying })
    expect(sql.join('\n')).toContain('synchronous = FULL')
    sql.length = 0
    await Promise.all(manyTools(30).map((tool) => store.save(tool)))
    expect(sql).toEqual(['BEGIN IMMEDIATE', 'COMMIT'])
  })
})

describe('a database whose n-th statement fails (F3)', () => {
  it('keeps what it had, and works when tried again', async () => {
    const folder = await filled()
    const faulty = faultyDriver()
    await using store = await openSqliteStore({ folder, driver: faulty })
    const before = await store.load()
    const changes = () => store.saveMany([sampleTool('new', { tags: ['x'] }), sampleTool('tool-1', { tags: ['x'] })])
    let failures = 0
    for (let n = 1; ; n++) {
      faulty.failAt(n)
      const outcome = await changes().catch((error: unknown) => error)
      faulty.failAt(0)
      if (outcome === undefined) break
      failures++
      expect(outcome).toMatchObject({ code: 'STORE_WRITE_FAILED', message: expect.stringContaining('input/output') })
      expect(await store.load()).toEqual(before)
      expect(await store.validate()).toEqual([])
    }
    expect(failures).toBe(8)
    expect(await store.loadByTag('x')).toHaveLength(2)
  })
})

describe('a database locked by another program (D182)', () => {
  it('is waited for, without blocking, and then given up on', async () => {
    const folder = await filled()
    const clock = new VirtualClock()
    await using store = await openSqliteStore({ folder, clock })
    const other = driver.open(databaseIn(folder))
    other.exec('BEGIN IMMEDIATE')
    const saving = store.save(sampleTool('late')).catch((error: unknown) => error)
    for (let waited = 0; waited <= busyTimeoutMs; waited += 20) await clock.advance(20)
    expect(await saving).toMatchObject({ code: 'STORE_WRITE_FAILED', message: expect.stringContaining('locked') })
    expect(await store.load()).toHaveLength(20)
    other.exec('ROLLBACK')
    await store.save(sampleTool('late'))
    expect(await store.load()).toHaveLength(21)
    other.close()
  })

  it('is written as soon as the lock is gone', async () => {
    const folder = await filled()
    const clock = new VirtualClock()
    await using store = await openSqliteStore({ folder, clock })
    const other = driver.open(databaseIn(folder))
    other.exec('BEGIN IMMEDIATE')
    const saving = store.save(sampleTool('late'))
    await clock.advance(100)
    other.exec('ROLLBACK')
    await clock.advance(20)
    await saving
    expect(await store.load()).toHaveLength(21)
    other.close()
  })

  it('is refused at open when the lock stays', async () => {
    const folder = await filled()
    const other = driver.open(databaseIn(folder))
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    const clock = new VirtualClock()
    let refusal: unknown
    const opening = openSqliteStore({ folder, clock }).catch((error: unknown) => {
      refusal = error
    })
    while (refusal === undefined) await clock.advance(20)
    await opening
    expect(refusal).toMatchObject({ code: 'STORE_UNREADABLE', message: expect.stringContaining('locked') })
    other.exec('ROLLBACK')
    other.close()
  })
})

describe('a database replaced while it is open (D183)', () => {
  it('takes no more writes, which would be gone after a restart', async () => {
    const folder = await filled()
    const other = await filled(3)
    await using store = await openSqliteStore({ folder })
    await rename(databaseIn(other), databaseIn(folder))
    await expect(store.save(sampleTool('lost'))).rejects.toMatchObject({
      code: 'STORE_WRITE_FAILED',
      message: expect.stringContaining('replaced'),
    })
    expect(await store.validate()).toHaveLength(1)
  })
})

describe("RegistryTools' database (002-12, F36)", () => {
  const columns =
    'name TEXT PRIMARY KEY, description TEXT NOT NULL, mcp_server TEXT, defer_loading INTEGER DEFAULT 1, tags TEXT, category TEXT, use_frequency INTEGER DEFAULT 0, last_used TEXT'

  it.each([
    ['eleven', `${columns}, temperature TEXT DEFAULT 'cold', input_schema TEXT, output_schema TEXT`, "'warm', "],
    ['ten', `${columns}, input_schema TEXT, output_schema TEXT`, ''],
  ])('of %s columns is read and left as it is, byte for byte (D1, 002-02)', async (_, shape, temperature) => {
    const folder = await newFolder()
    editDatabase(
      folder,
      'PRAGMA journal_mode = WAL',
      `CREATE TABLE tools (${shape})`,
      `INSERT INTO tools VALUES ('github.create_pr', '创建 PR', 'github', 0, '["git","代码"]', 'dev', 5, '2026-01-11T12:30:00.5', ${temperature}'{"type":"object"}', NULL)`,
      `INSERT INTO tools VALUES ('plain', 'x', NULL, 1, NULL, NULL, 0, NULL, ${temperature}NULL, NULL)`,
    )
    // libsql closes when garbage is collected, and would empty the log into the file then.
    const log = driver.open(databaseIn(folder))
    log.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all()
    log.close()
    const original = await readFile(databaseIn(folder))
    const store = await openSqliteStore({ folder })
    const [pr, plain] = await store.load()
    expect(pr).toEqual({
      id: 'github.create_pr',
      namespace: '',
      source: 'registered',
      definition: {
        name: 'github.create_pr',
        description: '创建 PR',
        inputSchema: { type: 'object' },
        _meta: { 'pegboard/mcp_server': 'github' },
      },
      tags: ['git', '代码'],
      category: 'dev',
      deferLoading: false,
      useCount: 5,
      lastUsed: new Date(2026, 0, 11, 12, 30, 0, 500).getTime(),
      temperature: 'warm',
    })
    expect(plain).toMatchObject({ id: 'plain', source: 'registered', tags: [], lastUsed: null, deferLoading: true })
    expect(await store.loadByTag('代码')).toEqual([pr])
    expect(await store.validate()).toEqual([])
    await store.merge!([], [{ id: 'github.create_pr', count: 5, lastUsed: pr!.lastUsed! + 1 }])
    await store.delete('plain')
    await store.save(sampleTool('ours'))
    await store[Symbol.asyncDispose]()
    const seen = async (reader: StoreReader) =>
      (await reader.load()).map(({ id, useCount, temperature }) => [id, useCount, temperature])
    const expected = [
      ['github.create_pr', 10, 'hot'],
      ['ours', 0, 'cold'],
    ]
    expect(await seen(readSqliteStore({ folder }))).toEqual(expected)
    await using again = await openSqliteStore({ folder })
    expect(await seen(again)).toEqual(expected)
    expect((await readFile(databaseIn(folder))).equals(original)).toBe(true)
    expect((await stat(join(folder, 'pegboard-tools.db'))).mode & 0o777).toBe(0o600)
  })

  it('with a row that cannot be read is refused and left as it was', async () => {
    const folder = await newFolder()
    editDatabase(
      folder,
      `CREATE TABLE tools (${columns})`,
      "INSERT INTO tools (name, description, tags) VALUES ('a', 'b', 'not json')",
    )
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining("'a'"),
    })
    const db = driver.open(databaseIn(folder))
    expect(db.prepare('SELECT name FROM tools').all()).toHaveLength(1)
    db.close()
  })
})

describe('the driver', () => {
  it('is a named error with a cure when there is none', () => {
    const none = () => {
      throw new Error('not found')
    }
    expect(() => loadDriver(none)).toThrow(
      expect.objectContaining({ code: 'STORE_UNREADABLE', message: expect.stringContaining('npm install libsql') }),
    )
    expect(() => loadDriver(() => ({}))).toThrow(expect.objectContaining({ code: 'STORE_UNREADABLE' }))
  })

  it('comes from Node where Node has one', () => {
    const module = { DatabaseSync: class {} }
    expect(loadDriver((name) => (name === 'node:sqlite' ? module : undefined)).name).toBe('node:sqlite')
  })
})

describe('two processes on one database (F29)', () => {
  it('are noticed, and the second may start once the first was killed', async () => {
    const folder = await filled()
    const holder = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(holder, 'spawn')
    await writeFile(`${databaseIn(folder)}.lock`, JSON.stringify({ pid: holder.pid, start: '' }))
    await expect(openSqliteStore({ folder })).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await using store = await openSqliteStore({ folder })
    expect(await store.load()).toHaveLength(20)
  })
})

/** Lets the n-th statement that changes something fail as a broken disk would. */
const faultyDriver = (): Driver & { failAt(n: number): void } => {
  let left = 0
  const step = <T>(work: () => T): T => {
    if (left > 0 && --left === 0) throw Object.assign(new Error('disk I/O error'), { rawCode: 10 })
    return work()
  }
  const wrap = (db: Database): Database => ({
    ...db,
    exec: (sql) => step(() => db.exec(sql)),
    prepare: (sql) => {
      const statement = db.prepare(sql)
      return { ...statement, run: (...values) => step(() => statement.run(...values)) }
    },
  })
  return {
    ...driver,
    open: (file) => wrap(driver.open(file)),
    failAt: (n) => {
      left = n
    },
  }
}
