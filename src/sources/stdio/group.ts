import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { exists, isRunning, readStat } from './proc.js'

/** A child and everything it started that did not leave its process group. */
export interface ProcessGroup {
  /** The leader's pid, which is the group's id as well. */
  readonly id: number
  /** The leader's start in clock ticks; undefined where there is no `/proc`. Guards against a reused id. */
  readonly start: string | undefined
}

export const groupOf = (leader: number): ProcessGroup => ({ id: leader, start: readStat(leader)?.start })

/**
 * Sends a signal to the whole group; false when there was nobody left to send it to. An id stays taken while its group
 * has members, so a leader with another start time means that ours is gone and the id was given away.
 */
export const signalGroup = (group: ProcessGroup, signal: 'SIGTERM' | 'SIGKILL'): boolean => {
  if (process.platform === 'win32') return endTree(group.id, signal)
  if (isReused(group)) return false
  try {
    return process.kill(-group.id, signal)
  } catch {
    return false
  }
}

/** Whether any member still runs. Zombies wait for someone else to collect them and do not count. */
export const isGroupAlive = (group: ProcessGroup): boolean => {
  if (process.platform === 'win32') return false
  if (isReused(group) || !exists(-group.id)) return false
  // Without /proc the signal's answer is all there is.
  return group.start === undefined || runningMembers(group).length > 0
}

/** Pids of the members that run, by `/proc`. */
export const runningMembers = (group: ProcessGroup): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      if (!Number.isInteger(pid)) return false
      const stat = readStat(pid)
      return stat?.group === group.id && isRunning(stat)
    })

const isReused = (group: ProcessGroup): boolean => {
  if (group.start === undefined) return false
  const leader = readStat(group.id)
  return leader !== undefined && leader.start !== group.start
}

/** Windows has no process groups; `taskkill /T` walks the tree. Written to its documentation, not run by our tests. */
const endTree = (pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean => {
  const force = signal === 'SIGKILL' ? ['/F'] : []
  return spawnSync('taskkill', ['/T', ...force, '/PID', String(pid)], { windowsHide: true, timeout: 5000 }).status === 0
}
