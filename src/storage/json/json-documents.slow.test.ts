import { spawnSync } from 'node:child_process'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeDocuments } from '../../../test/contracts/documents.js'
import { createFaultyDisk } from '../../../test/helpers/faulty-disk.js'
import { temporaryFolders } from '../../../test/helpers/store-samples.js'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { shortLockTimeoutMs } from '../short-lock.js'
import type { SharedDocuments } from '../store.js'
import { openJsonDocuments } from './json-documents.js'
import { openJsonStore } from './json-store.js'

const newFolder = temporaryFolders()
const fileIn = (folder: string) => join(folder, 'notes.json')
const openNotes = (folder: string) => openJsonDocuments({ folder, kind: 'notes' })
const filled = async () => {
  const folder = await newFolder()
  await using notes = openNotes(folder)
  await notes.putMany([
    { id: 'b', value: [1, 2] },
    { id: 'a', value: { x: '代码' } },
  ])
  return folder
}

describeDocuments(
  'shared',
  async (folder) => {
    const opened: SharedDocuments[] = []
    return {
      documents: (kind) => {
        const set = openJsonDocuments({ folder, kind })
        opened.push(set)
        return set
      },
      close: async () => {
        for (const set of opened) await set[Symbol.asyncDispose]()
      },
    }
  },
  { survives: true, runs: 15 },
)

describe('a file of documents', () => {
  it('is readable, one document a line, for its owner only', async () => {
    const folder = await filled()
    expect(await readFile(fileIn(folder), 'utf8')).toBe(`{
  "format": "pegboard-documents",
  "version": 1,
  "kind": "notes",
  "documents": {
    "a": {"x":"代码"},
    "b": [1,2]
  }
}
`)
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
    expect((await readdir(folder)).sort()).toEqual(['.notes.json.used', 'notes.json'])
  })

  it('is not made, nor its folder, by reading', async () => {
    const folder = join(await newFolder(), 'data')
    await using notes = openNotes(folder)
    expect(await notes.all()).toEqual([])
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
    await notes.put('a', 1)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['not JSON', '{"format": "pegboard-documents", '],
    ['not ours', '{"notes": {}}'],
    ['of another kind', '{"format":"pegboard-documents","version":1,"kind":"keys","documents":{}}'],
    ['a list', '{"format":"pegboard-documents","version":1,"kind":"notes","documents":[]}'],
    ['ambiguous', '{"format":"pegboard-documents","version":1,"kind":"notes","documents":{"a":1,"a":2}}'],
    ['without version', '{"format":"pegboard-documents","kind":"notes","documents":{}}'],
    ['empty', ''],
  ])('that is %s is refused and left as it is (D177)', async (_, text) => {
    const folder = await filled()
    await writeFile(fileIn(folder), text)
    await using notes = openNotes(folder)
    await expect(notes.all()).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    await expect(notes.put('c', 1)).rejects.toMatchObject({ code: 'STORE_CORRUPT' })
    expect(await readFile(fileIn(folder), 'utf8')).toBe(text)
    await using store = await openJsonStore({ folder })
    expect(await store.validate()).toMatchObject([{ file: fileIn(folder) }])
  })

  it('of a newer version is refused as such', async () => {
    const folder = await filled()
    await writeFile(fileIn(folder), '{"format":"pegboard-documents","version":2,"kind":"notes","documents":{}}')
    await using notes = openNotes(folder)
    await expect(notes.all()).rejects.toMatchObject({ code: 'STORE_TOO_NEW' })
  })

  it('that is missing is refused where there were documents', async () => {
    const folder = await filled()
    await rm(fileIn(folder))
    await using notes = openNotes(folder)
    await expect(notes.all()).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('.notes.json.used'),
    })
  })

  it('that is damaged is set aside where that is asked for', async () => {
    const folder = await filled()
    await writeFile(fileIn(folder), 'garbage')
    await using notes = openJsonDocuments({ folder, kind: 'notes', onCorrupt: 'set-aside' })
    expect(await notes.all()).toEqual([])
    await notes.put('a', 1)
    const [aside] = (await readdir(folder)).filter((name) => name.startsWith('notes.json.corrupt-'))
    expect(await readFile(join(folder, aside!), 'utf8')).toBe('garbage')
  })
})

describe('documents shared by many writers (F29)', () => {
  it('lose nothing and see each other', async () => {
    const folder = await newFolder()
    const sets = Array.from({ length: 4 }, () => openNotes(folder))
    await sets[0]!.put('count', 0)
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => sets[n % 4]!.update('count', (current) => Number(current) + 1)),
    )
    for (const set of sets) expect(await set.get('count')).toBe(40)
    expect(await sets[0]!.refresh()).toBe(true)
    expect(await sets[0]!.refresh()).toBe(false)
    await sets[1]!.put('new', 1)
    // A write of our own takes over what the other wrote, and it still counts as news.
    await sets[0]!.put('mine', 1)
    expect(await sets[0]!.refresh()).toBe(true)
    expect(await sets[0]!.refresh()).toBe(false)
    for (const set of sets) await set[Symbol.asyncDispose]()
    expect((await readdir(folder)).sort()).toEqual(['.notes.json.used', 'notes.json'])
  })

  it('go on after a writer was killed in the middle', async () => {
    const folder = await filled()
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    await writeFile(`${fileIn(folder)}.lock`, JSON.stringify({ pid, start: '' }))
    await writeFile(`${fileIn(folder)}.${pid}..1.tmp`, 'half')
    await using notes = openNotes(folder)
    await notes.put('c', 1)
    expect((await readdir(folder)).sort()).toEqual(['.notes.json.used', 'notes.json'])
  })

  it('give up on a lock that is never released', async () => {
    const folder = await filled()
    await writeFile(`${fileIn(folder)}.lock`, JSON.stringify({ pid: process.ppid, start: '' }))
    const clock = new VirtualClock()
    await using notes = openJsonDocuments({ folder, kind: 'notes', clock })
    let refusal: unknown
    const putting = notes.put('c', 1).catch((error: unknown) => {
      refusal = error
    })
    while (refusal === undefined) await clock.advance(20)
    await putting
    expect(refusal).toMatchObject({ code: 'STORE_UNREADABLE', message: expect.stringContaining(`pid ${process.ppid}`) })
    expect(clock.now()).toBeGreaterThanOrEqual(shortLockTimeoutMs)
    expect(await notes.all()).toHaveLength(2)
  })
})

describe('documents on a disk whose n-th step fails (F3)', () => {
  it.each(['EIO', 'ENOSPC'])('are as before or as after, never between: %s', async (errno) => {
    const folder = await filled()
    const disk = createFaultyDisk()
    await using notes = openJsonDocuments({ folder, kind: 'notes', disk })
    const before = await notes.all()
    let failures = 0
    for (let n = 1; n < 60; n++) {
      disk.failAt(n, errno)
      const outcome = await notes.put(`new-${n}`, n).catch((error: unknown) => error)
      disk.heal()
      const found = await notes.get(`new-${n}`)
      if (outcome === undefined) expect(found).toBe(n)
      else {
        failures++
        expect(outcome).toMatchObject({ code: expect.stringMatching(/^STORE_(WRITE_FAILED|UNREADABLE)$/) })
        expect(found).toBeUndefined()
      }
      await notes.delete(`new-${n}`)
      expect(await notes.all()).toEqual(before)
    }
    expect(failures).toBeGreaterThan(5)
  })
})
