import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFaultyDisk } from '../../../test/helpers/faulty-disk.js'
import { sampleTool, temporaryFolders } from '../../../test/helpers/store-samples.js'
import { realDisk } from '../disk.js'
import { openJsonStore } from './json-store.js'

const newFolder = temporaryFolders()
const fileIn = (folder: string) => join(folder, 'tools.json')

const filled = async (folder: string, ...ids: readonly string[]) => {
  await using store = await openJsonStore({ folder })
  await store.saveMany(ids.map((id) => sampleTool(id)))
}

describe('the json file', () => {
  it('is readable, sorted and versioned', async () => {
    const folder = await newFolder()
    await using store = await openJsonStore({ folder })
    const definition = { name: 'add', inputSchema: { type: 'object', required: ['b', 'a'] } }
    await store.save(
      sampleTool('calc.add', { definition, tags: ['math'], lastUsed: 0, useCount: 3, temperature: 'warm' }),
    )
    expect(await readFile(fileIn(folder), 'utf8')).toBe(`{
  "format": "pegboard-tools",
  "version": 1,
  "tools": {
    "calc.add": {
      "definition": {
        "name": "add",
        "inputSchema": {
          "type": "object",
          "required": [
            "b",
            "a"
          ]
        }
      },
      "lastUsed": "1970-01-01T00:00:00.000Z",
      "namespace": "demo",
      "source": "demo",
      "tags": [
        "math"
      ],
      "temperature": "warm",
      "useCount": 3
    }
  }
}
`)
  })

  it('is for its owner only', async () => {
    const folder = join(await newFolder(), 'data')
    await filled(folder, 'a')
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(fileIn(folder))).mode & 0o777).toBe(0o600)
  })

  it('stays, empty but valid, after the last tool is deleted', async () => {
    const folder = await newFolder()
    await filled(folder, 'a')
    {
      await using store = await openJsonStore({ folder })
      await store.delete('a')
    }
    expect(JSON.parse(await readFile(fileIn(folder), 'utf8'))).toMatchObject({ version: 1, tools: {} })
    await using store = await openJsonStore({ folder })
    expect(await store.load()).toEqual([])
  })
})

describe('json saves', () => {
  it('share a write when they come together', async () => {
    const disk = createFaultyDisk()
    await using store = await openJsonStore({ folder: await newFolder(), disk })
    disk.heal()
    await Promise.all(Array.from({ length: 500 }, (_, n) => store.save(sampleTool(`t${n}`))))
    expect(disk.steps.filter((step) => step === 'rename')).toHaveLength(1)
    expect(await store.load()).toHaveLength(500)
  })

  it('wait together for the write that runs, and show only what is durable', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    let renames = 0
    const disk = {
      ...realDisk,
      rename: async (from: string, to: string) => {
        if (++renames === 1) await gate
        return realDisk.rename(from, to)
      },
    }
    await using store = await openJsonStore({ folder: await newFolder(), disk })
    const first = store.save(sampleTool('a'))
    while (renames === 0) await new Promise((resolve) => setImmediate(resolve))
    const others = Array.from({ length: 50 }, (_, n) => store.save(sampleTool('b', { useCount: n })))
    expect(await store.load()).toEqual([])
    open()
    await Promise.all([first, ...others])
    expect(renames).toBe(2)
    expect((await store.load()).map((tool) => tool.useCount)).toEqual([0, 49])
  })

  it('do not write when nothing changes', async () => {
    const disk = createFaultyDisk()
    await using store = await openJsonStore({ folder: await newFolder(), disk })
    disk.heal()
    await store.delete('nobody')
    await store.saveMany([])
    expect(disk.steps).toEqual([])
  })

  it('leave alone what another program wrote meanwhile (D183)', async () => {
    const folder = await newFolder()
    await using store = await openJsonStore({ folder })
    await store.save(sampleTool('a'))
    await writeFile(fileIn(folder), '{"mine": {"name": "mine", "description": "by hand"}}')
    await expect(store.save(sampleTool('b'))).rejects.toMatchObject({
      code: 'STORE_WRITE_FAILED',
      message: expect.stringContaining('another program changed it'),
    })
    expect(await readFile(fileIn(folder), 'utf8')).toContain('by hand')
    expect((await store.load()).map((tool) => tool.id)).toEqual(['a'])
    expect(await store.validate()).toMatchObject([{ file: fileIn(folder) }])
  })

  it('bring back a file that somebody removed', async () => {
    const folder = await newFolder()
    await using store = await openJsonStore({ folder })
    await store.save(sampleTool('a'))
    await rm(fileIn(folder))
    expect(await store.validate()).toMatchObject([{ reason: 'the file is missing' }])
    await store.save(sampleTool('b'))
    expect(await store.validate()).toEqual([])
  })
})

