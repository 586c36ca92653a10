// This build beside the one from before, in turn in one run: CPU per call, time until it listens, memory.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { median, table } from '../measure.mjs'
import { load, toBytes, toSessionBytes } from './load.mjs'
import { cpuOf, memoryMb, startGateway, startProgram, untilListed, upstreamCommand } from './processes.mjs'

const text = 'a text of the length that small answers have'

export const benchBeside = async ({ quick, before }) => {
  if (before === undefined || !existsSync(join(before, 'cli/main.js')))
    throw new Error('Name the build to compare with: --before FOLDER, the dist of another checkout after its build.')
  const builds = { before: resolve(before), now: fileURLToPath(new URL('../../dist', import.meta.url)) }
  const { ms, rounds, starts } = quick ? { ms: 300, rounds: 9, starts: 7 } : { ms: 1000, rounds: 15, starts: 15 }
  const samples = {}
  const add = (what, build, value) => (samples[what] ??= { before: [], now: [] })[build].push(value)

  const upstream = await startProgram('upstream.mjs', 'http', '1')
  const sources = {
    HTTP: { up: { type: 'http', url: `http://127.0.0.1:${upstream.port}/mcp` } },
    stdio: { up: { type: 'stdio', ...upstreamCommand(1) } },
  }
  const targets = []
  for (const [kind, source] of Object.entries(sources))
    for (const [build, dist] of Object.entries(builds)) {
      const gateway = await startGateway(source, [], dist)
      await untilListed(gateway, 1)
      const params = { name: 'up.echo', arguments: { text } }
      const ways = {
        modern: toBytes(gateway, 'tools/call', params),
        session: await toSessionBytes(gateway, 'tools/call', params),
      }
      for (const [era, bytes] of Object.entries(ways))
        targets.push({ what: `CPU per call, ${era}, to ${kind}, µs`, build, gateway, bytes })
    }
  const run = async ({ gateway, bytes }, forMs) => {
    const startedAt = cpuOf(gateway.pid)
    const { calls } = await load(gateway, bytes, { concurrency: 64, ms: forMs, expected: text })
    return { calls, cpu: (cpuOf(gateway.pid) - startedAt) / calls }
  }
  for (const target of targets) for (let calls = 0; calls < 15_000; ) calls += (await run(target, 1000)).calls
  for (let round = 0; round < rounds; round++)
    for (const target of round % 2 === 0 ? targets : targets.toReversed())
      add(target.what, target.build, (await run(target, ms)).cpu)
  for (const { gateway, build } of targets) add('memory after the calls, MB', build, memoryMb(gateway.pid))
  for (const { gateway } of targets) await gateway.stop()
  await upstream.stop()

  for (let round = 0; round < starts; round++)
    for (const [build, dist] of inTurn(builds, round)) {
      const gateway = await startGateway(sources.stdio, [], dist)
      add('listening, ms', build, gateway.listeningMs)
      add('CPU until listening, ms', build, cpuOf(gateway.pid) / 1000)
      await untilListed(gateway, 1)
      add('memory at the start, MB', build, memoryMb(gateway.pid))
      await gateway.stop()
      add('import of the library, ms', build, importMs(dist))
    }
  return report(samples, { rounds, starts })
}

const inTurn = (builds, round) => (round % 2 === 0 ? Object.entries(builds) : Object.entries(builds).reverse())

const importMs = (dist) => {
  const url = pathToFileURL(join(dist, 'index.js')).href
  const script = `const at = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - at)`
  return Number(spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout)
}

const report = (samples, { rounds, starts }) => {
  const rows = Object.entries(samples).map(([what, { before, now }]) => ({
    what,
    before: median(before),
    now: median(now),
    // Of neighbours in time, since the machine is not the same from minute to minute.
    ratio: median(now.map((value, index) => value / before[index])),
  }))
  table(
    `This build beside the one before: ${rounds} rounds of calls, ${starts} starts, medians`,
    ['what', 'before', 'now', 'now ÷ before'],
    rows.map(({ what, before, now, ratio }) => [what, before.toFixed(1), now.toFixed(1), ratio.toFixed(3)]),
  )
  return rows.map(({ what, ratio }) => ({
    claim: `${what.replace(/, [^,]*$/, '')}, now against before`,
    value: ratio,
    limit: 1.05,
    unit: '×',
  }))
}
