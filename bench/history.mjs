// What it costs to keep calls, and how long it takes to ask about a million: node bench/history.mjs [--quick]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { load, toBytes } from './gateway/load.mjs'
import { cpuOf, startGateway, startProgram, toConfig, untilListed } from './gateway/processes.mjs'
import { median, table } from './measure.mjs'

const dist = new URL('../dist', import.meta.url).href
const words = { damaged: String, trouble: String, lost: (calls) => `${calls} lost` }

export const benchHistory = async ({ quick }) => {
  const { openHistory } = await import(`${dist}/history/history.js`)
  const folders = []
  const open = (clock) => {
    const folder = mkdtempSync(join(tmpdir(), 'pegboard-bench-history-'))
    folders.push(folder)
    const logger = { log: (_level, message) => console.error(message), child: () => logger }
    return openHistory({
      ...{ folder: join(folder, 'history'), clock, logger, words, clean: (text) => text },
      bounds: () => ({ days: 14, maxBytes: 2 ** 32 }),
      valuesFor: () => undefined,
    })
  }
  try {
    const listener = await listenerCost(open, quick)
    const added = await addedCost(open, quick)
    const ratio = await cpuRatio(quick)
    const queries = await queryTimes(open, quick)
    table(
      'The history of calls',
      ['what', 'value'],
      [
        ['listener, µs per call', listener.toFixed(2)],
        ['all that it adds to a call in a program, times kept included, µs', added.toFixed(2)],
        ['CPU µs per tools/call at concurrency 64, on / off', `${ratio.on.toFixed(1)} / ${ratio.off.toFixed(1)}`],
        ['the one in the other', ratio.times.toFixed(3)],
        ...queries.map(({ name, cpu, p50, p95 }) => [
          `${name} over a million calls, ms p50 / p95 / of CPU`,
          `${p50.toFixed(0)} / ${p95.toFixed(0)} / ${cpu.toFixed(0)}`,
        ]),
      ],
    )
    return [
      { claim: 'a call kept in the history: the listener', value: listener, limit: 3, unit: 'µs' },
      { claim: 'all that the history adds to a call in a program', value: added, limit: 3, unit: 'µs' },
      { claim: 'CPU per call with the history on, against off', value: ratio.times, limit: 1.05, unit: '×' },
      {
        claim: 'a question over a million calls, p95',
        value: Math.max(...queries.map(({ p95 }) => p95)),
        limit: 200,
        unit: 'ms',
      },
    ]
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

const caller = { id: 'key:7Jq0', name: 'ci', kind: 'key', rights: ['discover', 'call'] }
const args = { city: 'Oslo', days: 3, tags: ['a', 'b'] }
const answer = { type: 'result', bytes: 321, result: { content: [{ type: 'text', text: 'sunny' }] } }
const text = 'a text of the length that small answers have'
const clients = ['Cursor', 'claude-code', 'Zed', 'curl']

const recordOf = (tool, latencyMs, at) => ({
  kind: 'tool',
  tool,
  caller: caller.id,
  ok: true,
  code: undefined,
  at,
  latencyMs,
  attempts: 1,
  source: 'up',
  cached: false,
  waitingMs: 0,
  sourceMs: latencyMs / 2,
})

/** With the writes of the disk, which run beside. As a client's words come: another text with every request. */
const listenerCost = async (open, quick) => {
  const history = open(systemClock)
  const lines = 50_000
  const samples = []
  const at = Date.now()
  for (let round = -3; round < (quick ? 5 : 15); round++) {
    const before = process.cpuUsage()
    for (let index = 0; index < lines; index++) {
      const meta = { latencyMs: 1.5 + (index % 100) / 7, attempts: 1, source: 'up', cached: false }
      const from = { face: 'mcp', client: clients[index & 3], version: '1.2.3', protocol: '2025-06-18' }
      const call = { tool: `up.tool-${index & 63}`, args, bytes: 99, caller, from }
      history.listener(recordOf(call.tool, meta.latencyMs, at + (index >> 3)), call, { ok: true, answer, meta })
      if (index % 500 === 499) await new Promise(setImmediate)
    }
    const { user, system } = process.cpuUsage(before)
    if (round >= 0) samples.push((user + system) / lines)
  }
  await history.close()
  return median(samples)
}

/** A program's own calls, by turns with and without: the least that both took, since whatever else runs only adds. */
const addedCost = async (open, quick) => {
  const { createGateway } = await import(`${dist}/gateway.js`)
  const { defineTool } = await import(`${dist}/sources/functions/define-tool.js`)
  const history = open(systemClock)
  const tool = defineTool({ name: 'echo', handler: async () => text })
  const gateway = createGateway({ clock: systemClock, tools: [tool] })
  const calls = 20_000
  const from = { face: 'mcp', client: 'Cursor', version: '1.2.3', protocol: '2025-06-18' }
  const run = async (on) => {
    const stops = on ? [gateway.watchTimes(), gateway.onCall(history.listener)] : []
    const before = process.cpuUsage()
    for (let index = 0; index < calls; index++) await gateway.call({ tool: 'echo', args, bytes: 99, caller, from })
    const { user, system } = process.cpuUsage(before)
    for (const stop of stops) stop()
    return (user + system) / calls
  }
  const samples = []
  for (let round = -3; round < (quick ? 12 : 25); round++) {
    const sample = { off: await run(false), on: await run(true) }
    if (round >= 0) samples.push(sample)
  }
  await history.close()
  await gateway.close()
  return Math.min(...samples.map(({ on }) => on)) - Math.min(...samples.map(({ off }) => off))
}

/**
 * Gateways whose history is switched on and off while they run, by turns: two processes differ by more than what is looked
 * for, since V8 compiles the same code now better, now worse, and keeps to it.
 */
const cpuRatio = async (quick) => {
  const { processes, rounds, ms } = quick ? { processes: 2, rounds: 8, ms: 300 } : { processes: 4, rounds: 16, ms: 500 }
  const upstream = await startProgram('upstream.mjs', 'http', '1')
  const sources = { up: { type: 'http', url: `http://127.0.0.1:${upstream.port}/mcp` } }
  const start = async () => {
    const gateway = await startGateway(sources)
    await untilListed(gateway, 1)
    const key = readFileSync(join(dirname(gateway.file), 'data', 'admin.key'), 'utf8').trim()
    return { ...gateway, key, bytes: toBytes(gateway, 'tools/call', { name: 'up.echo', arguments: { text } }) }
  }
  const ask = (target, span) => load(target, target.bytes, { concurrency: 64, ms: span, expected: text })
  const cpuPerCall = async (target) => {
    // Another half second, so that what the change itself cost is over.
    await ask(target, 500)
    const before = cpuOf(target.pid)
    const { calls } = await ask(target, ms)
    return (cpuOf(target.pid) - before) / calls
  }
  const samples = []
  for (let index = 0; index < processes; index++) {
    const target = await start()
    for (const enabled of [true, false, true]) {
      await turn(target, sources, enabled)
      for (let calls = 0; calls < 5000; ) calls += (await ask(target, 1000)).calls
    }
    for (let round = 0; round < rounds; round++) {
      const sample = {}
      for (const which of round % 2 === 0 ? ['on', 'off'] : ['off', 'on']) {
        await turn(target, sources, which === 'on')
        sample[which] = await cpuPerCall(target)
      }
      samples.push(sample)
    }
    await target.stop()
  }
  await upstream.stop()
  return {
    on: median(samples.map(({ on }) => on)),
    off: median(samples.map(({ off }) => off)),
    times: median(samples.map(({ on, off }) => on / off)),
  }
}

/** By the file, as an operator would; done when the gateway says so. */
const turn = async ({ file, port, key }, sources, enabled) => {
  writeFileSync(file, toConfig(sources, { history: { enabled } }))
  const headers = { authorization: `Bearer ${key}` }
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/admin/v1/history?limit=1`, { headers })
    if ((await answer.json()).kept === enabled) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const queryTimes = async (open, quick) => {
  let now = Date.now() - 86_400_000
  const clock = { now: () => performance.now(), wall: () => now, after: systemClock.after }
  const history = open(clock)
  const calls = 1_000_000
  for (let index = 0; index < calls; index++) {
    now += 80
    const latencyMs = Math.exp((index * 7919) % 10)
    const meta = { latencyMs, attempts: 1, source: 'up', cached: false }
    const from = { face: 'mcp', client: clients[index & 3], version: '1.2.3', protocol: '2025-06-18' }
    const call = { tool: `up.tool-${index % 500}`, args, bytes: 99, caller, from }
    history.listener(recordOf(call.tool, latencyMs, now), call, { ok: true, answer, meta })
    if (index % 4000 === 3999) await history.find({ limit: 1, from: now })
  }
  const whole = { from: now - 90_000_000, to: now + 1, bucketMs: 3_600_000, most: 20 }
  const questions = {
    totals: () => history.count(whole),
    'split by tool': () => history.count({ ...whole, by: 'tool' }),
    'split by client, one hour of it': () => history.count({ ...whole, from: now - 3_600_000, by: 'client' }),
    'the newest hundred': () => history.find({ limit: 100 }),
    'a hundred of one tool': () => history.find({ limit: 100, tool: 'up.tool-77' }),
    'words that are nowhere': () => history.find({ limit: 100, text: 'nowhere' }),
  }
  const times = []
  for (const [name, ask] of Object.entries(questions)) {
    const took = []
    const spent = []
    for (let round = 0; round < (quick ? 10 : 40); round++) {
      const began = performance.now()
      const before = process.cpuUsage()
      await ask()
      const { user, system } = process.cpuUsage(before)
      spent.push((user + system) / 1000)
      took.push(performance.now() - began)
    }
    took.sort((one, other) => one - other)
    times.push({ name, cpu: median(spent), p50: median(took), p95: took[Math.ceil(took.length * 0.95) - 1] })
  }
  await history.close()
  return times
}

const { systemClock } = await import(`${dist}/model/clock.js`)

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { parseArgs } = await import('node:util')
  const { showClaims } = await import('./run.mjs')
  const { values } = parseArgs({ options: { quick: { type: 'boolean' } } })
  process.exitCode = showClaims(await benchHistory(values))
}
