import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { LoadedConfig } from '../../src/config/load.js'
import { createSeals } from '../../src/model/seal.js'
import { changeOver, Overlay } from '../../src/serving/overlay.js'
import { type OpenedReplica, openReplica, type ReplicaOptions } from '../helpers/open-replica.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'

const canary = 'canary-of-a-header'
const docs = { type: 'http', url: 'http://127.0.0.1:9/mcp', enabled: false, headers: { Authorization: canary } }

describePostgres('what operators change in a fleet', () => {
  let database: string
  const open: OpenedReplica[] = []
  beforeEach(async () => {
    database = await newDatabase()
  })
  afterEach(async () => {
    for (const replica of open.splice(0).reverse()) await replica[Symbol.asyncDispose]()
  })
  const start = async (name: string, more: Partial<ReplicaOptions> = {}): Promise<OpenedReplica> => {
    const replica = await openReplica({ database, name, ...more })
    open.push(replica)
    return replica
  }
  /** What lies in the database, by hand. */
  const overlayOf = ({ board }: OpenedReplica) =>
    new Overlay(board.storage.shared('config'), board.fleet.seals.of('rest'))

  it('counts at every replica at once and after a restart, while their files stay as they are', async () => {
    const [a, b] = [await start('a'), await start('b')]
    const files = [a, b].map(({ file }) => readFileSync(file, 'utf8'))
    const seen = b.until(({ sources }) => 'docs' in sources)
    expect((await a.ask('PUT', '/sources/docs', docs)).status).toBe(200)
    expect(Object.keys(a.board.config.sources)).toContain('docs')
    await seen
    const changed = a.until(({ calls }) => calls.timeoutMs === 1234)
    expect((await b.ask('PUT', '/settings', { changes: { 'calls.timeoutMs': 1234 } })).status).toBe(200)
    await changed
    const profiled = b.until(({ profiles }) => 'guests' in profiles)
    expect((await a.ask('PUT', '/profiles/guests', { allow: ['docs.*'] })).status).toBe(200)
    await profiled
    const late = await start('late')
    expect(late.board.config).toMatchObject({ calls: { timeoutMs: 1234 }, profiles: { guests: { allow: ['docs.*'] } } })
    expect(Object.keys(late.board.config.sources)).toContain('docs')
    expect((await late.ask('GET', '/sources/docs')).status).toBe(200)
    expect([a, b].map(({ file }) => readFileSync(file, 'utf8'))).toEqual(files)
    // Away again, everywhere.
    const gone = Promise.all([a, b].map((each) => each.until(({ sources }) => !('docs' in sources))))
    expect((await late.ask('DELETE', '/sources/docs')).status).toBe(200)
    await gone
  })

  it('takes out what the file has, and gives it back when that is taken back', async () => {
    const config = { sources: { own: { ...docs, headers: {} } } }
    const [a, b] = [await start('a', { config }), await start('b', { config })]
    const gone = b.until(({ sources }) => !('own' in sources))
    expect((await a.ask('DELETE', '/sources/own')).status).toBe(200)
    await gone
    const back = b.until(({ sources }) => 'own' in sources)
    const overlay = overlayOf(a)
    await overlay.write([], await overlay.read())
    await back
  })

  it('is refused to one of two who change the same at once, and given to both who change different things', async () => {
    const replicas = [await start('a'), await start('b')]
    const same = await Promise.all(
      replicas.map((each, port) => each.ask('PUT', '/sources/docs', { ...docs, url: `http://127.0.0.1:${port + 1}/` })),
    )
    // The second may have heard of the first by then; what neither can is pass over what it has not seen.
    for (const { status, body } of same)
      expect(status === 200 || body.error.code).toBe(status === 200 || 'CONFIG_CONFLICT')
    expect(same.map(({ status }) => status)).toContain(200)
    const seen = await overlayOf(replicas[0]!).read()
    const change = (at: number) =>
      changeOver(overlayOf(replicas[at]!), {
        ...{ asked: [{ path: ['profiles', 'one'], value: { pin: [`${at}`] } }], file: {}, seen },
        load: async () => ({}) as LoadedConfig,
      })
    const told = await Promise.allSettled([change(0), change(1)])
    expect(told.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(told.find((each) => each.status === 'rejected')?.reason).toMatchObject({ code: 'CONFIG_CONFLICT' })
    const both = Promise.all(replicas.map((each) => each.until(({ sources }) => 's0' in sources && 's1' in sources)))
    const different = await Promise.all(replicas.map((each, at) => each.ask('PUT', `/sources/s${at}`, docs)))
    expect(different.map(({ status }) => status)).toEqual([200, 200])
    await both
  })

  it('keeps secrets sealed in the database and masked in what is shown', async () => {
    const a = await start('a')
    await a.ask('PUT', '/sources/docs', docs)
    const stored = JSON.stringify(await a.board.storage.shared('config').all())
    expect(stored).toContain('overlay')
    expect(stored).not.toContain(canary)
    expect(JSON.stringify((await a.ask('GET', '/sources/docs')).body)).not.toContain(canary)
    // Edited as it was shown, it keeps its secret.
    const { body } = await a.ask('GET', '/sources/docs')
    const edited = { ...body.config, tags: ['mine'] }
    expect((await a.ask('PUT', '/sources/docs', edited)).status).toBe(200)
    expect(a.board.config.sources.docs).toMatchObject({ headers: { Authorization: canary }, tags: ['mine'] })
  })

  it('never changes where the changes are kept, and is refused where it would be no good', async () => {
    const a = await start('a')
    const refused = await a.ask('PUT', '/settings', { changes: { 'storage.backend': 'json' } })
    expect([refused.status, refused.body.error.code]).toEqual([400, 'CONFIG_INVALID'])
    const wrong = await a.ask('PUT', '/sources/bad', { type: 'stdio', comand: 'x' })
    expect(wrong.status).toBe(400)
    expect((await overlayOf(a).read()).changes).toEqual([])
  })

  it('takes no replica down, whatever is in the database: it is told, and the file alone counts', async () => {
    const a = await start('a', { config: { calls: { timeoutMs: 4000 } } })
    const overlay = overlayOf(a)
    const write = async (changes: Parameters<Overlay['write']>[0]) => overlay.write(changes, await overlay.read())
    const good = a.until(({ calls }) => calls.timeoutMs === 5000)
    await write([{ path: ['calls', 'timeoutMs'], value: 5000 }])
    await good
    const alone = a.until(({ calls }) => calls.timeoutMs === 4000)
    await write([{ path: ['calls', 'timeoutMs'], value: 'soon' }])
    await alone
    expect(a.log.join('\n')).toMatch(/left out, the file alone counts: .*timeoutMs/s)
    const late = await start('late', { config: { calls: { timeoutMs: 4000 } } })
    expect(late.board.config.calls.timeoutMs).toBe(4000)
    expect(late.log.join('\n')).toContain('the file alone counts')
    // Sealed by another: nobody can read it, and the next change begins anew.
    await late.board.storage
      .shared('config')
      .put('overlay', { sealed: createSeals('x').of('rest').close({ id: 'overlay' }) })
    const mended = a.until(({ calls }) => calls.timeoutMs === 6000)
    const other = await start('other')
    expect(other.log.join('\n')).toContain('sealed by a secret that is gone')
    expect((await other.ask('PUT', '/settings', { changes: { 'calls.timeoutMs': 6000 } })).status).toBe(200)
    await mended
  })

  it('is left out where its operator wants the file alone', async () => {
    const a = await start('a')
    await a.ask('PUT', '/sources/docs', docs)
    const plain = await start('plain', { flags: { noOverlay: true } })
    expect(Object.keys(plain.board.config.sources)).not.toContain('docs')
    // And its changes go to the file, which here nobody may write.
    expect((await plain.ask('PUT', '/sources/other', docs)).body.error.message).toContain('read-only')
  })

  // Eight processes, one after the other.
  it('is shown, added to and taken back from the command line', async () => {
    const a = await start('a', { config: { sources: { own: { ...docs, headers: {} } } } })
    const cli = (...args: string[]) => runCli(args, { cwd: a.folder, home: a.folder })
    const added = a.until(({ sources }) => 'clock' in sources)
    const add = await cli(
      'add',
      'clock',
      'http://127.0.0.1:9/mcp',
      '-H',
      `Authorization:${canary}`,
      '--disabled',
      '--json',
    )
    expect([add.code, add.stderr]).toEqual([0, ''])
    expect(JSON.parse(add.stdout)).toMatchObject({ added: 'clock', overlay: true })
    await added
    const off = a.until(({ sources }) => sources.own?.enabled === true)
    expect((await cli('enable', 'own', '--json')).code).toBe(0)
    await off
    const diff = await cli('config', 'diff', '--json')
    expect(JSON.parse(diff.stdout)).toMatchObject({
      overlay: true,
      changes: [
        { path: 'sources.clock', value: { url: 'http://127.0.0.1:9/mcp' } },
        { path: 'sources.own.enabled', file: false, value: true },
      ],
    })
    expect(diff.stdout + diff.stderr).not.toContain(canary)
    const [refused, none, without] = await Promise.all([
      cli('config', 'reset'),
      cli('config', 'reset', 'sources.nope'),
      cli('config', 'diff', '--no-overlay'),
    ])
    expect([refused.code, none.code]).toEqual([1, 2])
    expect(without.stdout).toContain('changes go to the file itself')
    const gone = a.until(({ sources }) => !('clock' in sources))
    expect(JSON.parse((await cli('config', 'reset', 'sources.clock', '--json')).stdout)).toEqual({
      reset: ['sources.clock'],
    })
    await gone
    const back = a.until(({ sources }) => sources.own?.enabled === false)
    expect((await cli('config', 'reset', '--yes')).stdout).toContain('sources.own.enabled')
    await back
  }, 180_000)
})
