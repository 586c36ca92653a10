import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../../test/helpers/virtual-clock.js'
import { GatewayError } from '../../../errors.js'
import type { JsonObject } from '../../../model/json.js'
import type { Outcome } from '../../../model/outcome.js'
import { Shares } from '../../../model/shares.js'
import { GrantBook } from '../../../policy/grant-book.js'
import type { BoundCall } from '../../../policy/grants.js'
import { createMemoryDocuments } from '../../../storage/memory/memory-documents.js'
import { ApprovalTasks, type TaskCall } from './approval-tasks.js'

const caller = { id: 'key:agent', rights: ['discover', 'call'] } as const
const ops = { id: 'key:ops' }
const meta = { latencyMs: 1, attempts: 1, source: 's', cached: false }
const minute = 60_000

let clock: VirtualClock
let book: GrantBook
let tasks: ApprovalTasks
let shares: Shares
let sent: unknown[]
beforeEach(() => {
  clock = new VirtualClock()
  book = new GrantBook({ documents: createMemoryDocuments(), clock })
  shares = new Shares()
  sent = []
  tasks = new ApprovalTasks({
    clock,
    shares,
    door: {
      find: async () => undefined,
      answer: async () => {
        throw new Error('nobody is asked at the client')
      },
      settled: (...asked) => book.settled(...asked),
      withdraw: (id) => book.withdraw(id),
      page: () => undefined,
    },
  })
})
afterEach(async () => {
  tasks.close()
  await book[Symbol.asyncDispose]()
})

const bound = (args: object): BoundCall => ({
  caller: caller.id,
  profile: 'default',
  tool: 'refund',
  definition: 'd',
  rules: ['money'],
  terms: { by: ['operator'], withinMs: 15 * minute, remember: ['once'], waitMs: 0 },
  args,
})
const outcome = async (args: object, text: string): Promise<Outcome> =>
  book.admit(bound(args)).then(
    () => {
      sent.push(args)
      return { ok: true, meta, answer: { type: 'value', value: text } } as Outcome
    },
    (error) => ({ ok: false, meta, error }) as Outcome,
  )
const toResult: TaskCall['toResult'] = (ended) => {
  if (ended instanceof GatewayError) return { isError: true, text: `${ended.code}: ${ended.message}` }
  if (!ended.ok) return { isError: true, text: ended.error.code }
  return { text: (ended.answer as unknown as { value: string }).value }
}

const begin = async (args: object, { text = 'done', bytes = 100 } = {}) => {
  const refused = await outcome(args, text)
  if (refused.ok) throw new Error('nobody was asked')
  const { approval, expiresAt } = refused.error.details as { approval: string; expiresAt: string }
  const begun = tasks.begin({
    ...{ caller, approval, expiresAt: Date.parse(expiresAt), bytes, toResult },
    again: () => outcome(args, text),
  })
  return begun && { ...begun, approval }
}
const settle = () => clock.advance(1000)

