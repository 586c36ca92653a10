import { createHook } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../test/helpers/start-call.js'
import { settle } from '../../test/helpers/virtual-clock.js'
import { localCaller } from '../model/caller.js'
import { Cancel } from '../model/cancel.js'
import { type Answer, valueAnswer } from '../model/result.js'
import type { SourceCall } from '../sources/source.js'

/** A source that answers when told, and adds no promise of its own. */
const startHeld = async (limits = {}) => {
  const started = startGateway({ handler: () => 1 }, { limits })
  let answer: (answer: Answer) => void = () => {}
  let heard: SourceCall | undefined
  const answered = new Promise<Answer>((resolve) => (answer = resolve))
  await started.gateway.addSource('held', {
    kind: 'held',
    watch: async (report, signal) => {
      report({ type: 'all', tools: [{ definition: { name: 'tool', inputSchema: { type: 'object' } } }] })
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    },
    call: (_name, _args, context) => {
      heard = context
      return answered
    },
    [Symbol.asyncDispose]: async () => {},
  })
  return { ...started, answer, heard: () => heard!, tool: 'held.tool' }
}

const promisesMadeBy = (act: () => void): number => {
  let made = 0
  const hook = createHook({ init: (_id, type) => void (made += type === 'PROMISE' ? 1 : 0) }).enable()
  act()
  hook.disable()
  return made
}

describe('a call whose source answers later', () => {
  it('has one promise for its caller and one pair of reactions, whose own promise nobody sees', async () => {
    const { gateway, answer, tool } = await startHeld({ quotaOf: () => ({ concurrency: 5 }) })
    const outcomes: ReturnType<typeof gateway.call>[] = []
    const made = promisesMadeBy(() => {
      outcomes.push(gateway.call({ tool, caller: localCaller, maxResultBytes: 1000 }))
    })
    answer(valueAnswer('done'))
    expect([made, (await Promise.all(outcomes)).map(returned)]).toEqual([2, ['done']])
  })

  it('makes none where it is answered on the stack', () => {
    const { gateway } = startGateway({ handler: () => 1 })
    expect(promisesMadeBy(() => gateway.callSync({ tool: 'tool', caller: localCaller }))).toBe(0)
  })

  it('leaves its places, its quota and its time as it found them, however it ends', async () => {
    const ends: { resolve: (value: unknown) => void; reject: (error: Error) => void }[] = []
    const started = startGateway(
      { handler: () => new Promise((resolve, reject) => ends.push({ resolve, reject })), timeoutMs: 50 },
      { limits: { concurrency: 1, concurrencyPerTool: 1, queue: 0, quotaOf: () => ({ concurrency: 1 }) } },
    )
    const { call, clock, gateway } = started
    const codes: string[] = []
    for (const end of ['answer', 'failure', 'time', 'caller'] as const) {
      const leaving = new AbortController()
      const outcome = call({}, { signal: leaving.signal })
      expect(codeOf(await call())).toBe('QUOTA_EXCEEDED')
      const last = ends.at(-1)!
      if (end === 'answer') last.resolve(1)
      if (end === 'failure') last.reject(new Error('no'))
      if (end === 'time') await clock.advance(50)
      if (end === 'caller') leaving.abort()
      codes.push(codeOf(await outcome))
      expect([clock.pendingTimers, gateway.load().sources]).toEqual([0, []])
    }
    expect(codes).toEqual(['ok', 'TOOL_FAILED', 'DEADLINE_EXCEEDED', 'CALL_CANCELLED'])
  })

  it('hears a caller who left while its source was being asked', async () => {
    const leaving = new AbortController()
    let heard: unknown
    const { call, clock } = startGateway({
      handler: (_args, { signal }) => {
        signal.addEventListener('abort', () => (heard = signal.reason))
        leaving.abort()
        return new Promise(() => {})
      },
    })
    expect(codeOf(await call({}, { signal: leaving.signal }))).toBe('CALL_CANCELLED')
    expect(heard).toMatchObject({ code: 'CALL_CANCELLED' })
    expect(clock.pendingTimers).toBe(0)
  })

  it('ends for its caller though its source cannot bear to hear of it', async () => {
    const { gateway, heard, tool } = await startHeld()
    const leaving = new Cancel()
    const outcome = gateway.call({ tool, caller: localCaller, signal: leaving })
    heard().cancel.addEventListener('abort', () => {
      throw new Error('not now')
    })
    expect(() => leaving.abort('gone')).toThrow('not now')
    expect(codeOf(await outcome)).toBe('CALL_CANCELLED')
  })

  it('leaves a retry that pauses when its caller leaves', async () => {
    const leaving = new AbortController()
    const { call, clock, records } = startGateway(
      { idempotent: true, handler: () => Promise.reject(new Error('no')) },
      { retry: { attempts: 5, backoffMs: 100 } },
    )
    const outcome = call({}, { signal: leaving.signal })
    await settle()
    leaving.abort()
    expect(codeOf(await outcome)).toBe('CALL_CANCELLED')
    expect([clock.pendingTimers, records.length, records[0]?.attempts]).toEqual([0, 1, 1])
  })

  it('ends with a code where its answer cannot be looked at, at once or later', async () => {
    const answer = {
      get meta(): never {
        throw new Error('a trap')
      },
    }
    for (const handler of [() => answer, async () => answer]) {
      const { call, records } = startGateway({ handler })
      expect([codeOf(await call()), records.length]).toEqual(['INTERNAL', 1])
    }
  })
})
