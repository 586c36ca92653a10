import { readFileSync } from 'node:fs'

/** A process, told apart from a later one that got the same pid. */
export interface ProcessIdentity {
  readonly pid: number
  /** Boot and start time where /proc tells them, else empty. */
  readonly start: string
}

export const ownIdentity = (): ProcessIdentity => ({ pid: process.pid, start: startOf(process.pid) ?? '' })

/**
 * Whether this very process still runs. Where /proc is missing or hidden the pid alone decides: then a reused pid looks
 * alive, which refuses a start with a clear message; the opposite mistake would let two writers in.
 */
export const isRunning = ({ pid, start }: ProcessIdentity): boolean => {
  if (!pidExists(pid)) return false
  const found = startOf(pid)
  if (found === 'ended') return false
  return found === undefined || start === '' || found === start
}

const pidExists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// The name of a program may hold spaces and brackets, so fields are counted after the last bracket; the state is the
// first there, the start time (clock ticks since boot) the twentieth. A zombie is dead, only its parent has not looked.
const startOf = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended'
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`
  } catch {
    return undefined
  }
}
