import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PostgresServer } from '../../scripts/postgres.mjs'
import { describePostgres, ownPostgres } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'
import { adminKeyOf } from './model.mjs'
import { baseConfig, counter, type ReplicaProcess, startReplica } from './replicas.mjs'

const password = 'canary-of-a-password-7d1e'
const config = baseConfig({ server: { firstListMs: 60_000 }, sources: { counter: counter() } })

describePostgres('a database that does not take what a replica wants', () => {
  let postgres: PostgresServer
  let url: string
  let first: ReplicaProcess
  let key: string

  const query = async (text: string): Promise<readonly any[]> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const as = (user: string, word: string, database?: string): string => {
    const address = new URL(url)
    address.username = user
    address.password = word
    if (database) address.pathname = `/${database}`
    return String(address)
  }
  /** How it ended and what it said, which never holds the password. */
  const refused = async (where: string, more: object = {}): Promise<string> => {
    const started = startReplica({ url: where, config: { ...config, ...more }, name: 'r2' })
    const said = await started.then(
      async (replica) => replica.dispose().then(() => 'It started.'),
      (error: Error) => error.message,
    )
    expect(said).not.toContain(password)
    expect(said).toMatch(/^The replica ended \([1-9]/)
    return said
  }
  const makeKey = (name: string): Promise<Response> =>
    fetch(`${first.url}/api/admin/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, permission: 'read' }),
    })
  const keyNames = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${first.url}/api/admin/v1/keys`, { headers: { authorization: `Bearer ${key}` } })
    return ((await answer.json()) as any).keys.map((each: any) => each.name ?? each.record?.name)
  }
  const call = async (): Promise<string> => {
    const answer = await fetch(`${first.url}/api/v1/tools/counter.count/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    return `${answer.status} ${await answer.text()}`
  }

  beforeAll(async () => {
    postgres = await ownPostgres()
    url = await postgres.createDatabase('board')
    await query(`create role known login password '${password}'; create role barred nologin`)
    await query('revoke create on schema public from public')
    const rules = [
      'host all postgres 127.0.0.1/32 trust',
      'host all barred 127.0.0.1/32 reject',
      'host all all 127.0.0.1/32 scram-sha-256',
    ]
    writeFileSync(join(postgres.folder, 'data', 'pg_hba.conf'), `${rules.join('\n')}\n`)
    await query('select pg_reload_conf()')
    first = await startReplica({ url, config, name: 'r1' })
    await first.ready()
    key = adminKeyOf([first])
    expect((await makeKey('before')).status).toBe(200)
  })
  afterAll(async () => {
    await first?.dispose()
    await postgres?.stop('immediate')
  })

  it('says that the password is wrong', async () => {
    const said = await refused(as('known', `${password}!`))
    expect(said).toContain('STORE_UNREADABLE')
    expect(said).toContain('the user or the password is wrong. Correct storage.url.')
  })

  it('says that a user is not let in', async () => {
    const said = await refused(as('barred', password))
    expect(said).toContain('STORE_UNREADABLE')
    expect(said).toContain('does not let this user in')
  })

  it('says that there is no such database', async () => {
    const said = await refused(as('known', password, 'bord'))
    expect(said).toContain('STORE_UNREADABLE')
    expect(said).toContain('there is no such database. Create it (createdb), or correct storage.url.')
  })

  it('says that a user may not make its tables, and may where the administrator made a schema for it', async () => {
    const said = await refused(as('known', password), { storage: { schema: 'apart' } })
    expect(said).toContain('STORE_UNREADABLE')
    expect(said).toContain('this user has not the rights. Grant CREATE on the database')
    await query('create schema apart authorization known')
    const apart = { ...config, storage: { schema: 'apart' } }
    const replica = await startReplica({ url: as('known', password), config: apart, name: 'r2' })
    try {
      await replica.ready()
      expect(replica.log()).not.toContain(password)
    } finally {
      await replica.dispose()
    }
  })

  it('says that a user may not read what others made', async () => {
    const said = await refused(as('known', password))
    expect(said).toContain('STORE_UNREADABLE')
    expect(said).toContain('this user has not the rights')
  })

  it('is told alike by doctor', async () => {
    const file = join(first.folder, 'wrong.json')
    const wrong = { ...config, storage: { backend: 'postgres', url: as('known', 'no') } }
    writeFileSync(file, JSON.stringify(wrong), { mode: 0o600 })
    const { stdout, code } = await runCli(['doctor', '--config', file], { cwd: first.folder, home: first.folder })
    expect(code).not.toBe(0)
    expect(stdout).toContain('the user or the password is wrong')
  })

  it('that is full refuses writes with the reason; calls go on, nothing is lost, and writes follow when it has room', async () => {
    const before = await call()
    expect(before).toMatch(/^200 /)
    await query(`create function is_full() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`)
    const tables = await query(`select table_schema s, table_name t from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'apart')`)
    const each = (make: (table: string) => string) => query(tables.map(({ s, t }) => make(`"${s}"."${t}"`)).join(';'))
    await each(
      (table) => `create trigger full_disk before insert or update or delete on ${table} execute function is_full()`,
    )
    const answer = await makeKey('refused')
    expect(answer.status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(await answer.json())).toContain('the disk of the database is full. Free some space there')
    // What runs goes on, in the same process.
    const pid = /pid\D*(\d+)/
    expect(pid.exec(await call())?.[1]).toBe(pid.exec(before)![1])
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
    await each((table) => `drop trigger full_disk on ${table}`)
    await expect.poll(async () => (await makeKey('after')).status, { timeout: 50_000 }).toBe(200)
    expect(await keyNames()).toEqual(expect.arrayContaining(['before', 'after']))
    expect(await keyNames()).not.toContain('refused')
  })
})
