import { afterEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import { GrantBook } from './grant-book.js'
import { grantBounds } from './grant-rows.js'
import { answerRun } from './grant-runs.js'
import type { BoundCall } from './grants.js'

const ops = { id: 'key:ops' }
const yes = { decision: 'once', by: ops } as const
const no = { decision: 'deny', by: ops, note: 'not today' } as const

const call: BoundCall = {
  caller: 'key:agent',
  profile: 'default',
  tool: 'tracker.delete',
  definition: 'd'.repeat(64),
  rules: ['deletions'],
  terms: { by: ['operator'], withinMs: 900_000, remember: ['once'], waitMs: 0 },
  args: {},
}
const deletion = (number: number): BoundCall => ({ ...call, args: { number } })

const books: GrantBook[] = []
afterEach(async () => {
  for (const book of books.splice(0)) await book[Symbol.asyncDispose]()
})
const open = (): GrantBook => {
  const book = new GrantBook({ documents: createMemoryDocuments(), clock: new VirtualClock() })
  books.push(book)
  return book
}
const codeOf = (book: GrantBook, asked: BoundCall, run?: string): Promise<string> =>
  book.admit(asked, { run }).then(
    () => 'sent',
    ({ code }) => code,
  )
const ask = (book: GrantBook, count: number, run: string, from = 0): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => codeOf(book, deletion(from + at), run)))

describe('what one script asks for', () => {
  it('is one of the questions that its caller may have open, however many calls it is', async () => {
    const book = open()
    expect(new Set(await ask(book, 40, 'r_one'))).toEqual(new Set(['APPROVAL_REQUIRED']))
    for (let at = 1; at < grantBounds.openPerCaller; at++)
      expect(await codeOf(book, { ...call, args: { single: at } })).toBe('APPROVAL_REQUIRED')
    expect(await codeOf(book, { ...call, args: { single: 99 } })).toBe('QUOTA_EXCEEDED')
    expect(await codeOf(book, deletion(1000), 'r_two')).toBe('QUOTA_EXCEEDED')
    expect(await codeOf(book, deletion(1000), 'r_one')).toBe('APPROVAL_REQUIRED')
  })

  it('has an end: one caller has at most 200 requests, and all together 256', async () => {
    const book = open()
    await ask(book, 200, 'r_one')
    expect(await codeOf(book, deletion(1000), 'r_one')).toBe('QUOTA_EXCEEDED')
    expect(await codeOf(book, deletion(1000), 'r_two')).toBe('QUOTA_EXCEEDED')
    const other = (number: number) => codeOf(book, { ...deletion(number), caller: 'key:other' }, 'r_three')
    for (let at = 0; at < 56; at++) expect(await other(at)).toBe('APPROVAL_REQUIRED')
    expect(await other(56)).toBe('OVERLOADED')
  })

  it('is answered at once, each a yes to exactly one call', async () => {
    const book = open()
    await ask(book, 3, 'r_one')
    await codeOf(book, deletion(50))
    const { run, answered, refused } = await answerRun(book, 'r_one', yes)
    expect([run, answered.length, refused.length]).toEqual(['r_one', 3, 0])
    expect(await ask(book, 3, 'r_one')).toEqual(['sent', 'sent', 'sent'])
    expect(await ask(book, 3, 'r_one')).toEqual(Array(3).fill('APPROVAL_REQUIRED'))
    expect(await codeOf(book, deletion(50))).toBe('APPROVAL_REQUIRED')
  })

  it('is denied at once, those that were approved and not used included', async () => {
    const book = open()
    await ask(book, 2, 'r_one')
    const [first] = await book.list()
    await book.answer(first!.id, yes)
    expect((await answerRun(book, 'r_one', no)).answered).toHaveLength(2)
    expect(await ask(book, 2, 'r_one')).toEqual(['APPROVAL_DENIED', 'APPROVAL_DENIED'])
  })

  it('is answered only as far as somebody looked, where they say what they saw', async () => {
    const book = open()
    await ask(book, 2, 'r_one')
    const seen = (await book.list()).map(({ id }) => id)
    await ask(book, 1, 'r_one', 2)
    expect((await answerRun(book, 'r_one', yes, seen)).answered).toHaveLength(2)
    expect(await ask(book, 3, 'r_one')).toEqual(['sent', 'sent', 'APPROVAL_REQUIRED'])
  })

  it('tells which could not be answered, and refuses where none could', async () => {
    const book = open()
    await ask(book, 1, 'r_one')
    const minutes = { ...call, terms: { ...call.terms, remember: ['minutes'] as const } }
    await codeOf(book, minutes, 'r_one')
    const told = await answerRun(book, 'r_one', { decision: 'for', forMs: 60_000, by: ops })
    expect(told.answered.map(({ terms }) => terms.remember)).toEqual([['minutes']])
    expect(told.refused.map(({ error }) => error.code)).toEqual(['ARGUMENTS_INVALID'])
    await expect(answerRun(book, 'r_one', { decision: 'once', by: { id: call.caller } })).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  })

  it('is found by how the run begins, if only one does', async () => {
    const book = open()
    await ask(book, 1, 'r_abcdef')
    await ask(book, 1, 'r_abcxyz', 1)
    await expect(answerRun(book, 'r_abc', yes)).rejects.toMatchObject({ code: 'NOT_OFFERED' })
    await expect(answerRun(book, 'r_nobody', yes)).rejects.toMatchObject({ code: 'NOT_OFFERED' })
    expect((await answerRun(book, 'r_abcd', yes)).run).toBe('r_abcdef')
  })

  it('belongs to the run that asked last: the script run anew says what to approve', async () => {
    const book = open()
    await ask(book, 2, 'r_one')
    await ask(book, 2, 'r_two')
    expect((await book.list()).map(({ run }) => run)).toEqual(['r_two', 'r_two'])
    // A yes is to the call, whichever run makes it.
    await answerRun(book, 'r_two', yes)
    expect(await ask(book, 2, 'r_three')).toEqual(['sent', 'sent'])
  })
})
