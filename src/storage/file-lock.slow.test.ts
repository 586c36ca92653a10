import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFaultyDisk } from '../../test/helpers/faulty-disk.js'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { silentLogger } from '../telemetry/logger.js'
import { realDisk } from './disk.js'
import { lockFile } from './file-lock.js'
import { isRunning, ownIdentity } from './process-identity.js'

const newFolder = temporaryFolders()
const lockIn = (folder: string) => lockFile(join(folder, 'tools.json'), realDisk, silentLogger)
const expectFree = async (folder: string): Promise<void> => {
  const lock = await lockIn(folder)
  expect(JSON.parse(await readFile(join(folder, 'tools.json.lock'), 'utf8'))).toMatchObject({ pid: process.pid })
  await lock.release()
  expect(await readdir(folder)).toEqual([])
}
const idle = 'setInterval(() => {}, 1000)'

describe('the lock of a store (F29)', () => {
  it('names the process that has it', async () => {
    const folder = await newFolder()
    const other = spawn(process.execPath, ['-e', idle])
    await once(other, 'spawn')
    await writeFile(join(folder, 'tools.json.lock'), JSON.stringify({ pid: other.pid, start: '' }))
    await expect(lockIn(folder)).rejects.toMatchObject({
      code: 'STORE_UNREADABLE',
      message: expect.stringContaining(`another process (pid ${other.pid}) uses`),
    })
    other.kill('SIGKILL')
    await once(other, 'exit')
    await (await lockIn(folder)).release()
  })

  it('is free again after its owner was killed, also when the pid has a new owner', async () => {
    const folder = await newFolder()
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    await writeFile(join(folder, 'tools.json.lock'), JSON.stringify({ pid, start: 'boot:1' }))
    await expectFree(folder)
    // Where no system tells when a process began, a new owner looks like the old one.
    if (ownIdentity().start === '') return
    await writeFile(join(folder, 'tools.json.lock'), JSON.stringify({ pid: process.ppid, start: 'boot:1' }))
    await expectFree(folder)
  })

  it.each(['', 'garbage', '{"pid":-1}', '[]'])('is free when it names nobody: %j', async (content) => {
    const folder = await newFolder()
    await writeFile(join(folder, 'tools.json.lock'), content)
    await expectFree(folder)
  })

  it('goes to one of many that come at once, also over a dead lock', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'tools.json.lock'), JSON.stringify({ pid: 999_999_999, start: '' }))
    for (let round = 0; round < 20; round++) {
      const results = await Promise.allSettled(Array.from({ length: 12 }, () => lockIn(folder)))
      const winners = results.filter((result) => result.status === 'fulfilled')
      expect(winners).toHaveLength(1)
      await winners[0]!.value.release()
      await writeFile(join(folder, 'tools.json.lock'), JSON.stringify({ pid: 999_999_999 - round, start: '' }))
    }
    await (await lockIn(folder)).release()
    expect(await readdir(folder)).toEqual([])
  })

  it('is free again when one died while taking over from another that died', async () => {
    const folder = await newFolder()
    const dead = JSON.stringify({ pid: 999_999_999, start: '' })
    const claim = createHash('sha256').update(dead).digest('hex').slice(0, 16)
    await writeFile(join(folder, 'tools.json.lock'), dead)
    await writeFile(join(folder, `tools.json.lock.${claim}`), JSON.stringify({ pid: 999_999_998, start: '' }))
    await (await lockIn(folder)).release()
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves nothing behind, not even what killed starters left', async () => {
    const folder = await newFolder()
    await writeFile(join(folder, 'tools.json.lock.999999999-1'), '')
    await writeFile(join(folder, 'tools.json.lock.999999999-1.copy'), '')
    const lock = await lockIn(folder)
    await lock.release()
    await lock.release()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a lock that could not be removed when it was released', () => {
  it('is taken over by the process that left it', async () => {
    const folder = await newFolder()
    const disk = createFaultyDisk()
    const lock = await lockFile(join(folder, 'tools.json'), disk, silentLogger)
    disk.failAt(1, 'EIO', true)
    await lock.release()
    disk.heal()
    expect(await readdir(folder)).toEqual(['tools.json.lock'])
    const next = await lockIn(folder)
    await expect(lockIn(folder)).rejects.toMatchObject({ code: 'STORE_UNREADABLE' })
    await next.release()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a process identity', () => {
  it('tells running, ended and reused pids apart', () => {
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    expect(isRunning(ownIdentity())).toBe(true)
    expect(isRunning({ pid, start: '' })).toBe(false)
    expect(isRunning({ pid: 1, start: '' })).toBe(true)
    if (ownIdentity().start !== '') expect(isRunning({ pid: process.pid, start: 'another' })).toBe(false)
  })
})
