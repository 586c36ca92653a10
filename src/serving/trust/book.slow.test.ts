import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../test/helpers/virtual-clock.js'
import { TrustBook } from './book.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pegboard-book-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const seen = (name: string) => ({ settings: 'none', sources: new Map([[name, `hash of ${name}`]]) })

describe('the book of answers (S1)', () => {
  it('keeps what several say at the same time, in a file of its owner alone', async () => {
    const books = Array.from({ length: 4 }, () => new TrustBook(folder))
    await Promise.all(books.map((book, index) => book.keep(`/somewhere/${index}.json`, seen(`s${index}`))))
    await Promise.all(
      books.map((book, index) => book.add('/somewhere/0.json', { [`more${index}`]: 'x' }, (known) => known)),
    )
    expect((await books[0]!.list()).length).toBe(4)
    expect(await books[1]!.of('/somewhere/0.json')).toMatchObject({
      settings: 'none',
      sources: { s0: 'hash of s0', more0: 'x', more3: 'x' },
    })
    expect(statSync(books[0]!.path).mode & 0o777).toBe(0o600)
  })

  it('takes an answer back, and knows a file by every way to its folder', async () => {
    const book = new TrustBook(folder)
    await book.keep(join(folder, 'pegboard.json'), seen('a'))
    expect(await book.of(join(folder, '..', folder.split('/').at(-1)!, 'pegboard.json'))).toBeDefined()
    expect(await book.forget(join(folder, 'pegboard.json'))).toBe(true)
    expect(await book.of(join(folder, 'pegboard.json'))).toBeUndefined()
    expect(await book.forget(join(folder, 'pegboard.json'))).toBe(false)
  })

  it('is bounded: the oldest answer goes first', async () => {
    const clock = new VirtualClock()
    const book = new TrustBook(folder, { most: 3, clock })
    for (let index = 0; index < 5; index += 1) {
      await clock.advance(1000)
      await book.keep(`/somewhere/${index}.json`, seen('s'))
    }
    expect((await book.list()).map(({ file }) => file)).toEqual([
      '/somewhere/4.json',
      '/somewhere/3.json',
      '/somewhere/2.json',
    ])
  })
})