describe('a json save whose n-th input or output fails (F3)', () => {
  const errnos = ['EIO', 'ENOSPC', 'EROFS', 'EACCES', 'EDQUOT', 'EMFILE']

  it.each(errnos)('leaves file and memory as they were, and works when tried again: %s', async (errno) => {
    const disk = createFaultyDisk()
    const folder = await newFolder()
    await using store = await openJsonStore({ folder, disk })
    await store.save(sampleTool('a'))
    const before = JSON.parse(await readFile(fileIn(folder), 'utf8'))
    let failures = 0
    for (let n = 1; n < 20; n++) {
      disk.failAt(n, errno)
      const outcome = await store.save(sampleTool('b')).catch((error: unknown) => error)
      disk.heal()
      if (outcome === undefined) break
      failures++
      expect(outcome).toMatchObject({ code: 'STORE_WRITE_FAILED', message: expect.stringContaining(fileIn(folder)) })
      expect(JSON.parse(await readFile(fileIn(folder), 'utf8'))).toEqual(before)
      expect((await store.load()).map((tool) => tool.id)).toEqual(['a'])
      expect(await store.validate()).toEqual([])
    }
    expect(failures).toBeGreaterThanOrEqual(7)
    await store.save(sampleTool('b'))
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect((await store.load()).map((tool) => tool.id)).toEqual(['a', 'b'])
  })

  it('never lets memory and disk disagree, even when nothing works any more', async () => {
    for (let n = 1; n < 12; n++) {
      const disk = createFaultyDisk()
      const folder = await newFolder()
      const store = await openJsonStore({ folder, disk })
      await store.save(sampleTool('a'))
      disk.failAt(n, 'EIO', true)
      await store.save(sampleTool('b')).catch(() => {})
      disk.heal()
      expect(await store.validate()).toEqual([])
      const inMemory = await store.load()
      await store[Symbol.asyncDispose]()
      await using again = await openJsonStore({ folder })
      expect(await again.load()).toEqual(inMemory)
    }
  })

  it('removes the first file again when its folder cannot be flushed', async () => {
    const disk = createFaultyDisk()
    const folder = await newFolder()
    await using store = await openJsonStore({
      folder,
      disk: { ...disk, syncFolderOf: () => Promise.reject(errno('EIO')) },
    })
    await expect(store.save(sampleTool('a'))).rejects.toMatchObject({ code: 'STORE_WRITE_FAILED' })
    expect(await readdir(folder)).not.toContain('tools.json')
    expect(await store.load()).toEqual([])
  })

  it('refuses to open, by name, and opens when the trouble is over', async () => {
    const folder = await newFolder()
    await filled(folder, 'a')
    const disk = createFaultyDisk()
    for (let n = 1; n < 25; n++) {
      disk.failAt(n, 'EIO')
      const outcome = await openJsonStore({ folder, disk }).catch((error: unknown) => error)
      disk.heal()
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'STORE_UNREADABLE' })
      else await (outcome as AsyncDisposable)[Symbol.asyncDispose]()
      await using store = await openJsonStore({ folder })
      expect(await store.load()).toHaveLength(1)
    }
  })

  it('can still be read where nothing can be written', async () => {
    const folder = await newFolder()
    await filled(folder, 'a')
    const refuse = () => Promise.reject(errno('EROFS'))
    await using store = await openJsonStore({ folder, disk: { ...realDisk, create: refuse, rename: refuse } })
    expect(await store.load()).toHaveLength(1)
    await expect(store.save(sampleTool('b'))).rejects.toMatchObject({
      code: 'STORE_WRITE_FAILED',
      message: expect.stringContaining('read-only'),
    })
    expect(await store.load()).toHaveLength(1)
  })
})

const errno = (code: string) => Object.assign(new Error(code), { code })
