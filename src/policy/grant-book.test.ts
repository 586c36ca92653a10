import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../../test/helpers/store-samples.js'
import { VirtualClock } from '../../test/helpers/virtual-clock.js'
import { Cancel } from '../model/cancel.js'
import { openJsonDocuments } from '../storage/json/json-documents.js'
import { createMemoryDocuments } from '../storage/memory/memory-documents.js'
import type { SharedDocuments } from '../storage/store.js'
import type { GrantAnswer } from './grant-answers.js'
import { GrantBook, type GrantBookOptions, type GrantEvent } from './grant-book.js'
import type { BoundCall } from './grants.js'

const ops = { id: 'key:ops', name: 'Ops' }
const yes: GrantAnswer = { decision: 'once', by: ops }
const no: GrantAnswer = { decision: 'deny', by: ops, note: 'not today' }
const minute = 60_000

const call: BoundCall = {
  caller: 'key:agent',
  profile: 'default',
  tool: 'billing.refund',
  definition: 'd'.repeat(64),
  rules: ['money'],
  terms: { by: ['operator'], withinMs: 15 * minute, remember: ['once'], waitMs: 45_000 },
  args: { amount: 250, to: 'ann' },
}

const opened: GrantBook[] = []
afterEach(async () => {
  for (const book of opened.splice(0)) await book[Symbol.asyncDispose]()
})

const open = (clock: VirtualClock, documents: SharedDocuments, more: Partial<GrantBookOptions> = {}) => {
  const book = new GrantBook({ documents, clock, ...more })
  const events: GrantEvent[] = []
  book.onEvent((event) => events.push(event))
  opened.push(book)
  return { book, events, told: () => events.map(({ type }) => type) }
}

const fresh = (more: Partial<GrantBookOptions> = {}) => {
  const clock = new VirtualClock()
  return { clock, ...open(clock, createMemoryDocuments(), more) }
}

/** The code with which the call is refused, or `sent`. */
const codeOf = (book: GrantBook, asked: BoundCall = call): Promise<string> =>
  book.admit(asked).then(
    () => 'sent',
    (error) => error.code,
  )

const idOf = async (book: GrantBook): Promise<string> => {
  const [newest] = await book.list()
  return newest!.id
}

const approved = async (book: GrantBook, asked: BoundCall = call, answer: GrantAnswer = yes): Promise<string> => {
  expect(await codeOf(book, asked)).toBe('APPROVAL_REQUIRED')
  const id = await idOf(book)
  await book.answer(id, answer)
  return id
}

