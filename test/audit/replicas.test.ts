import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { AuditEntry } from '../../src/telemetry/audit-entry.js'
import { trailIn } from '../../src/telemetry/audit-pages.js'
import { type OpenedReplica, openReplica } from '../helpers/open-replica.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'

type Row = AuditEntry & { readonly replica: string }

describePostgres('the trail of a fleet', () => {
  const open: OpenedReplica[] = []
  let a: OpenedReplica
  let b: OpenedReplica
  let key: string
  beforeAll(async () => {
    const database = await newDatabase()
    a = await openReplica({ database, name: 'a' })
    open.push(a)
    key = (await a.board.listener!.keys.create({ name: 'auditor', permission: 'admin' })).key
    b = await openReplica({ database, name: 'b', key })
    open.push(b)
    await vi.waitUntil(() => [a, b].every(({ board }) => board.fleet.members().length === 2), { timeout: 60_000 })
  })
  afterAll(async () => {
    for (const each of open.reverse()) await each[Symbol.asyncDispose]()
  })
  const linesOf = ({ folder }: OpenedReplica): readonly string[] =>
    readFileSync(trailIn(join(folder, 'data', 'audit')), 'utf8')
      .trim()
      .split('\n')
  const pages = async (at: readonly OpenedReplica[], query: string): Promise<readonly Row[]> => {
    const rows: Row[] = []
    let cursor: string | undefined
    for (let page = 0; page === 0 || cursor !== undefined; page++) {
      // Each page from another one, as a balancer would have it.
      const asked = await at[page % at.length]!.ask('GET', `/audit?${query}${cursor ? `&cursor=${cursor}` : ''}`)
      expect(asked.status, JSON.stringify(asked.body)).toBe(200)
      expect(asked.body.covers).toMatchObject({ away: [] })
      expect(asked.body.places).toBeUndefined()
      rows.push(...asked.body.entries)
      cursor = asked.body.next
    }
    return rows
  }
  const exported = async ({ url }: OpenedReplica, query: string) => {
    const answer = await fetch(`${url}/api/admin/v1/audit/export?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return { headers: answer.headers, lines: (await answer.text()).trim().split(/\r?\n/) }
  }
  const names = (rows: readonly AuditEntry[]) => rows.map(({ on }) => on?.id)
  // Bursts of one and of both: many lines of one millisecond stand at the edges of pages.
  const ids = Array.from({ length: 60 }, (_, index) => `k${index}`)
  const where = (index: number): OpenedReplica => (index % 7 < 4 ? a : b)

  it('is one page after the other out of any replica: each line once, none left out, newest first', async () => {
    await Promise.all(ids.map((id, index) => where(index).ask('DELETE', `/keys/${id}`)))
    for (const limit of [1, 7, 13, 500]) {
      const rows = await pages([a, b], `kind=key&outcome=failed&limit=${limit}`)
      expect(names(rows).toSorted()).toEqual(ids.toSorted())
      const times = rows.map(({ at }) => at)
      expect(times).toEqual(times.toSorted().reverse())
      for (const { on, replica } of rows) expect(replica).toBe(where(ids.indexOf(on!.id)) === a ? 'a' : 'b')
    }
  })

  it('is that of one of them where one is asked for', async () => {
    const rows = await pages([a], 'kind=key&outcome=failed&replica=b&limit=10')
    expect(new Set(rows.map(({ replica }) => replica))).toEqual(new Set(['b']))
    expect(rows).toHaveLength(ids.filter((_, index) => where(index) === b).length)
    expect((await a.ask('GET', '/audit?replica=nobody')).status).toBe(404)
    for (const cursor of ['x', Buffer.from('{"a":"../x"}').toString('base64url'), 'a1.b2'])
      expect((await a.ask('GET', `/audit?cursor=${cursor}`)).status).toBe(400)
  })

  it('can be taken away whole, from either, as it was written; who gave lines is told', async () => {
    for (const at of [a, b]) {
      const { headers, lines } = await exported(at, 'format=jsonl&kind=key&outcome=failed')
      expect(names(lines.map((line) => JSON.parse(line))).toSorted()).toEqual(ids.toSorted())
      expect(headers.get('x-pegboard-replicas')?.split(',').toSorted()).toEqual(['a', 'b'])
      expect(headers.get('x-pegboard-away')).toBeNull()
      const own = [...linesOf(a), ...linesOf(b)]
      expect(lines.filter((line) => !own.includes(line))).toEqual([])
    }
    const { lines } = await exported(a, 'format=csv&kind=key&outcome=failed')
    const column = lines[0]!.split(',').indexOf('replica')
    expect(new Set(lines.slice(1).map((line) => line.split(',')[column]))).toEqual(new Set(['a', 'b']))
    const told = await pages([a], 'kind=export')
    expect(told[0]).toMatchObject({ action: 'end', count: 60, after: 'a,b', outcome: 'ok', on: { id: 'csv' } })
    // One deed of the one who was asked; nothing of those who were asked by it.
    expect(told.map(({ replica, action }) => `${replica} ${action}`)).toEqual([
      'a end',
      'a begin',
      'b end',
      'b begin',
      'a end',
      'a begin',
    ])
  })

  it('has what is typed on a machine of it: a lease that is taken away, changes that are taken back', async () => {
    await a.ask('PUT', '/settings', { changes: { 'logging.level': 'warn' } })
    const typed = (...args: readonly string[]) =>
      runCli([...args, '--config', a.file, '--data-path', join(a.folder, 'data')], { cwd: a.folder, home: a.folder })
    const reset = await typed('config', 'reset', '--yes')
    expect(reset.code, reset.stderr).toBe(0)
    const leases = a.board.storage.commons!.leases
    await leases.take('source:held', 'a', 60_000)
    const release = await typed('fleet', 'release', 'held')
    expect(release.code, release.stderr).toBe(0)
    const rows = (await pages([b], 'limit=100')).filter(({ actor }) => actor.via === 'cli')
    expect(rows).toMatchObject([
      { kind: 'system', action: 'release', on: { type: 'lease', id: 'source:held' }, before: 'a', replica: 'a' },
      { kind: 'setting', action: 'reset', on: { type: 'setting', id: 'logging.level' }, replica: 'a' },
    ])
  })

  it('says who of them is away, in the page and in what is taken away', async () => {
    const heard = vi.waitUntil(() => a.board.fleet.members().length === 2, { timeout: 60_000 })
    await heard
    // Its port is shut while it still gives signs of life.
    await b.board.listener!.close()
    const { body } = await a.ask('GET', '/audit?kind=key&outcome=failed&limit=500')
    expect(body.covers).toMatchObject({ replica: 'a', replicas: ['a'], away: ['b'] })
    expect(body.entries).toHaveLength(ids.filter((_, index) => where(index) === a).length)
    const { headers } = await exported(a, 'kind=key')
    expect([headers.get('x-pegboard-replicas'), headers.get('x-pegboard-away')]).toEqual(['a', 'b'])
    const [end] = (await a.ask('GET', '/audit?kind=export&limit=1')).body.entries
    expect(end).toMatchObject({ action: 'end', after: 'a,b (away)' })
  })
})
