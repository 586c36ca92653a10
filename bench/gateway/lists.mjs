// tools/list of 2,000 tools from ten sources, and the memory that holding them takes.
import { median, table } from '../measure.mjs'
import { load, toBytes } from './load.mjs'
import { cpuOf, memoryMb, startGateway, startProgram, untilListed } from './processes.mjs'

const [sources, toolsEach] = [10, 200]

export const benchLists = async ({ quick }) => {
  const { ms, rounds } = quick ? { ms: 500, rounds: 3 } : { ms: 1500, rounds: 5 }
  const upstream = await startProgram('upstream.mjs', 'http', String(toolsEach))
  const names = Array.from({ length: sources }, (_, index) => `source${index}`)
  const urls = Object.fromEntries(names.map((name) => [name, { url: `http://127.0.0.1:${upstream.port}/${name}` }]))
  const configured = Object.fromEntries(names.map((name) => [name, { type: 'http', ...urls[name] }]))
  const targets = {
    'bare relay': await startProgram('bare-relay.mjs', JSON.stringify(urls)),
    pegboard: await startGateway(configured),
    'SDK relay': await startProgram('sdk-relay.mjs', JSON.stringify(urls)),
  }
  for (const target of Object.values(targets)) await untilListed(target, sources * toolsEach)
  const memory = Object.fromEntries(Object.entries(targets).map(([name, { pid }]) => [name, [memoryMb(pid)]]))

  const samples = {}
  for (let round = 0; round < rounds; round++)
    for (const [name, target] of Object.entries(targets)) {
      const before = cpuOf(target.pid)
      const bytes = toBytes(target, 'tools/list')
      const result = await load(target, bytes, { concurrency: 4, ms, expected: 'source9.tool_' })
      const cpu = (cpuOf(target.pid) - before) / result.calls / 1000
      ;(samples[name] ??= []).push({ ...result, cpu })
    }
  for (const [name, { pid }] of Object.entries(targets)) memory[name].push(memoryMb(pid))
  for (const target of [...Object.values(targets), upstream]) await target.stop()

  const of = (name, figure) => median(samples[name].map((sample) => sample[figure]))
  table(
    `tools/list of ${sources * toolsEach} tools from ${sources} sources at concurrency 4, ${rounds} interleaved rounds of ${ms} ms`,
    ['through', 'lists/s', 'p50 ms', 'p99 ms', 'CPU ms/list', 'RSS MB', 'RSS MB after load'],
    Object.keys(targets).map((name) => [
      name,
      of(name, 'perSecond').toFixed(0),
      of(name, 'p50').toFixed(2),
      of(name, 'p99').toFixed(2),
      of(name, 'cpu').toFixed(2),
      ...memory[name].map((mb) => mb?.toFixed(0) ?? '-'),
    ]),
  )
  return [
    {
      claim: 'tools/list of 2,000 tools, our rate against the SDK relay',
      value: of('pegboard', 'perSecond') / of('SDK relay', 'perSecond'),
      limit: 5,
      atLeast: true,
      unit: '×',
    },
    {
      claim: 'memory with 10 sources and 2,000 tools',
      value: memory.pegboard[0] ?? Number.NaN,
      limit: 120,
      unit: 'MB',
    },
  ]
}