describe('a call that is a task while it waits for a person', () => {
  it('works until somebody has answered, then is made once and keeps its result', async () => {
    const { id, shown, approval } = (await begin({ n: 1 }))!
    expect(shown).toEqual({
      status: 'working',
      statusMessage: expect.stringContaining(approval),
      createdAt: '2026-11-15T00:00:00.000Z',
      lastUpdatedAt: '2026-11-15T00:00:00.000Z',
      ttlMs: 30 * minute,
      pollIntervalMs: 2000,
    })
    const heard: JsonObject[] = []
    tasks.listen(id, (task) => heard.push(task))
    await settle()
    expect(tasks.get(id)).toMatchObject({ status: 'working' })
    await book.answer(approval, { decision: 'once', by: ops })
    await settle()
    expect(tasks.get(id)).toMatchObject({ status: 'completed', result: { resultType: 'complete', text: 'done' } })
    expect(tasks.get(id)).toEqual(tasks.get(id))
    expect(sent).toEqual([{ n: 1 }])
    expect(heard.map(({ status }) => status)).toEqual(['working', 'completed'])
  })

  it('ends with the code of a no, and of nobody who answered', async () => {
    const denied = (await begin({ n: 1 }))!
    const silent = (await begin({ n: 2 }))!
    await book.answer(denied.approval, { decision: 'deny', by: ops })
    await settle()
    expect(tasks.get(denied.id)).toMatchObject({
      status: 'completed',
      result: { isError: true, text: 'APPROVAL_DENIED' },
    })
    await clock.advance(15 * minute)
    expect(tasks.get(silent.id)).toMatchObject({
      status: 'completed',
      result: { isError: true, text: expect.stringMatching(/^APPROVAL_REQUIRED: Nobody answered/) },
    })
    expect(sent).toEqual([])
  })

  it('is not forgotten before its time, and then it is', async () => {
    const { id, approval } = (await begin({ n: 1 }))!
    await book.answer(approval, { decision: 'once', by: ops })
    await clock.advance(30 * minute - 1)
    expect(tasks.get(id)).toMatchObject({ status: 'completed' })
    await clock.advance(1)
    expect(() => tasks.get(id)).toThrow('not valid here')
    expect([shares.of('parked').total, shares.of('questionBytes').total]).toEqual([0, 0])
  })

  it('is never sent once it is cancelled, and nobody is asked any more', async () => {
    const { id, approval } = (await begin({ n: 1 }))!
    tasks.cancel(id)
    expect(tasks.get(id)).toMatchObject({ status: 'cancelled' })
    await settle()
    expect((await book.find(approval))?.state).toBe('expired')
    await expect(book.answer(approval, { decision: 'once', by: ops })).rejects.toMatchObject({
      code: 'CONFIG_CONFLICT',
    })
    await settle()
    expect(sent).toEqual([])
    tasks.cancel(id)
    expect(tasks.get(id)).toMatchObject({ status: 'cancelled' })
  })

  it('cancelled after the yes and before the call leaves the yes where it is', async () => {
    const { id, approval } = (await begin({ n: 1 }))!
    await book.answer(approval, { decision: 'once', by: ops })
    tasks.cancel(id)
    await settle()
    expect([sent, (await book.find(approval))?.state]).toEqual([[], 'granted'])
  })

  it('needs a yes of its own where the same call has used the first', async () => {
    const first = (await begin({ n: 1 }))!
    const second = (await begin({ n: 1 }))!
    expect(second.approval).toBe(first.approval)
    await book.answer(first.approval, { decision: 'once', by: ops })
    await settle()
    expect(sent).toHaveLength(1)
    const states = [first, second].map(({ id }) => tasks.get(id).status)
    expect(states.sort()).toEqual(['completed', 'working'])
    const [open] = (await book.list()).filter(({ state }) => state === 'asked')
    await book.answer(open!.id, { decision: 'once', by: ops })
    await settle()
    expect([first, second].map(({ id }) => tasks.get(id).status)).toEqual(['completed', 'completed'])
    expect(sent).toHaveLength(2)
  })

  it('cancelled where another waits for the same answer leaves that one waiting', async () => {
    const first = (await begin({ n: 1 }))!
    const second = (await begin({ n: 1 }))!
    tasks.cancel(first.id)
    await settle()
    await book.answer(second.approval, { decision: 'once', by: ops })
    await settle()
    expect(tasks.get(second.id)).toMatchObject({ status: 'completed' })
    expect(sent).toHaveLength(1)
  })

  it('has bounds: of one caller and of all, by their number and by their bytes', async () => {
    shares.of('parked').limit({ perCaller: 2 })
    const first = (await begin({ n: 1 }))!
    await begin({ n: 2 })
    expect(await begin({ n: 3 })).toBeUndefined()
    tasks.cancel(first.id)
    expect(await begin({ n: 4 })).toBeDefined()
    shares.of('parked').limit({ perCaller: 100 })
    expect(await begin({ n: 5 }, { bytes: 9 * 1024 ** 2 })).toBeUndefined()
    expect(shares.of('parked').total).toBe(2)
  })

  it('says that the call was made where its answer is too large to be kept', async () => {
    const { id, approval } = (await begin({ n: 1 }, { text: 'x'.repeat(9 * 1024 ** 2) }))!
    await book.answer(approval, { decision: 'once', by: ops })
    await settle()
    expect(tasks.get(id)).toMatchObject({
      status: 'completed',
      result: { isError: true, text: expect.stringMatching(/^RESULT_TOO_LARGE: The call was made/) },
    })
    expect(sent).toHaveLength(1)
  })

  it('ends with its caller’s leave, and with the gateway', async () => {
    const first = (await begin({ n: 1 }))!
    const second = (await begin({ n: 2 }))!
    tasks.dismiss(({ caller: who }) => who === caller.id)
    expect(() => tasks.get(first.id)).toThrow('not valid here')
    for (const { approval } of [first, second])
      await book.answer(approval, { decision: 'once', by: ops }).catch(() => {})
    await settle()
    expect(sent).toEqual([])
    const third = (await begin({ n: 3 }))!
    tasks.close()
    await book.answer(third.approval, { decision: 'once', by: ops })
    await settle()
    expect(sent).toEqual([])
    expect([shares.of('parked').total, shares.of('questionBytes').total]).toEqual([0, 0])
    // What somebody said stays: the call made again finds it.
    expect((await outcome({ n: 3 }, 'done')).ok).toBe(true)
  })
})
