// Replicas as people run them: `pegboard serve` on one database, each a process with a folder of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Long enough to be one, and known to all who are in the fleet. */
export const fleetSecret = 'a secret of the fleet that only tests know'

/** The server that says which process it is, under the name `counter`. */
export const counter = (more = {}) => ({
  type: 'stdio',
  command: process.execPath,
  args: [here('servers/counter.mjs')],
  ...more,
})

export const baseConfig = (more = {}) => ({
  profiles: { default: { expose: 'flat', names: 'exact' } },
  ...more,
})

/** One replica. It listens before it resolves; `ready` waits until clients should come. */
export const startReplica = async ({
  url,
  config,
  name,
  env = {},
  secret = fleetSecret,
  dist = here('../../dist/cli/main.js'),
  nodeArgs = [],
  port = 0,
  leaseMs = 3000,
  drainMs = 5000,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-fleet-'))
  const file = join(folder, 'pegboard.json')
  const whole = {
    ...config,
    server: { drainMs, ...config.server },
    storage: { backend: 'postgres', url, ...config.storage },
    fleet: { leaseMs, ...(secret ? { secret } : {}), ...(name ? { replica: name } : {}), ...config.fleet },
  }
  writeFileSync(file, JSON.stringify(whole), { mode: 0o600 })
  const args = [...nodeArgs, dist, 'serve', '--json', '--port', String(port), '--config', file]
  const child = spawn(process.execPath, [...args, '--data-path', join(folder, 'data')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', PEGBOARD_TOKEN: '', ...coverage(), ...env },
  })
  running.add(child)
  const lines = []
  const waiting = new Set()
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (lines.push(line) > 20_000) lines.splice(0, 10_000)
    for (const look of [...waiting]) look()
  })
  let ended
  const exited = once(child, 'exit').then(([code, signal]) => {
    running.delete(child)
    ended = code ?? signal
    for (const look of [...waiting]) look()
    return ended
  })
  /** Resolves with the first line that matches; rejects when it ended without. */
  const logged = (pattern, from = 0) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = lines
          .slice(from)
          .find((line) => (typeof pattern === 'string' ? line.includes(pattern) : pattern.test(line)))
        if (found === undefined && ended === undefined) return
        waiting.delete(look)
        if (found !== undefined) resolve(found)
        else reject(new Error(`The replica ended (${ended}):\n${lines.slice(-40).join('\n')}`))
      }
      waiting.add(look)
      look()
    })
  const base = /Listening: (\S+?)\/mcp/.exec(await logged('Listening: '))[1]
  return {
    name,
    url: base,
    port: Number(new URL(base).port),
    pid: child.pid,
    child,
    folder,
    file,
    exited,
    log: () => lines.join('\n'),
    logged,
    /** Until `/readyz` says so. */
    ready: () => untilOk(`${base}/readyz`, exited),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      return exited
    },
    dispose: async () => {
      child.kill('SIGCONT')
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const coverage = () => (process.env.NODE_V8_COVERAGE ? { NODE_V8_COVERAGE: process.env.NODE_V8_COVERAGE } : {})

/** Asks until it is so, or the process has ended. */
export const untilOk = async (url, exited = new Promise(() => {})) => {
  let gone = false
  exited.then(() => {
    gone = true
  })
  for (;;) {
    const isOk = await fetch(url).then(
      (answer) => answer.body?.cancel().then(() => answer.ok),
      () => false,
    )
    if (isOk) return
    if (gone) throw new Error(`Nobody is ready at ${url}: the process ended`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** So many replicas at once on one database; they are called r1, r2, … */
export const startFleet = async ({ count = 3, url, config, ...options }) => {
  const names = Array.from({ length: count }, (_, at) => `r${at + 1}`)
  const started = await Promise.allSettled(names.map((name) => startReplica({ url, config, name, ...options })))
  const replicas = started.flatMap(({ value }) => value ?? [])
  const dispose = async () => void (await Promise.all(replicas.map((each) => each.dispose())))
  const failed = started.find(({ status }) => status === 'rejected')
  if (failed) {
    await dispose()
    throw failed.reason
  }
  return {
    replicas,
    urls: replicas.map((each) => each.url),
    ready: async () => void (await Promise.all(replicas.map((each) => each.ready()))),
    dispose,
  }
}
