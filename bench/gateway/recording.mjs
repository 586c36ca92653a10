// What writing down costs: CPU per call with audit trail and history as they ship, beside the same build with both off.
// By itself: node bench/gateway/recording.mjs [--quick]
import { pathToFileURL } from 'node:url'
import { median, table } from '../measure.mjs'
import { load, toBytes } from './load.mjs'
import { cpuOf, startGateway, startProgram, untilListed, upstreamCommand } from './processes.mjs'

const text = 'a text of the length that small answers have'
const off = { PEGBOARD_AUDIT: 'off', PEGBOARD_HISTORY: '0', PEGBOARD_CALL_HISTORY: 'off' }

export const benchRecording = async ({ quick }) => {
  // Several processes of each: V8 compiles the same code now better, now worse, and keeps to it for as long as a process lives.
  const { processes, rounds, ms } = quick ? { processes: 3, rounds: 6, ms: 250 } : { processes: 4, rounds: 10, ms: 500 }
  const upstream = await startProgram('upstream.mjs', 'http', '1')
  const sources = {
    HTTP: { type: 'http', url: `http://127.0.0.1:${upstream.port}/mcp` },
    stdio: { type: 'stdio', ...upstreamCommand(1) },
  }
  const rows = []
  for (const [kind, up] of Object.entries(sources)) {
    const pairs = []
    for (let index = 0; index < processes; index++)
      pairs.push({ on: await startWith({}, { up }), off: await startWith(off, { up }) })
    const targets = pairs.flatMap((pair) => [pair.on, pair.off])
    for (const target of targets) await warm(target)
    // One right after the other, so that a busy moment of the machine is in both.
    const samples = []
    for (let round = 0; round < rounds; round++)
      for (const pair of pairs) {
        const sample = {}
        for (const which of round % 2 === 0 ? ['on', 'off'] : ['off', 'on'])
          sample[which] = await cpuPerCall(pair[which], ms)
        samples.push(sample)
      }
    for (const target of targets) await target.stop()
    const of = (figure) => median(samples.map(figure))
    rows.push({ kind, on: of((each) => each.on), off: of((each) => each.off), times: of((each) => each.on / each.off) })
  }
  await upstream.stop()
  table(
    `CPU µs per tools/call at concurrency 64, ${processes} pairs of processes, ${rounds} interleaved rounds of ${ms} ms, medians`,
    ['source', 'audit and history on', 'off', 'on in off'],
    rows.map((row) => [row.kind, row.on.toFixed(1), row.off.toFixed(1), row.times.toFixed(3)]),
  )
  return rows.map(({ kind, times }) => ({
    claim: `CPU per call at 64, ${kind}, audit and history on against off`,
    value: times,
    limit: 1.06,
    unit: '×',
  }))
}

const startWith = async (env, sources) => {
  const before = { ...process.env }
  Object.assign(process.env, env)
  const starting = startGateway(sources)
  for (const name of Object.keys(env)) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  const gateway = await starting
  await untilListed(gateway, 1)
  return { ...gateway, bytes: toBytes(gateway, 'tools/call', { name: 'up.echo', arguments: { text } }) }
}

const ask = (target, ms) => load(target, target.bytes, { concurrency: 64, ms, expected: text })

const warm = async (target) => {
  const endAt = performance.now() + 10_000
  for (let calls = 0; calls < 15_000 && performance.now() < endAt; ) calls += (await ask(target, 1000)).calls
}

const cpuPerCall = async (target, ms) => {
  const before = cpuOf(target.pid)
  const { calls } = await ask(target, ms)
  return (cpuOf(target.pid) - before) / calls
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { showClaims } = await import('../run.mjs')
  process.exitCode = showClaims(await benchRecording({ quick: process.argv.includes('--quick') }))
}
