import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { openPooler } from '../../../test/helpers/pooler.js'
import { describePostgres, newDatabase, ownPostgres } from '../../../test/helpers/postgres.js'
import { sampleTool } from '../../../test/helpers/store-samples.js'
import { openStorage, openStore } from '../open.js'

const password = 'hush-hush'

/** Everything that an error could show. */
const shownOf = (error: Error & { readonly details?: unknown }): string =>
  [
    error.message,
    error.stack,
    JSON.stringify(error),
    JSON.stringify(error.details),
    String(error.cause),
    (error.cause as Error)?.stack,
  ].join(' ')

const opening = async (url: string) => {
  const storage = await openStorage({ backend: 'postgres', url })
  try {
    const store = await storage.store()
    await store.save(sampleTool('a'))
    throw new Error('it opened')
  } catch (error) {
    expect(shownOf(error as Error)).not.toContain(password)
    return error
  } finally {
    await storage[Symbol.asyncDispose]()
  }
}

const admin = async (url: string, ...statements: readonly string[]): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Another user, with a password. */
const as = (url: string, user: string): string => url.replace('postgres@', `${user}:${password}@`)

describePostgres('a PostgreSQL that is not as it should be', () => {
  it.each([
    ['nothing', undefined],
    ['another scheme', `mysql://me:${password}@host/db`],
    ['a port that is none', `postgres://me:${password}@host:port/db`],
  ])('is no address: %s', async (_, url) => {
    const failed = openStore({ backend: 'postgres', url })
    await expect(failed).rejects.toMatchObject({ code: 'CONFIG_INVALID', details: { path: 'storage.url' } })
    expect(shownOf((await failed.catch((error: unknown) => error)) as Error)).not.toContain(password)
  })

  it('is named without its password: host, port, database, user and rights', async () => {
    const url = await newDatabase()
    await admin(
      url,
      `do $$ begin create role narrow login; exception when duplicate_object then null; end $$`,
      `revoke create on database "${url.split('/').at(-1)}" from public`,
    )
    expect(await opening(as(url, 'nobody_of_that_name'))).toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringContaining('does not let this user in'),
    })
    expect(await opening(as(url.replace(/[^/]*$/, 'no_such_db'), 'postgres'))).toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringContaining('createdb'),
    })
    expect(await opening(as(url, 'narrow'))).toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringContaining('Grant CREATE'),
    })
    expect(await opening(`postgres://me:${password}@127.0.0.1:1/db`)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('nothing listens there'),
    })
    expect(await opening(`postgres://me:${password}@no-such-host.invalid/db`)).toMatchObject({
      code: 'STORE_UNAVAILABLE',
    })
  })

  it('is full, read-only, locked or out of connections, each with its way out', async () => {
    const url = await newDatabase()
    const name = url.split('/').at(-1)
    await using storage = await openStorage({ backend: 'postgres', url, connections: 2 })
    await using store = await storage.store()
    await store.save(sampleTool('a'))
    await admin(
      url,
      `create function pegboard.full() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$`,
      'create trigger full_disk before insert on pegboard.tool execute function pegboard.full()',
    )
    await expect(store.save(sampleTool('b'))).rejects.toMatchObject({
      code: 'STORE_WRITE_FAILED',
      message: expect.stringMatching(/full.*unchanged/),
    })
    await admin(
      url,
      'drop trigger full_disk on pegboard.tool',
      `alter database "${name}" set default_transaction_read_only = on`,
    )
    expect(await opening(url)).toMatchObject({
      code: 'STORE_WRITE_FAILED',
      message: expect.stringContaining('primary'),
    })
    await admin(
      url,
      'set default_transaction_read_only = off',
      `alter database "${name}" reset default_transaction_read_only`,
    )
    await admin(
      url,
      `do $$ begin create role plain login; exception when duplicate_object then null; end $$`,
      'alter role plain connection limit 0',
      'grant all on schema pegboard to plain',
    )
    expect(await opening(as(url, 'plain'))).toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('max_connections'),
    })
    const lock = new Client({ connectionString: url })
    await lock.connect()
    await lock.query('begin; lock table pegboard.tool in access exclusive mode')
    await expect(store.save(sampleTool('c'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await lock.query('rollback')
    await lock.end()
    expect((await store.load()).map(({ id }) => id)).toEqual(['a'])
  })

  it('has a newer schema: refused where that says so, used where it does not; and one it cannot read is left alone', async () => {
    const url = await newDatabase()
    await (await openStore({ backend: 'postgres', url }))[Symbol.asyncDispose]()
    const note = (value: string) => admin(url, `update pegboard.meta set value = '${value}' where key = 'schema'`)
    await note('{"version":99,"minReader":1}')
    await (await openStore({ backend: 'postgres', url }))[Symbol.asyncDispose]()
    await note('{"version":99,"minReader":99}')
    expect(await opening(url)).toMatchObject({ code: 'STORE_TOO_NEW', details: { found: 99, known: 1 } })
    await using storage = await openStorage({ backend: 'postgres', url })
    await expect(storage.reader().load()).rejects.toMatchObject({ code: 'STORE_TOO_NEW' })
    await note('what?')
    expect(await opening(url)).toMatchObject({ code: 'STORE_CORRUPT' })
  })

  it('is only looked at by who reads: nothing is made', async () => {
    const url = await newDatabase()
    await using storage = await openStorage({ backend: 'postgres', url })
    expect(await storage.reader().load()).toEqual([])
    expect(await storage.reader().documents('keys').all()).toEqual([])
    await admin(url, 'create schema pegboard')
  })

  it('refuses a wrong password, without repeating it', async () => {
    await using server = await ownPostgres()
    const url = server.url()
    await admin(url, "create role careful login superuser password 'right'")
    const rules = join(server.folder, 'data', 'pg_hba.conf')
    const before = await readFile(rules, 'utf8')
    await writeFile(rules, 'host all careful 127.0.0.1/32 scram-sha-256\n')
    await appendFile(rules, before)
    await admin(url, 'select pg_reload_conf()')
    await expect
      .poll(async () => ((await opening(as(url, 'careful'))) as { readonly message: string }).message)
      .toMatch(/password is wrong/)
    await (await openStore({ backend: 'postgres', url: url.replace('postgres@', 'careful:right@') }))[
      Symbol.asyncDispose
    ]()
  })

  it('goes away and comes back: writes are refused meanwhile, followers hear what came after', async () => {
    await using server = await ownPostgres()
    const url = await server.createDatabase()
    await using a = await openStorage({ backend: 'postgres', url })
    await using b = await openStorage({ backend: 'postgres', url })
    await using mine = await a.store()
    await using other = await b.store()
    const told: string[] = []
    other.follow!((changed) => told.push(...changed.map(({ id }) => id)))
    const ups: boolean[] = []
    b.commons!.onUp((isUp) => ups.push(isUp))
    await mine.save(sampleTool('before'))
    await expect.poll(() => told).toEqual(['before'])
    await server.halt('immediate')
    await expect(mine.save(sampleTool('lost'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await expect.poll(() => b.commons!.isUp).toBe(false)
    await expect(other.save(sampleTool('refused'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    await b.commons!.look()
    await server.start()
    await expect.poll(() => b.commons!.isUp).toBe(true)
    await expect
      .poll(() =>
        mine.save(sampleTool('after')).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => told).toContain('after')
    expect(ups).toEqual([false, true])
    // Every connection cut at once, as by an administrator: the next who asks does not notice.
    await admin(
      url,
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
    )
    await using keys = a.shared('keys')
    await keys.put('k', 1)
    await expect
      .poll(() =>
        mine.save(sampleTool('again')).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(() => told).toContain('again')
  })

  it('answers nothing at all: refused in time, and taken up again', async () => {
    const url = await newDatabase()
    await using pooler = await openPooler()
    await using storage = await openStorage({ backend: 'postgres', url: pooler.through(url), connections: 2 })
    await using store = await storage.store()
    let told = 0
    storage.commons!.follow('notes', () => void told++)
    await store.save(sampleTool('a'))
    pooler.freeze()
    const began = performance.now()
    await expect(store.save(sampleTool('b'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    // Five seconds by our own clock; the rest is the machine's.
    expect(performance.now() - began).toBeLessThan(10_000)
    await expect.poll(() => storage.commons!.isUp).toBe(false)
    const refused = performance.now()
    await expect(store.save(sampleTool('c'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(performance.now() - refused).toBeLessThan(2000)
    pooler.thaw()
    await expect.poll(() => storage.commons!.isUp).toBe(true)
    await using other = await openStorage({ backend: 'postgres', url, connections: 2 })
    await other.shared('notes').put('n', 1)
    await expect.poll(() => told).toBe(1)
  })

  it('stands behind a pooler that takes neither settings nor LISTEN: the look each second is enough', async () => {
    const url = await newDatabase()
    await using pooler = await openPooler({ strict: true })
    const lines: string[] = []
    const logger = { log: (_: string, text: string) => void lines.push(text), child: () => logger }
    await using storage = await openStorage({ backend: 'postgres', url: pooler.through(url), connections: 2, logger })
    await using store = await storage.store()
    const told: string[] = []
    store.follow!((changed) => told.push(...changed.map(({ id }) => id)))
    await using other = await openStore({ backend: 'postgres', url, connections: 2 })
    await other.save(sampleTool('a'))
    await expect.poll(() => told).toEqual(['a'])
    await store.documents('notes').addUnless('x', 1, () => false)
    await expect.poll(() => lines.filter((line) => /announces no changes/.test(line))).toHaveLength(1)
  })
})
