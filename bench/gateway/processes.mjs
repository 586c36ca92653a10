// Starting and watching the processes that are compared.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
// BENCH_DIST names another build; `beside.mjs` runs two in turn.
const thisBuild = process.env.BENCH_DIST ?? here('../../dist')

const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Ended with us, whatever happens. */
export const kept = (child) => {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** A program of ours that sends its port. */
export const startProgram = async (name, ...args) => {
  const child = kept(fork(here(name), args))
  const [{ port }] = await once(child, 'message')
  return { port, pid: child.pid, path: '/mcp', child, stop: () => stop(child) }
}

export const upstreamCommand = (tools, mark = '') => ({
  command: process.execPath,
  args: [here('upstream.mjs'), 'stdio', String(tools), mark],
})

/**
 * `pegboard serve` of a build as users run it, with a configuration of these sources; `nodeArgs` go before it, `more` into
 * the configuration; `node` is another Node than ours, `data` a data folder that is there already.
 */
export const startGateway = async (sources, nodeArgs = [], build = thisBuild, { node, data, ...more } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-bench-'))
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, toConfig(sources, more))
  const startedAt = performance.now()
  const args = [
    ...nodeArgs,
    join(build, 'cli/main.js'),
    'serve',
    '--json',
    '--port',
    '0',
    '--config',
    file,
    '--data-path',
    data ?? join(folder, 'data'),
  ]
  const child = kept(spawn(node ?? process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] }))
  const port = await listeningPort(child)
  const listeningMs = performance.now() - startedAt
  return {
    port,
    pid: child.pid,
    path: '/mcp',
    file,
    listeningMs,
    child,
    stop: async () => {
      await stop(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const toConfig = (sources, { profiles, ...more } = {}) =>
  JSON.stringify({
    sources,
    profiles: { default: { expose: 'flat', names: 'exact' }, ...profiles },
    logging: { level: 'info' },
    ...more,
  })

const listeningPort = (child) =>
  new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}; run "npm run build" first.`)))
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /Listening: http:\/\/[^:]+:(\d+)/.exec(line)
      if (found) resolve(Number(found[1]))
    })
  })

export const stop = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** CPU time of one process so far in µs, all its threads; undefined where the system does not tell. */
export const cpuOf = (pid) => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000,
      0,
    )
  } catch {
    return undefined
  }
}

export const memoryMb = (pid) => memoryOf(pid, 'VmRSS')

/** The most that was resident since `forgetPeak`. */
export const peakMb = (pid) => memoryOf(pid, 'VmHWM')

export const forgetPeak = (pid) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

const memoryOf = (pid, line) => {
  try {
    return Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  } catch {
    return undefined
  }
}

/** What one process takes of the machine, pages that several share counted in parts. */
export const pssMb = (pid) => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) / 1024
  } catch {
    return memoryMb(pid)
  }
}

/** Asks until the list holds so many tools. */
export const untilListed = async ({ port, path }, count) => {
  const { request, version } = await import('./tools.mjs')
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': version,
        'mcp-method': 'tools/list',
      },
      body: request(1, 'tools/list'),
    })
    const { result } = await response.json()
    if (result?.tools.length === count) return result.tools.map(({ name }) => name)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