describe('book of grants', () => {
  it('asks, is answered, lets the same call pass once, and asks again', async () => {
    const { book, told } = fresh()
    await approved(book)
    expect([await codeOf(book), await codeOf(book)]).toEqual(['sent', 'APPROVAL_REQUIRED'])
    expect(told()).toEqual(['asked', 'granted', 'spent', 'asked'])
  })

  it('says what was asked, by which rule and until when', async () => {
    const { book } = fresh()
    const error = await book.admit(call).catch((thrown) => thrown)
    expect(error).toMatchObject({
      code: 'APPROVAL_REQUIRED',
      notSent: true,
      retryAfterMs: 5000,
      details: { tool: 'billing.refund', approval: await idOf(book), rule: 'money', by: ['operator'] },
    })
    expect(error.details.expiresAt).toBe('2026-11-15T00:15:00.000Z')
    expect(JSON.stringify(error)).not.toContain('ann')
  })

  it('keeps one request for one call, however often it is asked', async () => {
    const { book, told } = fresh()
    await Promise.all(Array.from({ length: 20 }, () => codeOf(book)))
    expect(told()).toEqual(['asked'])
    expect(await book.list()).toHaveLength(1)
  })

  it('remembers a no for as long as a yes would hold, with its reason', async () => {
    const { book, clock, told } = fresh()
    await approved(book, call, no)
    await expect(book.admit(call)).rejects.toMatchObject({
      code: 'APPROVAL_DENIED',
      notSent: true,
      details: { reason: 'not today' },
    })
    await clock.advance(15 * minute)
    expect(await codeOf(book)).toBe('APPROVAL_REQUIRED')
    expect(told()).toEqual(['asked', 'denied', 'asked'])
  })

  it('shows the arguments as canonical JSON until it is answered, and keeps none afterwards', async () => {
    const clock = new VirtualClock()
    const documents = createMemoryDocuments()
    const { book } = open(clock, documents)
    await codeOf(book)
    expect((await book.list())[0]).toMatchObject({ state: 'asked', args: '{"amount":250,"to":"ann"}', argsBytes: 25 })
    await book.answer(await idOf(book), yes)
    expect(JSON.stringify(await documents.all())).not.toContain('ann')
    expect(book.lastGranted('billing.refund')).toBe('{"amount":250,"to":"ann"}')
  })

  it('holds for some minutes where the rule allows that, for calls that differ in what may differ', async () => {
    const { book, clock, told } = fresh()
    const terms = { ...call.terms, remember: ['once', 'minutes'] as const, except: ['nonce'] }
    const turn = (nonce: number, amount = 5): BoundCall => ({ ...call, terms, args: { nonce, amount } })
    await approved(book, turn(1), { decision: 'for', forMs: 10 * minute, by: ops })
    expect([await codeOf(book, turn(1)), await codeOf(book, turn(1)), await codeOf(book, turn(2))]).toEqual([
      'sent',
      'sent',
      'sent',
    ])
    expect(await codeOf(book, turn(3, 6))).toBe('APPROVAL_REQUIRED')
    await clock.advance(10 * minute)
    expect([await codeOf(book, turn(1)), await codeOf(book, turn(2))]).toEqual([
      'APPROVAL_REQUIRED',
      'APPROVAL_REQUIRED',
    ])
    expect(told().filter((type) => type === 'spent')).toHaveLength(3)
  })

  it('can be taken back while it still holds', async () => {
    const { book } = fresh()
    const terms = { ...call.terms, remember: ['minutes', 'always'] as const, except: ['nonce'] }
    const lasting = (nonce: number): BoundCall => ({ ...call, terms, args: { nonce } })
    const id = await approved(book, lasting(1), { decision: 'for', forMs: 10 * minute, by: ops })
    expect(await codeOf(book, lasting(2))).toBe('sent')
    await book.answer(id, no)
    expect(await codeOf(book, lasting(1))).toBe('APPROVAL_DENIED')
    expect(await codeOf(book, lasting(3))).toBe('APPROVAL_REQUIRED')
  })

  it('holds for always where the rule allows that, until what it is bound to changes', async () => {
    const { book, clock } = fresh()
    const always = { ...call, terms: { ...call.terms, remember: ['always'] as const } }
    await approved(book, always, { decision: 'always', by: ops })
    await clock.advance(40 * 24 * 60 * minute)
    expect([await codeOf(book, always), await codeOf(book, always)]).toEqual(['sent', 'sent'])
    expect(await codeOf(book, { ...always, definition: 'e'.repeat(64) })).toBe('APPROVAL_REQUIRED')
  })

  it.each<[string, GrantAnswer]>([
    ['minutes', { decision: 'for', forMs: minute, by: ops }],
    ['always', { decision: 'always', by: ops }],
  ])('refuses a yes for %s where the rule says once', async (_, answer) => {
    const { book } = fresh()
    await codeOf(book)
    await expect(book.answer(await idOf(book), answer)).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
    expect(await codeOf(book)).toBe('APPROVAL_REQUIRED')
  })

  it('refuses more than an hour, and a note that nobody reads', async () => {
    const { book } = fresh()
    await codeOf(book, { ...call, terms: { ...call.terms, remember: ['minutes'] } })
    const id = await idOf(book)
    for (const forMs of [0, Number.NaN, 61 * minute, Number.POSITIVE_INFINITY])
      await expect(book.answer(id, { decision: 'for', forMs, by: ops })).rejects.toMatchObject({
        code: 'ARGUMENTS_INVALID',
      })
    await expect(book.answer(id, { ...no, note: 'x'.repeat(501) })).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' })
  })

  it('is found by how its id begins, if only one begins so', async () => {
    const { book } = fresh()
    await codeOf(book)
    const id = await idOf(book)
    expect((await book.find(id.slice(0, 6)))?.id).toBe(id)
    expect(await book.find(id.slice(0, 3))).toBeUndefined()
    await expect(book.answer('nobody', yes)).rejects.toMatchObject({ code: 'NOT_OFFERED' })
  })

  it('wakes who waits for an answer, and lets them go when it takes too long or they leave', async () => {
    const { book, clock } = fresh()
    await codeOf(book)
    const id = await idOf(book)
    const waiting = book.settled(id, 45_000)
    await clock.advance(1000)
    await book.answer(id, yes)
    expect((await waiting)?.state).toBe('granted')
    await codeOf(book)
    await codeOf(book)
    const second = await idOf(book)
    const slow = book.settled(second, 45_000)
    await clock.advance(45_001)
    expect((await slow)?.state).toBe('asked')
    const cancel = new Cancel()
    const left = book.settled(second, 45_000, cancel)
    await clock.advance(1)
    cancel.abort(new Error('gone'))
    expect((await left)?.state).toBe('asked')
  })

  it('never lets a call pass that cannot wait for the store, and asks about it', async () => {
    const { book, clock } = fresh()
    expect(book.refuseNow(call)).toMatchObject({ code: 'APPROVAL_REQUIRED' })
    await clock.advance(0)
    await book.answer(await idOf(book), yes)
    expect(book.refuseNow(call)).toMatchObject({ code: 'APPROVAL_REQUIRED' })
    expect(await codeOf(book)).toBe('sent')
  })
})

