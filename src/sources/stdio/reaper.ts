import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { instanceVariable } from './environment.js'
import type { ProcessGroup } from './group.js'
import type { Instance } from './instance.js'
import { reaperProgram } from './reaper-main.js'

/**
 * A helper process that outlives us by an instant and ends our children when we could not (F14). Measured: neither plain
 * nor detached children die with a parent that gets SIGKILL, and a parent-death signal spares grandchildren.
 */
export interface Reaper {
  readonly instance: Instance
  /** Starts the process unless it runs. Called before a child is started, so that no time passes between start and `watch`. */
  ready(): void
  watch(group: ProcessGroup): void
  forget(group: ProcessGroup): void
  /** A container runs on when its command-line tool is killed: it is removed by its name. */
  watchContainer(tool: string, name: string): void
  forgetContainer(name: string): void
  /** Ends the process; groups still watched are killed. Idempotent. */
  close(): Promise<void>
}

export interface ReaperOptions {
  readonly instance: Instance
  readonly clock: Clock
  readonly logger: Logger
}

// Someone who keeps killing it means it; beyond this it is started again only with the next child.
const maxRestarts = 3
const restartWindowMs = 60_000

export const createReaper = ({ instance, clock, logger }: ReaperOptions): Reaper => {
  const groups = new Map<number, ProcessGroup>()
  const containers = new Map<string, string>()
  let running: ChildProcess | undefined
  let closed = false
  let restarts: number[] = []

  const tell = (line: string) => running?.stdin?.write(line)
  const start = () => {
    const started = spawnReaper(instance)
    if (!started)
      return logger.log('warn', 'The reaper process could not be started; it is tried again with the next child')
    running = started
    for (const group of groups.values()) tell(enter(group))
    for (const [name, tool] of containers) tell(`+${name} ${tool}\n`)
    started.once('error', (error: NodeJS.ErrnoException) => lost(started, error.code ?? error.message))
    started.once('exit', (code, signal) => lost(started, signal ?? `exit code ${code}`))
  }
  const lost = (which: ChildProcess, reason: string) => {
    if (running !== which) return
    running = undefined
    if (closed) return
    logger.log('warn', 'The reaper process ended; children may outlive a crash until it is back', { reason })
    restarts = restarts.filter((at) => at > clock.now() - restartWindowMs)
    if (groups.size + containers.size === 0 || restarts.length >= maxRestarts) return
    restarts.push(clock.now())
    start()
  }

  return {
    instance,
    ready: () => {
      if (!running && !closed) start()
    },
    watch: (group) => {
      groups.set(group.id, group)
      tell(enter(group))
    },
    forget: (group) => {
      if (groups.delete(group.id)) tell(`-${group.id}\n`)
    },
    watchContainer: (tool, name) => {
      // A path with a newline would be two orders.
      if (/[\r\n]/.test(tool)) return
      containers.set(name, tool)
      tell(`+${name} ${tool}\n`)
    },
    forgetContainer: (name) => {
      if (containers.delete(name)) tell(`-${name}\n`)
    },
    close: async () => {
      closed = true
      if (running) await endReaper(running, clock)
    },
  }
}

const enter = (group: ProcessGroup): string => (group.start ? `+${group.id} ${group.start}\n` : `+${group.id}\n`)

const spawnReaper = (instance: Instance): ChildProcess | undefined => {
  const child = attempt(() =>
    spawn(process.execPath, [...reaperFlags, reaperProgram, instance.mark, instanceVariable], {
      // Its own session: a signal to our terminal or our group passes it by.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      // No folder is kept busy, and our environment cannot change how it runs or give it a mark that a sweep would follow.
      cwd: '/',
      env: reaperEnvironment(),
      windowsHide: true,
    }),
  )
  if (!child) return undefined
  // It must never be what keeps us alive. Its pipe closes with us, which is its signal.
  child.unref()
  ;(child.stdin as Socket | null)?.unref()
  child.stdin?.on('error', () => {})
  return child
}

// Small heaps: it keeps a few numbers and should cost little memory.
const reaperFlags = ['--max-old-space-size=16', '--max-semi-space-size=1', '--input-type=commonjs', '-e']

const attempt = <T>(action: () => T): T | undefined => {
  try {
    return action()
  } catch {
    return undefined
  }
}

const onWindows = process.platform === 'win32'

const reaperEnvironment = (): NodeJS.ProcessEnv => ({
  // Inside Electron the executable is not Node unless told so.
  ELECTRON_RUN_AS_NODE: '1',
  SystemRoot: onWindows ? process.env.SystemRoot : undefined,
  PATH: process.env.PATH,
  // How docker and podman find their engine; Node itself reads none of them.
  HOME: process.env.HOME,
  XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR,
  DOCKER_HOST: process.env.DOCKER_HOST,
  DOCKER_CONTEXT: process.env.DOCKER_CONTEXT,
  DOCKER_CONFIG: process.env.DOCKER_CONFIG,
  CONTAINER_HOST: process.env.CONTAINER_HOST,
})

const endReaper = (child: ChildProcess, clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve()
    const cancel = clock.after(2000, () => child.kill('SIGKILL'))
    child.once('exit', () => {
      cancel()
      resolve()
    })
    child.ref()
    child.stdin?.end()
  })
