// What `pegboard stdio` costs where a gateway runs: CPU of the client's child process per call, beside a relay without rules,
// and the memory of each. In one run, in turns: node bench/run.mjs --quick bridge
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { cpuOf, memoryMb, startGateway, untilListed, upstreamCommand } from './gateway/processes.mjs'
import { request } from './gateway/tools.mjs'
import { median, table } from './measure.mjs'

const cli = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const relay = fileURLToPath(new URL('gateway/stdio-relay.mjs', import.meta.url))
const concurrency = 16

export const benchBridge = async ({ quick }) => {
  const gateway = await startGateway({ up: upstreamCommand(20) })
  await untilListed(gateway, 20)
  const words = ['stdio', '--config', gateway.file, '--data-path', join(dirname(gateway.file), 'data')]
  const sides = {
    bridge: startClient([cli, ...words]),
    relay: startClient([relay, JSON.stringify({ name: 'up', ...upstreamCommand(20) })]),
  }
  const calls = quick ? 4000 : 20_000
  for (const side of Object.values(sides)) await side.run(calls)
  const rounds = { bridge: [], relay: [] }
  for (let round = 0; round < 7; round++)
    for (const [name, side] of Object.entries(sides)) rounds[name].push(await side.run(calls))
  const cost = { bridge: median(rounds.bridge), relay: median(rounds.relay) }
  const memory = { bridge: memoryMb(sides.bridge.pid), relay: memoryMb(sides.relay.pid) }
  table(
    'A client’s child process, per tools/call',
    ['', 'CPU µs', 'MB'],
    Object.keys(sides).map((name) => [name, cost[name].toFixed(1), memory[name].toFixed(0)]),
  )
  for (const side of Object.values(sides)) await side.stop()
  await gateway.stop()
  return [{ claim: 'bridge / bare relay, CPU per call', value: cost.bridge / cost.relay, limit: 1, unit: '×' }]
}

/** A client that keeps so many calls open; `run` gives the CPU in µs that its child process took per call. */
const startClient = (args) => {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  let last = 0
  let left = 0
  let open = 0
  let done = () => {}
  const send = () => {
    left--
    open++
    child.stdin.write(`${request(++last, 'tools/call', { name: 'up.echo', arguments: { text: 'hello' } })}\n`)
  }
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes('"hello"')) throw new Error(`Not an answer: ${line}`)
    open--
    if (left > 0) send()
    else if (open === 0) done()
  })
  return {
    pid: child.pid,
    run: async (calls) => {
      const before = cpuOf(child.pid)
      left = calls
      await new Promise((resolve) => {
        done = resolve
        for (let index = 0; index < concurrency; index++) send()
      })
      return (cpuOf(child.pid) - before) / calls
    },
    stop: async () => {
      child.stdin.end()
      await once(child, 'exit')
    },
  }
}
