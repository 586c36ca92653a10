import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../src/config/schema.js'
import { moveStorage } from '../../src/serving/move-storage.js'
import { storageOf } from '../../src/serving/storage.js'
import { silentLogger } from '../../src/telemetry/logger.js'
import { describePostgres, newDatabase } from '../helpers/postgres.js'
import { runCli } from '../helpers/run-cli.js'
import { sampleTool, temporaryFolders } from '../helpers/store-samples.js'

type Backend = 'json' | 'sqlite' | 'postgres'

describePostgres('pegboard storage move', () => {
  const newFolder = temporaryFolders()

  /** Where each backend of a test keeps its data. */
  const placesIn = async (home: string) => {
    const url = await newDatabase()
    const path = (name: string) => join(home, name)
    for (const name of ['json', 'sqlite']) await mkdir(path(name), { mode: 0o700 })
    return {
      json: { backend: 'json', path: path('json'), schema: 'pegboard', connections: 2, onCorrupt: 'refuse' },
      sqlite: { backend: 'sqlite', path: path('sqlite'), schema: 'pegboard', connections: 2, onCorrupt: 'refuse' },
      postgres: {
        backend: 'postgres',
        path: path('local'),
        url,
        schema: 'pegboard',
        connections: 2,
        onCorrupt: 'refuse',
      },
    } as unknown as Readonly<Record<Backend, Config['storage']>>
  }
  const tools = [
    sampleTool('a', { tags: ['x'], useCount: 12, lastUsed: 5, temperature: 'hot' }),
    sampleTool('b.c', {
      source: 'registered',
      definition: { name: 'c', description: '代码', inputSchema: { b: 1, a: 2 } },
    }),
    ...Array.from({ length: 1200 }, (_, n) => sampleTool(`many.${n}`)),
  ]
  const fill = async (storage: Config['storage']): Promise<void> => {
    await using opened = await storageOf({ storage }, silentLogger)
    await using store = await opened.store()
    await store.saveMany(tools)
    await store.documents('approvals').putMany([{ id: 'p', value: { pin: 1 } }])
    await store.documents('verdicts').put('v', 'modern')
    await using keys = opened.shared('keys')
    await keys.put('k1', { hash: 'h', name: 'one', useCount: 1, lastUsed: 1 })
    await keys.addUses?.([{ id: 'k1', count: 2, lastUsed: 9 }])
    await using signIns = opened.shared('sign-ins')
    await signIns.put('github', { token: 'plain-token' })
  }
  const contentOf = async (storage: Config['storage']) => {
    await using opened = await storageOf({ storage }, silentLogger)
    await using store = await opened.store()
    await using keys = opened.shared('keys')
    return {
      tools: await store.load(),
      approvals: await store.documents('approvals').all(),
      verdicts: await store.documents('verdicts').all(),
      keys: await keys.all(),
    }
  }
  const configIn = async (home: string, storage: Config['storage']): Promise<string> => {
    const file = join(home, `${storage.backend}.json`)
    await writeFile(file, JSON.stringify({ storage }))
    return file
  }
  const move = async (home: string, from: Config['storage'], to: Config['storage'], ...more: readonly string[]) =>
    runCli(
      [
        'storage',
        'move',
        ...['--config', await configIn(home, from), '--to', to.backend, '--folder', to.path, '--json'],
        ...(to.url === undefined ? [] : ['--url', to.url]),
        ...more,
      ],
      { cwd: home, home },
    )

  it.each<[Backend, Backend]>([
    ['postgres', 'json'],
    ['json', 'postgres'],
  ])('says how it goes from %s to %s, and what it refuses', async (from, to) => {
    const home = await newFolder()
    const places = await placesIn(home)
    await fill(places[from])
    const told = new Set<string>()
    const go = (target: Backend, more: { readonly isDry?: boolean; readonly isMerge?: boolean } = {}) =>
      moveStorage({
        config: { storage: places[from], fleet: { previousSecrets: [] } } as unknown as Config,
        to: places[target],
        isDry: false,
        isMerge: false,
        logger: silentLogger,
        onProgress: (kind) => void told.add(kind),
        ...more,
      })
    await expect(go(from)).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect(await go(to, { isDry: true })).toMatchObject({ isDry: true, from: { backend: from }, to: { backend: to } })
    expect((await go(to)).kinds).toContainEqual({ kind: 'tools', count: 1202, before: 0, after: 1202 })
    expect([...told]).toEqual(expect.arrayContaining(['tools', 'keys', 'approvals']))
    await expect(go(to)).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect((await go(to, { isMerge: true })).kinds).toContainEqual(
      expect.objectContaining({ kind: 'tools', after: 1202 }),
    )
  })

  it.each<[Backend, Backend]>([
    ['json', 'postgres'],
    ['sqlite', 'postgres'],
    ['json', 'sqlite'],
    ['sqlite', 'json'],
  ])('takes everything from %s to %s, and leaves the origin as it is', async (from, to) => {
    const home = await newFolder()
    const places = await placesIn(home)
    await fill(places[from])
    const before = await contentOf(places[from])
    const dry = await move(home, places[from], places[to], '--dry-run')
    expect(dry).toMatchObject({ code: 0 })
    expect(JSON.parse(dry.stdout)).toMatchObject({
      isDry: true,
      kinds: expect.arrayContaining([{ kind: 'tools', count: 1202, before: 0, after: 0 }]),
    })
    const moved = await move(home, places[from], places[to])
    expect(moved).toMatchObject({ code: 0 })
    expect(JSON.parse(moved.stdout)).toMatchObject({
      kinds: [
        { kind: 'tools', count: 1202, before: 0, after: 1202 },
        { kind: 'approvals', count: 1, after: 1 },
        { kind: 'keys', count: 1, after: 1 },
        { kind: 'sign-ins', count: 1, after: 1 },
        { kind: 'verdicts', count: 1, after: 1 },
      ],
    })
    expect(await contentOf(places[to])).toEqual(before)
    expect(await contentOf(places[from])).toEqual(before)
    const again = await move(home, places[from], places[to])
    expect(again.code).toBe(1)
    expect(again.stderr).toMatch(/not empty \(tools 1202/)
    expect((await move(home, places[from], places[to], '--merge')).code).toBe(0)
    expect(await contentOf(places[to])).toEqual(before)
  })

  it('brings a database back into files, sign-ins sealed there and plain here', async () => {
    const home = await newFolder()
    const places = await placesIn(home)
    await fill(places.json)
    expect((await move(home, places.json, places.postgres)).code).toBe(0)
    {
      await using opened = await storageOf({ storage: places.postgres }, silentLogger)
      await using signIns = opened.shared('sign-ins')
      expect(JSON.stringify(await signIns.all())).not.toContain('plain-token')
    }
    const back = { ...places.sqlite }
    expect((await move(home, places.postgres, back)).code).toBe(0)
    expect(await contentOf(back)).toEqual(await contentOf(places.json))
    expect(await readFile(join(back.path, 'sign-ins.json'), 'utf8')).toContain('plain-token')
  })

  it('refuses the same place, a gateway that runs on the origin, and an unknown database, without its password', async () => {
    const home = await newFolder()
    const places = await placesIn(home)
    await fill(places.json)
    expect((await move(home, places.json, places.json)).stderr).toMatch(/where the data is already/)
    const wrong = { ...places.postgres, url: 'postgres://me:hush-hush@127.0.0.1:1/db' }
    const refused = await move(home, places.json, wrong)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/nothing listens there/)
    expect(refused.stderr + refused.stdout).not.toContain('hush-hush')
    await using opened = await storageOf({ storage: places.json }, silentLogger)
    await using _store = await opened.store()
    const running = await move(home, places.json, places.sqlite)
    expect(running.stderr).toMatch(new RegExp(`A gateway runs on .* \\(pid ${process.pid}\\)`))
    expect(await readdir(places.sqlite.path)).toEqual([])
  })

  it('shows what is kept', async () => {
    const home = await newFolder()
    const places = await placesIn(home)
    await fill(places.postgres)
    const shown = await runCli(['storage', '--config', await configIn(home, places.postgres), '--json'], {
      cwd: home,
      home,
    })
    expect(JSON.parse(shown.stdout)).toEqual({
      backend: 'postgres',
      place: expect.stringMatching(/^127\.0\.0\.1:\d+\/t_/),
      bytes: expect.any(Number),
      counts: { tools: 1202, approvals: 1, keys: 1, 'sign-ins': 1, verdicts: 1 },
    })
    const plain = await runCli(['storage', '--config', await configIn(home, places.postgres)], { cwd: home, home })
    expect(plain.stdout).toMatch(/tools +1202/)
  })
})

describe('pegboard storage', () => {
  it('says how it is used', async () => {
    const home = process.cwd()
    const help = await runCli(['storage', 'move', '--help'], { cwd: home, home })
    expect(help.stdout).toMatch(/--dry-run/)
  })
})