describe('attacks on approval', () => {
  const newFolder = temporaryFolders()

  it.each<[string, Partial<BoundCall>]>([
    ['1: an argument changed after the yes', { args: { amount: 25_000, to: 'ann' } }],
    ['2: one more argument', { args: { amount: 250, to: 'ann', force: true } }],
    ['3: another normal form of a text', { args: { amount: 250, to: 'ann\u0301' } }],
    ['4: a default that another version of the schema fills', { args: { amount: 250, to: 'ann', currency: 'EUR' } }],
    ['5: a definition that changed in between', { definition: 'e'.repeat(64) }],
    ['6: another rule', { rules: ['money-2'] }],
    ['7: a rule that demands something else', { terms: { ...call.terms, by: ['caller'] } }],
    ['8: another profile', { profile: 'work' }],
    ['9: another caller with the same call', { caller: 'key:thief' }],
    ['10: another tool with the same arguments', { tool: 'billing.pay' }],
  ])('%s', async (_, changes) => {
    const { book } = fresh()
    await approved(book)
    expect(await codeOf(book, { ...call, ...changes })).toBe('APPROVAL_REQUIRED')
    expect(await codeOf(book)).toBe('sent')
  })

  it('11: keys in another order and `1.0` for `1` are the same call, spent once', async () => {
    const { book } = fresh()
    await approved(book)
    expect(await codeOf(book, { ...call, args: JSON.parse('{"to":"ann","amount":250.0}') })).toBe('sent')
    expect(await codeOf(book)).toBe('APPROVAL_REQUIRED')
  })

  it('12: spent by a hundred calls at the same moment', async () => {
    const { book, told } = fresh()
    await approved(book)
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(book)))
    expect(codes.filter((code) => code === 'sent')).toHaveLength(1)
    expect(told().filter((type) => type === 'spent')).toHaveLength(1)
  })

  it('13: spent through several stores on one folder at the same moment', async () => {
    const folder = await newFolder()
    const clock = new VirtualClock()
    const books = Array.from({ length: 4 }, () => open(clock, openJsonDocuments({ folder, kind: 'call-grants' })).book)
    await approved(books[0]!)
    const codes = await Promise.all(Array.from({ length: 40 }, (_, turn) => codeOf(books[turn % 4]!)))
    expect(codes.filter((code) => code === 'sent')).toHaveLength(1)
    expect((await books[3]!.list()).filter(({ state }) => state === 'asked')).toHaveLength(1)
  })

  it('14: sent again after the answer was lost: the effect may have happened, so it is asked about anew', async () => {
    const { book } = fresh()
    const first = await approved(book)
    await book.admit(call)
    expect(await codeOf(book)).toBe('APPROVAL_REQUIRED')
    expect(await idOf(book)).not.toBe(first)
    await expect(book.answer(first, yes)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' })
  })

  it('15: a flood of requests by one caller, and by many', async () => {
    const { book } = fresh()
    const nth = (n: number, caller = call.caller): BoundCall => ({ ...call, caller, args: { n } })
    const codes = await Promise.all(Array.from({ length: 30 }, (_, n) => codeOf(book, nth(n))))
    expect(codes.filter((code) => code === 'APPROVAL_REQUIRED')).toHaveLength(16)
    expect(codes.filter((code) => code === 'QUOTA_EXCEEDED')).toHaveLength(14)
    for (let caller = 0; caller < 15; caller++)
      for (let n = 0; n < 16; n++) expect(await codeOf(book, nth(n, `key:${caller}`))).toBe('APPROVAL_REQUIRED')
    expect(await codeOf(book, nth(0, 'key:late'))).toBe('OVERLOADED')
    expect((await book.list()).filter(({ state }) => state === 'asked')).toHaveLength(256)
  })

  it('16: approving one’s own call, also by another key of one’s own', async () => {
    const { book } = fresh()
    await book.admit(call, { person: 'person:ann' }).catch(() => {})
    const id = await idOf(book)
    for (const by of [{ id: call.caller }, { id: 'key:second', person: 'person:ann' }])
      for (const decision of ['once', 'deny'] as const)
        await expect(book.answer(id, { decision, by })).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await book.answer(id, { decision: 'once', by: { id: 'key:ops', person: 'person:bob' } })
    expect(await codeOf(book)).toBe('sent')
  })

  it('17: their own where the rule says so', async () => {
    const { book } = fresh()
    const own = { ...call, terms: { ...call.terms, by: ['caller'] as const } }
    await approved(book, own, { decision: 'once', by: { id: call.caller } })
    expect(await codeOf(book, own)).toBe('sent')
  })

  it('18: an answer replayed: to what was answered, denied, spent or is over', async () => {
    const { book, clock } = fresh()
    const id = await approved(book)
    await expect(book.answer(id, yes)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' })
    await book.admit(call)
    await expect(book.answer(id, yes)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' })
    const second = await approved(book, { ...call, args: {} }, no)
    await expect(book.answer(second, yes)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' })
    expect(await codeOf(book, { ...call, args: { n: 3 } })).toBe('APPROVAL_REQUIRED')
    const third = await idOf(book)
    await clock.advance(15 * minute)
    await expect(book.answer(third, yes)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' })
  })

  it('19: a yes and a no at the same moment: one of them counts', async () => {
    const { book, told } = fresh()
    await codeOf(book)
    const id = await idOf(book)
    const ends = await Promise.allSettled([book.answer(id, yes), book.answer(id, { ...no, by: { id: 'key:b' } })])
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(told().filter((type) => type === 'granted').length).toBeLessThanOrEqual(1)
    // The no ends the yes that was not used yet; the other way round it is too late.
    expect(await codeOf(book)).toBe('APPROVAL_DENIED')
  })

  it('20: used after its time', async () => {
    const { book, clock, told } = fresh()
    await approved(book)
    await clock.advance(15 * minute)
    expect(await codeOf(book)).toBe('APPROVAL_REQUIRED')
    expect(told()).toEqual(['asked', 'granted', 'expired', 'asked'])
  })

  it('21: the clock set back, so that it would live longer', async () => {
    const documents = createMemoryDocuments()
    const { book } = open(new VirtualClock(2_000_000_000_000), documents)
    await approved(book)
    const { book: back } = open(new VirtualClock(2_000_000_000_000 - 3600_000), documents)
    expect(await codeOf(back)).toBe('APPROVAL_REQUIRED')
  })

  it('22: a megabyte of arguments: asked by hash and beginning, and bound to all of it', async () => {
    const { book } = fresh()
    const large = (end: string): BoundCall => ({ ...call, args: { text: `${'x'.repeat(1_000_000)}${end}` } })
    await codeOf(book, large('a'))
    const [shown] = await book.list()
    expect(shown?.argsBytes).toBeGreaterThan(1_000_000)
    expect(shown?.args?.length).toBeLessThanOrEqual(8 * 1024)
    await book.answer(shown!.id, yes)
    expect(await codeOf(book, large('b'))).toBe('APPROVAL_REQUIRED')
    expect(await codeOf(book, large('a'))).toBe('sent')
  })

  it('23: the approver’s key revoked before it is spent', async () => {
    const revoked = new Set<string>()
    const { book, told } = fresh({ stillCounts: (by) => !revoked.has(by) })
    await approved(book)
    revoked.add('key:ops')
    expect(await codeOf(book)).toBe('APPROVAL_REQUIRED')
    expect(told()).toEqual(['asked', 'granted', 'expired', 'asked'])
  })

  it('24: a restart between the yes and the call, and between the call and the yes', async () => {
    const folder = await newFolder()
    const clock = new VirtualClock()
    const start = () => open(clock, openJsonDocuments({ folder, kind: 'call-grants' })).book
    const first = start()
    await codeOf(first)
    await first[Symbol.asyncDispose]()
    const second = start()
    expect((await second.list())[0]).toMatchObject({ state: 'asked', args: '{"amount":250,"to":"ann"}' })
    await second.answer(await idOf(second), yes)
    await second[Symbol.asyncDispose]()
    expect(await codeOf(start())).toBe('sent')
    expect(await codeOf(start())).toBe('APPROVAL_REQUIRED')
  })

  it('25: a restart where arguments are not kept: nobody approves what they cannot see', async () => {
    const folder = await newFolder()
    const clock = new VirtualClock()
    const start = () => open(clock, openJsonDocuments({ folder, kind: 'call-grants' }), { keepArguments: () => false })
    const first = start().book
    await codeOf(first)
    expect((await first.list())[0]?.args).toBe('{"amount":250,"to":"ann"}')
    const id = await idOf(first)
    const { book, told } = start()
    await expect(book.answer(id, yes)).rejects.toMatchObject({ code: 'CONFIG_CONFLICT' })
    expect(await codeOf(book)).toBe('APPROVAL_REQUIRED')
    expect(told()).toEqual(['expired', 'asked'])
    await book.answer(await idOf(book), yes)
    expect(await codeOf(start().book)).toBe('sent')
  })

  it('26: the gateway closed while a call waits', async () => {
    const { book, clock } = fresh()
    await codeOf(book)
    const waiting = book.settled(await idOf(book), 45_000).catch(() => 'closed')
    await clock.advance(10)
    await book[Symbol.asyncDispose]()
    expect(await waiting).toBe('closed')
    expect(clock.pendingTimers).toBe(0)
  })

  it('27: arguments changed by the program while the store is asked', async () => {
    const { book } = fresh()
    await approved(book)
    const args = { amount: 250, to: 'ann' }
    const sending = codeOf(book, { ...call, args })
    args.amount = 1_000_000
    expect(await sending).toBe('APPROVAL_DENIED')
  })

  it('28: a store that cannot be asked lets nothing pass', async () => {
    const { book } = fresh()
    await approved(book)
    await book[Symbol.asyncDispose]()
    expect(await codeOf(book)).not.toBe('sent')
  })

  it('29: a record that somebody wrote by hand, or damaged', async () => {
    const documents = createMemoryDocuments()
    const { book } = open(new VirtualClock(), documents)
    const id = await approved(book)
    const [row] = await documents.all()
    await documents.put(row!.id, { ...(row!.value as object), uses: 'none' })
    expect(await codeOf(book)).not.toBe('sent')
    expect(await book.find(id)).toBeUndefined()
  })

  it('30: a yes that comes between looking for it and asking for it is used, not lost', async () => {
    const clock = new VirtualClock()
    const documents = createMemoryDocuments()
    const { book } = open(clock, documents)
    await codeOf(book)
    const id = await idOf(book)
    let gets = 0
    const slow: SharedDocuments = {
      ...documents,
      get: async (key) => {
        const value = await documents.get(key)
        if (gets++ === 0) await book.answer(id, yes)
        return value
      },
    }
    expect(await codeOf(open(clock, slow).book)).toBe('sent')
  })

  it('31: what is over is forgotten after thirty days, and says nothing by then', async () => {
    const { book, clock } = fresh()
    await approved(book)
    await book.admit(call)
    await codeOf(book, { ...call, args: { n: 1 } })
    expect(await book.list()).toHaveLength(2)
    await clock.advance(31 * 24 * 60 * minute)
    await codeOf(book, { ...call, args: { n: 2 } })
    await clock.advance(16 * minute)
    expect((await book.list()).map(({ args }) => args)).toEqual([undefined])
  })
})
