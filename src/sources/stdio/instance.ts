import { randomBytes } from 'node:crypto'
import { exists, isRunning, pidNamespace, readStat } from './proc.js'

/** One running gateway. Its mark travels in the environment of every process it causes to exist. */
export interface Instance {
  readonly mark: string
}

export interface ParsedMark {
  readonly pid: number
  readonly start: string
  readonly namespace: string
}

/**
 * The mark says by itself whether its gateway still lives: pid, start time and the namespace in which they mean
 * something. So the sweep needs no file of instances that a `kill -9` could leave behind stale.
 */
export const createInstance = (): Instance => ({
  mark: [process.pid, readStat('self')?.start ?? 0, pidNamespace(), randomBytes(8).toString('hex')].join('-'),
})

/** Reads a mark; undefined for anything that we did not write. */
export const parseMark = (mark: string): ParsedMark | undefined => {
  const [, pid, start, namespace] = /^(\d{1,10})-(\d{1,20})-(\d{1,20})-[0-9a-f]{16}$/.exec(mark) ?? []
  if (!pid || !start || !namespace) return undefined
  return { pid: Number(pid), start, namespace }
}

/** Whether the gateway that wrote the mark is gone. Unknown counts as alive: what we cannot judge, we must not kill. */
export const isInstanceDead = (mark: ParsedMark): boolean => {
  if (mark.start === '0' || mark.namespace !== pidNamespace()) return false
  const stat = readStat(mark.pid)
  // Not read is not gone: files may have run out, or other people's processes be hidden.
  if (stat === undefined) return !exists(mark.pid)
  return !isRunning(stat) || stat.start !== mark.start
}
