// tools/call: direct, through us, through a bare relay and through an SDK relay, interleaved in one run.
import { median, table } from '../measure.mjs'
import { load, toBytes } from './load.mjs'
import { cpuOf, startGateway, startProgram, untilListed, upstreamCommand } from './processes.mjs'

const concurrencies = [1, 16, 64, 256]
const text = 'a text of the length that small answers have'

export const benchCalls = async ({ quick }) => {
  const { ms, rounds } = quick ? { ms: 250, rounds: 3 } : { ms: 1000, rounds: 5 }
  const upstream = await startProgram('upstream.mjs', 'http', '1')
  const url = `http://127.0.0.1:${upstream.port}/mcp`
  const relayed = JSON.stringify({ up: { url } })
  const piped = JSON.stringify({ up: upstreamCommand(1) })
  const targets = {
    direct: { ...upstream, tool: 'echo' },
    'bare relay, HTTP': await startProgram('bare-relay.mjs', relayed),
    'pegboard, HTTP': await startGateway({ up: { type: 'http', url } }),
    'SDK relay, HTTP': await startProgram('sdk-relay.mjs', relayed),
    'bare relay, stdio': await startProgram('bare-relay.mjs', piped),
    'pegboard, stdio': await startGateway({ up: { type: 'stdio', ...upstreamCommand(1) } }),
    'SDK relay, stdio': await startProgram('sdk-relay.mjs', piped),
  }
  for (const target of Object.values(targets)) if (!target.tool) await untilListed(target, 1)

  const samples = {}
  const run = async (name, concurrency, forMs) => {
    const target = targets[name]
    const bytes = toBytes(target, 'tools/call', { name: target.tool ?? 'up.echo', arguments: { text } })
    const before = cpuOf(target.pid)
    const result = await load(target, bytes, { concurrency, ms: forMs, expected: text })
    const after = cpuOf(target.pid)
    return { ...result, cpu: before === undefined ? Number.NaN : (after - before) / result.calls }
  }
  // So many calls for each, since the compiler counts calls: by time alone, a busy machine would measure whoever has
  // more code while it still runs cold. The time is a bound for who is slow, not for who is cold.
  for (const name of Object.keys(targets)) {
    const endAt = performance.now() + 10_000
    let calls = 0
    while (calls < 15_000 && performance.now() < endAt) calls += (await run(name, 64, 1000)).calls
  }
  for (let round = 0; round < rounds; round++)
    for (const concurrency of concurrencies)
      for (const name of Object.keys(targets))
        (samples[`${name}/${concurrency}`] ??= []).push(await run(name, concurrency, ms))
  for (const target of Object.values(targets)) await target.stop()
  return report(Object.keys(targets), samples, { rounds, ms })
}

const report = (names, samples, { rounds, ms }) => {
  const of = (name, concurrency, figure) => median(samples[`${name}/${concurrency}`].map((sample) => sample[figure]))
  for (const concurrency of concurrencies)
    table(
      `tools/call at concurrency ${concurrency}, ${rounds} interleaved rounds of ${ms} ms, medians`,
      ['through', 'calls/s', 'p50 ms', 'p99 ms', 'CPU µs/call', 'times bare'],
      names.map((name) => [
        name,
        Math.round(of(name, concurrency, 'perSecond')),
        of(name, concurrency, 'p50').toFixed(2),
        of(name, concurrency, 'p99').toFixed(2),
        of(name, concurrency, 'cpu').toFixed(0),
        name === 'direct' ? '' : (of(name, concurrency, 'cpu') / of(bareOf(name), concurrency, 'cpu')).toFixed(2),
      ]),
    )
  const times = (a, b) => of(a, 64, 'cpu') / of(b, 64, 'cpu')
  return ['HTTP', 'stdio'].flatMap((kind) => [
    {
      claim: `CPU per call at 64, ${kind}, in bare relays`,
      value: times(`pegboard, ${kind}`, `bare relay, ${kind}`),
      limit: 2.5,
      unit: '×',
    },
    {
      claim: `CPU per call at 64, ${kind}, SDK relay against us`,
      value: times(`SDK relay, ${kind}`, `pegboard, ${kind}`),
      limit: 6,
      atLeast: true,
      unit: '×',
    },
  ])
}

const bareOf = (name) => `bare relay, ${name.split(', ')[1]}`
