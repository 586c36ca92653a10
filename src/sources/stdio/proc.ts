import { readFileSync, readlinkSync } from 'node:fs'

/** The fields of `/proc/<pid>/stat` that tell who a process is. */
export interface ProcessStat {
  readonly state: string
  readonly parent: number
  readonly group: number
  /** Clock ticks between boot and start: together with the pid it names one process for as long as the machine is up. */
  readonly start: string
}

/** The process as Linux describes it; undefined when it is gone or this system has no `/proc`. */
export const readStat = (pid: number | 'self'): ProcessStat | undefined => {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return undefined
  }
}

/** The second field is the program's own choice of name and may hold spaces and brackets: read from the last bracket. */
export const parseStat = (text: string): ProcessStat | undefined => {
  const nameEnd = text.lastIndexOf(')')
  const fields = text.slice(nameEnd + 2).split(' ')
  const [state, parent, group] = fields
  const start = fields[19]
  if (nameEnd === -1 || !state || !parent || !group || !start) return undefined
  return { state, parent: Number(parent), group: Number(group), start: start.trim() }
}

/** Zombies and processes being torn down no longer run; `kill(pid, 0)` succeeds on them and misleads. */
export const isRunning = (stat: ProcessStat | undefined): boolean =>
  stat !== undefined && stat.state !== 'Z' && stat.state !== 'X'

/** Whether there is a process of this id, or a group of its negative: what is left to ask where `/proc` does not answer. */
export const exists = (target: number): boolean => {
  try {
    return process.kill(target, 0)
  } catch (error) {
    // EPERM: it is there, only not ours to signal (a child that changed its user).
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Numbers of process ids differ between containers: a pid only means something inside its namespace. */
export const pidNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return '0'
  }
}
