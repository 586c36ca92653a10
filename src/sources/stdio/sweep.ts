import { readdir, readFile } from 'node:fs/promises'
import type { Logger } from '../../telemetry/logger.js'
import { instanceVariable } from './environment.js'
import { isInstanceDead, parseMark } from './instance.js'
import { isRunning, readStat } from './proc.js'

export interface SweepReport {
  /** Processes that carry the mark of a gateway that is gone. */
  readonly found: readonly number[]
  readonly killed: readonly number[]
}

/**
 * Ends what an earlier gateway left behind (F14): processes that left their group and so escaped the reaper, or all of
 * them if the reaper was killed as well. Linux only; elsewhere it finds nothing.
 */
export const sweepOrphans = async (options: { readonly logger: Logger }): Promise<SweepReport> => {
  // With `hidepid` other users' processes cannot be seen, so a living gateway may look dead: judge nobody.
  if (process.platform !== 'linux' || readStat(1) === undefined) return { found: [], killed: [] }
  const spared = ourselves()
  const found: number[] = []
  const killed: number[] = []
  for (const pid of await processIds()) {
    if (spared.has(pid)) continue
    const orphan = await inspect(pid)
    if (!orphan) continue
    found.push(pid)
    if (kill(pid, orphan.start)) killed.push(pid)
  }
  if (found.length > 0) {
    options.logger.log('warn', 'Ended processes that an earlier gateway left behind', {
      found: found.length,
      killed: killed.length,
    })
  }
  return { found, killed }
}

const processIds = async (): Promise<number[]> => (await readdir('/proc')).map(Number).filter(Number.isInteger)

/** We may run below a tool of a gateway that is gone, and so carry its mark, as may whoever started us. */
const ourselves = (): ReadonlySet<number> => {
  const chain = new Set<number>()
  for (let pid = process.pid; pid > 1 && !chain.has(pid); pid = readStat(pid)?.parent ?? 0) chain.add(pid)
  return chain
}

const inspect = async (pid: number): Promise<{ readonly start: string } | undefined> => {
  // The start time is read before the environment: if the pid changes hands in between, the check in `kill` fails.
  const stat = readStat(pid)
  if (!stat || !isRunning(stat)) return undefined
  const mark = parseMark(await readVariable(pid, instanceVariable))
  return mark && isInstanceDead(mark) ? { start: stat.start } : undefined
}

/** The variable as the process was started with it; empty when it has none or is not ours to read. */
const readVariable = async (pid: number, name: string): Promise<string> => {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
    const entry = environment.split('\0').find((text) => text.startsWith(`${name}=`))
    return entry?.slice(name.length + 1) ?? ''
  } catch {
    return ''
  }
}

const kill = (pid: number, start: string): boolean => {
  if (readStat(pid)?.start !== start) return false
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
