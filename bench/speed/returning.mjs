// An HTTP source that is killed under load and stands again two seconds later: how long until calls to it are answered.
import { once } from 'node:events'
import { connect } from 'node:net'
import { createReader, exchange, toBytes } from '../gateway/load.mjs'
import { startGateway, startProgram, untilListed } from '../gateway/processes.mjs'
import { median } from '../measure.mjs'

const text = 'a text of the length that small answers have'
const [callers, everyMs, downMs] = [8, 40, 2000]
// Longer than anything that anybody should wait; then the row says so.
const mostMs = 45_000

export const benchReturning = async ({ quick }) => {
  const times = []
  for (let time = 0; time < (quick ? 2 : 5); time++) times.push(await timeOfReturn())
  return [
    {
      what: 'a killed HTTP source is back under 200 calls/s: until calls answer',
      unit: 'ms',
      ours: median(times),
      range: [Math.min(...times), Math.max(...times)],
      limit: { of: 'ours', most: 1000 },
    },
  ]
}

const timeOfReturn = async () => {
  const upstream = await startProgram('upstream.mjs', 'http', '1')
  const url = `http://127.0.0.1:${upstream.port}/mcp`
  const gateway = await startGateway({ up: { type: 'http', url } })
  await untilListed(gateway, 1)
  const calls = keepCalling(gateway)
  await calls.untilAnswered()
  upstream.child.kill('SIGKILL')
  await once(upstream.child, 'exit')
  await new Promise((resolve) => setTimeout(resolve, downMs))
  const again = await startProgram('upstream.mjs', 'http', '1', String(upstream.port))
  const backAt = performance.now()
  await calls.untilAnswered()
  const took = performance.now() - backAt
  await calls.end()
  for (const { stop } of [gateway, again]) await stop()
  return took
}

/** Calls at a steady rate, whatever is answered. */
const keepCalling = (gateway) => {
  const bytes = toBytes(gateway, 'tools/call', { name: 'up.echo', arguments: { text } })
  let running = true
  let onAnswer
  const look = (answer) => {
    if (answer.includes(text)) onAnswer?.()
  }
  const call = async () => {
    const socket = connect(gateway.port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    const reader = createReader()
    while (running) {
      const due = performance.now() + everyMs
      await exchange(socket, reader, bytes, look)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())))
    }
    socket.destroy()
  }
  const all = Promise.all(Array.from({ length: callers }, call))
  return {
    untilAnswered: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, mostMs)
        onAnswer = () => resolve(clearTimeout(timer))
      }),
    end: () => {
      running = false
      return all
    },
  }
}
