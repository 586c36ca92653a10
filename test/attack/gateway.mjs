// A gateway under attack: `pegboard serve` as people run it, with a watch on its event loop and keys of every sort.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const running = new Set()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

/** Ended with us, whatever happens. */
const kept = (child) => {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** A program of ours, and the first thing it says. */
export const startProgram = async (name, ...args) => {
  const child = kept(fork(here(name), args))
  const [told] = await once(child, 'message')
  return { child, ...told, stop: () => child.kill('SIGKILL') }
}

export const stdioServer = (name, ...args) => ({
  type: 'stdio',
  command: process.execPath,
  args: [here(`servers/${name}`), ...args],
})

/** `nodeArgs` go before the program. */
export const startGateway = async (config, { nodeArgs = [] } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'pegboard-attack-'))
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  const data = join(folder, 'data')
  const args = ['--import', here('watch.mjs'), ...nodeArgs, here('../../dist/cli/main.js')]
  const flags = ['serve', '--json', '--port', '0', '--config', file, '--data-path', data]
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LANG: 'C.UTF-8',
    PEGBOARD_TOKEN: '',
    CANARY_SECRET: 'canary-secret-value',
  }
  const child = kept(spawn(process.execPath, [...args, ...flags], { stdio: ['ignore', 'ignore', 'pipe'], env }))
  const lines = []
  const waiting = new Set()
  createInterface({ input: child.stderr }).on('line', (line) => {
    // What it says is kept in bounds: a long run says much.
    if (lines.push(line) > 20_000) lines.splice(0, 10_000)
    for (const look of [...waiting]) look(line)
  })
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const said = (text) =>
    new Promise((resolve, reject) => {
      const look = (line) => {
        if (!line.includes(text)) return
        waiting.delete(look)
        resolve(line)
      }
      waiting.add(look)
      void exited.then((code) => reject(new Error(`The gateway ended (${code}):\n${lines.slice(-20).join('\n')}`)))
    })
  const url = /Listening: (\S+?)"?[,\s}]/.exec(`${await said('Listening: ')} `)[1].replace(/\/mcp$/, '')
  const adminKey = readFileSync(join(data, 'admin.key'), 'utf8').trim()
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    folder,
    file,
    data,
    adminKey,
    exited,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    log: () => lines.join('\n'),
    /** The most memory it ever had, in MB. */
    peakMb: () => statusOf(child.pid, 'VmHWM'),
    memoryMb: () => statusOf(child.pid, 'VmRSS'),
    /** How late its event loop was since the last time this was asked, in ms; with `--expose-gc`, what is left on its heap. */
    look: async () => {
      const line = said('watched ')
      child.kill('SIGUSR2')
      return JSON.parse((await line).replace('watched ', ''))
    },
    signal: (name) => child.kill(name),
    stop: async () => {
      child.kill('SIGTERM')
      const code = await exited
      rmSync(folder, { recursive: true, force: true })
      return code
    },
  }
}

const statusOf = (pid, name) => {
  const found = new RegExp(`${name}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return found ? Number(found[1]) / 1024 : 0
}

/** Keys of every sort, made over the admin API as a person would. */
export const makeKeys = async ({ url, adminKey }, wanted) => {
  const made = {}
  for (const [name, request] of Object.entries(wanted)) {
    const response = await fetch(`${url}/api/admin/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, ...request }),
    })
    const body = await response.json()
    if (!response.ok) throw new Error(`No key '${name}': ${JSON.stringify(body)}`)
    made[name] = (body.data ?? body).key ?? body.key
  }
  return made
}
