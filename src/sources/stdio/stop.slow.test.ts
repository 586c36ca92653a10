import { readdirSync } from 'node:fs'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { until, VirtualClock } from '../../../test/helpers/virtual-clock.js'
import type { GatewayError } from '../../errors.js'
import { systemClock } from '../../model/clock.js'
import { silentLogger } from '../../telemetry/logger.js'
import type { Child } from './channel.js'
import { type ChildOptions, startChild } from './child.js'
import { groupOf, runningMembers } from './group.js'
import { createInstance } from './instance.js'
import { isRunning, readStat } from './proc.js'
import { createReaper } from './reaper.js'

const reaper = createReaper({ instance: createInstance(), clock: systemClock, logger: silentLogger })
const quick = { inputMs: 30, termMs: 30, killMs: 10_000 }
const open = new Set<Child>()
const start = async (
  command: string,
  args: readonly string[] = [],
  more: Partial<ChildOptions> = {},
): Promise<Child> => {
  const base = { clock: systemClock, logger: silentLogger, reaper, hostEnv: process.env, stopTimes: quick }
  const child = await startChild({ ...base, command, args, ...more })
  open.add(child)
  return child
}
const sh = (script: string, more: Partial<ChildOptions> = {}) => start('/bin/sh', ['-c', script], more)
const node = (script: string, more: Partial<ChildOptions> = {}) => start(process.execPath, ['-e', script], more)
const collect = (child: Child): string[] => {
  const lines: string[] = []
  child.onLine((line) => lines.push(line.toString('utf8')))
  return lines
}
const closing = (child: Child) =>
  new Promise<GatewayError | undefined>((resolve) =>
    child.onClose((reason) => resolve(reason as GatewayError | undefined)),
  )
const runs = (pid: number | string | undefined): boolean => isRunning(readStat(Number(pid)))

afterEach(async () => {
  await Promise.all([...open].map((child) => child.close()))
  open.clear()
})
afterAll(() => reaper.close())

describe('stop of a child', () => {
  it('ends its input first, sends SIGTERM after 2 s and SIGKILL after 3 more (F13)', async () => {
    const clock = new VirtualClock()
    const child = await node(
      `process.on('SIGTERM', () => console.log('term')); process.stdin.on('end', () => console.log('eof')).resume()
       setInterval(() => {}, 1e6); console.log('up')`,
      { clock, stopTimes: {} },
    )
    child.started()
    const lines = collect(child)
    await until(() => lines.includes('up'))
    const closed = child.close().then(() => open.delete(child))
    await until(() => lines.includes('eof'))
    await clock.advance(1999)
    expect(clock.pendingTimers).toBe(1)
    await clock.advance(1)
    await until(() => lines.includes('term'))
    await clock.advance(2999)
    expect(runs(child.pid)).toBe(true)
    await clock.advance(1)
    // Collected, not merely dead: of a process with threads the leader dies first, and until we hear of the end the
    // virtual seconds would run out.
    await until(() => readStat(child.pid) === undefined)
    while (open.has(child)) await clock.advance(1)
    await closed
    expect(lines).toEqual(['up', 'eof', 'term'])
  })

  it('leaves no member of a stubborn tree and no zombie (F13)', async () => {
    const stubborn = 'trap "" TERM HUP INT; echo $$; while :; do sleep 1000; done'
    const child = await sh(`trap "" TERM; sh -c '${stubborn}' & sh -c '${stubborn}' & wait; wait`)
    const lines = collect(child)
    await until(() => lines.length === 2)
    const group = groupOf(child.pid)
    expect(runningMembers(group).length).toBeGreaterThanOrEqual(3)
    await child.close()
    expect(runningMembers(group)).toEqual([])
    expect(readStat(child.pid)).toBeUndefined()
  })

  it('lets helpers that outlive their leader finish within the same times (F13)', async () => {
    const child = await sh(`sh -c 'trap "" TERM; echo $$; while :; do sleep 1000; done' & cat`)
    const lines = collect(child)
    await until(() => lines.length === 1)
    await child.close()
    expect(runs(lines[0])).toBe(false)
  })

  it('takes the helpers along when the leader crashes', async () => {
    const child = await sh('sleep 1000 & echo $!; exit 3')
    child.started()
    const lines = collect(child)
    expect(await closing(child)).toMatchObject({ details: { exitCode: 3 } })
    await child.close()
    expect(runs(lines[0])).toBe(false)
  })

  it('is not held up by a process that left the group with its pipes', async () => {
    const child = await node(
      `const c = require('child_process').spawn('sleep', ['1000'], { detached: true, stdio: 'inherit' })
       console.log(c.pid); process.exit(0)`,
    )
    const lines = collect(child)
    expect(await closing(child)).toMatchObject({ details: { exitCode: 0 } })
    await child.close()
    expect(runs(lines[0])).toBe(true)
    process.kill(Number(lines[0]), 'SIGKILL')
  })

  it('is idempotent, tells listeners undefined, and tells late ones too', async () => {
    const child = await start('cat')
    const first = closing(child)
    await Promise.all([child.close(), child.close()])
    expect(await first).toBeUndefined()
    expect(await closing(child)).toBeUndefined()
    expect(() => child.send('x')).toThrow(expect.objectContaining({ code: 'SOURCE_UNAVAILABLE' }))
  })

  it('leaks no file, process or timer over 100 starts', async () => {
    // Real time, since a virtual clock would run out of patience before a busy machine ends a process.
    const clock = countingClock()
    const cycle = async () => {
      const child = await start('cat', [], { clock })
      const lines = collect(child)
      child.send('x')
      await until(() => lines.length === 1)
      await child.close()
      open.delete(child)
    }
    await cycle()
    const before = { files: readdirSync('/proc/self/fd').length, children: childPids() }
    for (let round = 0; round < 100; round += 1) await cycle()
    expect({ files: readdirSync('/proc/self/fd').length, children: childPids() }).toEqual(before)
    expect(clock.pendingTimers).toBe(0)
  })
})

const countingClock = () => {
  let pendingTimers = 0
  return {
    now: systemClock.now,
    wall: systemClock.wall,
    after: (ms: number, task: () => void) => {
      pendingTimers += 1
      let over = false
      const end = () => {
        if (!over) pendingTimers -= 1
        over = true
      }
      const cancel = systemClock.after(ms, () => {
        end()
        task()
      })
      return () => {
        end()
        cancel()
      }
    },
    get pendingTimers() {
      return pendingTimers
    },
  }
}

const childPids = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => readStat(pid)?.parent === process.pid)
