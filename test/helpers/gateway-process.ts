import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { builtCli } from './built-cli.js'
import type { StoryClient } from './clients/client.js'
import { rawOverHttp } from './clients/raw-http.js'

/** A gateway of its own process, as a user starts it. */
export interface GatewayProcess {
  readonly url: string
  readonly pid: number
  readonly folder: string
  /** Its configuration file. */
  readonly file: string
  readonly child: ChildProcess
  readonly client: StoryClient
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>
  /** Everything it logged so far. */
  log(): string
  /** Resolves when so many lines of its log hold this text. */
  logged(text: string | RegExp, times?: number): Promise<void>
  /** Kills it, if it still runs, and removes its folder. */
  dispose(): Promise<void>
}

export interface GatewayProcessOptions {
  /** Where its files are. Default: a folder made for it, which goes with it. */
  readonly folder?: string | undefined
  /** Where the configuration file is, inside the folder made for it. */
  readonly place?: (folder: string, content: string) => string
  /** Where it listens. Default: any free port. */
  readonly port?: number | undefined
  /** Whether its `client` greets it; without a key nobody may where all need one. Default: true. */
  readonly greet?: boolean | undefined
  /** Besides the test's own. */
  readonly env?: Readonly<Record<string, string>>
  /** The command line. Default: compiled from `src/` alone, without the data of the search model. */
  readonly cli?: string | undefined
  /** Its log is for people, in the language of its shell. Default: false, for programs. */
  readonly forPeople?: boolean | undefined
}

export const startGateway = async (config: object, options: GatewayProcessOptions = {}): Promise<GatewayProcess> => {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'pegboard-faults-'))
  const file = (options.place ?? placeFile)(folder, toConfig(config))
  const args = [
    options.cli ?? builtCli(),
    'serve',
    ...(options.forPeople ? [] : ['--json']),
    '--port',
    String(options.port ?? 0),
    '--config',
    file,
    '--data-path',
    join(folder, 'data'),
  ]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...options.env },
  })
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string)
  const lines: string[] = []
  let told = () => {}
  createInterface({ input: child.stderr! }).on('line', (line) => {
    lines.push(line)
    told()
  })
  const logged = async (text: string | RegExp, times = 1): Promise<void> => {
    while (lines.filter((line) => (typeof text === 'string' ? line.includes(text) : text.test(line))).length < times) {
      const next = new Promise<void>((resolve) => {
        told = resolve
      })
      const ended = await Promise.race([next, exited])
      if (ended !== undefined) throw new Error(`The gateway ended (${ended}):\n${lines.join('\n')}`)
    }
  }
  const listening = /(?:Listening: |正在监听：)(\S+)/
  await logged(listening)
  const url = listening.exec(lines.join('\n'))![1]!
  const client = options.greet === false ? undefined : await rawOverHttp('legacy', url)
  return {
    url,
    pid: child.pid!,
    folder,
    file,
    child,
    get client() {
      if (!client) throw new Error('Nobody has greeted this gateway.')
      return client
    },
    exited,
    log: () => lines.join('\n'),
    logged,
    dispose: async () => {
      await client?.close()
      const workers = options.folder === undefined && isAlive(child.pid!) ? childrenOf(child.pid!) : []
      child.kill('SIGKILL')
      await exited
      // Its workers outlive it for a moment, and one may still write down a call.
      await vi.waitUntil(() => !workers.some(isAlive), { timeout: 50_000, interval: 5 })
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Names as sources give them, all tools listed: what the tests want to see. */
export const toConfig = (config: object): string =>
  JSON.stringify({ profiles: { default: { expose: 'flat', names: 'exact' } }, ...config })

const placeFile = (folder: string, content: string): string => {
  const file = join(folder, 'pegboard.json')
  writeFileSync(file, content)
  return file
}

/** Listens until the tools of these namespaces are there, or no longer are. */
export const untilListed = async (
  client: StoryClient,
  wanted: readonly string[],
  unwanted: readonly string[] = [],
): Promise<void> => {
  for (;;) {
    const changed = client.changed()
    const names = await client.list()
    const isThere = (namespace: string) => names.some((name) => name.startsWith(`${namespace}.`))
    if (wanted.every(isThere) && !unwanted.some(isThere)) return
    await changed
  }
}

export const pidOf = async (client: StoryClient, namespace: string): Promise<number> =>
  Number((await client.call(`${namespace}.pid`, {})).text)

/** A zombie that nobody collects counts as alive to `kill`, so on Linux its state is looked at. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Looks until all are gone; the test's own limit bounds it. */
export const untilGone = async (pids: readonly number[]): Promise<void> => {
  await expect.poll(() => pids.filter(isAlive), { interval: 5 }).toEqual([])
}

/** The most memory a process ever held, in MiB; undefined where the system does not tell. */
export const peakMemoryMb = (pid: number): number | undefined => {
  if (process.platform !== 'linux') return undefined
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return peak ? Number(peak[1]) / 1024 : undefined
}

/** A program beside these tests. */
export const faultServer = (name: string, ...args: readonly string[]) => ({
  type: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL(`servers/${name}.mjs`, import.meta.url)), ...args],
})

/** The processes that this one started and that still run, the reaper among them; empty where the system does not tell. */
export const childrenOf = (pid: number): number[] => {
  if (process.platform !== 'linux') return []
  const tasks = readdirSync(`/proc/${pid}/task`)
  const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
  return children.filter((text) => text !== '').map(Number)
}
