// Calls per second of two workers beside one, in alternating rounds: npm run build && npm run bench workers
// The callers are 64 kept connections with prepared bytes, so that the gateway's own work is what is measured. Where there are
// cores enough, the gateway has two of them to itself and the callers have the others.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { load, toBytes } from './gateway/load.mjs'
import { cpuOf, pssMb, startGateway } from './gateway/processes.mjs'
import { median, table } from './measure.mjs'

const callers = 64

/** A document of some pages: it is read, bounded, validated and searched by the gateway's own process. */
const json = JSON.stringify({
  items: Array.from({ length: 200 }, (_, n) => ({ id: n, name: `item ${n}`, tags: ['a', 'b'] })),
})

export const benchWorkers = async ({ quick = false } = {}) => {
  const [rounds, ms] = quick ? [3, 2000] : [7, 5000]
  const isPinned = availableParallelism() >= 4 && pin(process.pid, '2-15')
  const start = async (workers) => {
    const gateway = await startGateway({}, [], undefined, { server: { workers } })
    const pids = [gateway.pid, ...childrenOf(gateway.pid)]
    if (isPinned) for (const pid of pids) pin(pid, '0,1')
    return { ...gateway, workers, pids, samples: [] }
  }
  const gateways = [await start(1), await start(2)]
  const restingMb = gateways.map(({ pids }) => sum(pids.map(pssMb)))
  for (const gateway of gateways) await round(gateway, 1000)
  for (let n = 0; n < rounds; n++) for (const gateway of gateways) gateway.samples.push(await round(gateway, ms))
  const loadedMb = gateways.map(({ pids }) => sum(pids.map(pssMb)))
  const of = (gateway, name) => median(gateway.samples.map((sample) => sample[name]))
  table(
    `${callers} callers, ${rounds} rounds of ${ms} ms in turn${isPinned ? '; gateway on two cores, callers on others' : ''}`,
    [
      'workers',
      'calls/s',
      'p50 ms',
      'p99 ms',
      'gateway CPU µs/call',
      'callers CPU µs/call',
      'busiest worker',
      'PSS MB at rest',
      'loaded',
    ],
    gateways.map((gateway, n) => [
      gateway.workers,
      of(gateway, 'perSecond').toFixed(0),
      of(gateway, 'p50').toFixed(1),
      of(gateway, 'p99').toFixed(1),
      of(gateway, 'gatewayUs').toFixed(0),
      of(gateway, 'callerUs').toFixed(0),
      `${(of(gateway, 'busiest') * 100).toFixed(0)} %`,
      restingMb[n].toFixed(0),
      loadedMb[n].toFixed(0),
    ]),
  )
  const ratios = gateways[1].samples.map(({ perSecond }, n) => perSecond / gateways[0].samples[n].perSecond)
  // The parent serves nobody, so two workers are two processes more than one gateway.
  const perWorker = (resting) => (resting[1] - resting[0]) / 2
  for (const gateway of gateways) await gateway.stop()
  return [
    { claim: 'two workers beside one, calls per second', value: median(ratios), limit: 1.6, unit: '×', atLeast: true },
    { claim: 'memory per worker at rest', value: perWorker(restingMb), limit: 80, unit: 'MB' },
    { claim: 'memory per worker after the load', value: perWorker(loadedMb), limit: 80, unit: 'MB' },
  ]
}

const round = async (gateway, ms) => {
  const bytes = toBytes(gateway, 'tools/call', { name: 'json_query', arguments: { json, pointer: '/items/7/name' } })
  const before = gateway.pids.map(cpuOf)
  const own = process.cpuUsage()
  const done = await load(gateway, bytes, { concurrency: callers, ms, expected: 'item 7' })
  const used = gateway.pids.map((pid, n) => cpuOf(pid) - before[n])
  const { user, system } = process.cpuUsage(own)
  // The first is the parent, where there are several.
  const serving = used.length > 1 ? used.slice(1) : used
  return {
    ...done,
    gatewayUs: sum(used) / done.calls,
    callerUs: (user + system) / done.calls,
    busiest: Math.max(...serving) / sum(serving),
  }
}

const sum = (values) => values.reduce((all, each) => all + each, 0)

const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

const pin = (pid, cores) => spawnSync('taskset', ['-a', '-p', '-c', cores, String(pid)]).status === 0
