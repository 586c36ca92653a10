import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFaultyDisk } from '../../test/helpers/faulty-disk.js'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { openJsonStore } from './json/json-store.js'
import { openSqliteStore } from './sqlite/sqlite-store.js'

const newFolder = temporaryFolders()

describe.each([
  ['json', openJsonStore],
  ['sqlite', openSqliteStore],
] as const)('the data folder of %s', (_name, open) => {
  it.each([
    ['EACCES', 'this user may not write there. Change the owner or the mode of the folder above it'],
    ['EROFS', 'its file system is read-only'],
    ['ENOENT', 'the file system there takes no new folders'],
    ['ENOSPC', 'the disk is full'],
    ['EEXIST', 'a part of its path is a file'],
  ])('that cannot be made (%s) says so, and not that it cannot be read (U10)', async (errno, words) => {
    const disk = createFaultyDisk()
    const folder = join(await newFolder(), 'data')
    disk.failAt(1, errno)
    await expect(open({ folder, disk })).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringContaining(`Cannot make the folder ${folder}: ${words}`),
    })
  })
})
