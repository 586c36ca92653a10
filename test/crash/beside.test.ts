import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../src/config/schema.js'
import { storageOf } from '../../src/serving/storage.js'
import { openStored } from '../../src/serving/stored.js'
import { openStorage, openStore } from '../../src/storage/open.js'
import type { StoredTool } from '../../src/storage/store.js'
import { type Logger, silentLogger } from '../../src/telemetry/logger.js'
import { sampleTool, temporaryFolders } from '../helpers/store-samples.js'
import { buildStorage, type StorageBuild } from './build.mjs'

const writer = fileURLToPath(new URL('writer.mjs', import.meta.url))
const newFolder = temporaryFolders()
const backends = ['json', 'sqlite'] as const
const fileOf = { json: 'tools.json', sqlite: 'tools.db' }

describe.each(backends)('a %s store that another process writes to (U1)', (backend) => {
  let build: StorageBuild
  beforeAll(() => {
    build = buildStorage()
  })
  afterAll(() => build.remove())
  afterEach(() => void vi.unstubAllEnvs())

  /** Another process that owns the folder and saves as fast as it can. */
  const startWriter = async (path: string): Promise<ChildProcess & { saved(): number }> => {
    const child = spawn(process.execPath, [writer, build.entry, backend, path, '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let saved = 0
    createInterface({ input: child.stdout! }).on('line', (line) => {
      if (line.startsWith('saved')) saved += 1
    })
    return Object.assign(child, { saved: () => saved })
  }

  it('is read whole, time and again, without holding its owner up', async () => {
    const path = await newFolder()
    const copies = await newFolder()
    vi.stubEnv('TMPDIR', copies)
    const owner = await startWriter(path)
    await expect.poll(owner.saved).toBeGreaterThan(20)
    const reader = (await openStorage({ backend, path })).reader()
    let reads = 0
    while (reads < 15) {
      const before = owner.saved()
      const tools = await reader.load()
      reads += 1
      expect(countOf(tools, 'run1.pair-a')).toBe(countOf(tools, 'run1.pair-b'))
      await expect.poll(owner.saved).toBeGreaterThan(before)
    }
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    // It was never ours: its owner comes back and finds everything.
    await using again = await openStore({ backend, path })
    expect(await again.validate()).toEqual([])
    expect((await again.load()).length).toBeGreaterThan(2)
    expect(readdirSync(copies)).toEqual([])
  })

  it('is read by the second board of a folder, which writes nothing', async () => {
    const path = await newFolder()
    const owner = await startWriter(path)
    await expect.poll(owner.saved).toBeGreaterThan(20)
    const warnings: string[] = []
    const logger: Logger = { ...silentLogger, log: (_level, text) => void warnings.push(text), child: () => logger }
    const config = { storage: { backend, path, onCorrupt: 'refuse' } } as Config
    const { store, reader } = await openStored(await storageOf(config, logger), 'if-free', logger)
    expect(store).toBeUndefined()
    expect((await reader.load()).length).toBeGreaterThan(0)
    expect(warnings).toEqual([expect.stringContaining(`pid ${owner.pid}`)])
    owner.kill('SIGKILL')
    await once(owner, 'exit')
  })
})

describe.each(backends)('reading a %s store that is nobody’s', (backend) => {
  it('finds tools and documents, and makes nothing where there is nothing', async () => {
    const path = await newFolder()
    const reader = (await openStorage({ backend, path })).reader()
    expect(await reader.load()).toEqual([])
    expect(await reader.documents('approvals').all()).toEqual([])
    expect(readdirSync(path)).toEqual([])
    {
      await using store = await openStore({ backend, path })
      await store.save(sampleTool('a'))
      await store.documents('approvals').put('a', { hash: '1' })
      await store.documents('verdicts').put('b', { era: 'legacy' })
    }
    expect(await reader.load()).toEqual([sampleTool('a')])
    expect(await reader.documents('approvals').all()).toEqual([{ id: 'a', value: { hash: '1' } }])
    expect(await reader.documents('approvals').get('b')).toBeUndefined()
    expect(() => reader.documents('../keys')).toThrow(expect.objectContaining({ code: 'ARGUMENTS_INVALID' }))
  })

  it('tells what is damaged with its code and goes on, touching nothing', async () => {
    const path = await newFolder()
    {
      await using store = await openStore({ backend, path })
      await store.save(sampleTool('a'))
    }
    const file = join(path, fileOf[backend])
    await writeFile(file, 'not what it was')
    const reading = (await openStorage({ backend, path })).reader()
    await expect(reading.load()).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining(file),
    })
    const told: unknown[] = []
    const logger: Logger = {
      ...silentLogger,
      log: (_level, _text, fields) => void told.push(fields),
      child: () => logger,
    }
    // Its owner would set it aside; whoever only looks must not.
    const config = { storage: { backend, path, onCorrupt: 'set-aside' } } as Config
    const { reader } = await openStored(await storageOf(config, logger), 'never', logger)
    expect(await reader.load()).toEqual([])
    expect(told).toEqual([{ code: 'STORE_CORRUPT' }])
    expect(readFileSync(file, 'utf8')).toBe('not what it was')
    await truncate(file)
    await expect(reading.load()).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })
})

const countOf = (tools: readonly StoredTool[], id: string): number | undefined =>
  tools.find((tool) => tool.id === id)?.useCount
