import { existsSync, rmSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { GatewayError } from '../../../errors.js'
import type { Clock } from '../../../model/clock.js'
import type { Logger } from '../../../telemetry/logger.js'
import type { ChildCommand } from '../command.js'
import { spawnFailure } from '../failure.js'
import type { ProcessGroup } from '../group.js'
import type { Reaper } from '../reaper.js'
import { bubblewrapLaunch } from './bubblewrap.js'
import { type ChildCgroup, openChildCgroup, ownCgroup } from './cgroup.js'
import { containerLaunch, endContainer, sweepContainers } from './containers.js'
import { amountsOf, type GuardReport, type LimitName, limitWords, sandboxOf, shownAmount } from './guards.js'
import { type Argv, withLimits } from './launch.js'
import { type Ability, findBubblewrap, findContainers, findProgram } from './machine.js'
import { privateFolder, removePrivateFolder } from './private-folder.js'
import { openSandboxProxy } from './proxy.js'
import { guardReport } from './report.js'
import { type WatchedLimit, watchFamily } from './watch.js'

export { guardReport, removePrivateFolder }

/** A limit that was reached, in words that go behind the command's name. */
export interface Breach {
  readonly limit: LimitName
  readonly fault: string
}

/** How a guarded child is started, watched, explained and cleared away. */
export interface Leash {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
  /** Ties it to the process that was started. `onBreach` is called once it was ended for using too much. */
  tie(group: ProcessGroup, onBreach: (breach: Breach) => void): void
  /** The limit behind an end, where it was one. */
  explain(exitCode: number | null, signal: NodeJS.Signals | null): Breach | undefined
  /** What may have kept it from starting, for the end of a message; empty where nothing is known. */
  hint(stderr: string): string
  /** Clears away what it needed. Idempotent. */
  release(): Promise<void>
}

export interface LeashOptions {
  readonly command: ChildCommand
  /** The environment that it would have without a box. */
  readonly env: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly logger: Logger
  readonly reaper: Reaper
}

/** Makes ready what guards a child. Throws where its box cannot be had: it never runs without the one it was to have. */
export const putOnLeash = async (options: LeashOptions): Promise<Leash> => {
  const { command } = options
  const report = guardReport(command) ?? { limits: [], lacking: [] }
  tellLacking(report, options)
  const clearing: (() => void | Promise<void>)[] = []
  try {
    const box = await openBox(options, report, clearing)
    const place = report.limits.some(({ by }) => by === 'cgroup') ? ownCgroup().path : undefined
    const cgroup = place === undefined ? undefined : openChildCgroup(place, report.limits)
    if (cgroup) clearing.push(() => cgroup.end(options.clock))
    return new Held(options, report, { ...box, argv: withLimits(box.argv, report, cgroup?.path) }, cgroup, clearing)
  } catch (error) {
    for (const clear of clearing.reverse()) await clear()
    throw error
  }
}

const tellLacking = ({ lacking }: GuardReport, { logger, command }: LeashOptions): void => {
  for (const { limit, why } of lacking)
    logger.log('warn', `A limit is not enforced on this machine`, { source: command.source, limit, why })
}

interface Box {
  readonly argv: Argv
  readonly env: Readonly<Record<string, string>>
  readonly shows?: ((path: string) => boolean) | undefined
}

const openBox = async (
  options: LeashOptions,
  report: GuardReport,
  clearing: (() => void | Promise<void>)[],
): Promise<Box> => {
  const { command, env, reaper, logger } = options
  const { args = [], cwd } = command
  const sandbox = sandboxOf(command.sandbox)
  if (!sandbox) return { argv: [programOf(options), ...args], env }
  if (sandbox.kind !== 'bubblewrap') {
    const tool = needed(await findContainers(sandbox.kind), command)
    await sweepOnce(tool, logger)
    const declared = command.env ?? {}
    const { argv, name } = containerLaunch({
      ...{ tool, sandbox, command: command.command, args, cwd, declared, report },
      mark: reaper.instance.mark,
    })
    reaper.watchContainer(tool, name)
    clearing.push(async () => {
      await endContainer(tool, name)
      reaper.forgetContainer(name)
    })
    return { argv, env: { ...env, ...engineVariables() } }
  }
  const ability = await findBubblewrap()
  const bwrap = needed(ability, command)
  const program = programOf(options)
  const folder = privateFolder(reaper.instance.mark)
  const relay =
    typeof sandbox.network === 'object' ? await openRelay(options, folder, sandbox.network.allow, clearing) : undefined
  const launch = bubblewrapLaunch({
    bwrap,
    isOld: ability.path === undefined ? undefined : ability.isOld,
    memoryBytes: amountsOf(command.limits).memory ?? boxBytes,
    sandbox,
    command: program,
    args,
    cwd,
    home: homedir(),
    folder,
    relay,
    loading: Object.entries(command.env ?? {}).filter(([name]) => isForLoader(name)),
  })
  // What the operator declared for the child is said last, also about its home.
  const told = Object.entries({ ...env, ...launch.env, ...command.env }).filter(([name]) => !isForLoader(name))
  return { argv: launch.argv, env: Object.fromEntries(told), shows: launch.shows }
}

/** Names a library that every program loads: bubblewrap would too, outside the box, from a file that a child may have written. */
const isForLoader = (name: string): boolean => /^(?:LD_|GLIBC_TUNABLES$|GCONV_PATH$|LOCPATH$|BASH_ENV$|ENV$)/.test(name)

// What lies in the folders of a box lies in memory, and no process is seen to hold it.
const boxBytes = 512 * 1024 * 1024
let relays = 0

const openRelay = async (
  { logger, command }: LeashOptions,
  folder: string,
  allow: readonly string[],
  clearing: (() => void | Promise<void>)[],
) => {
  relays += 1
  const socket = join(folder, `${relays}.sock`)
  const proxy = await openSandboxProxy({ socket, allow, source: command.source ?? command.command, logger })
  clearing.push(async () => {
    await proxy.close()
    rmSync(socket, { force: true })
  })
  return { socket, node: process.execPath, script: join(folder, 'relay.cjs') }
}

/** The whole path of the program, so that one that is missing is missing as it is without a leash. */
const programOf = ({ command: { command, cwd }, env }: LeashOptions): string => {
  if (/[/\\]/.test(command)) {
    const path = resolve(cwd ?? '.', command)
    if (existsSync(path)) return path
  } else {
    const path = findProgram(command, env.PATH)
    if (path !== undefined) return resolve(path)
  }
  throw spawnFailure({ command, cwd, path: env.PATH }, 'ENOENT')
}

const needed = (ability: Ability, { command, sandbox }: ChildCommand): string => {
  if (ability.path !== undefined) return ability.path
  throw new GatewayError(
    'SOURCE_START_FAILED',
    `${command} was not started, since its sandbox cannot be made: ${ability.why}`,
    {
      notSent: true,
      details: { command, sandbox: sandboxOf(sandbox)?.kind, machine: true },
    },
  )
}

const swept = new Map<string, Promise<void>>()

const sweepOnce = (tool: string, logger: Logger): Promise<void> => {
  const sweeping = swept.get(tool) ?? sweepContainers(tool, logger)
  swept.set(tool, sweeping)
  return sweeping
}

/** What the tools need to find their engine; none of it goes inside. */
export const engineVariables = (): Record<string, string> => {
  const names = ['DOCKER_HOST', 'DOCKER_CONTEXT', 'DOCKER_CONFIG', 'DOCKER_CERT_PATH', 'DOCKER_TLS_VERIFY']
  const set = [...names, 'CONTAINER_HOST', 'XDG_RUNTIME_DIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(set)
}

class Held implements Leash {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string | undefined
  readonly #options: LeashOptions
  readonly #report: GuardReport
  readonly #box: Box
  readonly #cgroup: ChildCgroup | undefined
  readonly #clearing: (() => void | Promise<void>)[]
  #stopWatching = () => {}
  #released: Promise<void> | undefined

  constructor(
    options: LeashOptions,
    report: GuardReport,
    box: Box,
    cgroup: ChildCgroup | undefined,
    clearing: (() => void | Promise<void>)[],
  ) {
    const [program, ...args] = box.argv
    this.command = program
    this.args = args
    this.env = box.env
    // A folder inside a container's image is not one of ours.
    this.cwd = report.sandbox === 'docker' || report.sandbox === 'podman' ? undefined : options.command.cwd
    this.#options = options
    this.#report = report
    this.#box = box
    this.#cgroup = cgroup
    this.#clearing = clearing
  }

  tie(group: ProcessGroup, onBreach: (breach: Breach) => void): void {
    const limits = Object.fromEntries(
      this.#report.limits.filter(({ by }) => by === 'watch').map(({ limit, amount }) => [limit, amount]),
    ) as Partial<Record<WatchedLimit, number>>
    if (Object.keys(limits).length === 0) return
    this.#stopWatching = watchFamily({
      group,
      limits,
      clock: this.#options.clock,
      onBreach: (limit, use) => onBreach(this.#breach(limit, `it used ${shownAmount(limit, Math.ceil(use))}`)!),
    })
  }

  explain(exitCode: number | null, signal: NodeJS.Signals | null): Breach | undefined {
    // Behind bubblewrap and a container a signal is told as a shell does.
    const number = signal ? constants.signals[signal] : (exitCode ?? 0) - 128
    if (number === constants.signals.SIGXCPU) return this.#breach('cpuSeconds')
    if (number === constants.signals.SIGXFSZ) return this.#breach('fileSize')
    const found = this.#cgroup?.breached()
    if (found === 'memory') return this.#breach('memory')
    if (found === 'processes' && exitCode !== 0) return this.#breach('processes', 'no more could be started')
    const inContainer = this.#report.limits.some(({ limit, by }) => limit === 'memory' && by === 'container')
    return inContainer && exitCode === 137 ? this.#breach('memory', 'most likely: it was killed') : undefined
  }

  hint(stderr: string): string {
    const { shows } = this.#box
    if (!shows) return ''
    const { command, args = [], cwd } = this.#options.command
    const paths = args.flatMap((arg) => pathIn(arg, cwd)).filter((path) => !shows(path))
    const hidden = [...new Set(paths)].slice(0, 4)
    if (hidden.length > 0)
      return ` Not seen inside its sandbox: ${hidden.join(', ')}. Name what it needs in "sandbox.mounts".`
    if (/bwrap: execvp|pegboard relay: spawn/.test(stderr))
      return ` ${command} is not seen inside its sandbox, or what runs it is not. Name its folder in "sandbox.mounts".`
    return /ENOENT|No such file|not found|cannot find|EROFS|Read-only/i.test(stderr)
      ? ' It sees only the system and what "sandbox.mounts" names; its home and /tmp are empty.'
      : ''
  }

  release(): Promise<void> {
    this.#stopWatching()
    this.#released ??= this.#clear()
    return this.#released
  }

  async #clear(): Promise<void> {
    for (const clear of this.#clearing.reverse()) await Promise.resolve(clear()).catch(() => {})
  }

  #breach(limit: LimitName, more?: string): Breach | undefined {
    const amount = this.#report.limits.find((each) => each.limit === limit)?.amount
    if (amount === undefined) return undefined
    const why = more === undefined ? '' : ` (${more})`
    return { limit, fault: `was ended: over its ${limitWords[limit]} of ${shownAmount(limit, amount)}${why}.` }
  }
}

/** An argument, or the value of a flag, that is a file or folder of this machine. */
const pathIn = (arg: string, cwd: string | undefined): readonly string[] => {
  const text = /^--?[\w-]+=(.+)$/.exec(arg)?.[1] ?? arg
  if (!/[/.]/.test(text) || text.length > 4096) return []
  const path = resolve(cwd ?? '.', text)
  return existsSync(path) ? [path] : []
}
