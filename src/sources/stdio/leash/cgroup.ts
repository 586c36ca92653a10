import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../model/clock.js'
import { readStat } from '../proc.js'
import type { GuardReport } from './guards.js'

/** The cgroup of one child. */
export interface ChildCgroup {
  readonly path: string
  /** The limit that the kernel enforced by ending or refusing something. */
  breached(): 'memory' | 'processes' | undefined
  /** Kills whoever is left in it, in whatever process group, and removes it. */
  end(clock: Clock): Promise<void>
}

/** The cgroup v2 that is ours to divide, or why there is none. */
export type OwnCgroup =
  | { readonly path: string; readonly controllers: ReadonlySet<string>; readonly why?: undefined }
  | { readonly path?: undefined; readonly controllers: ReadonlySet<string>; readonly why: string }

const wanted = ['memory', 'pids', 'cpu']
const home = 'pegboard-gateway'
let own: OwnCgroup | undefined

/**
 * Our own cgroup, made ready to hold one for each child. It must be delegated to us (a systemd unit or scope with
 * `Delegate=yes`, a container that may write there) and hold nobody but us: a cgroup that divides memory has no processes
 * of its own, so we move ourselves into one below. Nothing else on the machine is touched.
 */
export const ownCgroup = (): OwnCgroup => {
  own ??= findOwn()
  return own
}

const findOwn = (): OwnCgroup => {
  const none = (why: string): OwnCgroup => ({ controllers: new Set(), why })
  if (process.platform !== 'linux') return none(`cgroups need Linux, and this is ${process.platform}`)
  try {
    const mount = mountPoint()
    const [, inside] = /^0::(\/.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? []
    if (mount === undefined || inside === undefined) return none('cgroup v2 is not mounted')
    const path = join(mount, inside.endsWith(`/${home}`) ? inside.slice(0, -home.length) : inside)
    const offered = wordsIn(join(path, 'cgroup.controllers')).filter((word) => wanted.includes(word))
    if (offered.length === 0) return none('no controllers are delegated to the cgroup of this process')
    const strangers = pidsIn(path).filter((pid) => !isOurs(pid))
    // The root of all cgroups alone may have processes and children that are limited.
    const isRoot = !hasFile(join(path, 'cgroup.type'))
    if (strangers.length > 0 && !isRoot)
      return none('other processes share the cgroup of this one; run it as a unit of its own with Delegate=yes')
    if (!isRoot) moveInto(join(path, home), path)
    writeFileSync(join(path, 'cgroup.subtree_control'), offered.map((word) => `+${word}`).join(' '))
    sweep(path)
    return { path, controllers: new Set(offered) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return none(`the cgroup of this process may not be divided (${code ?? 'unknown'}); it needs Delegate=yes`)
  }
}

const mountPoint = (): string | undefined =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .find(([, , type]) => type === 'cgroup2')?.[1]

const wordsIn = (file: string): readonly string[] => readFileSync(file, 'utf8').split(/\s+/).filter(Boolean)
const pidsIn = (path: string): readonly number[] => wordsIn(join(path, 'cgroup.procs')).map(Number)

const hasFile = (file: string): boolean => {
  try {
    readFileSync(file)
    return true
  } catch {
    return false
  }
}

/** We, or whom we started: the reaper and children without limits. */
const isOurs = (pid: number): boolean => {
  for (let each = pid, steps = 0; each > 1 && steps < 64; steps += 1) {
    if (each === process.pid) return true
    each = readStat(each)?.parent ?? 0
  }
  return false
}

const moveInto = (below: string, from: string): void => {
  mkdirSync(below, { recursive: true })
  for (const pid of pidsIn(from)) writeFileSync(join(below, 'cgroup.procs'), String(pid))
}

/** Cgroups that an earlier gateway left; who is still in one keeps it. */
const sweep = (path: string): void => {
  for (const name of readdirSync(path))
    if (name.startsWith('pegboard-child-')) attempt(() => rmdirSync(join(path, name)))
}

let count = 0

/** Makes the cgroup of one child, with its limits set before anybody is in it. */
export const openChildCgroup = (path: string, limits: GuardReport['limits']): ChildCgroup => {
  count += 1
  const here = join(path, `pegboard-child-${process.pid}-${count}`)
  mkdirSync(here)
  const write = (file: string, text: string) => writeFileSync(join(here, file), text)
  try {
    for (const { limit, amount } of limits.filter(({ by }) => by === 'cgroup')) {
      if (limit === 'memory') {
        write('memory.max', String(amount))
        // Without it what is over the limit goes to the disk instead, and the machine with it.
        attempt(() => write('memory.swap.max', '0'))
        attempt(() => write('memory.oom.group', '1'))
      }
      if (limit === 'processes') write('pids.max', String(amount))
      if (limit === 'cpus') write('cpu.max', `${Math.max(Math.round(amount * 100_000), 1000)} 100000`)
    }
  } catch (error) {
    attempt(() => rmdirSync(here))
    throw error
  }
  return {
    path: here,
    breached: () => {
      if (counted(join(here, 'memory.events'), 'oom_kill') > 0) return 'memory'
      return counted(join(here, 'pids.events'), 'max') > 0 ? 'processes' : undefined
    },
    end: async (clock) => {
      attempt(() => write('cgroup.kill', '1'))
      for (let waitMs = 2; waitMs < 2000; waitMs *= 2) {
        if (attempt(() => rmdirSync(here))) return
        await new Promise<void>((resolve) => void clock.after(waitMs, resolve))
      }
    },
  }
}

const counted = (file: string, name: string): number => {
  try {
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

const attempt = (action: () => void): boolean => {
  try {
    action()
    return true
  } catch {
    return false
  }
}
