import { describe, expect, it } from 'vitest'
import { codeOf, returned, startGateway } from '../../../test/helpers/start-call.js'
import { settle } from '../../../test/helpers/virtual-clock.js'

describe('deadline', () => {
  it('aborts the source call when time is up', async () => {
    let heard: unknown
    const { call, clock } = startGateway({
      timeoutMs: 50,
      handler: (_args, { signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject((heard = signal.reason)))),
    })
    const outcome = call()
    await clock.advance(50)
    expect(codeOf(await outcome)).toBe('DEADLINE_EXCEEDED')
    expect(heard).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  })

  it('gives up on a tool that never settles', async () => {
    const { call, clock } = startGateway({ handler: () => new Promise(() => {}) }, { timeoutMs: 1000 })
    const outcome = call()
    await clock.advance(999)
    await clock.advance(1)
    expect(codeOf(await outcome)).toBe('DEADLINE_EXCEEDED')
  })

  it('drops an answer, a failure and progress that come after the deadline', async () => {
    const late: ((value: unknown) => void)[] = []
    const progress: number[] = []
    const { call, clock, records } = startGateway({
      timeoutMs: 10,
      handler: (_args, context) =>
        new Promise((resolve, reject) => {
          late.push(resolve, reject, () => context.reportProgress({ progress: 1 }))
        }),
    })
    const outcome = call({}, { onProgress: (each) => progress.push(each.progress) })
    await clock.advance(10)
    expect(codeOf(await outcome)).toBe('DEADLINE_EXCEEDED')
    for (const each of late) each(new Error('late'))
    await settle()
    expect(records).toHaveLength(1)
    expect(progress).toEqual([])
  })

  it('refuses a synchronous answer that came too late', async () => {
    const started = startGateway({
      timeoutMs: 10,
      handler: () => {
        void started.clock.advance(11)
        return 'late'
      },
    })
    // The clock moves while the function holds the thread.
    const original = started.clock.now
    let reads = 0
    started.clock.now = () => original() + (reads++ > 1 ? 11 : 0)
    expect(codeOf(await started.call())).toBe('DEADLINE_EXCEEDED')
  })

  it('F22 hears the caller leave, before and during the call', async () => {
    const gone = new AbortController()
    let aborted = false
    const { call, clock } = startGateway({
      handler: (_args, { signal }) => {
        signal.addEventListener('abort', () => (aborted = true))
        return new Promise(() => {})
      },
    })
    const outcome = call({}, { signal: gone.signal })
    await settle()
    gone.abort()
    expect(codeOf(await outcome)).toBe('CALL_CANCELLED')
    expect(aborted).toBe(true)
    expect(codeOf(await call({}, { signal: gone.signal }))).toBe('CALL_CANCELLED')
    expect(clock.pendingTimers).toBe(0)
  })

  it('hands progress on while the call runs', async () => {
    const progress: unknown[] = []
    const { call } = startGateway({
      handler: async (_args, context) => {
        context.reportProgress({ progress: 1, total: 2, message: 'half' })
        return 'done'
      },
    })
    expect(returned(await call({}, { onProgress: (each) => progress.push(each) }))).toBe('done')
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }])
  })

  it('F25 leaves no timer behind', async () => {
    const { call, clock } = startGateway({ handler: async () => 1 })
    await Promise.all(Array.from({ length: 100 }, () => call()))
    expect(clock.pendingTimers).toBe(0)
  })
})
