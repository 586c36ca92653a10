// What it costs to reach a child that another replica runs: the CPU of both replicas per call beside a call at the holder
// itself, and the time that is added. Two real processes and one child; no store, since no call asks one.
// npm run bench -- hop [--quick]

import { load } from './gateway/load.mjs'
import { cpuOf, startProgram } from './gateway/processes.mjs'
import { median, table } from './measure.mjs'
import { inTurns, ratioOf } from './speed/turns.mjs'
import { isText, openWay } from './speed/way.mjs'

const text = 'a text of the length that small answers have'.padEnd(400, '.')
const args = { text, note: 'x'.repeat(80) }

export const benchHop = async ({ quick } = {}) => {
  const holder = await startProgram('replica.mjs', 'holder')
  const asker = await startProgram('replica.mjs', 'asker', String(holder.port))
  const relay = await startProgram('replica.mjs', 'http', String(holder.port))
  const way = async (what, target, name, pids) => ({
    ...(await openWay(target, {
      what,
      era: 'modern',
      params: { name, arguments: args },
      isRight: isText(text),
      expected: 'a text of the length',
    })),
    pids,
  })
  const direct = await way('at the holder', holder, 'up.echo', [holder.pid])
  const hop = await way('over a link', asker, 'up.echo', [asker.pid, holder.pid])
  const http = await way('a request per call', relay, 'up.up.echo', [relay.pid, holder.pid])
  const ways = [direct, hop, http]
  for (const each of ways)
    for (let calls = 0; calls < (quick ? 8000 : 20_000); ) calls += (await sample(each, 64, 1000)).calls
  const rows = []
  const claims = []
  for (const concurrency of [64, 16, 1]) {
    const samples = await inTurns(ways, quick ? 5 : 9, (each) => sample(each, concurrency, quick ? 300 : 500))
    const figures = (each, name) => samples.get(each).map((one) => one[name])
    for (const each of ways) {
      const cpu = figures(each, 'cpu')
      rows.push([
        `${each.what}, c = ${concurrency}`,
        median(cpu).toFixed(1),
        each.pids.map((_, at) => median(figures(each, 'parts').map((parts) => parts[at])).toFixed(0)).join(' + '),
        ratioOf(cpu, figures(direct, 'cpu')).toFixed(2),
        quietest(figures(each, 'p50')).toFixed(3),
        (quietest(figures(each, 'p50')) - quietest(figures(direct, 'p50'))).toFixed(3),
      ])
    }
    if (concurrency === 64)
      claims.push({
        claim: 'hop: CPU of both replicas beside a call at the holder, c = 64',
        value: ratioOf(figures(hop, 'cpu'), figures(direct, 'cpu')),
        limit: 2.2,
        unit: '×',
      })
    if (concurrency === 1)
      claims.push({
        claim: 'hop: added time, p50',
        value: quietest(figures(hop, 'p50')) - quietest(figures(direct, 'p50')),
        limit: 0.5,
        unit: 'ms',
      })
  }
  table('A call to a stdio child', ['way', 'CPU µs', 'by process', '× direct', 'p50 ms', 'more ms'], rows)
  for (const { stop } of [relay, asker, holder]) await stop()
  return claims
}

/** Time is what others leave of the machine: the round that was least disturbed says most. */
const quietest = (values) => Math.min(...values)

const sample = async (way, concurrency, ms) => {
  const before = way.pids.map(cpuOf)
  const result = await load(way, way.bytes, { expected: way.expected, ms, concurrency })
  const parts = way.pids.map((pid, at) => (cpuOf(pid) - before[at]) / result.calls)
  return { ...result, parts, cpu: parts.reduce((sum, part) => sum + part) }
}
