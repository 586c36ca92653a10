import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Stream } from 'node:stream'
import type { Clock } from '../../model/clock.js'
import type { Logger } from '../../telemetry/logger.js'
import { type Child, createChannel } from './channel.js'
import { type ChildCommand, checkCommand } from './command.js'
import { childEnvironment, type InheritedEnvironment } from './environment.js'
import { type AttemptedStart, spawnFailure } from './failure.js'
import { groupOf } from './group.js'
import { isGuarded } from './leash/guards.js'
import type { Leash } from './leash/leash.js'
import { type ChildLimits, childLimits } from './limits.js'
import type { Reaper } from './reaper.js'
import { type StopTimes, stopTimes } from './stop.js'

export interface ChildOptions extends ChildCommand {
  readonly clock: Clock
  readonly logger: Logger
  readonly reaper: Reaper
  /** Our own environment, from which the allow-list is filled. */
  readonly hostEnv: InheritedEnvironment
  /** Time until `started` must have been called, or the child is ended. Default: 30 s, as in document 001 (001-21). */
  readonly startTimeoutMs?: number | undefined
  /** A launcher's download has become worth telling of, or is over. */
  readonly onDownload?: ((isDownloading: boolean) => void) | undefined
  readonly bounds?: Partial<ChildLimits> | undefined
  readonly stopTimes?: Partial<StopTimes> | undefined
}

const defaultStartTimeoutMs = 30_000

/** Starts a command in its own process group. Rejects with SOURCE_START_FAILED and a hint when the system refuses. */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  checkCommand(options)
  const { reaper, logger, command } = options
  const env = childEnvironment({ host: options.hostEnv, declared: options.env, mark: reaper.instance.mark })
  // Loaded with the first child that has one: without limits and sandbox a start costs what it did.
  const leash = isGuarded(options) ? await hold(options, env) : undefined
  reaper.ready()
  const child = await launch(options, env, leash)
  // No wait between start and watch: what is not listed when we are killed can only be found by its mark, on Linux.
  const group = groupOf(child.pid!)
  reaper.watch(group)
  logger.log('debug', 'Process started', { command, pid: child.pid })
  return createChannel(child, {
    command: options,
    group,
    clock: options.clock,
    logger,
    limits: { ...childLimits, ...options.bounds },
    stopTimes: { ...stopTimes, ...options.stopTimes },
    startTimeoutMs: options.startTimeoutMs ?? defaultStartTimeoutMs,
    onDownload: options.onDownload,
    leash,
    onGone: () => reaper.forget(group),
  })
}

const hold = async (options: ChildOptions, env: Record<string, string>): Promise<Leash> => {
  const { putOnLeash } = await import('./leash/leash.js')
  const { clock, logger, reaper } = options
  return putOnLeash({ command: options, env, clock, logger, reaper })
}

const launch = async (
  options: ChildOptions,
  env: Record<string, string>,
  leash: Leash | undefined,
): Promise<ChildProcessWithoutNullStreams> => {
  try {
    const child = spawnPlainly(options, env, leash)
    if (child.pid === undefined) throw spawnFailure(attempt(options, env), await refusal(child))
    return child
  } catch (error) {
    await leash?.release()
    throw error
  }
}

const spawnPlainly = (
  options: ChildOptions,
  env: Record<string, string>,
  leash: Leash | undefined,
): ChildProcessWithoutNullStreams => {
  const { command, args, cwd } = leash ?? options
  try {
    return spawn(command, args ?? [], {
      env: leash?.env ?? env,
      cwd,
      shell: false,
      // A group of its own, so that helpers end with it. Windows has none, and would open a console window instead.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
  } catch (error) {
    throw spawnFailure(attempt(options, env), (error as NodeJS.ErrnoException).code)
  }
}

const attempt = ({ command, cwd }: ChildCommand, env: Record<string, string>): AttemptedStart => ({
  command,
  cwd,
  path: env.PATH,
})

/** The system's code for why there is no process. Out of files, Node gives back a child without streams. */
const refusal = async (child: ChildProcessWithoutNullStreams): Promise<string | undefined> => {
  for (const stream of [child.stdin, child.stdout, child.stderr] as (Stream | undefined)[])
    stream?.on('error', () => {})
  const [error] = (await once(child, 'error').catch((thrown) => [thrown])) as [NodeJS.ErrnoException]
  return error.code
}
