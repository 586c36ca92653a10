// From the start to listening, from an edit to the new list, from kill -9 to the last child's end.
import { once } from 'node:events'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median, table } from '../measure.mjs'
import { load, toBytes } from './load.mjs'
import { startGateway, toConfig, untilListed, upstreamCommand } from './processes.mjs'

const silent = {
  type: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL('silent.mjs', import.meta.url))],
}
const stdio = (mark) => ({ type: 'stdio', ...upstreamCommand(1, mark) })

export const benchStart = async ({ quick }) => {
  const tries = quick ? 3 : 7
  const listening = []
  const ready = []
  const orphans = []
  const reloads = []
  const many = {
    ...Object.fromEntries(Array.from({ length: 19 }, (_, index) => [`s${index}`, stdio(`s${index}`)])),
    silent,
  }
  for (let attempt = 0; attempt < tries; attempt++) {
    const startedAt = performance.now()
    const gateway = await startGateway(many)
    listening.push(gateway.listeningMs)
    await untilListed(gateway, 19)
    ready.push(performance.now() - startedAt)
    orphans.push(await timeOfOrphans(gateway))
    await gateway.stop()
    reloads.push(await timeOfReload())
  }
  const hung = await addedByHung(quick ? 1500 : 5000)
  table(
    `Start, reload, kill -9 (medians of ${tries}) and a hung source`,
    ['what', 'ms'],
    [
      ['listening, 20 stdio sources of which one hangs', median(listening).toFixed(0)],
      ['all 19 others listed', median(ready).toFixed(0)],
      ['file renamed over until the new source is listed', median(reloads).toFixed(0)],
      ['kill -9 until the last of 21 children is gone', median(orphans).toFixed(0)],
      ['p99 of calls, nothing else going on', hung.alone.toFixed(2)],
      ['p99 of calls beside 100 that hang', hung.beside.toFixed(2)],
    ],
  )
  return [
    { claim: 'listening with 20 sources, one of which hangs', value: median(listening), limit: 300, unit: 'ms' },
    { claim: 'a changed configuration is in use', value: median(reloads), limit: 3000, unit: 'ms' },
    { claim: 'kill -9 leaves no child', value: median(orphans), limit: 1000, unit: 'ms' },
    { claim: 'a hung source adds to the p99 of others', value: hung.beside - hung.alone, limit: 5, unit: 'ms' },
  ]
}

const timeOfOrphans = async ({ child, pid }) => {
  const children = childrenOf(pid)
  const startedAt = performance.now()
  child.kill('SIGKILL')
  await once(child, 'exit')
  while (children.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 2))
  return performance.now() - startedAt
}

const childrenOf = (pid) => {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
      .filter((text) => text !== '')
      .map(Number)
  } catch {
    return []
  }
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const timeOfReload = async () => {
  const gateway = await startGateway({ a: stdio('a') })
  await untilListed(gateway, 1)
  writeFileSync(`${gateway.file}.new`, toConfig({ a: stdio('a'), b: stdio('b') }))
  const startedAt = performance.now()
  renameSync(`${gateway.file}.new`, gateway.file)
  await untilListed(gateway, 2)
  const took = performance.now() - startedAt
  await gateway.stop()
  return took
}

/** p99 of calls at concurrency 4, alternately with and without a hundred calls that a silent source keeps waiting. */
const addedByHung = async (ms) => {
  const gateway = await startGateway({ up: stdio('up'), hung: { ...stdio('hung'), env: { HANGS: '1' } } })
  await untilListed(gateway, 2)
  const text = 'some text'
  const bytes = toBytes(gateway, 'tools/call', { name: 'up.echo', arguments: { text } })
  const measureP99 = async () => (await load(gateway, bytes, { concurrency: 4, ms: ms / 10, expected: text })).p99
  const alone = []
  const beside = []
  await measureP99()
  for (let round = 0; round < 10; round++) {
    alone.push(await measureP99())
    const hanging = await hang(gateway, 100)
    // Their arrival is over before anything is measured beside them.
    await new Promise((resolve) => setTimeout(resolve, 100))
    beside.push(await measureP99())
    for (const socket of hanging) socket.destroy()
  }
  await gateway.stop()
  return { alone: median(alone), beside: median(beside) }
}

const hang = async (gateway, count) => {
  const { connect } = await import('node:net')
  const bytes = toBytes(gateway, 'tools/call', { name: 'hung.echo', arguments: { text: 'x' } })
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(gateway.port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(bytes)
      return socket
    }),
  )
}
