import { describe, expect, it } from 'vitest'
import { settle } from '../../../test/helpers/virtual-clock.js'
import type { ChildCommand } from './command.js'
import { createPool, type Shareable } from './pool.js'

class Shared implements Shareable {
  closed = 0
  readonly listeners = new Set<(reason: Error | undefined) => void>()
  finishClose: () => void = () => {}
  readonly #slow: boolean
  #closing: Promise<void> | undefined

  constructor(slow = false) {
    this.#slow = slow
  }

  onClose(listener: (reason: Error | undefined) => void) {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  close(): Promise<void> {
    this.closed += 1
    this.#closing ??= this.#slow ? new Promise((resolve) => (this.finishClose = resolve)) : Promise.resolve()
    return this.#closing
  }

  crash(): void {
    for (const listener of this.listeners) listener(new Error('crashed'))
  }
}

const setUp = (make: () => Shared | Promise<Shared> = () => new Shared()) => {
  const started: Shared[] = []
  const pool = createPool(async (_command: ChildCommand) => {
    const shared = await make()
    started.push(shared)
    return shared
  })
  return { pool, started }
}

describe('pool', () => {
  it('runs one process per command, arguments, variables and folder, however many users', async () => {
    const { pool, started } = setUp()
    const same: ChildCommand = { command: 'a', args: ['x'], env: { A: '1', B: '2' }, cwd: '/' }
    const leases = await Promise.all([pool.acquire(same), pool.acquire({ ...same, env: { B: '2', A: '1' } })])
    expect(started).toHaveLength(1)
    expect(leases[0]?.value).toBe(leases[1]?.value)
    const others = [{ command: 'b' }, { args: ['y'] }, { args: [] }, { env: { A: '1' } }, { cwd: '/tmp' }]
    await Promise.all(others.map((other) => pool.acquire({ ...same, ...other })))
    expect(pool.size).toBe(6)
  })

  it('ends the process with its last user, and counts a double release once', async () => {
    const { pool, started } = setUp()
    const [first, second] = await Promise.all([pool.acquire({ command: 'a' }), pool.acquire({ command: 'a' })])
    await first.release()
    await first.release()
    expect(started[0]?.closed).toBe(0)
    await second.release()
    expect(started[0]?.closed).toBe(1)
    expect(pool.size).toBe(0)
  })

  it('fails all who waited for a failed start, and tries anew for the next', async () => {
    let tries = 0
    const { pool } = setUp(() => {
      tries += 1
      if (tries === 1) throw new Error('no')
      return new Shared()
    })
    const outcomes = await Promise.allSettled([pool.acquire({ command: 'a' }), pool.acquire({ command: 'a' })])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(pool.acquire({ command: 'a' })).resolves.toBeDefined()
    expect(tries).toBe(2)
  })

  it('starts a successor only after the predecessor has ended', async () => {
    const { pool, started } = setUp(() => new Shared(true))
    const lease = await pool.acquire({ command: 'a' })
    const released = lease.release()
    const next = pool.acquire({ command: 'a' })
    await settle()
    expect(started).toHaveLength(1)
    started[0]?.finishClose()
    await released
    await next
    expect(started).toHaveLength(2)
  })

  it('replaces what crashed, and late releases do not touch the replacement', async () => {
    const { pool, started } = setUp()
    const before = await pool.acquire({ command: 'a' })
    started[0]?.crash()
    const after = await pool.acquire({ command: 'a' })
    expect(after.value).not.toBe(before.value)
    await before.release()
    expect(started[1]?.closed).toBe(0)
    expect(pool.size).toBe(1)
  })

  it('ends everything on close, whoever holds it', async () => {
    const { pool, started } = setUp()
    await Promise.all([pool.acquire({ command: 'a' }), pool.acquire({ command: 'b' })])
    await pool.close()
    expect(started.map(({ closed }) => closed > 0)).toEqual([true, true])
    expect(pool.size).toBe(0)
  })

  it('gives a start up when nobody waits for it any more', async () => {
    const given: string[] = []
    const pool = createPool(
      (command: ChildCommand, signal: AbortSignal) =>
        new Promise<Shared>((_, reject) => {
          signal.addEventListener('abort', () => {
            given.push(command.command)
            reject(new Error('given up'))
          })
        }),
    )
    const [first, second] = [new AbortController(), new AbortController()]
    const waiting = [pool.acquire({ command: 'a' }, first.signal), pool.acquire({ command: 'a' }, second.signal)]
    const outcomes = Promise.allSettled(waiting)
    first.abort()
    await settle()
    expect([given, pool.size]).toEqual([[], 1])
    second.abort()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect([given, pool.size]).toEqual([['a'], 0])
    const others = [pool.acquire({ command: 'b' })]
    await settle()
    others.push(pool.acquire({ command: 'c' }))
    const ended = Promise.allSettled(others)
    await pool.close()
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(given).toEqual(['a', 'b'])
  })
})
