import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeStore } from '../../test/contracts/store.js'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import type { StoreBackend } from './backends.js'
import { openStore } from './open.js'

describeStore('memory', () => openStore({ backend: 'memory' }), { survives: false, runs: 100 })
describeStore('json', (path) => openStore({ backend: 'json', path }), { survives: true, runs: 60 })
describeStore('sqlite', (path) => openStore({ backend: 'sqlite', path }), { survives: true, runs: 60 })

describe('openStore', () => {
  const newFolder = temporaryFolders()

  it('names the choices when the backend is unknown', async () => {
    const opening = openStore({ backend: 'mongo' as StoreBackend })
    await expect(opening).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('json, sqlite, memory, postgres'),
    })
  })

  it.each(['json', 'sqlite'] as const)('asks for a folder for %s', async (backend) => {
    await expect(openStore({ backend })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(openStore({ backend, path: 'a\0b' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
  })

  it.each(['json', 'sqlite'] as const)('refuses a path for %s that runs through a file', async (backend) => {
    const file = join(await newFolder(), 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'below')])
      await expect(openStore({ backend, path })).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
  })

  it.each([
    ['json', 'tools.json'],
    ['sqlite', 'tools.db'],
  ] as const)('refuses a %s file that is no file, without waiting for it', async (backend, name) => {
    const path = await newFolder()
    execFileSync('mkfifo', [join(path, name)])
    await expect(openStore({ backend, path })).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringContaining('regular file'),
    })
  })

  it.each(['json', 'sqlite'] as const)('keeps one folder to one %s store (F29)', async (backend) => {
    const path = await newFolder()
    await using _first = await openStore({ backend, path })
    await expect(openStore({ backend, path })).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringContaining(`pid ${process.pid}`),
    })
  })
})
