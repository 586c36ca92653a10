import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sampleTool, temporaryFolders } from '../../../test/helpers/store-samples.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { openJsonStore } from './json-store.js'

const newFolder = temporaryFolders()
const fileIn = (folder: string) => join(folder, 'tools.json')

const filled = async (folder: string, ...ids: readonly string[]) => {
  await using store = await openJsonStore({ folder })
  await store.saveMany(ids.map((id) => sampleTool(id)))
}

describe('a damaged json file (F6)', () => {
  const openWith = async (content: string | Uint8Array) => {
    const folder = await newFolder()
    await filled(folder, 'a', 'b')
    await writeFile(fileIn(folder), content)
    return { folder, opening: openJsonStore({ folder }) }
  }
  const whole = async () => {
    const folder = await newFolder()
    await filled(folder, 'a', 'b', 'c')
    return readFile(fileIn(folder))
  }

  it('of 0 bytes is refused where there were tools, and is new where there were none (D165)', async () => {
    await expect((await openWith('')).opening).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    const folder = await newFolder()
    await writeFile(fileIn(folder), '')
    await using store = await openJsonStore({ folder })
    await store.save(sampleTool('a'))
  })

  it('is refused wherever it was cut (D166)', async () => {
    const bytes = await whole()
    for (let percent = 5; percent < 100; percent += 5) {
      const { opening, folder } = await openWith(bytes.subarray(0, Math.floor((bytes.length * percent) / 100)))
      await expect(opening).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringMatching(/tools\.json is damaged: .* at line \d+, column \d+/),
      })
      expect((await readdir(folder)).filter((name) => name.includes('corrupt'))).toEqual([])
    }
  })

  it.each([
    ['NULs at the tail (D167)', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(64)])],
    [
      'bytes that are not UTF-8',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 80), Buffer.of(0xff), bytes.subarray(80)]),
    ],
    ['a version of 0 (D168)', (bytes: Buffer) => bytes.toString().replace('"version": 1', '"version": 0')],
    ['a version in words', (bytes: Buffer) => bytes.toString().replace('"version": 1', '"version": "one"')],
    ['a repeated id (D170)', (bytes: Buffer) => bytes.toString().replace('    "b": {', '    "a": {')],
    ['tools as a list of numbers', () => '{"format":"pegboard-tools","version":1,"tools":[1]}'],
    ['a lone number', () => '42'],
    ['half an object', () => '{"a": {'],
    ['a very deep list', () => '['.repeat(200_000)],
  ])('with %s is refused', async (_, damage) => {
    const { opening } = await openWith(damage(await whole()))
    await expect(opening).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
  })

  it.each(['definition', 'namespace', 'source', 'tags', 'useCount', 'lastUsed', 'temperature'])(
    'is refused when %s has the wrong type, and the message names tool and field (D169)',
    async (field) => {
      const value = JSON.parse((await whole()).toString())
      value.tools.b[field] = [{}]
      const { opening } = await openWith(JSON.stringify(value))
      await expect(opening).rejects.toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringMatching(new RegExp(`'b'.*${field}`)),
      })
    },
  )

  it('of a newer version is refused as such (D168, F36)', async () => {
    const { opening } = await openWith((await whole()).toString().replace('"version": 1', '"version": 2'))
    await expect(opening).rejects.toMatchObject({ code: 'STORE_TOO_NEW' })
  })

  it('that is missing is refused where there were tools (D174)', async () => {
    const folder = await newFolder()
    await filled(folder, 'a')
    await rename(fileIn(folder), join(folder, 'tools.json.bak'))
    await expect(openJsonStore({ folder })).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('.tools.json.used'),
    })
    await rm(join(folder, '.tools.json.used'))
    await using store = await openJsonStore({ folder })
    expect(await store.load()).toEqual([])
  })

  it('is kept beside, never overwritten, when the operator chooses to go on', async () => {
    const folder = await newFolder()
    const clock = new VirtualClock()
    for (const [round, content] of ['{"a":', '[[', '{'].entries()) {
      await writeFile(fileIn(folder), content)
      {
        await using store = await openJsonStore({ folder, clock, onCorrupt: 'set-aside' })
        expect(await store.load()).toEqual([])
      }
      // Also when nothing was saved since, the next start is an ordinary one.
      await using again = await openJsonStore({ folder })
      if (round === 1) await again.save(sampleTool('new'))
    }
    const kept = (await readdir(folder)).filter((name) => name.startsWith('tools.json.corrupt-20261115T'))
    const contents = await Promise.all(kept.map((name) => readFile(join(folder, name), 'utf8')))
    expect(contents.sort()).toEqual(['[[', '{', '{"a":'])
  })

  it('that is a folder is refused', async () => {
    const folder = await newFolder()
    await mkdir(fileIn(folder))
    await expect(openJsonStore({ folder })).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
  })

  it('never shows its contents in the message', async () => {
    const { opening } = await openWith('{"a": {"token": sk-secret-123}}')
    const error = (await opening.catch((thrown: unknown) => thrown)) as Error
    expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('secret')
  })
})

describe('leftover temporary files (D173)', () => {
  it('are swept when their writer is gone and kept while it lives', async () => {
    const folder = await newFolder()
    await filled(folder, 'a')
    const dead = 'tools.json.999999999..1.tmp'
    const alive = `tools.json.${process.ppid}..1.tmp`
    for (const name of [dead, alive, 'tools.json.notes.tmp']) await writeFile(join(folder, name), '{"newer": true}')
    await using store = await openJsonStore({ folder })
    const names = await readdir(folder)
    expect(names).not.toContain(dead)
    expect(names).toEqual(expect.arrayContaining([alive, 'tools.json.notes.tmp']))
    expect((await store.load()).map((tool) => tool.id)).toEqual(['a'])
  })
})
