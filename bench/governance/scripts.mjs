// What scripts cost: a warm script, the first of a process, one inner call, and how late the main loop is while scripts bomb.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createGateway, createScripts, defineTool } from '../../dist/index.js'
import { table } from '../measure.mjs'

const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]
const callsEach = 200
const resolutionMs = 5

const timed = async (work) => {
  const from = performance.now()
  await work()
  return performance.now() - from
}

/** The next engine is made between two scripts, as it is where models think meanwhile. */
const engineMade = () => new Promise((resolve) => setTimeout(resolve, 20))

/** Milliseconds of each. */
const warmRuns = async (scripts, runs) => {
  const warm = []
  for (let at = 0; at < runs; at++) {
    warm.push(await timed(() => scripts.run('return 1')))
    await engineMade()
  }
  return warm
}

/** Microseconds of the processor for one call, all threads together. */
const innerCalls = async (scripts, rounds) => {
  const inner = []
  for (let at = 0; at < rounds; at++) {
    const before = process.cpuUsage()
    await scripts.run(
      `for (let i = 0; i < ${callsEach}; i++) await tools.echo({ i, text: 'some words to carry there and back' })`,
    )
    const { user, system } = process.cpuUsage(before)
    inner.push((user + system) / callsEach)
    await engineMade()
  }
  return inner
}

const bombs = [
  'for (;;) {}',
  'const a = []; for (;;) try { a.push(new Array(1e6).fill(1)) } catch {}',
  'for (;;) await null',
]

/** How late the main loop was, in milliseconds, while all of them ran. */
const lateUnderBombs = async (scripts) => {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  await Promise.all(bombs.map((bomb) => scripts.run(bomb).catch(() => {})))
  delay.disable()
  return { p99: delay.percentile(99) / 1e6 - resolutionMs, most: delay.max / 1e6 - resolutionMs }
}

export const bench = async ({ quick = false } = {}) => {
  const gateway = createGateway({ tools: [defineTool({ name: 'echo', handler: (args) => args })] })
  const scripts = createScripts(gateway, { maxRunning: 4 })
  const first = await timed(() => scripts.run('return 1'))
  const warm = await warmRuns(scripts, quick ? 50 : 300)
  // V8 takes about twelve scripts of this length until it has compiled what carries a call.
  const early = percentile(await innerCalls(scripts, 12), 0.5)
  const inner = percentile(await innerCalls(scripts, quick ? 5 : 20), 0.5)
  const late = await lateUnderBombs(scripts)
  await scripts.close()
  await gateway.close()
  table(
    'Scripts',
    ['', 'measured'],
    [
      ['first script of a process, ms', first.toFixed(1)],
      ['warm script, p50, ms', percentile(warm, 0.5).toFixed(2)],
      ['warm script, p90, ms', percentile(warm, 0.9).toFixed(2)],
      ['one call in a script, processor time of all threads, µs', inner.toFixed(0)],
      ['the same in the first twelve scripts of 200 calls, µs', early.toFixed(0)],
      ['main loop late while three scripts bomb, p99, ms', late.p99.toFixed(1)],
      ['the same, at most, ms', late.most.toFixed(1)],
    ],
  )
  return [
    { claim: 'a warm script, p50', value: percentile(warm, 0.5), limit: 8, unit: 'ms' },
    { claim: 'one call in a script, processor time', value: inner, limit: 350, unit: 'µs' },
    { claim: 'the main loop late while scripts bomb, p99', value: late.p99, limit: 50, unit: 'ms' },
  ]
}
