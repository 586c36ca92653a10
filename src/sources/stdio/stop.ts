import { GatewayError } from '../../errors.js'
import type { Clock } from '../../model/clock.js'
import { isGroupAlive, type ProcessGroup, signalGroup } from './group.js'

/** How long a child may take over each way of being asked to end. */
export interface StopTimes {
  /** After its input ended, before SIGTERM. */
  readonly inputMs: number
  /** After SIGTERM, before SIGKILL. */
  readonly termMs: number
  /** After SIGKILL, before we report that the kernel did not let go of it. */
  readonly killMs: number
}

export const stopTimes: StopTimes = { inputMs: 2000, termMs: 3000, killMs: 5000 }

export interface StopOptions {
  readonly command: string
  readonly group: ProcessGroup
  /** Settles when the leader has ended and was collected, so that no zombie is left. */
  readonly exited: Promise<void>
  readonly clock: Clock
  readonly times: StopTimes
  /** `input`: asks politely first. `term`: it cannot or need not hear that. `kill`: the leader is gone, the rest goes too. */
  readonly from: 'input' | 'term' | 'kill'
}

/** Ends the whole group, step by step (F13). The caller ends the input; a group that is gone early ends the wait early. */
export const stopGroup = async (options: StopOptions): Promise<void> => {
  const { group, times, from } = options
  const ended = watchEnd(options)
  if (from === 'input' && (await ended(times.inputMs))) return
  if (from !== 'kill') {
    signalGroup(group, 'SIGTERM')
    if (await ended(times.termMs)) return
  }
  signalGroup(group, 'SIGKILL')
  if (await ended(times.killMs)) return
  throw new GatewayError(
    'SOURCE_STOP_FAILED',
    `${options.command} (process group ${group.id}) still runs after SIGKILL. It may wait for a dead disk or network ` +
      'mount, or run as another user: look at it with ps and end it by hand.',
    { details: { command: options.command, processGroup: group.id } },
  )
}

const longestPollMs = 200

/** True when leader and group are gone within the time. Only the leader's end is an event; the rest must be looked for. */
const watchEnd = ({ group, exited, clock }: StopOptions) => {
  let leaderGone = false
  const noticed = exited.then(() => {
    leaderGone = true
  })
  return (withinMs: number) =>
    new Promise<boolean>((resolve) => {
      const deadline = clock.now() + withinMs
      let pollMs = 2
      let cancel = () => {}
      const look = () => {
        cancel()
        if (leaderGone && !isGroupAlive(group)) return resolve(true)
        const left = deadline - clock.now()
        if (left <= 0) return resolve(false)
        if (leaderGone) pollMs = Math.min(pollMs * 2, longestPollMs)
        cancel = clock.after(leaderGone ? Math.min(pollMs, left) : left, look)
      }
      look()
      // Late calls find the promise settled, or the next wait's own timer: looking twice does no harm.
      if (!leaderGone) void noticed.then(look)
    })
}
