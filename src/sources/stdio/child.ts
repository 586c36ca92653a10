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
  readonly limits?: Partial<ChildLimits> | undefined
  readonly stopTimes?: Partial<StopTimes> | undefined
}

const defaultStartTimeoutMs = 30_000

/** Starts a command in its own process group. Rejects with SOURCE_START_FAILED and a hint when the system refuses. */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  checkCommand(options)
  const { reaper, logger, command } = options
  const env = childEnvironment({ host: options.hostEnv, declared: options.env, mark: reaper.instance.mark })
  reaper.ready()
  const child = launch(options, env)
  if (child.pid === undefined) throw spawnFailure(attempt(options, env), await refusal(child))
  // No wait between start and watch: what is not listed when we are killed can only be found by its mark, on Linux.
  const group = groupOf(child.pid)
  reaper.watch(group)
  logger.log('debug', 'Process started', { command, pid: child.pid })
  return createChannel(child, {
    command: options,
    group,
    clock: options.clock,
    logger,
    limits: { ...childLimits, ...options.limits },
    stopTimes: { ...stopTimes, ...options.stopTimes },
    startTimeoutMs: options.startTimeoutMs ?? defaultStartTimeoutMs,
    onGone: () => reaper.forget(group),
  })
}

const launch = (options: ChildOptions, env: Record<string, string>): ChildProcessWithoutNullStreams => {
  try {
    return spawn(options.command, options.args ?? [], {
      env,
      cwd: options.cwd,
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
