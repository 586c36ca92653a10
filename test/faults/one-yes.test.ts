import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/model/clock.js'
import { GrantBook } from '../../src/policy/grant-book.js'
import { openStorage } from '../../src/storage/open.js'
import { builtCli } from '../helpers/built-cli.js'
import { temporaryFolders } from '../helpers/store-samples.js'

const program = fileURLToPath(new URL('one-yes.mjs', import.meta.url))
const newFolder = temporaryFolders()

/** A process with a gateway of its own on this store. */
const start = async (backend: string, path: string, ledger: string) => {
  const dist = new URL('..', pathToFileURL(builtCli())).href
  const child = spawn(process.execPath, [program, dist, backend, path, ledger], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const heard = async () => JSON.parse((await lines.next()).value ?? 'null')
  expect(await heard()).toBe('ready')
  return {
    pay: async (n: number): Promise<readonly string[]> => {
      child.stdin.write(`${n}\n`)
      return heard()
    },
    end: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}

describe.each(['json', 'sqlite'] as const)('two processes on one %s store', (backend) => {
  it('that spend one yes at once make one call', async () => {
    const folder = await newFolder()
    const path = join(folder, 'data')
    const ledger = join(folder, 'ledger')
    const both = await Promise.all([start(backend, path, ledger), start(backend, path, ledger)])
    const storage = await openStorage({ backend, path })
    const book = new GrantBook({ documents: storage.shared('call-grants'), clock: systemClock })
    const rounds = [1, 2, 3, 4, 5]
    for (const n of rounds) {
      expect(new Set(await both[0].pay(n))).toEqual(new Set(['APPROVAL_REQUIRED']))
      const [open] = (await book.list()).filter(({ state }) => state === 'asked')
      await book.answer(open!.id, { decision: 'once', by: { id: 'key:ops' } })
      const ends = (await Promise.all(both.map((each) => each.pay(n)))).flat()
      expect(ends.filter((end) => end === 'paid')).toHaveLength(1)
      expect(ends.filter((end) => end === 'APPROVAL_REQUIRED')).toHaveLength(15)
      // Asked about anew by those that came too late: one request for all of them, in both processes.
      const again = (await book.list()).filter(({ state }) => state === 'asked')
      expect(again).toHaveLength(1)
      await book.answer(again[0]!.id, { decision: 'deny', by: { id: 'key:ops' } })
    }
    expect(readFileSync(ledger, 'utf8').trim().split('\n').map(Number)).toEqual(rounds)
    await Promise.all(both.map((each) => each.end()))
    await book[Symbol.asyncDispose]()
    await storage[Symbol.asyncDispose]()
  })
})
